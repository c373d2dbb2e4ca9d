"""torsor.rotations: the rotations of SciPy and MuJoCo, over arrays of any shape, and errors that name the index."""

import doctest
import inspect
import itertools
import threading
import warnings

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

import torsor
from torsor import rotations

ORDERS = ["wxyz", "xyzw"]
LAYOUTS = ["columns", "interleaved"]
AXES = ["".join(axes) for axes in itertools.product("xyz", repeat=3) if axes[0] != axes[1] != axes[2]]
SEQUENCES = AXES + [axes.upper() for axes in AXES]  # 24 in either spelling
ALL_LETTERS = ["".join(letters) for letters in itertools.product("xyzXYZ", repeat=3)]
FUNCTIONS = {name: function for name, function in vars(rotations).items()
             if inspect.isfunction(function) and not name.startswith("_")}
SIN_60 = np.sqrt(0.75)


def random_rotations(count=200, seed=1):
    return Rotation.random(count, rng=seed)


def quats_of(rotation, order):
    return rotation.as_quat(scalar_first=order == "wxyz")


def reordered(quat, order):
    """From wxyz."""
    return np.asarray(quat) if order == "wxyz" else np.roll(quat, -1, axis=-1)


def assert_same(quats, expected, tolerance=1e-14):
    """The same rotations, whichever of q and -q stands for them."""
    quats, expected = np.asarray(quats), np.asarray(expected)
    assert quats.shape == expected.shape
    sign = np.sign(np.sum(quats * expected, axis=-1, keepdims=True))
    np.testing.assert_allclose(quats * sign, expected, rtol=0, atol=tolerance)


# What every function shares: an example, explicit conventions, any shape.


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_every_function_runs(name):
    names = {"rotations": rotations, "numpy": np}
    examples = doctest.DocTestParser().get_doctest(FUNCTIONS[name].__doc__ or "", names, name, None, None)
    assert examples.examples, f"{name} has no example"
    complaints = []
    assert doctest.DocTestRunner().run(examples, out=complaints.append).failed == 0, "".join(complaints)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_conventions_have_no_defaults(name):
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    assert all(parameter.default is inspect.Parameter.empty for parameter in parameters.values())
    if "quat" in name or any("quat" in parameter for parameter in parameters):
        assert "order" in parameters
    if "euler" in name:
        assert {"sequence", "spelling", "unit"} <= set(parameters)
    if "rot6d" in name:
        assert "layout" in parameters


ARGUMENTS = {"quat": (4,), "quat1": (4,), "quat2": (4,), "matrix": (3, 3), "rotvec": (3,), "rot6d": (6,), "euler": (3,),
             "rpy": (3,), "vec": (3,), "vec1": (3,), "vec2": (3,), "tan_norm": (6,), "axis": (3,), "angle": (), "t": (), "dt": ()}
WORDS = {"order": "xyzw", "layout": "interleaved", "sequence": "zyx", "spelling": "scipy", "unit": "degrees",
         "frame": "world"}


def example_argument(name, leading, rng):
    quats = rng.normal(size=(*leading, 4))
    quats /= np.linalg.norm(quats, axis=-1, keepdims=True)
    if name.startswith("quat"):
        return quats
    if name == "matrix":
        return Rotation.from_quat(quats.reshape(-1, 4)).as_matrix().reshape(*leading, 3, 3)
    return rng.uniform(0.1, 1, size=(*leading, *ARGUMENTS[name]))


def example_call(name, leading, rng):
    """(function of arrays only, {argument: array})"""
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    words = {key: WORDS[key] for key in parameters if key in WORDS}
    arrays = {key: example_argument(key, leading, rng) for key in parameters if key in ARGUMENTS}
    return (lambda **values: FUNCTIONS[name](**values, **words)), arrays


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


ARRAY_FUNCTIONS = [name for name in FUNCTIONS if name != "random_uniform"]


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_leading_axes_are_computed_one_by_one(name):
    function, arrays = example_call(name, (3, 5), np.random.default_rng(2))
    whole = as_tuple(function(**arrays))
    for index in np.ndindex(3, 5):
        single = as_tuple(function(**{key: array[index] for key, array in arrays.items()}))
        for part, one in zip(whole, single, strict=True):
            assert part.dtype == np.float64
            assert np.array_equal(part[index], one)


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_strided_lists_and_other_types_are_read_like_arrays(name):
    function, arrays = example_call(name, (6, 4), np.random.default_rng(3))
    expected = as_tuple(function(**arrays))

    def check(change, rows=slice(None), tolerance=0.0):
        changed = as_tuple(function(**{key: change(array) for key, array in arrays.items()}))
        for part, same in zip(expected, changed, strict=True):
            np.testing.assert_allclose(same, part[rows], rtol=0, atol=tolerance)

    check(lambda array: array.tolist())
    check(lambda array: array[::2], slice(None, None, 2))
    check(lambda array: array[::-1], slice(None, None, -1))
    check(lambda array: array[:, 1:3], (slice(None), slice(1, 3)))
    check(lambda array: np.asfortranarray(array))
    check(lambda array: np.concatenate([array, array], axis=1)[:, :4])
    check(lambda array: array.astype(">f8"))
    check(lambda array: np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:].view(np.float64).reshape(array.shape))
    check(lambda array: array.astype(np.float32), tolerance=1e-4)


