"""What must not change the physics: moved worlds, reordered siblings, fused bodies; and repeats, bit for bit."""

import copy

import numpy as np
import pytest

import compare
import engines
import scenes
import snapshots
import states
import transforms

ROTATION = np.array([0.5, -0.7, 0.1, 0.5])  # of unit length
TRANSLATION = np.array([3.0, -2.0, 1.5])
LOOSE = 1e-8  # moved frames are rounded when they are written and multiplied
AXES = 1e-5  # principal axes are found to about 1e-6, as MuJoCo finds them; merging bodies finds them anew
STEPS = 30
RESULTS = ("xpos", "xipos", "subtree_com", "qfrc_bias", "qfrc_passive", "qfrc_smooth", "qacc", "qacc_smooth")
INPUTS = ("qpos", "qvel", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "qacc_warmstart", "userdata")


def load(subject, root):
    model = subject.load_string(transforms.as_text(root))
    engines.disable_constraints(model)
    return model, subject.make_data(model)


def forward(subject, model, data, state):
    states.apply(data, state)
    subject.forward(model, data)
    return {name: np.array(getattr(data, name)) for name in RESULTS}


def assert_close(left, right, title, tolerance=LOOSE):
    found = compare.differences(left, right, tolerance)
    assert not found, compare.report(found, title)


def test_moving_the_whole_world_moves_the_result_along(subject, feature, seed):
    root = transforms.read_model(feature)
    model, data = load(subject, root)
    moved_model, moved_data = load(subject, transforms.move_world(root, ROTATION, TRANSLATION))
    for each in (model, moved_model):
        transforms.drop_damping_by_axis(each)
        transforms.drop_actuators_by_axis(each)
    transforms.turn_actuators(moved_model, ROTATION)
    turn, rotation = transforms.dof_rotation(model, ROTATION), snapshots.rotations(ROTATION)[0]
    rng = np.random.default_rng(seed)
    for _ in range(5):
        state = states.random_state(model, rng)
        expected = forward(subject, model, data, state)
        result = forward(subject, moved_model, moved_data, transforms.move_state(model, state, ROTATION, TRANSLATION))
        for name in expected:
            if name.startswith("q"):
                expected[name] = turn @ expected[name]
            else:
                expected[name][1:] = expected[name][1:] @ rotation.T + TRANSLATION
                expected[name], result[name] = expected[name][1:], result[name][1:]  # the world itself stays
        expected["M"] = turn @ subject.full_m(model, data) @ turn.T
        result["M"] = np.array(subject.full_m(moved_model, moved_data))
        assert_close(result, expected, feature.name)


def joint_map(model, other):
    """Indices into the other model's qpos and qvel, in the order of this model's."""
    names, other_names = (list(snapshots.names_of(m, "name_jntadr", m.njnt)) for m in (model, other))
    qpos, qvel = np.zeros(model.nq, int), np.zeros(model.nv, int)
    sizes = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}
    for joint, name in enumerate(names):
        twin = other_names.index(name)
        nq, nv = sizes[int(model.jnt_type[joint])]
        qpos[model.jnt_qposadr[joint] + np.arange(nq)] = other.jnt_qposadr[twin] + np.arange(nq)
        qvel[model.jnt_dofadr[joint] + np.arange(nv)] = other.jnt_dofadr[twin] + np.arange(nv)
    return qpos, qvel


def body_map(model, other):
    names, other_names = (list(snapshots.names_of(m, "name_bodyadr", m.nbody)) for m in (model, other))
    return np.array([other_names.index(name) for name in names])


def reordered_state(state, model, other, qpos_map, qvel_map, bodies):
    result = {name: np.array(value) for name, value in state.items()}
    result["qpos"][qpos_map] = state["qpos"]
    for name in ("qvel", "qacc", "qfrc_applied", "qacc_warmstart"):
        result[name][qvel_map] = state[name]
    result["plastic"] = states.rest_of_springs(other)
    result["xfrc_applied"][bodies] = state["xfrc_applied"]
    for name in ("mocap_pos", "mocap_quat"):
        for body in np.flatnonzero(np.array(model.body_mocapid) >= 0):
            result[name][other.body_mocapid[bodies[body]]] = state[name][model.body_mocapid[body]]
    return result


def test_reordering_siblings_only_reorders_the_result(subject, feature, seed):
    root = transforms.read_model(feature)
    if feature.stem == "attach_self_replicated":
        return  # what is attached must stand before
    model, data = load(subject, root)
    other, other_data = load(subject, transforms.reorder_siblings(root))
    qpos_map, qvel_map = joint_map(model, other)
    bodies = body_map(model, other)
    rng = np.random.default_rng(seed)
    for _ in range(5):
        state = states.random_state(model, rng)
        expected = forward(subject, model, data, state)
        twin = reordered_state(state, model, other, qpos_map, qvel_map, bodies)
        result = forward(subject, other, other_data, twin)
        result = {name: array[qvel_map] if name.startswith("q") else array[bodies] for name, array in result.items()}
        result["M"] = np.array(subject.full_m(other, other_data))[np.ix_(qvel_map, qvel_map)]
        expected["M"] = np.array(subject.full_m(model, data))
        assert_close(result, expected, feature.name)


