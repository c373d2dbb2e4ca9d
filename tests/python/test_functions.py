"""Functions of model and data: results agree with each other, and bad arguments are errors that say what was wrong."""

import mujoco
import numpy as np
import pytest

import torsor

POINT = [0.1, 0.2, 0.3]
# Functions with arrays to write into: {name: (arguments before, keywords of results and their shapes)}.
RESULTS = {
    "full_m": ((), {"out": "vv"}), "legacy_m": ((), {"out": "M"}), "rne": ((True,), {"out": "v"}),
    "solve_m": (("x",), {"out": "v"}), "half_solve_m": (("x",), {"out": "v"}), "mul_m": (("x",), {"out": "v"}),
    "half_mul_m": (("x",), {"out": "v"}), "jac": ((POINT, 2), {"jacp": "3v", "jacr": "3v"}),
    "jac_dot": ((POINT, 2), {"jacp": "3v", "jacr": "3v"}), "jac_body": ((2,), {"jacp": "3v", "jacr": "3v"}),
    "jac_body_com": ((2,), {"jacp": "3v", "jacr": "3v"}), "jac_geom": ((2,), {"jacp": "3v", "jacr": "3v"}),
    "jac_site": ((0,), {"jacp": "3v", "jacr": "3v"}), "jac_subtree_com": ((1,), {"out": "3v"}),
    "jac_point_axis": ((POINT, [0, 0, 1], 2), {"jacp": "3v", "jaca": "3v"}),
    "object_velocity": ((1, 2), {"out": "6"}), "object_acceleration": ((1, 2), {"out": "6"}),
    "apply_ft": ((POINT, POINT, POINT, 2), {"out": "v"}), "get_state": ((int(torsor.StateBit.QPOS),), {"out": "q"}),
}


def shape_of(text, model):
    sizes = {"v": model.nv, "q": model.nq, "M": model.nM, "3": 3, "6": 6}
    return tuple(sizes[letter] for letter in text)


def call(name, model, data, **keywords):
    arguments = [np.linspace(1, 2, model.nv) if a == "x" else a for a in RESULTS[name][0]]
    return getattr(torsor, name)(model, data, *arguments, **keywords)


@pytest.mark.parametrize("name", RESULTS)
def test_results_go_into_the_callers_arrays_or_new_ones(zoo, zoo_data, name):
    torsor.rne_post_constraint(zoo, zoo_data)
    wanted = {key: np.zeros(shape_of(text, zoo)) for key, text in RESULTS[name][1].items()}
    fresh, given = call(name, zoo, zoo_data), call(name, zoo, zoo_data, **wanted)
    if len(wanted) == 1:
        fresh, given = (fresh,), (given,)
    for new, same, own in zip(fresh, given, wanted.values()):
        assert same is own
        assert np.array_equal(new, own) and new.shape == own.shape and np.any(own != 0)


@pytest.mark.parametrize("name", RESULTS)
def test_arrays_for_results_must_fit_exactly(zoo, zoo_data, name):
    for key, text in RESULTS[name][1].items():
        shape = shape_of(text, zoo)
        with pytest.raises(ValueError, match=rf"{key}: expected shape \({shape[0]},"):
            call(name, zoo, zoo_data, **{key: np.zeros((*shape[:-1], shape[-1] + 1))})
        read_only = np.zeros(shape)
        read_only.flags.writeable = False
        strided = np.zeros((*shape[:-1], 2 * shape[-1]))[..., ::2]
        for unfit in (np.zeros(shape, np.float32), read_only, strided, list(range(shape[0])), "text"):
            with pytest.raises(ValueError, match=f"{key}: expected a writable, C-contiguous array of float64"):
                call(name, zoo, zoo_data, **{key: unfit})


@pytest.mark.parametrize("name", ["solve_m", "half_solve_m", "mul_m", "half_mul_m"])
def test_results_may_overwrite_their_argument(zoo, zoo_data, name):
    function, x = getattr(torsor, name), np.linspace(1, 2, zoo.nv)
    expected = function(zoo, zoo_data, x)
    function(zoo, zoo_data, x, out=x)
    assert np.array_equal(x, expected)
    padded = np.concatenate([np.linspace(1, 2, zoo.nv), np.zeros(1)])
    function(zoo, zoo_data, padded[:-1], out=padded[1:])  # memory that overlaps in part
    assert np.array_equal(padded[1:], expected)