@pytest.mark.parametrize("name", [name for name in ARRAY_FUNCTIONS if
                                  len(set(inspect.signature(FUNCTIONS[name]).parameters) & set(ARGUMENTS)) > 1])
def test_arguments_are_broadcast_as_numpy_does(name):
    function, arrays = example_call(name, (2, 3, 4), np.random.default_rng(4))
    for shapes in itertools.product([np.s_[:], np.s_[:1], np.s_[:, :1], np.s_[:, :, :1], np.s_[0], np.s_[0, 0],
                                     np.s_[0, 0, 0], np.s_[:1, :, :1]], repeat=len(arrays)):
        given = {key: array[shape] for (key, array), shape in zip(arrays.items(), shapes, strict=True)}
        leading = {key: array.shape[:array.ndim - len(ARGUMENTS[key])] for key, array in given.items()}
        shape = np.broadcast_shapes(*leading.values())
        full = {key: np.broadcast_to(array, (*shape, *ARGUMENTS[key])).copy() for key, array in given.items()}
        for part, same in zip(as_tuple(function(**given)), as_tuple(function(**full)), strict=True):
            assert np.array_equal(part, same)


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_no_rows_give_no_rows(name):
    function, arrays = example_call(name, (0,), np.random.default_rng(5))
    assert all(len(part) == 0 for part in as_tuple(function(**arrays)))


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_arguments_are_left_alone(name):
    function, arrays = example_call(name, (4,), np.random.default_rng(6))
    for array in arrays.values():
        array.flags.writeable = False
    function(**arrays)


def test_numbers_come_out_of_single_rotations():
    assert isinstance(rotations.heading([1, 0, 0, 0], order="wxyz"), float)
    assert isinstance(rotations.quat_to_axis_angle([1, 0, 0, 0], order="wxyz")[1], float)


# Agreement with SciPy.


@pytest.mark.parametrize("order", ORDERS)
def test_forms_agree_with_scipy(order):
    expected = random_rotations()
    quats = quats_of(expected, order)
    matrices, vectors = expected.as_matrix(), expected.as_rotvec()
    np.testing.assert_allclose(rotations.quat_to_matrix(quats, order=order), matrices, atol=1e-15)
    np.testing.assert_allclose(rotations.quat_to_rotvec(quats, order=order), vectors, atol=1e-14)
    np.testing.assert_allclose(rotations.log(quats, order=order), vectors, atol=1e-14)
    np.testing.assert_allclose(rotations.matrix_to_rotvec(matrices), vectors, atol=1e-13)
    np.testing.assert_allclose(rotations.rotvec_to_matrix(vectors), matrices, atol=1e-14)
    assert_same(rotations.matrix_to_quat(matrices, order=order), quats)
    assert_same(rotations.rotvec_to_quat(vectors, order=order), quats)
    assert_same(rotations.exp(vectors, order=order), quats)
    axis, angle = rotations.quat_to_axis_angle(quats, order=order)
    np.testing.assert_allclose(axis * angle[:, None], vectors, atol=1e-14)
    np.testing.assert_allclose(angle, expected.magnitude(), atol=1e-14)
    assert_same(rotations.axis_angle_to_quat(3 * axis, angle + 2 * np.pi, order=order), quats)


def test_rotation_vectors_of_any_length_have_an_axis_and_an_angle():
    vectors = np.random.default_rng(7).uniform(-9, 9, (100, 3))
    axis, angle = rotations.rotvec_to_axis_angle(vectors)
    assert np.all((angle >= 0) & (angle <= np.pi))
    back = Rotation.from_rotvec(rotations.axis_angle_to_rotvec(axis, angle))
    assert np.max((back.inv() * Rotation.from_rotvec(vectors)).magnitude()) < 1e-14