def test_fusing_static_bodies_does_not_change_the_motion(subject, feature, seed):
    root = transforms.read_model(feature)
    model, data = load(subject, transforms.fuse(root, "false"))
    fused, fused_data = load(subject, transforms.fuse(root, "true"))
    if np.any(np.array(model.opt.density) + np.array(model.opt.viscosity)):
        fused.opt.density = model.opt.density = fused.opt.viscosity = model.opt.viscosity = 0  # acts body by body
    assert fused.nv == model.nv
    rng = np.random.default_rng(seed)
    for _ in range(5):
        state = {**states.random_state(model, rng)}
        state["xfrc_applied"][:] = 0
        expected = forward(subject, model, data, state)
        result = forward(subject, fused, fused_data, {**state, "xfrc_applied": np.zeros((fused.nbody, 6))})
        names = ("qfrc_bias", "qfrc_smooth", "qacc")
        assert_close({name: result[name] for name in names}, {name: expected[name] for name in names}, feature.name,
                     AXES)


def all_bits(subject, data):
    """Every compared array of data, for comparisons bit by bit."""
    return snapshots.of_data(subject, data)


def assert_same_bits(left, right):
    for name, array in right.items():
        assert left[name].tobytes() == array.tobytes(), f"{name}: {left[name]} is not {array}"


@pytest.fixture
def started(subject, feature, seed):
    """A feature model in a random state."""
    model = subject.load_file(feature)
    engines.disable_constraints(model)
    data = subject.make_data(model)
    states.apply(data, states.random_state(model, np.random.default_rng(seed)))
    return model, data


def test_forward_twice_gives_the_same_bits(subject, started):
    model, data = started
    subject.forward(model, data)
    first = all_bits(subject, data)
    subject.forward(model, data)
    assert_same_bits(all_bits(subject, data), first)


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_step1_and_step2_make_a_step(subject, started, integrator):
    model, data = started
    model.opt.integrator = engines.INTEGRATORS[integrator]
    start = np.array(subject.get_state(model, data, engines.STATE_PARTS["integration"]))
    subject.step(model, data)
    whole = np.array(subject.get_state(model, data, engines.STATE_PARTS["integration"]))
    subject.set_state(model, data, start, engines.STATE_PARTS["integration"])
    subject.step1(model, data)
    subject.step2(model, data)
    halves = np.array(subject.get_state(model, data, engines.STATE_PARTS["integration"]))
    assert halves.tobytes() == whole.tobytes()


def test_many_steps_at_once_are_as_many_single_steps(subject, started):
    model, data = started
    start = np.array(subject.get_state(model, data, engines.STATE_PARTS["integration"]))
    subject.step(model, data, STEPS)
    at_once = all_bits(subject, data)
    subject.set_state(model, data, start, engines.STATE_PARTS["integration"])
    for _ in range(STEPS):
        subject.step(model, data)
    assert_same_bits(all_bits(subject, data), at_once)


def test_a_restored_state_goes_on_with_the_same_bits(subject, started):
    model, data = started
    subject.step(model, data, STEPS)
    saved = np.array(subject.get_state(model, data, engines.STATE_PARTS["integration"]))
    subject.step(model, data, STEPS)
    expected = np.array(subject.get_state(model, data, engines.STATE_PARTS["integration"]))
    for other in (data, subject.make_data(model)):
        subject.set_state(model, other, saved, engines.STATE_PARTS["integration"])
        subject.step(model, other, STEPS)
        result = np.array(subject.get_state(model, other, engines.STATE_PARTS["integration"]))
        assert result.tobytes() == expected.tobytes()


def test_a_copy_goes_on_with_the_same_bits(subject, started):
    model, data = started
    subject.step(model, data, STEPS)
    twin = copy.copy(data)
    subject.step(model, data, STEPS)
    subject.step(model, twin, STEPS)
    assert_same_bits(all_bits(subject, twin), all_bits(subject, data))


def test_reset_data_is_like_new(subject, started):
    model, data = started
    subject.step(model, data, STEPS)
    subject.reset(model, data)
    fresh = subject.make_data(model)
    for name in INPUTS:
        assert np.array_equal(getattr(data, name), getattr(fresh, name)), name
    assert data.time == 0


@pytest.mark.parametrize("path", [path for path in scenes.FEATURES if "<key" in path.read_text(encoding="utf-8")],
                         ids=scenes.feature_id)
def test_reset_to_a_keyframe_takes_all_of_it(subject, judge, path, judged):
    model, judge_model = subject.load_file(path), judge.load_file(path)
    data, judge_data = subject.make_data(model), judge.make_data(judge_model)
    for key in range(judge_model.nkey):
        subject.reset_keyframe(model, data, key)
        judge.reset_keyframe(judge_model, judge_data, key)
        for name in ("qpos", "qvel", "mocap_pos", "mocap_quat"):
            assert np.allclose(getattr(data, name), getattr(judge_data, name), rtol=0, atol=1e-12), name
        assert data.time == judge_data.time
        judged()
