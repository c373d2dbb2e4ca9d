"""Level L3: contacts equal MuJoCo's: which, where, how deep, with which parameters, in which order."""

import mujoco
import numpy as np
import pytest

import contacts

ANALYTIC = ["plane-sphere", "plane-capsule", "plane-box", "plane-cylinder", "plane-ellipsoid", "sphere-sphere",
            "sphere-capsule", "sphere-box", "sphere-cylinder", "capsule-capsule", "box-box"]
TOLERANCE = 1e-7
SIZES, POSES = 12, 60
MARGINS = (0.0, 0.05, 0.5)


def both(judge, subject, text):
    models = judge.load_string(text), subject.load_string(text)
    return *models, judge.make_data(models[0]), subject.make_data(models[1])


def are_apart(model, data, geoms, margin):
    """Boxes further apart than a margin. Their own axes may not show it, and the world's, which MuJoCo's broad phase
    looks along, may."""
    return mujoco.mj_geomDistance(model, data, *(int(geom) for geom in geoms), 10, None) > margin


@pytest.mark.parametrize("pair", ANALYTIC)
def test_pair_touches_alike_in_random_poses(judge, subject, seed, pair, judged):
    first, second = pair.split("-")
    found = 0
    for i in range(SIZES):
        random = np.random.default_rng([seed, i])
        text = contacts.pair_scene(random, first, second, MARGINS[i % len(MARGINS)])
        judge_model, model, judge_data, data = both(judge, subject, text)
        room = 0.8 * (judge_model.geom_rbound.sum() + 0.1)
        for _ in range(POSES):
            qpos = np.concatenate([contacts.random_pose(random, room) for _ in range(judge_model.nq // 7)])
            if not contacts.is_stable(judge, judge_model, judge_data, qpos, TOLERANCE):
                continue
            expected = contacts.collide(judge, judge_model, judge_data, qpos)
            ours = contacts.collide(subject, model, data, qpos)
            if pair == "box-box" and ours and not expected and are_apart(
                    judge_model, judge_data, (0, 1), judge_model.geom_margin.sum()):
                continue
            lines = contacts.differences(expected, ours, TOLERANCE, ordered=pair != "box-box")
            assert not lines, f"{pair}, qpos {qpos.tolist()} of\n{text}\n" + "\n".join(lines)
            judged()
            found += len(expected)
    judged.screen(SIZES * POSES - judged.cases)
    assert judged.cases > 0.6 * SIZES * POSES and found > 0.2 * judged.cases


@pytest.mark.parametrize("angle", [0, 1e-9, 1e-6, 5e-5, 1e-3])
def test_capsules_that_are_nearly_parallel_or_as_short_as_a_point_touch_alike(judge, subject, seed, angle, judged):
    random = np.random.default_rng([seed, 77])
    bodies = "".join(f"""<body><freejoint/><geom type="capsule" size="{size} {half}" mass="1"/></body>"""
                     for size, half in ((0.2, 1), (0.1, 0.3), (0.15, 2), (0.1, 1e-9)))
    for _ in range(100):
        models = both(judge, subject, f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
        quat = random.normal(size=4)
        quat /= np.linalg.norm(quat)
        qpos = np.concatenate([[*random.normal(scale=0.3, size=3), *(quat + angle * random.normal(size=4))]
                               for _ in range(4)])
        expected = contacts.collide(judge, models[0], models[2], qpos)
        lines = contacts.differences(expected, contacts.collide(subject, models[1], models[3], qpos), 1e-10)
        assert not lines, f"qpos {qpos.tolist()}\n" + "\n".join(lines)
        judged()


@pytest.mark.parametrize("pair", ["capsule-box"])
def test_pair_touches_as_deep_and_the_same_way(judge, subject, seed, pair, judged):
    """Pairs that keep particular points by choice: depth, normal and place of the deepest point."""
    first, second = pair.split("-")
    for i in range(SIZES):
        random = np.random.default_rng([seed, i])
        text = contacts.pair_scene(random, first, second, MARGINS[i % len(MARGINS)])
        judge_model, model, judge_data, data = both(judge, subject, text)
        size = judge_model.geom_size.max()
        for _ in range(POSES):
            qpos = np.concatenate([contacts.random_pose(random, 0.5) for _ in range(2)])
            if not contacts.is_stable(judge, judge_model, judge_data, qpos, TOLERANCE):
                continue
            expected = contacts.collide(judge, judge_model, judge_data, qpos)
            ours = contacts.collide(subject, model, data, qpos)
            if not expected or min(c["dist"] for c in ours) < -judge_model.geom_size[0, 0]:
                continue  # the capsule's axis is inside the box: MuJoCo then gives less than the depth, or nothing
            a, b = (min(c, key=lambda contact: contact["dist"]) for c in (expected, ours))
            assert abs(a["dist"] - b["dist"]) < 1e-4 * size, f"qpos {qpos.tolist()} of\n{text}"
            assert a["frame"][:3] @ b["frame"][:3] > np.cos(np.radians(1)), f"qpos {qpos.tolist()} of\n{text}"
            judged()
    judged.screen(SIZES * POSES - judged.cases)
    assert judged.cases > 0.1 * SIZES * POSES


def test_capsule_touches_a_box_in_the_same_points(judge, subject, seed, judged):
    """Both points, in order, also where MuJoCo lists one of them twice. While the capsule's axis is outside of the box, and not
    parallel to a face: then MuJoCo may give one end only, by rounding, where Torsor gives both."""
    twice = 0
    for i in range(2 * SIZES):
        random = np.random.default_rng([seed, i])
        text = contacts.pair_scene(random, "capsule", "box", MARGINS[i % len(MARGINS)])
        judge_model, model, judge_data, data = both(judge, subject, text)
        radius, reach = judge_model.geom_size[0, 0], judge_model.geom_size.max(axis=0)
        for _ in range(POSES):
            qpos = np.concatenate([contacts.random_pose(random, 0.7 * reach) for _ in range(2)])
            if not contacts.is_stable(judge, judge_model, judge_data, qpos, TOLERANCE):
                continue
            expected, ours = (contacts.collide(*engine, qpos) for engine in
                              ((judge, judge_model, judge_data), (subject, model, data)))
            axis_B = judge_data.geom_xmat[1].reshape(3, 3).T @ judge_data.geom_xmat[0].reshape(3, 3)[:, 2]
            if not expected or min(c["dist"][0] for c in ours) <= -radius or np.abs(axis_B).min() < 1e-9:
                continue
            lines = contacts.differences(expected, ours, TOLERANCE)
            assert not lines, f"qpos {qpos.tolist()} of\n{text}\n" + "\n".join(lines)
            twice += len(expected) == 2 and (expected[0]["pos"] == expected[1]["pos"]).all()
            judged()
    judged.screen(2 * SIZES * POSES - judged.cases)
    assert judged.cases > 0.2 * 2 * SIZES * POSES and twice > 10


CONVEX = ["sphere-ellipsoid", "capsule-ellipsoid", "capsule-cylinder", "ellipsoid-ellipsoid", "ellipsoid-cylinder",
          "ellipsoid-box", "cylinder-cylinder", "cylinder-box", "plane-mesh", "sphere-mesh", "capsule-mesh",
          "ellipsoid-mesh", "cylinder-mesh", "box-mesh", "mesh-mesh", "hfield-sphere", "hfield-capsule",
          "hfield-ellipsoid"]
# A point each from MuJoCo, as exact as it can: its further points have normals and depths of their own.
EXACT = '<option ccd_tolerance="1e-9" ccd_iterations="200"><flag multiccd="disable"/></option>'


def convex_scene(random, first, second, margin):
    """As contacts.pair_scene, with meshes of random corners and rough height fields too."""
    assets = []

    def geom(shape):
        if shape == "mesh":
            corners = random.normal(size=(random.choice([8, 16, 60]), 3))
            corners *= random.uniform(0.1, 0.4, 3) / np.linalg.norm(corners, axis=1)[:, None]
            assets.append(f'<mesh name="m{len(assets)}" vertex="{contacts.numbers(corners.ravel())}"/>')
            return f'type="mesh" mesh="m{len(assets) - 1}"'
        if shape == "hfield":
            assets.append(f'<hfield name="h" nrow="6" ncol="5" size="0.5 0.7 0.2 0.1" '
                          f'elevation="{contacts.numbers(random.uniform(0, 1, 30))}"/>')
            return 'type="hfield" hfield="h"'
        return f'type="{shape}" size="{contacts.numbers(contacts.random_size(random, shape))}"'

    def body(shape):
        fixed = shape in ("plane", "hfield")
        moves, mass = ("", "") if fixed else ("<freejoint/>", 'mass="1"')
        return f'<body>{moves}<geom {geom(shape)} {mass} margin="{margin / 2}"/></body>'

    bodies = body(first) + body(second)
    return f'<mujoco>{EXACT}<asset>{"".join(assets)}</asset><worldbody>{bodies}</worldbody></mujoco>'


@pytest.mark.parametrize("pair", CONVEX)
def test_convex_pair_touches_as_deep_and_the_same_way(judge, subject, seed, pair, judged):
    first, second = pair.split("-")
    inexact = 0
    for i in range(SIZES):
        random = np.random.default_rng([seed, i])
        margin = (0.0, 0.05)[i % 2] if first != "hfield" else 0.0  # with one, MuJoCo's depths exceed the real ones
        text = convex_scene(random, first, second, margin)
        judge_model, model, judge_data, data = both(judge, subject, text)
        size = judge_model.geom_rbound.max() or 1.0
        for _ in range(POSES):
            qpos = np.concatenate([contacts.random_pose(random, 0.5) for _ in range(judge_model.nq // 7)])
            if first == "hfield":
                qpos[2] = random.uniform(0.2, 0.6)  # from above: what is inside or below is nobody's business
            if (np.linalg.norm(qpos[:3] - (qpos[7:10] if len(qpos) > 7 else 0)) < 1e-9 or
                    not contacts.is_stable(judge, judge_model, judge_data, qpos, 1e-3)):
                continue  # with one middle for both, MuJoCo finds nothing
            expected = contacts.collide(judge, judge_model, judge_data, qpos)
            ours = contacts.collide(subject, model, data, qpos)
            note = f"{pair}, qpos {qpos.tolist()} of\n{text}"
            if bool(expected) != bool(ours):
                nearest = min(c["dist"][0] for c in expected or ours)
                assert abs(nearest - margin) < 1e-4 * size, note
                continue
            if not expected:
                continue
            a, b = (min(c, key=lambda contact: contact["dist"]) for c in (expected, ours))
            is_best = True  # MuJoCo's direction: where surfaces are round, a depth hardly knows its own
            if first not in ("plane", "hfield"):
                # no direction shows a larger gap than the normal of the right answer does, and that gap is the distance
                theirs, mine = (contacts.gap(judge_model, judge_data, contact) for contact in (a, b))
                assert abs(mine - b["dist"]) < 1e-6 * size and mine > theirs - 1e-6 * size, note
                if abs(a["dist"] - theirs) > 1e-5 * size or mine > theirs + 1e-5 * size:
                    inexact += 1
                    continue
                is_best = mine <= theirs + 1e-6 * size
            assert abs(a["dist"] - b["dist"]) < 1e-4 * size, note
            assert not is_best or a["frame"][:3] @ b["frame"][:3] > np.cos(np.radians(1)), note
            judged()
    judged.screen(SIZES * POSES - judged.cases)
    assert judged.cases > 0.1 * SIZES * POSES and inexact <= 0.2 * judged.cases


def random_parameters(random):
    """Attributes of a geom that its contacts depend on."""
    text = ""
    if random.random() < 0.7:
        text += f' priority="{random.integers(-1, 2)}" condim="{random.choice([1, 3, 4, 6])}"'
    if random.random() < 0.7:
        text += f' friction="{contacts.numbers(random.uniform(0, 1, 3) * (random.random(3) < 0.8))}"'
    if random.random() < 0.7:
        reference = random.uniform(0.01, 0.1, 2) if random.random() < 0.6 else -random.uniform(1, 100, 2)
        text += f' solref="{contacts.numbers(reference)}" solmix="{random.choice([0, 1, 1, 3.5])}"'
    if random.random() < 0.5:
        text += f' solimp="0.8 0.9 {random.uniform(0.001, 0.1):.17g} 0.4 {random.uniform(1, 3):.17g}"'
    if random.random() < 0.5:
        text += f' margin="{random.uniform(0, 0.1):.17g}" gap="{random.uniform(0, 0.1):.17g}"'
    if random.random() < 0.3:
        text += f' contype="{random.integers(4)}" conaffinity="{random.integers(4)}"'
    return text


def random_geom(random, name):
    return (f'<geom name="{name}" type="{random.choice(["sphere", "capsule", "box"])}" mass="1" '
            f'pos="{contacts.numbers(random.uniform(-0.2, 0.2, 3))}" quat="{contacts.numbers(random.normal(size=4))}" '
            f'size="{contacts.numbers(random.uniform(0.05, 0.25, 3))}"{random_parameters(random)}/>')


def random_body(random, name, depth=0):
    """A body with a few geoms of several types, and children that overlap with it, some of them fixed to it."""
    joint = "<freejoint/>" if depth == 0 else random.choice(["", '<joint type="slide"/>'])
    geoms = "".join(random_geom(random, f"{name}_{i}") for i in range(random.integers(4)))
    count = random.integers(3) if depth < 2 else 0
    children = "".join(random_body(random, f"{name}{i}", depth + 1) for i in range(count))
    return (f'<body name="{name}" pos="{contacts.numbers(random.uniform(-0.3, 0.3, 3))}">{joint}'
            f'<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{geoms}{children}</body>')


def random_lists(random, geoms, bodies):
    """Predefined pairs and exclusions."""
    text = ""
    for _ in range(random.integers(4)):
        first, second = random.choice(geoms, 2, replace=False)
        text += (f'<pair geom1="{first}" geom2="{second}" condim="{random.choice([1, 3, 4, 6])}" '
                 f'margin="{random.uniform(0, 0.1):.17g}" gap="{random.uniform(0, 0.1):.17g}" '
                 f'friction="{contacts.numbers(random.uniform(0, 1, 5))}" solreffriction="0.05 1.1"/>')
    for _ in range(random.integers(3)):
        first, second = random.choice(bodies, 2, replace=False)
        text += f'<exclude body1="{first}" body2="{second}"/>'
    return text


OVERRIDE_NUMBERS = 'o_margin="0.03" o_solref="0.03 0.9" o_solimp="0.7 0.8 0.01 0.3 2" o_friction="0.5 0 0.1 0.2 0.3"'


def random_scene(random):
    flags = ' filterparent="disable"' if random.random() < 0.3 else ""
    flags += ' midphase="disable"' if random.random() < 0.3 else ""
    override = random.random() < 0.2
    flags += ' override="enable"' if override else ""
    movers = "".join(random_body(random, f"b{i}") for i in range(4))
    fixed = ('<geom name="floor" type="plane" size="0 0 1"/><geom name="rock" type="box" size="0.2 0.3 0.1"/>'
             '<body name="stone" pos="0.1 0 0"><geom name="stone" size="0.2"/></body>'
             '<body name="hand" mocap="true"><geom name="hand" type="capsule" size="0.1 0.2"/></body>')
    geoms, bodies = ([part.split('"')[0] for part in movers.split(f'<{kind} name="')[1:]] for kind in ("geom", "body"))
    lists = random_lists(random, geoms, bodies) if len(geoms) > 1 else ""
    return (f'<mujoco><option {OVERRIDE_NUMBERS if override else ""}><flag{flags}/></option>'
            f"<worldbody>{fixed}{movers}</worldbody><contact>{lists}</contact></mujoco>")


@pytest.mark.parametrize("batch", range(6))
def test_lists_of_contacts_are_alike(judge, subject, seed, batch):
    """Filters, predefined pairs, exclusions, mixed parameters and the order of the list."""
    found = 0
    for i in range(20):
        random = np.random.default_rng([seed, batch, i])
        text = random_scene(random)
        judge_model, model, judge_data, data = both(judge, subject, text)
        expected, ours = (
            [contact for contact in contacts.collide(engine, *pair) if is_judged(judge_model, judge_data, contact)]
            for engine, pair in ((judge, (judge_model, judge_data)), (subject, (model, data))))
        lines = contacts.differences(expected, ours, TOLERANCE)
        if any(line.startswith("contact") for line in lines):  # the points of two boxes may come in another order
            lines = contacts.differences(expected, ours, TOLERANCE, ordered=False)
        assert not lines, f"seed {[seed, batch, i]}\n{text}\n" + "\n".join(lines)
        found += len(expected)
    assert found > 100


OVERRIDE, IN_GAP = 1, 1


def is_judged(model, data, contact):
    """Not boxes that are apart, nor capsules with boxes, which keep other points; nor contacts without rows where an
    overridden margin lets MuJoCo's broad phase forget gaps."""
    types = sorted(model.geom_type[g] for g in contact["geom"])
    if types == [3, 6] or (types == [6, 6] and are_apart(model, data, contact["geom"], contact["includemargin"][0])):
        return False
    return not (model.opt.enableflags & OVERRIDE and contact["exclude"] == IN_GAP)