def test_coordinates_may_overwrite_their_argument(zoo, zoo_data):
    qpos, qvel = np.array(zoo_data.qpos), np.array(zoo_data.qvel)
    moved = torsor.integrate_pos(zoo, qpos, qvel, 0.1)
    back = torsor.differentiate_pos(zoo, 0.1, qpos, moved)
    assert back == pytest.approx(qvel, abs=1e-12)
    torsor.integrate_pos(zoo, qpos, qvel, 0.1, out=qpos)
    assert np.array_equal(qpos, moved)


@pytest.mark.parametrize("bad, message", [
    ([1, 2], "expected shape"), (np.zeros((10, 1)), "expected shape"), ("text", "expected an array of numbers"),
    ([[1], [2, 3]], "expected an array of numbers"), (object(), "expected an"),
])
def test_bad_vectors_are_value_errors_that_name_the_argument(zoo, zoo_data, bad, message):
    with pytest.raises(ValueError, match=f"x: {message}"):
        torsor.mul_m(zoo, zoo_data, bad)
    with pytest.raises(ValueError, match=f"point: {message}"):
        torsor.jac(zoo, zoo_data, bad, 1)
    with pytest.raises(ValueError, match=f"qvel: {message}"):
        torsor.integrate_pos(zoo, zoo.qpos0, bad, 1)
    with pytest.raises(ValueError, match=f"state: {message}"):
        torsor.set_state(zoo, zoo_data, bad)
    with pytest.raises(ValueError, match=f"quat: {message}"):
        torsor.quat_to_mat(bad)


def test_vectors_may_be_lists_integers_floats_or_strided(zoo, zoo_data):
    numbers = np.arange(zoo.nv)
    expected = torsor.mul_m(zoo, zoo_data, numbers.astype(float))
    strided = np.repeat(numbers.astype(float), 2)[::2]
    for same in (numbers, list(numbers), tuple(numbers), numbers.astype(np.float32), strided):
        assert np.array_equal(torsor.mul_m(zoo, zoo_data, same), expected)


@pytest.mark.parametrize("index", [-1, 1000, -(2**31), 2**31 - 1])
def test_indices_out_of_range_are_index_errors(zoo, zoo_data, index):
    calls = {
        "jac_body": (index,), "jac_body_com": (index,), "jac_geom": (index,), "jac_site": (index,),
        "jac_subtree_com": (index,), "jac": (POINT, index), "jac_dot": (POINT, index),
        "jac_point_axis": (POINT, POINT, index), "object_velocity": (1, index), "object_acceleration": (5, index),
        "apply_ft": (POINT, POINT, POINT, index), "local_to_global": (POINT, [1, 0, 0, 0], index),
        "reset_data_keyframe": (index,),
    }
    for name, arguments in calls.items():
        with pytest.raises(IndexError, match=f"{index} does not exist: the model has"):
            getattr(torsor, name)(zoo, zoo_data, *arguments)


def test_numbers_that_mean_nothing_are_value_errors(zoo, zoo_data):
    with pytest.raises(ValueError, match="ObjectType of a body, geom, site or camera"):
        torsor.object_velocity(zoo, zoo_data, 3, 0)
    with pytest.raises(ValueError, match="stage must be a SkipStage, got 9"):
        torsor.forward_skip(zoo, zoo_data, 9)
    with pytest.raises(ValueError, match="signature must be a sum of StateBit"):
        torsor.get_state(zoo, zoo_data, 1 << 20)
    with pytest.raises(ValueError, match="nstep must not be negative"):
        torsor.step(zoo, zoo_data, nstep=-1)
    with pytest.raises(ValueError, match="sameframe must be a SameFrame"):
        torsor.local_to_global(zoo, zoo_data, POINT, [1, 0, 0, 0], 1, 9)
    with pytest.raises(ValueError, match="kind must be 'model' or 'data'"):
        torsor.fields("worlds")


def test_arguments_of_a_wrong_type_are_type_errors(model, data):
    with pytest.raises(TypeError):
        torsor.mul_m(model, data, None)
    for arguments in ((), (model,), (data, model), (model, None), (model, data, "many")):
        with pytest.raises(TypeError):
            torsor.step(*arguments)


