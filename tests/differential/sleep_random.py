"""Random scenes with trees that sleep: every kind of tree, policies, ties between trees, and edits on the way."""

import random

import mujoco

from sleep_scenes import MOCAP, Scene, add, change, scene

STEPS = 300
TENDONS = ("", 'limited="true" range="0 1.2"', 'frictionloss=".05"')
FRICTION = 'condim="6" friction="1 .05 .05"'


def random_geom(dice, size):
    """Pairs of these have the same points of contact in both engines."""
    return dice.choice((f'<geom size="{size:.3f}" {FRICTION}/>', f'<geom type="box" size="{size:.3f} {size:.3f} {size:.3f}"/>'))


def random_tree(dice, i):
    """MJCF of one tree with a body b<i> and a site s<i>; hinges are named j<i>."""
    place = f"{dice.uniform(-1.5, 1.5):.3f} {dice.uniform(-1.5, 1.5):.3f}"
    policy, size = dice.choice(("auto", "auto", "allowed", "init", "never")), dice.uniform(0.06, 0.14)
    damping, loss = dice.uniform(0.3, 1), dice.choice((0, 0.3))
    height = size - 0.001 if dice.random() < 0.6 else dice.uniform(0.2, 0.6)
    return dice.choice((
        f'<body name="b{i}" pos="{place} {height:.3f}" sleep="{policy}"><freejoint/>{random_geom(dice, size)}'
        f'<site name="s{i}"/></body>',
        f'<body name="b{i}" pos="{place} 1" sleep="{policy}"><joint name="j{i}" axis="0 1 0" damping="{damping:.3f}" '
        f'frictionloss="{loss}"/><geom size=".05" pos="0 0 -.2" contype="0" conaffinity="0"/>'
        f'<site name="s{i}" pos="0 0 -.2"/></body>',
        f'<body name="b{i}" pos="{place} 1.5" sleep="{policy}"><joint type="ball" damping="{damping:.3f}"/>'
        f'<geom size=".05" pos="0 0 -.2"/><body pos="0 0 -.2"><joint axis="1 0 0" damping=".5" range="-20 20"/>'
        f'<geom size=".04" pos=".1 0 -.1"/><site name="s{i}"/></body></body>',
        f'<body name="b{i}" pos="{place} .02"><geom type="box" size=".1 .1 .02"/><body pos="0 0 .3" sleep="{policy}">'
        f'<joint type="slide" axis="0 0 1" damping="5"/><geom size=".1"/><site name="s{i}"/></body></body>'))


def random_ties(dice, count, hinges):
    """Tendons, equalities and actuators between the trees."""
    first, second = dice.sample(range(count), 2)
    switch = dice.choice(("true", "false"))
    tendons = dice.choice(("", f'<spatial {dice.choice(TENDONS)}>'
                           f'<site site="s{first}"/><site site="s{second}"/></spatial>'))
    # at the centre of a ball joint the rows of an anchor would be rounding, and exist in one engine only
    equalities = dice.choice(("", f'<connect body1="b{first}" body2="b{second}" anchor=".03 .05 .1" active="{switch}"/>',
                              f'<weld body1="b{first}" body2="b{second}" active="{switch}"/>'))
    actuators = ""
    if hinges:
        tendons += f'<fixed limited="true" range="-.3 .3" stiffness="1"><joint joint="j{hinges[0]}" coef="1"/></fixed>'
        actuators = f'<position joint="j{hinges[-1]}" kp="2" ctrlrange="-1 1" timeconst="{dice.choice((0, 0.1))}"/>'
    if len(hinges) > 1:
        equalities += f'<joint joint1="j{hinges[0]}" joint2="j{hinges[1]}" active="{switch}"/>'
    parts = {"tendon": tendons, "equality": equalities, "actuator": actuators}
    return "".join(f"<{name}>{text}</{name}>" for name, text in parts.items() if text)


def random_edit(dice, model):
    kind = dice.choice(("qvel", "xfrc_applied", "qfrc_applied", "qpos", "eq_active", "ctrl"))
    if kind == "qpos":
        return add("qpos", dice.randrange(model.nq), 0.001)
    size = {"qvel": model.nv, "qfrc_applied": model.nv, "eq_active": model.neq, "ctrl": model.nu,
            "xfrc_applied": 6 * model.nbody}[kind]
    values = {"qvel": (-0.0, 0.3, 1.0), "eq_active": (0, 1), "ctrl": (-1, 0.5)}.get(kind, (0.0, -0.0, 0.2))
    return change(kind, dice.randrange(size), dice.choice(values)) if size else add("qpos", 0, 0.001)


def random_scene(seed):
    """A scene, or None where MuJoCo refuses it: a tree that starts asleep touches one that does not."""
    dice = random.Random(seed)
    trees = [random_tree(dice, i) for i in range(dice.randint(2, 6))]
    hinges = [i for i, tree in enumerate(trees) if f'"j{i}"' in tree]
    option = (f'integrator="{dice.choice(("Euler", "implicitfast", "implicit"))}" viscosity=".2" density="50" '
              f'sleep_tolerance="{dice.choice((1e-3, 1e-2, 5e-2))}"')
    text = scene("".join(trees) + dice.choice(("", MOCAP)), option=option, after=random_ties(dice, len(trees), hinges))
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return None
    edits = {step: random_edit(dice, model) for step in dice.sample(range(20, 250), 5)}
    return Scene(f"seed {seed}", text, STEPS, edits)
