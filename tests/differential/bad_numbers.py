"""Scenes with every kind of input, and what a few steps make of one bad number among them."""

import mujoco
import numpy as np

SOLVERS = ["Newton", "CG", "PGS", "noslip"]
CONES = ["pyramidal", "elliptic"]
INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast"]
VALUES = [np.nan, np.inf, -np.inf, 1e300, -1e300, 1e154, 1e100, 1e30, 1e10]

# Inputs that are numbers, each with the index that the bad number goes to; None: not an array.
INPUTS = [("qpos", 0), ("qpos", 5), ("qpos", 8), ("qvel", 1), ("qvel", 4), ("qvel", 7), ("act", 0), ("ctrl", 0),
          ("ctrl", 1), ("ctrl", 2), ("ctrl", 3), ("qfrc_applied", 2), ("qfrc_applied", 7), ("xfrc_applied", (1, 2)),
          ("xfrc_applied", (2, 4)), ("xfrc_applied", (3, 0)), ("mocap_pos", (0, 1)), ("mocap_quat", (0, 2)),
          ("userdata", 0), ("qacc_warmstart", 2), ("qacc_warmstart", 8), ("time", None), ("history", 3)]

# Numbers of a model that users edit, with the index.
MODEL_VALUES = [("body_mass", 1), ("body_inertia", (1, 0)), ("body_pos", (2, 0)), ("dof_damping", 7),
                ("dof_armature", 7), ("jnt_stiffness", 1), ("qpos_spring", 8), ("geom_friction", (1, 0)),
                ("geom_solref", (1, 0)), ("geom_margin", 1), ("actuator_gainprm", (0, 0)), ("actuator_gear", (0, 0)),
                ("dof_frictionloss", 7), ("jnt_range", (2, 0)), ("eq_data", (0, 0)), ("gravity", 2), ("wind", 0),
                ("tendon_stiffness", 0), ("geom_size", (1, 0)), ("geom_gap", 1), ("geom_solref", (1, 1)),
                ("geom_solimp", (1, 2)), ("geom_margin", 0), ("geom_friction", (0, 0))]
NOT_FINITE = [np.nan, np.inf, -np.inf]

SCENE = """<mujoco>
  <option solver="{solver}" cone="{cone}" integrator="{integrator}" noslip_iterations="{noslip}" iterations="200" tolerance="1e-13">
    <flag autoreset="{autoreset}" contact="{contact}"/></option>
  <size nuserdata="2"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 0.099"><freejoint/><geom name="ball" size="0.1"/></body>
    <body name="arm" pos="1 0 1"><joint name="turn" axis="0 1 0" damping="0.1" armature="0.01"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
      <body name="hand" pos="0.3 0 0"><joint name="slide" type="slide" axis="1 0 0" stiffness="3" frictionloss="0.1"
        limited="true" range="-0.1 0.1"/><geom size="0.03"/></body></body>
    <body name="puppet" mocap="true" pos="0 1 0.5"><geom size="0.05" contype="0" conaffinity="0"/></body>
    <body name="follower" pos="0 1 0.5"><freejoint/><geom size="0.05" contype="0" conaffinity="0"/></body>
  </worldbody>
  <tendon><fixed name="cable"><joint joint="turn" coef="1"/><joint joint="slide" coef="0.5"/></fixed></tendon>
  <equality><weld body1="puppet" body2="follower"/></equality>
  <actuator>
    <motor joint="turn"/><position joint="slide" kp="2" ctrllimited="true" ctrlrange="-1 1"/>
    <general joint="turn" dyntype="filter" dynprm="0.1"/><motor joint="turn" delay="0.004" nsample="3"/>
  </actuator>
</mujoco>"""


def text_of(solver, cone, integrator, autoreset, contact):
    noslip = 3 if solver == "noslip" else 0
    return SCENE.format(solver="Newton" if solver == "noslip" else solver, cone=cone, integrator=integrator, noslip=noslip,
                        autoreset="enable" if autoreset else "disable", contact="enable" if contact else "disable")


def put(owner, field, index, value):
    """Writes the bad number; options of a model are reached by their own name."""
    if index is None:
        setattr(owner, field, value)
    elif field in ("gravity", "wind"):
        getattr(owner.opt, field)[index] = value
    else:
        getattr(owner, field)[index] = value


KINDS = int(mujoco.mjtWarning.mjNWARNING)  # of warnings in MuJoCo; ours has one more, of trees that cannot sleep


def warnings_of(data):
    return [(w.number, w.lastinfo) for w in data.warning][:KINDS]


def outcome(data):
    """What users see of a step: counters, the time and the state."""
    return {"warnings": warnings_of(data), "time": float(data.time),
            "state": np.concatenate([data.qpos, data.qvel, data.act])}


def state_differs(a, b):
    """Both must find the same numbers bad (beyond 1e10, or none at all), except near that bound, and agree in the others."""
    near = (np.abs(a) > 1e9) & (np.abs(a) < 1e11) | (np.abs(b) > 1e9) & (np.abs(b) < 1e11)
    good_a, good_b = np.abs(a) <= 1e10, np.abs(b) <= 1e10
    if np.any((good_a != good_b) & ~near):
        return True
    both = good_a & good_b
    return bool(both.any()) and not np.abs(a - b)[both].max() <= 1e-5 * (1 + np.abs(a[both]).max())


def run(engine, model, field, index, value, owner="data", steps=3):
    """A step from a sound state, then the bad number, then the outcomes of a few steps."""
    data = engine.make_data(model)
    data.ctrl[:] = 0.1
    data.qvel[:] = 0.05
    engine.step(model, data)
    put(data if owner == "data" else model, field, index, value)
    seen = []
    for _ in range(steps):
        try:
            engine.step(model, data)
        except engine.Error:
            return seen + [None]  # the reference implementation gives up on some matrices
        seen.append(outcome(data))
    return seen


INERTIA, QACC = 0, 5  # indices of warnings


def counts(outcome, step, left_out):
    """Kinds and numbers of warnings, with the culprit where it is the number that was written. Which of several
    accelerations is found bad first depends on how far a solver spreads a bad number."""
    return [(0, 0) if kind in left_out else (number, info if kind != QACC and step == 0 else 0)
            for kind, (number, info) in enumerate(outcome["warnings"])]


def difference(expected, found, autoreset, finite_state, huge):
    """In words, or nothing. Without resets only the first step is compared: what follows is arithmetic with bad numbers.
    Whether the acceleration of a state with huge but finite numbers overflows depends on the order of operations; and so does whether M is singular, once the step has moved bodies by huge numbers: MuJoCo takes the
    inertia of bodies without children from the model, while here it comes from the frames."""
    left_out = {QACC} if finite_state and not autoreset else set()
    if huge and not autoreset:
        left_out.add(INERTIA)
    for step, (a, b) in enumerate(zip(expected, found)):
        if a is None:
            return ""
        if b is None:
            return f"step {step}: an error"
        warned, wanted = (counts(x, step, left_out) for x in (b, a))
        if warned != wanted:
            return f"step {step}: warnings {warned}, expected {wanted}"
        if not autoreset:
            return ""
        if not np.isclose(a["time"], b["time"], rtol=1e-12, atol=0, equal_nan=True):
            return f"step {step}: time {b['time']}, expected {a['time']}"
        if state_differs(a["state"], b["state"]):
            return f"step {step}: state {b['state']}, expected {a['state']}"
    return ""