@pytest.mark.parametrize("unit", ["radians", "degrees"])
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_every_sequence_agrees_with_scipy(sequence, unit):
    degrees = unit == "degrees"
    angles = np.random.default_rng(8).uniform(-7, 7, (100, 3)) * (57 if degrees else 1)
    words = {"sequence": sequence, "spelling": "scipy", "unit": unit}
    expected = Rotation.from_euler(sequence, angles, degrees=degrees)
    assert_same(rotations.euler_to_quat(angles, order="xyzw", **words), expected.as_quat())
    np.testing.assert_allclose(rotations.euler_to_matrix(angles, **words), expected.as_matrix(), atol=1e-14)
    assert_same(rotations.rotvec_to_quat(rotations.euler_to_rotvec(angles, **words), order="xyzw"), expected.as_quat())
    back = expected.as_euler(sequence, degrees=degrees)
    tolerance = 1e-12 * (57 if degrees else 1)
    for found in (rotations.quat_to_euler(expected.as_quat(), order="xyzw", **words),
                  rotations.matrix_to_euler(expected.as_matrix(), **words),
                  rotations.rotvec_to_euler(expected.as_rotvec(), **words)):
        np.testing.assert_allclose(found, back, rtol=0, atol=tolerance)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_gimbal_lock_is_resolved_as_scipy_does(sequence):
    is_proper = sequence[0] == sequence[2]
    words = {"sequence": sequence, "spelling": "scipy", "unit": "degrees"}
    for middle in (0, 180) if is_proper else (-90, 90):
        angles = np.random.default_rng(9).uniform(-80, 80, (20, 3))
        angles[:, 1] = middle
        rotation = Rotation.from_euler(sequence, angles, degrees=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = rotation.as_euler(sequence, degrees=True)
        assert np.all(expected[:, 2] == 0)
        for found in (rotations.quat_to_euler(rotation.as_quat(), order="xyzw", **words),
                      rotations.matrix_to_euler(rotation.as_matrix(), **words)):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
            assert np.all(found[:, 2] == 0)
            assert_same(rotations.euler_to_quat(found, order="xyzw", **words), rotation.as_quat(), 1e-14)


def test_matrices_slightly_off_become_the_nearest_rotation_as_scipy_has_it():
    noise = np.random.default_rng(10).uniform(-2e-4, 2e-4, (100, 3, 3))
    matrices = random_rotations(100).as_matrix() + noise
    assert_same(rotations.matrix_to_quat(matrices, order="xyzw"), Rotation.from_matrix(matrices).as_quat(), 1e-13)


@pytest.mark.parametrize("order", ORDERS)
def test_products_agree_with_scipy(order):
    a, b = random_rotations(seed=11), random_rotations(seed=12)
    p, q = quats_of(a, order), quats_of(b, order)
    vectors = np.random.default_rng(13).normal(size=(200, 3))
    assert_same(rotations.multiply(p, q, order=order), quats_of(a * b, order))
    for undo in (rotations.inverse, rotations.conjugate):
        assert_same(undo(p, order=order), quats_of(a.inv(), order))
    np.testing.assert_allclose(rotations.rotate(p, vectors, order=order), a.apply(vectors), atol=1e-14)
    np.testing.assert_allclose(rotations.rotate_inverse(p, vectors, order=order), a.apply(vectors, inverse=True),
                               atol=1e-14)
    np.testing.assert_allclose(rotations.angle_between(p, q, order=order), (a.inv() * b).magnitude(), atol=1e-14)
    expected = a.as_quat(canonical=True, scalar_first=order == "wxyz")
    for either in (p, -p):
        np.testing.assert_allclose(rotations.standardise_sign(either, order=order), expected, atol=1e-15)


@pytest.mark.parametrize("order", ORDERS)
def test_slerp_agrees_with_scipy(order):
    for seed in range(20):
        ends = random_rotations(2, seed)
        t = np.linspace(0, 1, 11)
        p, q = quats_of(ends, order)
        expected = quats_of(Slerp([0, 1], ends)(t), order)
        for end in (q, -q):
            assert_same(rotations.slerp(p, end, t, order=order), expected, 1e-13)


# Agreement with MuJoCo.


def by_mujoco(function, size, *arguments):
    result = np.zeros(size)
    function(result, *arguments)
    return result


@pytest.mark.parametrize("letters", ALL_LETTERS)
def test_every_eulerseq_agrees_with_mujoco(letters):
    for angles in np.random.default_rng(14).uniform(-7, 7, (10, 3)):
        expected = by_mujoco(mujoco.mju_euler2Quat, 4, angles, letters)
        words = {"sequence": letters, "spelling": "mujoco", "unit": "radians"}
        quat = rotations.euler_to_quat(angles, order="wxyz", **words)
        np.testing.assert_allclose(quat, expected, rtol=0, atol=1e-15)
        try:
            back = rotations.quat_to_euler(quat, order="wxyz", **words)
        except torsor.Error as error:
            assert "same axis" in str(error)
            assert letters.lower()[0] in letters.lower()[1:] or letters.lower()[1] == letters.lower()[2]
            continue
        assert_same(rotations.euler_to_quat(back, order="wxyz", **words), quat, 1e-14)


def test_eulerseq_reads_as_in_a_model():
    xml = ("<mujoco><compiler eulerseq='{}'/><worldbody><body euler='10 20 30'><geom size='1'/></body></worldbody>"
           "</mujoco>")
    for letters in ("xyz", "XYZ", "zYx", "xYz", "yzY"):
        expected = mujoco.MjModel.from_xml_string(xml.format(letters)).body_quat[1]
        found = rotations.euler_to_quat([10, 20, 30], order="wxyz", sequence=letters, spelling="mujoco", unit="degrees")
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)


