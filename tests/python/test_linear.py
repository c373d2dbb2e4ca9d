"""torsor.linear against MuJoCo's functions, its examples, and arguments that do not fit."""

import doctest
import inspect

import mujoco
import numpy as np
import pytest

import torsor
from torsor import linear

FUNCTIONS = {name: value for name, value in vars(linear).items()
             if inspect.isfunction(value) and not name.startswith("_")}


@pytest.fixture(params=range(5))
def rng(request):
    return np.random.default_rng(request.param)


def judged(shape, function, *arguments):
    result = np.zeros(shape)
    function(result, *arguments)
    return result


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_every_function_runs(name):
    names = {"linear": linear, "numpy": np}
    examples = doctest.DocTestParser().get_doctest(FUNCTIONS[name].__doc__ or "", names, name, None, None)
    assert examples.examples, f"{name} has no example"
    complaints = []
    assert doctest.DocTestRunner().run(examples, out=complaints.append).failed == 0, "".join(complaints)


def test_functions_of_vectors_equal_mujocos(rng):
    a, b, s = rng.normal(size=7), rng.normal(size=7), rng.normal()
    assert linear.norm(a) == pytest.approx(mujoco.mju_norm(a), rel=1e-15)
    assert linear.norm1(a) == pytest.approx(mujoco.mju_L1(a), rel=1e-15)
    assert linear.dot(a, b) == pytest.approx(mujoco.mju_dot(a, b), rel=1e-13)
    assert linear.add_scaled(a, s, b) == pytest.approx(judged(7, mujoco.mju_addScl, a, b, s), rel=1e-15)
    assert linear.cross(a[:3], b[:3]) == pytest.approx(judged(3, mujoco.mju_cross, a[:3], b[:3]), abs=1e-15)
    unit = a.copy()
    length = mujoco.mju_normalize(unit)
    assert linear.normalize(a)[0] == pytest.approx(unit, rel=1e-15) and linear.normalize(a)[1] == pytest.approx(length)


def test_a_vector_of_no_length_becomes_the_first_axis_as_in_mujoco():
    tiny = np.full(4, 1e-17)
    unit = tiny.copy()
    mujoco.mju_normalize(unit)
    assert linear.normalize(tiny)[0].tolist() == unit.tolist() == [1, 0, 0, 0]


def test_products_of_matrices_by_rows_equal_mujocos(rng):
    A, B, C = rng.normal(size=(4, 3)), rng.normal(size=(3, 5)), rng.normal(size=(4, 5))
    S, x, y = rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=4)
    assert linear.mul_mat_vec(A, x) == pytest.approx(judged(4, mujoco.mju_mulMatVec, A, x), abs=1e-14)
    assert linear.mul_mat_t_vec(A, y) == pytest.approx(judged(3, mujoco.mju_mulMatTVec, A, y), abs=1e-14)
    assert linear.mul_vec_mat_vec(x, S, x) == pytest.approx(mujoco.mju_mulVecMatVec(x, S, x), abs=1e-13)
    assert linear.mul_mat_mat(A, B) == pytest.approx(judged((4, 5), mujoco.mju_mulMatMat, A, B), abs=1e-14)
    assert linear.mul_mat_t_mat(A, C) == pytest.approx(judged((3, 5), mujoco.mju_mulMatTMat, A, C), abs=1e-14)
    assert linear.mul_mat_mat_t(A, S) == pytest.approx(judged((4, 3), mujoco.mju_mulMatMatT, A, S), abs=1e-14)
    assert linear.sqr_mat_td(A, y) == pytest.approx(judged((3, 3), mujoco.mju_sqrMatTD, A, y), abs=1e-14)
    assert linear.sqr_mat_td(A) == pytest.approx(A.T @ A, abs=1e-14)
    assert linear.transpose(A).tolist() == judged((3, 4), mujoco.mju_transpose, A).tolist()
    assert linear.symmetrize(S) == pytest.approx(judged((3, 3), mujoco.mju_symmetrize, S), abs=1e-15)


def test_a_transpose_is_by_rows():
    assert linear.transpose(np.arange(6).reshape(2, 3)).ravel().tolist() == [0, 3, 1, 4, 2, 5]


def test_cholesky_factors_equal_mujocos(rng):
    J, b, u = rng.normal(size=(9, 6)), rng.normal(size=6), rng.normal(size=6)
    A = J.T @ J + np.eye(6)
    factor, rank = linear.chol_factor(A)
    expected = A.copy()
    assert rank == mujoco.mju_cholFactor(expected, 1e-15) == 6
    assert np.tril(factor) == pytest.approx(np.tril(expected), abs=1e-13)
    assert linear.chol_solve(factor, b) == pytest.approx(judged(6, mujoco.mju_cholSolve, expected, b), abs=1e-13)
    for plus, change in ((True, u), (False, 0.1 * u)):
        updated, rank = linear.chol_update(factor, change, plus)
        judge, vector = expected.copy(), change.copy()
        assert rank == mujoco.mju_cholUpdate(judge, vector, int(plus)) == 6
        assert np.tril(updated) == pytest.approx(np.tril(judge), abs=1e-12)
        lower = np.tril(updated)
        assert lower @ lower.T == pytest.approx(A + (1 if plus else -1) * np.outer(change, change), abs=1e-11)