def test_quaternion_functions_equal_mujocos():
    rng = np.random.default_rng(5)
    for _ in range(50):
        a, b, v = rng.normal(size=4), rng.normal(size=4), rng.normal(size=3)
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        axis, angle, dt = v / np.linalg.norm(v), rng.uniform(-6, 6), rng.uniform(0, 2)
        assert torsor.mul_quat(a, b) == pytest.approx(judged(4, mujoco.mju_mulQuat, a, b), abs=1e-14)
        assert torsor.neg_quat(a) == pytest.approx(judged(4, mujoco.mju_negQuat, a), abs=1e-14)
        assert torsor.rot_vec_quat(v, a) == pytest.approx(judged(3, mujoco.mju_rotVecQuat, v, a), abs=1e-14)
        matrix = judged(9, mujoco.mju_quat2Mat, a)
        assert torsor.quat_to_mat(a).ravel() == pytest.approx(matrix, abs=1e-14)
        assert torsor.mat_to_quat(matrix) == pytest.approx(judged(4, mujoco.mju_mat2Quat, matrix), abs=1e-12)
        assert np.array_equal(torsor.mat_to_quat(matrix), torsor.mat_to_quat(matrix.reshape(3, 3)))
        assert torsor.axis_angle_to_quat(axis, angle) == pytest.approx(
            judged(4, mujoco.mju_axisAngle2Quat, axis, angle), abs=1e-14)
        turned = np.array(a)
        mujoco.mju_quatIntegrate(turned, v, dt)
        assert torsor.integrate_quat(a, v, dt) == pytest.approx(turned, abs=1e-14)
        assert torsor.sub_quat(a, b) == pytest.approx(judged(3, mujoco.mju_subQuat, a, b), abs=1e-12)


def test_rates_and_turns_of_quaternions_equal_mujocos():
    rng = np.random.default_rng(7)
    for _ in range(50):
        quat, vec, dt = rng.normal(size=4), rng.normal(size=3), rng.uniform(0.1, 2)
        quat /= np.linalg.norm(quat)
        assert torsor.mul_quat_axis(quat, vec) == pytest.approx(judged(4, mujoco.mju_mulQuatAxis, quat, vec), abs=1e-14)
        assert torsor.deriv_quat(quat, vec) == pytest.approx(judged(4, mujoco.mju_derivQuat, quat, vec), abs=1e-14)
        assert torsor.quat_to_vel(quat, dt) == pytest.approx(judged(3, mujoco.mju_quat2Vel, quat, dt), abs=1e-12)
        assert torsor.quat_z_to_vec(vec) == pytest.approx(judged(4, mujoco.mju_quatZ2Vec, vec), abs=1e-13)
        for sequence in ("xyz", "ZYX", "zxz", "xYz"):
            expected = judged(4, mujoco.mju_euler2Quat, vec, sequence)
            assert torsor.euler_to_quat(vec, sequence) == pytest.approx(expected, abs=1e-14)
    for direction in ([0, 0, 1], [0, 0, -1], [0, 0, 0], [1, 0, 0]):
        expected = judged(4, mujoco.mju_quatZ2Vec, np.array(direction, float))
        assert torsor.quat_z_to_vec(direction) == pytest.approx(expected, abs=1e-15)


def test_turns_that_mean_nothing_are_errors():
    with pytest.raises(ValueError, match="dt must not be zero"):
        torsor.quat_to_vel([1, 0, 0, 0], 0)
    for sequence in ("xy", "abc", ""):
        with pytest.raises(torsor.Error):
            torsor.euler_to_quat([1, 2, 3], sequence)


def judged(length, function, *arguments):
    result = np.zeros(length)
    function(result, *arguments)
    return result


def test_pose_functions_equal_mujocos():
    rng = np.random.default_rng(6)
    for _ in range(50):
        p, r, v = rng.normal(size=(3, 3))
        a, b = rng.normal(size=4), rng.normal(size=4)
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        pos, quat = np.zeros(3), np.zeros(4)
        mujoco.mju_mulPose(pos, quat, p, a, r, b)
        assert np.concatenate(torsor.mul_pose(p, a, r, b)) == pytest.approx(np.concatenate([pos, quat]), abs=1e-14)
        mujoco.mju_negPose(pos, quat, p, a)
        assert np.concatenate(torsor.neg_pose(p, a)) == pytest.approx(np.concatenate([pos, quat]), abs=1e-14)
        assert torsor.trn_vec_pose(p, a, v) == pytest.approx(judged(3, mujoco.mju_trnVecPose, p, a, v), abs=1e-14)
