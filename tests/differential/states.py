"""Random states: poses off the reference, inside and outside limits, velocities, and forces on bodies and dofs."""

import numpy as np

FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3


def random_state(model, rng):
    """A state for one model (either engine's), as arrays by field name."""
    weights = np.array(model.dof_M0)  # forces of a size that matters to each dof and does not tear it apart
    loads = np.concatenate([np.tile(model.body_mass, (3, 1)), np.tile(np.mean(model.body_inertia, axis=1), (3, 1))]).T
    state = {
        "time": rng.uniform(0, 10),
        "qpos": random_qpos(model, rng),
        "qvel": rng.normal(0, 2, model.nv) * rng.choice([0.1, 1.0, 3.0]),
        "qacc": rng.normal(0, 5, model.nv),
        "act": rng.uniform(0, 1, model.na),
        "ctrl": rng.uniform(-1.5, 1.5, model.nu),
        "qfrc_applied": rng.normal(0, 5, model.nv) * weights * (rng.random(model.nv) < 0.5),
        "xfrc_applied": rng.normal(0, 5, (model.nbody, 6)) * loads * (rng.random((model.nbody, 1)) < 0.5),
        "mocap_pos": rng.normal(0, 1, (model.nmocap, 3)),
        "mocap_quat": quaternions(rng, model.nmocap),
        "userdata": rng.normal(0, 1, model.nuserdata),
        "qacc_warmstart": rng.normal(0, 1, model.nv),
    }
    state["plastic"] = rest_of_springs(model)
    state["history"] = random_history(model, state["time"], rng)
    return state


def rest_of_springs(model):
    """What springs that yield keep, before they have."""
    plastic = np.zeros(model.nplastic)
    for joint in np.flatnonzero(model.jnt_plasticadr >= 0):
        count, start = 4 if model.jnt_type[joint] == BALL else 1, model.jnt_qposadr[joint]
        plastic[model.jnt_plasticadr[joint]:][:count] = model.qpos_spring[start:start + count]
    for tendon in np.flatnonzero(model.tendon_plasticadr >= 0):
        plastic[model.tendon_plasticadr[tendon]:][:2] = model.tendon_lengthspring[tendon]
    return plastic


def random_history(model, time, rng):
    """Controls at the steps before a time, in rings that may have turned."""
    history = np.zeros(model.nhistory)
    for actuator in range(model.nactuator):
        start, count = model.actuator_historyadr[actuator], model.actuator_history[actuator][0]
        if start < 0:
            continue
        newest = rng.integers(count)
        order = (newest + 1 + np.arange(count)) % count
        history[start + 1] = newest
        history[start + 2 + order] = time - model.opt.timestep * np.arange(count, 0, -1)
        history[start + 2 + count + order] = rng.uniform(-1.5, 1.5, count)
    for sensor in range(model.nsensor):
        _fill_readings(model, sensor, time, rng, history)
    return history


def _fill_readings(model, sensor, time, rng, history):
    """Readings at the steps or periods before a time; the next one of a sensor with a period may be due or not."""
    start, count = model.sensor_historyadr[sensor], model.sensor_history[sensor][0]
    if start < 0:
        return
    dim, period = model.sensor_dim[sensor], model.sensor_interval[sensor][0] or model.opt.timestep
    newest = rng.integers(count)
    order = (newest + 1 + np.arange(count)) % count
    last = time - period * rng.choice([0.4, 1.3])
    history[start], history[start + 1] = last, newest
    history[start + 2 + order] = last - period * np.arange(count - 1, -1, -1)
    history[start + 2 + count:start + 2 + count * (1 + dim)] = rng.uniform(-1.5, 1.5, count * dim)


def random_qpos(model, rng):
    """Joint coordinates in and out of their range; quaternions anywhere and not quite of unit length."""
    qpos = np.array(model.qpos0)
    for joint in range(model.njnt):
        start = model.jnt_qposadr[joint]
        kind = model.jnt_type[joint]
        if kind == FREE:
            qpos[start : start + 3] = rng.normal(0, 1, 3)
            start += 3
        if kind in (FREE, BALL):
            qpos[start : start + 4] = quaternions(rng, 1)[0]
        else:
            qpos[start] += _displacement(model, joint, kind, rng)
    return qpos


def _displacement(model, joint, kind, rng):
    if model.jnt_limited[joint] and rng.random() < 0.5:
        low, high = model.jnt_range[joint]
        return rng.uniform(low - 0.3, high + 0.3)
    return rng.normal(0, 0.5) if kind == SLIDE else rng.uniform(-4, 4)


def quaternions(rng, count):
    """Random rotations; half of them off unit length by up to a tenth, as users write them."""
    values = rng.normal(0, 1, (count, 4))
    values /= np.linalg.norm(values, axis=1, keepdims=True) + 1e-300
    return values * np.where(rng.random((count, 1)) < 0.5, 1.0, rng.uniform(0.9, 1.1, (count, 1)))


def perturbed(state, rng, size):
    """The same state with every coordinate moved by plus or minus size, and every velocity by that part of itself."""
    qpos = state["qpos"] + size * rng.choice([-1.0, 1.0], state["qpos"].shape)
    qvel = state["qvel"] * (1 + size * rng.choice([-1.0, 1.0], state["qvel"].shape))
    return {**state, "qpos": qpos, "qvel": qvel}


def rolled_out(engine, model, data, state, steps=10):
    """The same inputs at a state that the engine itself reached, or the state itself if the engine lost it."""
    engine.reset(model, data)
    apply(data, state)
    engine.step(model, data, steps)
    if engine.warnings(data).any():
        return state
    reached = {name: np.array(getattr(data, name)) for name in ("qpos", "qvel", "act", "plastic", "history", "qacc_warmstart")}
    return {**state, **reached, "time": float(data.time)}


def apply(data, state):
    """Writes a state into an engine's data."""
    data.time = state["time"]
    for name, value in state.items():
        if name != "time" and np.size(value):
            getattr(data, name)[:] = value