def test_functions_agree_with_mujoco():
    rng = np.random.default_rng(15)
    for p, q in zip(quats_of(random_rotations(seed=16), "wxyz"), quats_of(random_rotations(seed=17), "wxyz")):
        vec, angle = rng.normal(size=3), rng.uniform(-9, 9)
        axis = vec / np.linalg.norm(vec)
        matrix = by_mujoco(mujoco.mju_quat2Mat, 9, q)
        pairs = [
            (rotations.multiply(p, q, order="wxyz"), by_mujoco(mujoco.mju_mulQuat, 4, p, q)),
            (rotations.conjugate(q, order="wxyz"), by_mujoco(mujoco.mju_negQuat, 4, q)),
            (rotations.rotate(q, vec, order="wxyz"), by_mujoco(mujoco.mju_rotVecQuat, 3, vec, q)),
            (rotations.quat_to_matrix(q, order="wxyz").ravel(), matrix),
            (rotations.axis_angle_to_quat(axis, angle, order="wxyz"),
             by_mujoco(mujoco.mju_axisAngle2Quat, 4, axis, angle)),
            (rotations.angular_velocity(p, q, 0.1, order="wxyz", frame="body"),
             by_mujoco(mujoco.mju_subQuat, 3, q, p) / 0.1),
            (rotations.quat_to_rotvec(q, order="wxyz"), by_mujoco(mujoco.mju_quat2Vel, 3, q, 1)),
        ]
        for ours, theirs in pairs:
            np.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=1e-13)
        assert_same(rotations.matrix_to_quat(matrix.reshape(3, 3), order="wxyz"),
                    by_mujoco(mujoco.mju_mat2Quat, 4, matrix))


# Laws and worked examples.


