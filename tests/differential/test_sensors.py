"""Level L5 with constraints: all readings, and the forces between bodies, equal MuJoCo's at random states."""

import mujoco
import numpy as np
import pytest

import ray_scenes
import rows
import sensor_scenes
import snapshots
import states
from well_posed import is_well_posed, solve_exactly

STATES = 30
TOLERANCE = 1e-6
SCREENING = 0.1
NOTHING_TO_JUDGE = {"attach_replicated": "boxes that touch at every state, with points in another order"}
RANGEFINDER, CAMERA, ALL_OF_A_RAY = 7, 7, 63


def near_the_ground(state, rng):
    """Free bodies where they touch things."""
    moved = {**state, "qpos": np.array(state["qpos"])}
    moved["qpos"][:2] *= 0.2
    moved["qpos"][2] = rng.uniform(0.1, 0.4)
    return moved


def readings(model, data):
    """Readings of each sensor by number and type."""
    result = {}
    for sensor in range(model.nsensor):
        start = model.sensor_adr[sensor]
        values = np.array(data.sensordata[start:start + model.sensor_dim[sensor]])
        is_rotation = int(model.sensor_type[sensor]) in (snapshots.BALLQUAT, snapshots.FRAMEQUAT)
        result[f"sensor {sensor} of type {model.sensor_type[sensor]}"] = (
            snapshots.rotations(values) if is_rotation else values)
    return result


def forgive_lost_rays(model, data, theirs, mine):
    """Rays of cameras are cast together, and MuJoCo then loses some that it hits when it casts them one by one."""
    for sensor in range(model.nsensor):
        if (model.sensor_type[sensor], model.sensor_objtype[sensor], model.sensor_intprm[sensor][0]) != (
                RANGEFINDER, CAMERA, ALL_OF_A_RAY):
            continue
        name, body = f"sensor {sensor} of type {RANGEFINDER}", model.cam_bodyid[model.sensor_objid[sensor]]
        if name not in theirs:
            continue
        for judged, ray in zip(theirs[name].reshape(-1, 14), mine[name].reshape(-1, 14)):
            if judged[0] == -1 and ray[0] >= 0:
                alone, _, _ = ray_scenes.judge_ray(model, data, ray[4:7].copy(), ray[1:4].copy(), None, True, body)
                if abs(alone - ray[0]) < TOLERANCE:
                    ray[:] = judged


def differences(theirs, mine):
    return {name: rows.error(mine[name], value) for name, value in theirs.items()
            if rows.error(mine[name], value) > TOLERANCE and np.max(np.abs(mine[name] - value)) > 1e-9}


def wrenches(engine, model, data):
    engine.rne_post_constraint(model, data)
    return {name: np.array(getattr(data, name)) for name in ("cfrc_ext", "cfrc_int", "cacc")}


def random_states(judge, model, seed, prepare, judged):
    """States that MuJoCo can compute and that can be compared, with its readings close by."""
    data, rng = judge.make_data(model), np.random.default_rng(seed)
    for index in range(STATES):
        state = states.random_state(model, rng)
        if prepare and index % 3:
            state = prepare(state, rng)
        try:
            if index % 2:
                state = states.rolled_out(judge, model, data, state, 3)
            if is_well_posed(judge, model, data, state, rng):
                yield state, readings(model, data)  # where is_well_posed() left them
            else:
                judged.screen()
        except judge.Error:  # contacts of two static bodies that a pair names
            judged.screen()


def check_sensors(judge, subject, load, seed, judged, prepare=None):
    models = load(judge), load(subject)
    for model in models:
        solve_exactly(model)
    datas = [engine.make_data(model) for engine, model in zip((judge, subject), models)]
    sparse = bool(mujoco.mj_isSparse(models[0]))
    judged_readings, failures = 0, []
    for state, readings_beside in random_states(judge, models[0], seed, prepare, judged):
        for engine, model, data in zip((judge, subject), models, datas):
            rows.snapshot(engine, model, data, state)
        comparison = rows.Comparison(models[0], datas[0], models[1], datas[1], sparse)
        if max(comparison.errors.values(), default=0) > 1e-7:
            judged.screen()  # contacts of their own choice: test_contacts and test_rows check these
            continue
        judged()
        expected = readings(models[0], datas[0])
        expected = {name: value for name, value in expected.items()  # rays that graze a surface say nothing
                    if rows.error(readings_beside[name], value) < SCREENING * TOLERANCE}
        judged_readings += len(expected)
        mine = readings(models[1], datas[1])
        forgive_lost_rays(models[0], datas[0], expected, mine)
        found = differences(expected, mine)
        forces = [wrenches(engine, model, data) for engine, model, data in zip((judge, subject), models, datas)]
        found |= differences(*forces)
        if found:
            failures.append(f"state {judged.cases}: {found}")
    assert not failures, f"{len(failures)} of {judged.cases} states differ\n  " + "\n  ".join(failures[:5])
    assert judged_readings >= 0.5 * judged.cases * models[0].nsensor


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_sensors_of_contacts_equal_mujocos(judge, subject, seed, cone, judged):
    text = sensor_scenes.CONTACTS.replace("CONE", cone)
    check_sensors(judge, subject, lambda engine: engine.load_string(text), seed, judged, near_the_ground)
    assert judged.cases > 5


def test_sensors_of_nearness_equal_mujocos(judge, subject, seed, judged):
    load = lambda engine: engine.load_string(sensor_scenes.NEARNESS)  # noqa: E731
    check_sensors(judge, subject, load, seed, judged, near_the_ground)
    assert judged.cases > 5


def test_feature_model_has_the_same_readings_and_wrenches(judge, subject, seed, feature, judged):
    judged.expect_nothing(NOTHING_TO_JUDGE.get(feature.stem))
    check_sensors(judge, subject, lambda engine: engine.load_file(feature), seed, judged)
