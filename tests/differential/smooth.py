"""Level L2: everything the smooth part of an engine computes from one state, as one snapshot."""

import numpy as np

import compare
import engines
import fields
import snapshots
import states

LAZY = {"cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom", "energy", "qfrc_inverse"}
MOST_OBJECTS = 8  # objects of one kind whose Jacobians and velocities are asked for
SECOND_LOOKS = 12  # perturbations more where engines differ: a choice by the sign of rounding falls one way or the other
TRANSMISSION_SITE = 4


def snapshot(engine, model, data, state, probe_seed):
    """Sets a state, runs forward and all that can be asked after it; results by name, raw."""
    states.apply(data, state)
    engine.forward(model, data)
    shot = snapshots.of_data(engine, data, fields.compared("data") - LAZY)
    shot["energy_flagged"] = np.array(data.energy)
    engine.energy_pos(model, data)
    engine.energy_vel(model, data)
    engine.subtree_vel(model, data)
    engine.rne_post_constraint(model, data)
    shot.update(snapshots.of_data(engine, data, frozenset(LAZY - {"qfrc_inverse"})))
    rng = np.random.default_rng(probe_seed)
    shot.update(_inertia_functions(engine, model, data, rng))
    shot.update(_jacobians(engine, model, data, rng))
    shot.update(_object_motion(engine, model, data))
    shot.update(_coordinates(engine, model, data, rng))
    for name, signature in engines.STATE_PARTS.items():
        shot[f"state {name}"] = np.array(engine.get_state(model, data, signature))
    shot.update(_skipping(engine, model, data, state, rng))
    return shot


def _inertia_functions(engine, model, data, rng):
    vector = rng.normal(0, 1, model.nv)
    return {
        "full_m": np.array(engine.full_m(model, data)),
        "solve_m": np.array(engine.solve_m(model, data, vector)),
        "mul_m": np.array(engine.mul_m(model, data, vector)),
        "half_solve_m": np.array(engine.half_solve_m(model, data, vector)),
        "half_mul_m": np.array(engine.half_mul_m(model, data, vector)),
        "rne": np.array(engine.rne(model, data, False)),
        "rne_with_acceleration": np.array(engine.rne(model, data, True)),
    }


def _some(count):
    """Ids spread over a kind of object."""
    return sorted({int(i) for i in np.linspace(0, count - 1, min(count, MOST_OBJECTS))}) if count else []


def _stack(parts):
    return np.array(parts) if parts else np.zeros(0)


def _jacobians(engine, model, data, rng):
    bodies, geoms, sites = _some(model.nbody), _some(model.ngeom), _some(model.nsite)
    points = [np.array(data.xpos[body]) + rng.normal(0, 1, 3) for body in bodies]
    axes = [rng.normal(0, 1, 3) for _ in bodies]
    located = list(zip(points, axes, bodies))
    return {
        "jac": _stack([engine.jac(model, data, point, body) for point, _, body in located]),
        "jac_dot": _stack([engine.jac_dot(model, data, point, body) for point, _, body in located]),
        "jac_point_axis": _stack(
            [engine.jac_point_axis(model, data, point, axis, body) for point, axis, body in located]),
        "jac_body": _stack([engine.jac_body(model, data, body) for body in bodies]),
        "jac_body_com": _stack([engine.jac_body_com(model, data, body) for body in bodies]),
        "jac_subtree_com": _stack([engine.jac_subtree_com(model, data, body) for body in bodies
                                   if model.body_subtreemass[body] > 0]),
        "jac_geom": _stack([engine.jac_geom(model, data, geom) for geom in geoms]),
        "jac_site": _stack([engine.jac_site(model, data, site) for site in sites]),
        "local_to_global": _stack(
            [engine.local_to_global(model, data, axis, rng.normal(0, 1, 4), body, 0) for _, axis, body in located]),
        "apply_ft": _stack([engine.apply_ft(model, data, axis, point, point, body) for point, axis, body in located]),
    }


def _object_motion(engine, model, data):
    """Velocity and acceleration of objects in world and local axes."""
    shot = {}
    for kind, count in engines.COUNTS.items():
        for local in (False, True):
            ids, axes = _some(getattr(model, count)), "local" if local else "world"
            for motion, ask in (("velocity", engine.object_velocity), ("acceleration", engine.object_acceleration)):
                values = [np.array(ask(model, data, kind, i, local)) for i in ids]
                if local and kind in ("body", "geom"):
                    values = [_to_world(data, kind, i, value) for i, value in zip(ids, values)]
                shot[f"{motion} of {kind}, {axes}"] = _stack(values)
    return shot


def _to_world(data, kind, index, value):
    """Undoes local axes that depend on a choice of principal axes."""
    axes = np.array(data.ximat[index] if kind == "body" else data.geom_xmat[index]).reshape(3, 3)
    return np.concatenate([axes @ value[:3], axes @ value[3:]])


def _coordinates(engine, model, data, rng):
    velocity = rng.normal(0, 2, model.nv)
    moved = np.array(engine.integrate_pos(model, np.array(data.qpos), velocity, 0.3))
    return {
        "integrate_pos": moved,
        "normalize_quat": np.array(engine.normalize_quat(model, 1.1 * moved)),
        "differentiate_pos": np.array(engine.differentiate_pos(model, 0.3, np.array(data.qpos), moved)),
    }


