"""The engine's linear algebra: vectors, row-major matrices, sparse rows, spatial vectors.

NumPy has most of this as well; these are the engine's own functions (`torsor/math/linear.hpp`), with MuJoCo's names,
for programs that are ported between C++ and Python. They compute in float64 and return new arrays. Arguments of the
wrong shape raise a ValueError that names them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from numpy.typing import ArrayLike, NDArray

from torsor._core import _linear

Array = NDArray[numpy.float64]

_LEAST = 1e-15  # pivot


# Vectors.


def norm(x: ArrayLike) -> float:
    """The length of a vector.

    >>> linear.norm([3, 4])
    5.0
    """
    return _linear.norm(x)


def norm1(x: ArrayLike) -> float:
    """The sum of the absolute values of a vector.

    >>> linear.norm1([3, -4])
    7.0
    """
    return _linear.norm1(x)


def dot(a: ArrayLike, b: ArrayLike) -> float:
    """The scalar product of two vectors.

    >>> linear.dot([1, 2, 3], [4, 5, 6])
    32.0
    """
    return _linear.dot(a, b)


def normalize(x: ArrayLike) -> tuple[Array, float]:
    """A vector normalised to unit length, and its previous length. A vector shorter than 1e-15 becomes (1, 0, ...).

    >>> linear.normalize([3, 4])
    (array([0.6, 0.8]), 5.0)
    """
    return _linear.normalize(x)


def add_scaled(a: ArrayLike, s: float, b: ArrayLike) -> Array:
    """a + s b.

    >>> linear.add_scaled([1, 2], 10, [3, 4])
    array([31., 42.])
    """
    return _linear.add_scaled(a, s, b)


def cross(a: ArrayLike, b: ArrayLike) -> Array:
    """The cross product of two vectors of three numbers.

    >>> linear.cross([1, 0, 0], [0, 1, 0])
    array([0., 0., 1.])
    """
    return _linear.cross(a, b)


# Matrices by rows.


def mul_mat_vec(mat: ArrayLike, vec: ArrayLike) -> Array:
    """mat vec.

    >>> linear.mul_mat_vec([[1, 2, 3], [4, 5, 6]], [1, 0, 1])
    array([ 4., 10.])
    """
    return _linear.mul_mat_vec(mat, vec)


def mul_mat_t_vec(mat: ArrayLike, vec: ArrayLike) -> Array:
    """mat' vec.

    >>> linear.mul_mat_t_vec([[1, 2, 3], [4, 5, 6]], [1, 1])
    array([5., 7., 9.])
    """
    return _linear.mul_mat_t_vec(mat, vec)


def mul_vec_mat_vec(vec1: ArrayLike, mat: ArrayLike, vec2: ArrayLike) -> float:
    """vec1' mat vec2, of a square matrix.

    >>> linear.mul_vec_mat_vec([1, 2], [[1, 0], [0, 10]], [3, 4])
    83.0
    """
    return _linear.mul_vec_mat_vec(vec1, mat, vec2)


def mul_mat_mat(mat1: ArrayLike, mat2: ArrayLike) -> Array:
    """mat1 mat2.

    >>> linear.mul_mat_mat([[1, 2]], [[3], [4]])
    array([[11.]])
    """
    return _linear.mul_mat_mat(mat1, mat2)


def mul_mat_t_mat(mat1: ArrayLike, mat2: ArrayLike) -> Array:
    """mat1' mat2.

    >>> linear.mul_mat_t_mat([[1], [2]], [[3], [4]])
    array([[11.]])
    """
    return _linear.mul_mat_t_mat(mat1, mat2)


def mul_mat_mat_t(mat1: ArrayLike, mat2: ArrayLike) -> Array:
    """mat1 mat2'.

    >>> linear.mul_mat_mat_t([[1, 2]], [[3, 4]])
    array([[11.]])
    """
    return _linear.mul_mat_mat_t(mat1, mat2)


def sqr_mat_td(mat: ArrayLike, diag: ArrayLike | None = None) -> Array:
    """mat' diag(diag) mat; without diag, mat' mat.

    >>> linear.sqr_mat_td([[1], [2]], [10, 1])
    array([[14.]])
    """
    return _linear.sqr_mat_td(mat, diag)


def transpose(mat: ArrayLike) -> Array:
    """The transposed matrix, by rows.

    >>> linear.transpose([[1, 2]])
    array([[1.],
           [2.]])
    """
    return _linear.transpose(mat)


def symmetrize(mat: ArrayLike) -> Array:
    """(mat + mat') / 2, of a square matrix.

    >>> linear.symmetrize([[1, 2], [4, 1]])
    array([[1., 3.],
           [3., 1.]])
    """
    return _linear.symmetrize(mat)


# Positive definite matrices.


def chol_factor(mat: ArrayLike, least: float = _LEAST) -> tuple[Array, int]:
    """The factor L of mat = L L', in the lower triangle of a copy of mat, and the rank.

    Pivots below `least` become `least` and are not counted in the rank. The upper triangle is that of mat.

    >>> linear.chol_factor([[4, 0], [2, 2]])
    (array([[2., 0.],
           [1., 1.]]), 2)
    """
    return _linear.chol_factor(mat, least)


def chol_solve(factor: ArrayLike, vec: ArrayLike) -> Array:
    """(L L')^-1 vec, by the factor that chol_factor() gave.

    >>> linear.chol_solve([[2, 0], [1, 1]], [6, 4])
    array([1., 1.])
    """
    return _linear.chol_solve(factor, vec)


def chol_update(factor: ArrayLike, vec: ArrayLike, plus: bool) -> tuple[Array, int]:
    """The factor of L L' + vec vec' (or minus), and the rank.

    >>> linear.chol_update([[3.0]], [4.0], True)
    (array([[5.]]), 1)
    """
    return _linear.chol_update(factor, vec, plus)


# Sparse rows: the k-th number of row i is values[rowadr[i] + k], in column colind[rowadr[i] + k].


def dense_to_sparse(mat: ArrayLike) -> tuple[Array, list[int], list[int], list[int]]:
    """The nonzero entries of a matrix, row by row: values, rownnz, rowadr, colind.

    >>> linear.dense_to_sparse([[0, 5], [0, 0], [6, 7]])
    (array([5., 6., 7.]), [1, 0, 2], [0, 1, 1], [1, 0, 1])
    """
    return _linear.dense_to_sparse(mat)


def sparse_to_dense(values: ArrayLike, rownnz: Sequence[int], rowadr: Sequence[int], colind: Sequence[int],
                    columns: int) -> Array:
    """The dense matrix of sparse rows, compressed or not.

    >>> linear.sparse_to_dense([5, 6], [1, 1], [0, 1], [1, 0], columns=2)
    array([[0., 5.],
           [6., 0.]])
    """
    return _linear.sparse_to_dense(values, *_indices(rownnz, rowadr, colind), _count(columns))


def mul_sparse_vec(values: ArrayLike, rownnz: Sequence[int], rowadr: Sequence[int], colind: Sequence[int],
                   vec: ArrayLike, columns: int, transposed: bool = False) -> Array:
    """The product of a sparse matrix, or of its transpose, and a vector.

    >>> linear.mul_sparse_vec([5, 6], [1, 1], [0, 1], [1, 0], [10, 1], columns=2)
    array([ 5., 60.])
    """
    return _linear.mul_sparse_vec(values, *_indices(rownnz, rowadr, colind), vec, _count(columns), transposed)


def _indices(*lists: Sequence[int]) -> list[list[int]]:
    return [[int(number) for number in numbers] for numbers in lists]


def _count(columns: int) -> int:
    if columns < 0:
        raise ValueError(f"columns must not be negative, got {columns}")
    return columns


# Spatial vectors: rotation, then translation.


def transform_spatial(vec: ArrayLike, force: bool, newpos: ArrayLike, oldpos: ArrayLike,
                      rotnew2old: ArrayLike | None = None) -> Array:
    """A motion (angular, linear) or a force (torque, force) given at oldpos, read at newpos.

    Positions and vec are in the same axes. With rotnew2old, the 3 x 3 rotation from the new axes to these, the result
    is in the new axes.

    >>> linear.transform_spatial([0, 0, 1, 0, 0, 0], False, newpos=[1, 0, 0], oldpos=[0, 0, 0])
    array([0., 0., 1., 0., 1., 0.])
    """
    return _linear.transform_spatial(vec, force, newpos, oldpos, rotnew2old)