def test_the_orders_differ_in_where_w_is():
    third = [0.5, 0.5, 0.5, -0.5]
    assert rotations.quat_to_matrix([SIN_60, 0.5, 0, 0], order="wxyz")[1, 1] == pytest.approx(0.5)  # 60 degrees about x
    assert rotations.quat_to_matrix([SIN_60, 0.5, 0, 0], order="xyzw")[1, 1] == pytest.approx(-0.5)  # half a turn
    np.testing.assert_allclose(rotations.rotate(third, [1, 0, 0], order="xyzw"), [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(rotations.rotate(third, [1, 0, 0], order="wxyz"), [0, 0, -1], atol=1e-15)


def test_rot6d_layouts_are_columns_and_interleaved_rows():
    matrices = random_rotations().as_matrix()
    expected = {"columns": np.concatenate([matrices[:, :, 0], matrices[:, :, 1]], axis=1),
                "interleaved": matrices[:, :, :2].reshape(-1, 6)}
    for layout in LAYOUTS:
        six = rotations.matrix_to_rot6d(matrices, layout=layout)
        np.testing.assert_allclose(six, expected[layout], atol=1e-15)
        np.testing.assert_allclose(rotations.rot6d_to_matrix(six, layout=layout), matrices, atol=1e-14)
        for order in ORDERS:
            quats = rotations.rot6d_to_quat(six, order=order, layout=layout)
            np.testing.assert_allclose(rotations.quat_to_rot6d(quats, order=order, layout=layout), six, atol=1e-14)
        vectors = rotations.rot6d_to_rotvec(six, layout=layout)
        np.testing.assert_allclose(rotations.rotvec_to_rot6d(vectors, layout=layout), six, atol=1e-14)
        words = {"layout": layout, "sequence": "zyx", "spelling": "mujoco", "unit": "degrees"}
        np.testing.assert_allclose(rotations.euler_to_rot6d(rotations.rot6d_to_euler(six, **words), **words), six,
                                   atol=1e-14)


def test_gram_schmidt_keeps_the_first_direction_and_the_side_of_the_second():
    rng = np.random.default_rng(18)
    six = rng.normal(size=(100, 6)) * rng.uniform(0.01, 100, (100, 1))
    matrices = rotations.rot6d_to_matrix(six, layout="columns")
    x = six[:, :3] / np.linalg.norm(six[:, :3], axis=1, keepdims=True)
    np.testing.assert_allclose(matrices[:, :, 0], x, atol=1e-14)
    assert np.all(np.sum(matrices[:, :, 1] * six[:, 3:], axis=1) > 0)
    np.testing.assert_allclose(np.sum(matrices[:, :, 2] * six[:, 3:], axis=1), 0, atol=1e-12)


def test_rpy_is_extrinsic_xyz():
    rpy = np.random.default_rng(19).uniform(-1.5, 1.5, (100, 3))
    expected = Rotation.from_euler("xyz", rpy)
    np.testing.assert_allclose(rotations.rpy_to_matrix(rpy), expected.as_matrix(), atol=1e-14)
    np.testing.assert_allclose(rotations.matrix_to_rpy(expected.as_matrix()), rpy, atol=1e-12)
    for order in ORDERS:
        assert_same(rotations.rpy_to_quat(rpy, order=order), quats_of(expected, order))
        np.testing.assert_allclose(rotations.quat_to_rpy(quats_of(expected, order), order=order), rpy, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_heading_is_the_direction_of_the_x_axis_and_the_yaw_of_rpy(order):
    rotation = random_rotations(seed=20)
    quats = quats_of(rotation, order)
    x = rotation.apply([1, 0, 0])
    expected = np.arctan2(x[:, 1], x[:, 0])
    expected_quats = quats_of(Rotation.from_euler("z", expected[:, None]), order)
    for angle in (rotations.heading, rotations.yaw):
        np.testing.assert_allclose(angle(quats, order=order), expected, atol=1e-12)
    for turn in (rotations.heading_quat, rotations.yaw_quat):
        assert_same(turn(quats, order=order), expected_quats, 1e-12)
    np.testing.assert_allclose(rotations.quat_to_rpy(quats, order=order)[:, 2], expected, atol=1e-12)
    up = reordered([np.sqrt(0.5), 0, -np.sqrt(0.5), 0], order)
    assert rotations.heading(up, order=order) == 0


@pytest.mark.parametrize("order", ORDERS)
def test_swing_and_twist_make_the_rotation_and_are_at_right_angles(order):
    quats, axes = quats_of(random_rotations(), order), np.random.default_rng(21).normal(size=(200, 3))
    swing, twist = rotations.swing_twist(quats, axes, order=order)
    np.testing.assert_allclose(rotations.multiply(swing, twist, order=order), quats, atol=1e-14)
    vector, scalar = (slice(1, 4), 0) if order == "wxyz" else (slice(0, 3), 3)
    np.testing.assert_allclose(np.sum(swing[:, vector] * axes, axis=1), 0, atol=1e-14)
    np.testing.assert_allclose(np.cross(twist[:, vector], axes), 0, atol=1e-14)
    assert np.all(swing[:, scalar] >= 0)


def test_twist_is_the_turn_that_was_put_first():
    twist, swing = Rotation.from_euler("z", 50, degrees=True), Rotation.from_rotvec([0.3, -0.4, 0])
    found = rotations.swing_twist((swing * twist).as_quat(), [0, 0, 2], order="xyzw")
    assert_same(found[0], swing.as_quat())
    assert_same(found[1], twist.as_quat())


@pytest.mark.parametrize("order", ORDERS)
def test_twist_and_swing_in_the_other_order_make_the_rotation_too(order):
    quats, axes = quats_of(random_rotations(), order), np.random.default_rng(25).normal(size=(200, 3))
    twist, swing = rotations.twist_swing(quats, axes, order=order)
    np.testing.assert_allclose(rotations.multiply(twist, swing, order=order), quats, atol=1e-14)
    np.testing.assert_allclose(twist, rotations.swing_twist(quats, axes, order=order)[1], atol=1e-14)
    vector = slice(1, 4) if order == "wxyz" else slice(0, 3)
    np.testing.assert_allclose(np.sum(swing[:, vector] * axes, axis=1), 0, atol=1e-14)


@pytest.mark.parametrize("order", ORDERS)
def test_the_rotation_between_two_directions_is_the_smallest(order):
    rng = np.random.default_rng(26)
    u, v = rng.normal(size=(300, 3)), rng.normal(size=(300, 3))
    v[:100] = u[:100] * rng.uniform(0.1, 10, (100, 1)) + rng.normal(size=(100, 3)) * np.logspace(-12, 0, 100)[:, None]
    quats = rotations.quat_between(u, v, order=order)
    unit = lambda a: a / np.linalg.norm(a, axis=-1, keepdims=True)  # noqa: E731
    np.testing.assert_allclose(rotations.rotate(quats, unit(u), order=order), unit(v), atol=1e-14)
    turned = np.linalg.norm(rotations.quat_to_rotvec(quats, order=order), axis=-1)
    chord = 2 * np.arcsin(np.minimum(1, np.linalg.norm(unit(u) - unit(v), axis=-1) / 2))
    np.testing.assert_allclose(turned, chord, atol=1e-7)
    for direction in ([1, 0, 0], [0, 1, 0], [0, 0, -2], [1, 2, 3]):
        half = rotations.quat_between(direction, -np.array(direction), order=order)
        np.testing.assert_allclose(rotations.rotate(half, direction, order=order), -np.array(direction), atol=1e-14)
    with pytest.raises(torsor.Error, match=r"vec2\[1\]: has length zero"):
        rotations.quat_between([1, 0, 0], [[1, 0, 0], [0, 0, 0]], order=order)


def test_wrapped_angles_are_the_same_angles_in_one_turn():
    angles = np.random.default_rng(27).uniform(-50, 50, 1000)
    wrapped = rotations.wrap_angle(angles)
    assert np.all(abs(wrapped) <= np.pi)
    np.testing.assert_allclose(np.exp(1j * wrapped), np.exp(1j * angles), atol=1e-13)
    np.testing.assert_array_equal(rotations.wrap_angle([0.0, 3.0, -3.0]), [0, 3, -3])


@pytest.mark.parametrize("order", ORDERS)
def test_tangent_and_normal_are_the_first_and_third_column(order):
    turns = random_rotations()
    six = rotations.quat_to_tan_norm(quats_of(turns, order), order=order)
    np.testing.assert_allclose(six, np.concatenate([turns.apply([1, 0, 0]), turns.apply([0, 0, 1])], axis=1), atol=1e-14)
    assert_same(rotations.tan_norm_to_quat(six * 3, order=order), quats_of(turns, order))
    with pytest.raises(torsor.Error, match="two parallel directions"):
        rotations.tan_norm_to_quat([1, 0, 0, 2, 0, 0], order=order)


def test_exp_and_log_near_zero_and_near_half_a_turn():
    axes = np.random.default_rng(22).normal(size=(50, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    for size in (0, 1e-300, 1e-160, 1e-20, 1e-9, 1e-4, 3, np.pi - 1e-4, np.pi - 1e-9, np.pi - 1e-14):
        vectors = axes * size
        back = rotations.log(rotations.exp(vectors, order="wxyz"), order="wxyz")
        np.testing.assert_allclose(back, vectors, rtol=1e-14, atol=1e-14 if size > 1 else 0)
    half_turns = rotations.exp(axes * np.pi, order="wxyz")
    np.testing.assert_allclose(np.linalg.norm(rotations.log(half_turns, order="wxyz"), axis=1), np.pi, atol=1e-15)
    beyond = rotations.log(rotations.exp(axes * (np.pi + 0.1), order="wxyz"), order="wxyz")
    np.testing.assert_allclose(beyond, axes * (0.1 - np.pi), atol=1e-14)
    np.testing.assert_array_equal(rotations.log([0, 0, 0, -1.0], order="xyzw"), np.zeros(3))


def test_slerp_is_safe_at_equal_and_opposite_quaternions():
    quats, t = quats_of(random_rotations(), "wxyz"), np.linspace(0, 1, 200)
    for end in (quats, -quats):
        np.testing.assert_allclose(rotations.slerp(quats, end, t, order="wxyz"), quats, atol=1e-15)
    half = rotations.slerp([1, 0, 0, 0], [[0, 0, 0, 1], [0, 0, 0, -1]], 0.5, order="wxyz")
    np.testing.assert_allclose(half, np.sqrt(0.5) * np.array([[1, 0, 0, 1], [1, 0, 0, -1]]), atol=1e-15)


def test_angular_velocity_is_the_finite_difference_of_a_turning_frame():
    """Of a fixed point of the body: d(R p)/dt = w x R p in the world, and R' of that in the body."""
    rotation, dt = random_rotations(seed=23), 1e-6
    w_W = np.random.default_rng(24).normal(size=(200, 3))
    before, after = Rotation.from_rotvec(-w_W * dt / 2) * rotation, Rotation.from_rotvec(w_W * dt / 2) * rotation
    for order in ORDERS:
        ends = quats_of(before, order), quats_of(after, order)
        world = rotations.angular_velocity(*ends, dt, order=order, frame="world")
        body = rotations.angular_velocity(*ends, dt, order=order, frame="body")
        np.testing.assert_allclose(body, rotation.apply(world, inverse=True), atol=1e-6)
        point = np.array([0.3, 0.5, -0.7])
        velocity = (after.apply(point) - before.apply(point)) / dt
        np.testing.assert_allclose(np.cross(world, rotation.apply(point)), velocity, atol=1e-6)
        flipped = rotations.angular_velocity(ends[0], -ends[1], dt, order=order, frame="world")
        np.testing.assert_allclose(flipped, world, atol=1e-12)


def test_random_rotations_are_uniform():
    """The matrix has mean 0 and mean squares 1/3; the angle's distribution function is (a - sin a) / pi."""
    count = 100_000
    quats = rotations.random_uniform(count, 25, order="wxyz")
    np.testing.assert_allclose(np.linalg.norm(quats, axis=1), 1, atol=1e-15)
    matrices = rotations.quat_to_matrix(quats, order="wxyz")
    sigma = 1 / np.sqrt(count)
    assert np.max(np.abs(matrices.mean(axis=0))) < 5 * sigma * np.sqrt(1 / 3)
    assert np.max(np.abs((matrices**2).mean(axis=0) - 1 / 3)) < 5 * sigma * np.sqrt(4 / 45)
    angles = np.sort(rotations.angle_between(quats, [1, 0, 0, 0], order="wxyz"))
    distance = np.abs((angles - np.sin(angles)) / np.pi - (np.arange(count) + 0.5) / count)
    assert np.max(distance) < 1.95 * sigma  # Kolmogorov-Smirnov at 0.001


def test_random_rotations_follow_the_generator():
    one = rotations.random_uniform((2, 3), 26, order="wxyz")
    np.testing.assert_array_equal(one, rotations.random_uniform((2, 3), np.random.default_rng(26), order="wxyz"))
    np.testing.assert_array_equal(np.roll(one, -1, axis=-1), rotations.random_uniform((2, 3), 26, order="xyzw"))
    generator = np.random.default_rng(26)
    first, second = (rotations.random_uniform((), generator, order="wxyz") for _ in range(2))
    assert first.shape == (4,) and not np.array_equal(first, second)
    for bad in (None, "seed", 1.5, -1, True):
        with pytest.raises(torsor.Error, match="rng: expected"):
            rotations.random_uniform(3, bad, order="wxyz")
    with pytest.raises(torsor.Error, match="shape: sizes"):
        rotations.random_uniform((2, -1), 1, order="wxyz")


# Errors.


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_nan_and_infinity_are_refused_with_their_index(name):
    for bad in (np.nan, np.inf):
        function, arrays = example_call(name, (3, 2), np.random.default_rng(27))
        for key, array in arrays.items():
            spoilt = {**arrays, key: array.copy()}
            index = (2, 1, *(size - 1 for size in ARGUMENTS[key]))
            spoilt[key][index] = bad
            with pytest.raises(torsor.Error, match=rf"^{key}\[{', '.join(map(str, index))}\]: is {bad}$"):
                function(**spoilt)


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_wrong_widths_are_refused(name):
    function, arrays = example_call(name, (3, 2), np.random.default_rng(28))
    for key, array in arrays.items():
        for bad in (np.ones(7), np.ones((2, 7)), 1.0) if ARGUMENTS[key] else ():
            with pytest.raises(torsor.Error, match=rf"^{key}: expected shape \(\.\.\., {ARGUMENTS[key][0]}"):
                function(**{**arrays, key: bad})
        for bad in (None, "text", [[1], [2, 3]], object()):
            with pytest.raises(torsor.Error, match=f"^{key}: expected an array of numbers"):
                function(**{**arrays, key: bad})


def test_the_index_is_that_of_the_callers_array():
    good, bad = [1, 0, 0, 0], [2.0, 0, 0, 0]
    with pytest.raises(torsor.Error, match=r"^quat1: has length 2; "):
        rotations.multiply(bad, [good, good], order="wxyz")
    with pytest.raises(torsor.Error, match=r"^quat2\[1\]: has length 2; "):
        rotations.multiply(good, [good, bad], order="wxyz")
    with pytest.raises(torsor.Error, match=r"^quat1\[1, 0\]: has length 2; "):
        rotations.multiply([[good], [bad]], [good] * 3, order="wxyz")
    with pytest.raises(torsor.Error, match=r"^quat2\[2\]: has length 2; "):
        rotations.multiply([[good], [good]], [good, good, bad], order="wxyz")
    with pytest.raises(torsor.Error, match=r"^quat\[4\]: has length 2; "):
        rotations.inverse(np.array([bad if i == 2 else good for i in range(7)])[::-1], order="wxyz")


def test_lengths_near_one_are_normalised_and_others_refused():
    quat = np.array([0.6, 0, 0.8, 0])
    for length in (1 - 9.9e-4, 1 - 1e-7, 1 + 1e-10, 1 + 9.9e-4):
        np.testing.assert_allclose(rotations.multiply(quat * length, [1, 0, 0, 0], order="wxyz"), quat, atol=1e-15)
        np.testing.assert_allclose(np.linalg.det(rotations.quat_to_matrix(quat * length, order="wxyz")), 1, atol=1e-14)
    for length in (0, 0.5, 1 - 1.01e-3, 1 + 1.01e-3, 1e200):
        with pytest.raises(torsor.Error, match=r"quat\[1\]: has length"):
            rotations.quat_to_matrix([quat, quat * length], order="wxyz")


def test_what_is_no_rotation_is_refused():
    with pytest.raises(torsor.Error, match=r"matrix\[1\]: is not a rotation: its determinant is -1"):
        rotations.matrix_to_quat([np.eye(3), -np.eye(3)], order="wxyz")
    with pytest.raises(torsor.Error, match="matrix: is not a rotation: R'R differs from the identity by 0.21"):
        rotations.matrix_to_rotvec(1.1 * np.eye(3))
    with pytest.raises(torsor.Error, match=r"rot6d\[0\]: has two parallel columns"):
        rotations.rot6d_to_matrix([[1, 2, 3, 2, 4, 6]], layout="columns")
    with pytest.raises(torsor.Error, match="rot6d: has a column of length zero"):
        rotations.rot6d_to_matrix([1, 0, 0, 0, 0, 0], layout="interleaved")
    with pytest.raises(torsor.Error, match=r"axis\[1\]: is zero"):
        rotations.axis_angle_to_quat([[1, 0, 0], [0, 0, 0]], 1, order="wxyz")
    with pytest.raises(torsor.Error, match="axis: is zero"):
        rotations.swing_twist([1, 0, 0, 0], [0, 0, 0], order="wxyz")
    with pytest.raises(torsor.Error, match=r"dt\[1\]: is zero"):
        rotations.angular_velocity([1, 0, 0, 0], [1, 0, 0, 0], [1, 0], order="wxyz", frame="body")


def test_unknown_words_are_refused_and_the_nearest_offered():
    quat, euler = [1, 0, 0, 0], {"sequence": "xyz", "spelling": "mujoco", "unit": "degrees"}
    for order, hint in (("wxzy", "wxyz"), ("xyzW", "xyzw")):
        with pytest.raises(torsor.Error, match=rf"order: unknown '{order}', .*did you mean '{hint}'"):
            rotations.inverse(quat, order=order)
    with pytest.raises(torsor.Error, match="layout: unknown 'column', .*did you mean 'columns'"):
        rotations.quat_to_rot6d(quat, order="wxyz", layout="column")
    with pytest.raises(torsor.Error, match="frame: unknown 'local', expected one of body, world"):
        rotations.angular_velocity(quat, quat, 1, order="wxyz", frame="local")
    for word, bad, message in (("spelling", "mujoko", "did you mean 'mujoco'"), ("unit", "degree", "'degrees'"),
                               ("sequence", "xyw", "three letters of x, y, z .did you mean 'xy"),
                               ("sequence", "xy", "three letters"), ("sequence", "", "three letters")):
        with pytest.raises(torsor.Error, match=message):
            rotations.quat_to_euler(quat, order="wxyz", **{**euler, word: bad})
    for sequence, message in (("xYz", "does not mix"), ("xxy", "neighbouring axes must differ")):
        with pytest.raises(torsor.Error, match=message):
            rotations.euler_to_quat([1, 2, 3], order="wxyz", **{**euler, "spelling": "scipy", "sequence": sequence})


def test_shapes_that_do_not_go_together_are_refused():
    with pytest.raises(torsor.Error, match=r"cannot be broadcast together: quat1 \(2,\), quat2 \(3,\)"):
        rotations.multiply(np.tile([1, 0, 0, 0], (2, 1)), np.tile([1, 0, 0, 0], (3, 1)), order="wxyz")


def test_other_threads_run_meanwhile():
    quats = rotations.random_uniform(500_000, 29, order="wxyz")
    expected = rotations.quat_to_euler(quats, order="wxyz", sequence="xyz", spelling="mujoco", unit="radians")
    ticks, done = [], threading.Event()

    def count():
        while not done.wait(0.001):
            ticks.append(1)

    counter = threading.Thread(target=count)
    counter.start()
    before = len(ticks)
    found = rotations.quat_to_euler(quats, order="wxyz", sequence="xyz", spelling="mujoco", unit="radians")
    during = len(ticks) - before
    done.set()
    counter.join()
    assert np.array_equal(found, expected)
    assert during > 3  # milliseconds of some 50