def _skipping(engine, model, data, state, rng):
    """Inverse dynamics, then both again with stages skipped after only later inputs changed."""
    shot = {}
    data.qacc[:] = state["qacc"]
    engine.inverse(model, data)
    shot["qfrc_inverse"] = np.array(data.qfrc_inverse)
    data.qacc[:] = -state["qacc"]
    engine.inverse_skip(model, data, engines.STAGE_VEL, True)
    shot["inverse after acceleration changed"] = np.array(data.qfrc_inverse)
    data.qvel[:] = rng.normal(0, 1, model.nv)
    engine.forward_skip(model, data, engines.STAGE_POS, True)
    shot["qacc after velocity changed"] = np.array(data.qacc)
    data.qfrc_applied[:] = rng.normal(0, 1, model.nv)
    engine.forward_skip(model, data, engines.STAGE_VEL, False)
    shot["qacc after force changed"] = np.array(data.qacc)
    return shot


class Judgement:
    """Counts what was compared, so that screening cannot silently leave nothing to compare."""

    def __init__(self):
        self.judged = 0
        self.screened = 0

    def add_to(self, judged):
        judged(self.judged)
        judged.screen(self.screened)

    def enough(self):
        return self.judged > 0 and self.screened <= 0.1 * (self.judged + self.screened)


def compare_state(judge, subject, pair, state, seed, tolerance, judgement):
    """Differences at one state, in the fields where MuJoCo itself is stable."""
    rng = np.random.default_rng(seed)
    expected = _unique(judge, pair.judge_model, pair.judge_data, pair.judge_shot, state, seed)
    moved = states.perturbed(state, rng, compare.SCREENING * tolerance)
    screened = compare.unstable(
        expected, _unique(judge, pair.judge_model, pair.judge_data, pair.judge_shot, moved, seed), tolerance)
    result = _unique(subject, pair.subject_model, pair.subject_data, pair.subject_shot, state, seed)
    for look in range(SECOND_LOOKS if compare.differences(result, expected, tolerance, skip=screened) else 0):
        moved = states.perturbed(state, rng, compare.SCREENING * tolerance * (look + 2))
        screened = screened | compare.unstable(
            expected, _unique(judge, pair.judge_model, pair.judge_data, pair.judge_shot, moved, seed), tolerance)
    judgement.judged += len(expected.keys() - screened)
    judgement.screened += len(screened)
    return compare.differences(result, expected, tolerance, skip=screened)


def _unique(engine, model, data, model_shot, state, seed):
    return snapshots.unique_data(snapshot(engine, model, data, state, seed), model_shot)


class Pair:
    """One model in both engines, constraints off, with the snapshots that comparisons need."""

    def __init__(self, judge, subject, load):
        self.judge = judge
        self.judge_model, self.subject_model = load(judge), load(subject)
        self.judge_shot = snapshots.of_model(judge, self.judge_model)
        self.subject_shot = snapshots.of_model(subject, self.subject_model)
        for model in (self.judge_model, self.subject_model):
            engines.disable_constraints(model)
        self.judge_data = judge.make_data(self.judge_model)
        self.subject_data = subject.make_data(self.subject_model)

    def tolerance(self):
        return compare.FLOAT_TOLERANCE if compare.has_mesh_mass(self.judge_shot) else compare.TOLERANCE

    def model_differences(self):
        """Level L1."""
        self.judge.reset(self.judge_model, self.judge_data)
        self.judge.kinematics(self.judge_model, self.judge_data)
        undecided = half_turned(self.judge_model, self.judge_data)

        def rewrite(shot):
            result = snapshots.unique_model(shot)
            if undecided.any():
                lengths = result["actuator_length0"]
                of_each = len(lengths) == len(undecided)  # some have several numbers
                result = {**result, "actuator_length0": np.where(undecided if of_each else True, 0.0, lengths)}
            return result

        return compare.model_differences(self.subject_shot, self.judge_shot, self.tolerance(), rewrite)


def half_turned(model, data):
    """Which actuators act between two sites that are half a turn apart: rounding says which way is shorter, and with it
    the sign of the angle in their length."""
    found = np.zeros(len(model.actuator_trntype), bool)
    for i, (kind, sites) in enumerate(zip(model.actuator_trntype, model.actuator_trnid)):
        if kind == TRANSMISSION_SITE and sites[1] >= 0:
            first, second = (np.array(data.site_xmat[site]).reshape(3, 3) for site in sites)
            found[i] = np.trace(first.T @ second) < -1 + 1e-12
    return found


def fewer_if_large(count, model):
    """Large models get fewer states, so that the time goes to variety."""
    return max(1, min(count, 2000 // max(model.nv, 1)))


def compare_states(judge, subject, pair, count, seed):
    """Level L2 over several states; returns differences and how much was compared."""
    found, judgement = [], Judgement()
    rng = np.random.default_rng(seed)
    for index in range(fewer_if_large(count, pair.judge_model)):
        state = states.random_state(pair.judge_model, rng)
        if index % 2:
            state = states.rolled_out(judge, pair.judge_model, pair.judge_data, state)
        found += compare_state(judge, subject, pair, state, seed + index, pair.tolerance(), judgement)
        if found:
            break
    return found, judgement