def test_the_rank_of_a_singular_matrix_is_told_as_by_mujoco():
    A = np.diag([4.0, 0.0, 9.0])
    expected = A.copy()
    factor, rank = linear.chol_factor(A)
    assert rank == mujoco.mju_cholFactor(expected, 1e-15) == 2
    assert factor == pytest.approx(expected, rel=1e-12)
    assert A[1, 1] == 0  # the argument stays


def test_sparse_rows_equal_mujocos(rng):
    A = rng.normal(size=(5, 4)) * (rng.uniform(size=(5, 4)) < 0.4)
    values, rownnz, rowadr, colind = linear.dense_to_sparse(A)
    judge = np.zeros(20), np.zeros(5, np.int32), np.zeros(5, np.int32), np.zeros(20, np.int32)
    mujoco.mju_dense2sparse(judge[0], A, *judge[1:])
    assert values.tolist() == judge[0][:len(values)].tolist() and colind == judge[3][:len(values)].tolist()
    assert rownnz == judge[1].tolist() and rowadr == judge[2].tolist()
    assert linear.sparse_to_dense(values, rownnz, rowadr, colind, 4).tolist() == A.tolist()
    x, y = rng.normal(size=4), rng.normal(size=5)
    assert linear.mul_sparse_vec(values, rownnz, rowadr, colind, x, 4) == pytest.approx(A @ x, abs=1e-14)
    assert linear.mul_sparse_vec(values, rownnz, rowadr, colind, y, 4, True) == pytest.approx(A.T @ y, abs=1e-14)


def test_rows_need_not_follow_each_other():
    """The layout in which row r begins at r times the number of columns."""
    values = [1, 0, 0, 2, 3, 0]
    assert linear.sparse_to_dense(values, [1, 2], [0, 3], [1, 0, 0, 0, 2, 0], 3).tolist() == [[0, 1, 0], [2, 0, 3]]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_spatial_vectors_are_moved_as_by_mujoco(rng, force, turned):
    vec, newpos, oldpos, quat = rng.normal(size=6), rng.normal(size=3), rng.normal(size=3), rng.normal(size=4)
    rotation = torsor.quat_to_mat(quat / np.linalg.norm(quat)) if turned else None
    expected = np.zeros(6)
    mujoco.mju_transformSpatial(expected, vec, int(force), newpos, oldpos,
                                rotation.ravel() if turned else np.eye(3).ravel())
    assert linear.transform_spatial(vec, force, newpos, oldpos, rotation) == pytest.approx(expected, abs=1e-14)


def test_power_does_not_depend_on_the_point(rng):
    motion, force, here, there = rng.normal(size=6), rng.normal(size=6), rng.normal(size=3), rng.normal(size=3)
    moved = linear.transform_spatial(motion, False, there, here)
    assert moved @ linear.transform_spatial(force, True, there, here) == pytest.approx(motion @ force, abs=1e-13)


@pytest.mark.parametrize("call, message", [
    (lambda: linear.dot([1, 2], [1, 2, 3]), "a is 2 long, and b is 3"),
    (lambda: linear.norm([[1, 2]]), r"x must be a vector, got shape \(1, 2\)"),
    (lambda: linear.mul_mat_vec([1, 2], [1]), r"mat must be a matrix, got shape \(2\,?\)"),
    (lambda: linear.mul_mat_vec(np.eye(3), [1, 2]), "a row of mat is 3 long, and vec is 2"),
    (lambda: linear.mul_mat_mat(np.eye(3), np.eye(2)), "a row of mat1 is 3 long"),
    (lambda: linear.chol_factor(np.zeros((2, 3))), "mat must be square, got 2 x 3"),
    (lambda: linear.sparse_to_dense([1.0], [1], [0], [7], 3), "column 7 does not exist: there are 3"),
    (lambda: linear.sparse_to_dense([1.0], [2], [0], [0], 3), "row 0 lies outside of values"),
    (lambda: linear.sparse_to_dense([1.0], [1], [-1], [0], 3), "row 0 lies outside of values"),
    (lambda: linear.sparse_to_dense([1.0], [1], [0], [0], -3), "columns must not be negative"),
    (lambda: linear.transform_spatial([1, 2], False, [0, 0, 0], [0, 0, 0]), "vec"),
    (lambda: linear.norm("text"), "x"),
])
def test_arguments_that_do_not_fit_are_value_errors_that_name_them(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_empty_vectors_and_matrices_are_fine():
    assert linear.norm([]) == 0 and linear.dot([], []) == 0
    assert linear.mul_mat_vec(np.zeros((2, 0)), []).tolist() == [0, 0]
    assert linear.normalize([])[0].shape == (0,)
