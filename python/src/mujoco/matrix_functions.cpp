// mju_mulMatVec, mju_cholFactor, mju_sparse2dense and so on: matrices, dense by rows and sparse.
#include <algorithm>

#include <fmt/format.h>

#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/math/linear.hpp"

namespace torsor::python::mj {
namespace {

void require(bool holds, const char* message) {
  if (!holds) throw_type_error(message);
}
void require_square(const Args& a, int i, const char* name) {
  if (a.rows(i) != a.columns(i)) throw_type_error(fmt::format("{} should be a square matrix", name));
}

PyObject* multiply(Args& a) {  // res mat vec
  require(a.size(0) == a.rows(1), "res should be of size nr");
  require(a.size(2) == a.columns(1), "vec should be of size nc");
  return linear::multiply(a.rows(1), a.columns(1), a.reals(1), a.reals(2), a.reals(0)), none();
}
PyObject* multiply_transposed(Args& a) {
  require(a.size(0) == a.columns(1), "res should be of size nc");
  require(a.size(2) == a.rows(1), "vec should be of size nr");
  return linear::multiply_transposed(a.rows(1), a.columns(1), a.reals(1), a.reals(2), a.reals(0)), none();
}
PyObject* bilinear(Args& a) {  // vec1 mat vec2
  require_square(a, 1, "mat");
  require(a.size(0) == a.rows(1) && a.size(2) == a.rows(1), "vec1 and vec2 should have the size of mat");
  return number(linear::bilinear(a.rows(1), a.reals(0), a.reals(1), a.reals(2)));
}
PyObject* transpose(Args& a) {
  require(a.rows(0) == a.columns(1) && a.columns(0) == a.rows(1), "res should be of the transposed shape of mat");
  return linear::transpose(a.rows(1), a.columns(1), a.reals(1), a.reals(0)), none();
}
PyObject* symmetrize(Args& a) {
  require_square(a, 1, "mat");
  require(a.rows(0) == a.rows(1) && a.columns(0) == a.columns(1), "res and mat should have the same shape");
  return linear::symmetrize(a.rows(1), a.reals(1), a.reals(0)), none();
}
PyObject* identity(Args& a) {
  require_square(a, 0, "mat");
  return linear::identity(a.rows(0), a.reals(0)), none();
}
PyObject* product(Args& a) {
  require(a.columns(1) == a.rows(2), "columns of mat1 should equal rows of mat2");
  require(a.rows(0) == a.rows(1) && a.columns(0) == a.columns(2), "res should be of the shape of the product");
  linear::multiply_matrices(a.rows(1), a.columns(1), a.columns(2), a.reals(1), a.reals(2), a.reals(0));
  return none();
}
PyObject* product_right(Args& a) {
  require(a.columns(1) == a.columns(2), "columns of mat1 should equal columns of mat2");
  require(a.rows(0) == a.rows(1) && a.columns(0) == a.rows(2), "res should be of the shape of the product");
  linear::multiply_transposed_right(a.rows(1), a.columns(1), a.rows(2), a.reals(1), a.reals(2), a.reals(0));
  return none();
}
PyObject* product_left(Args& a) {
  require(a.rows(1) == a.rows(2), "rows of mat1 should equal rows of mat2");
  require(a.rows(0) == a.columns(1) && a.columns(0) == a.columns(2), "res should be of the shape of the product");
  linear::multiply_transposed_left(a.rows(1), a.columns(1), a.columns(2), a.reals(1), a.reals(2), a.reals(0));
  return none();
}
PyObject* square(Args& a) {  // res mat diag
  require(a.rows(0) == a.columns(1) && a.columns(0) == a.columns(1), "res should be of shape (nc, nc)");
  require(!a.is_given(2) || a.size(2) == a.rows(1), "diag should be of size nr");
  return linear::weighted_square(a.rows(1), a.columns(1), a.reals(1), a.reals(2), a.reals(0)), none();
}

PyObject* factor(Args& a) {
  require_square(a, 0, "mat");
  return whole(linear::factor_cholesky(a.rows(0), a.real(1), a.reals(0)));
}
PyObject* solve(Args& a) {  // res mat vec
  require_square(a, 1, "mat");
  require(a.size(0) == a.rows(1) && a.size(2) == a.rows(1), "res and vec should have the size of mat");
  return linear::solve_cholesky(a.rows(1), a.reals(1), a.reals(2), a.reals(0)), none();
}
PyObject* update(Args& a) {
  require_square(a, 0, "mat");
  require(a.size(1) == a.rows(0), "x should have the size of mat");
  return whole(linear::update_cholesky(a.rows(0), a.truth(2), a.reals(1), a.reals(0)));
}

// Sparse rows, checked so that no index is out of bounds. Arguments: values, rownnz, rowadr, colind.
linear::Sparse sparse_from(const Args& a, int first, int rows, int columns) {
  require(a.size(first + 1) == rows && a.size(first + 2) == rows, "rownnz and rowadr should have one number per row");
  const int *nnz = a.ints(first + 1), *adr = a.ints(first + 2), *ind = a.ints(first + 3);
  const int size = std::min(a.size(first), a.size(first + 3));
  for (int i = 0; i < rows; ++i) {
    require(nnz[i] >= 0 && adr[i] >= 0 && nnz[i] <= size && adr[i] <= size - nnz[i], "a row lies outside of mat");
    for (int k = adr[i]; k < adr[i] + nnz[i]; ++k)
      require(ind[k] >= 0 && ind[k] < columns, "colind has a column that does not exist");
  }
  return {rows, columns, nnz, adr, ind, a.reals(first)};
}

PyObject* make_sparse(Args& a) {  // res mat rownnz rowadr colind; returns 1 where res has too little room
  require(a.size(2) == a.rows(1) && a.size(3) == a.rows(1), "rownnz and rowadr should have one number per row");
  require(a.size(4) == a.size(0), "colind and res should have the same size");
  const int count =
      linear::make_sparse(a.rows(1), a.columns(1), a.reals(1), a.size(0), a.ints(2), a.ints(3), a.ints(4), a.reals(0));
  return whole(count > a.size(0));
}
PyObject* make_dense(Args& a) {  // res mat rownnz rowadr colind
  linear::make_dense(sparse_from(a, 1, a.rows(0), a.columns(0)), a.reals(0));
  return none();
}
PyObject* make_symmetric(Args& a) {
  require_square(a, 0, "res");
  const int n = a.rows(0);
  const linear::Sparse lower = sparse_from(a, 1, n, n);
  std::fill_n(a.reals(0), a.size(0), 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = lower.rowadr[i]; k < lower.rowadr[i] + lower.rownnz[i]; ++k)
      a.reals(0)[i * n + lower.colind[k]] = a.reals(0)[lower.colind[k] * n + i] = lower.values[k];
  return none();
}

}  // namespace

void bind_matrix_functions(nb::module_& m) {
  constexpr const char* kProduct = "res:W mat1:w mat2:w";
  const Function rows[] = {
      {"mju_mulMatVec", "res:V mat:w vec:v", multiply},
      {"mju_mulMatTVec", "res:V mat:w vec:v", multiply_transposed},
      {"mju_mulVecMatVec", "vec1:v mat:w vec2:v", bilinear},
      {"mju_transpose", "res:W mat:w", transpose},
      {"mju_symmetrize", "res:W mat:w", symmetrize},
      {"mju_eye", "mat:W", identity},
      {"mju_mulMatMat", kProduct, product},
      {"mju_mulMatMatT", kProduct, product_right},
      {"mju_mulMatTMat", kProduct, product_left},
      {"mju_sqrMatTD", "res:W mat:w diag:v?", square},
      {"mju_cholFactor", "mat:W mindiag:f", factor},
      {"mju_cholSolve", "res:V mat:w vec:v", solve},
      {"mju_cholUpdate", "mat:W x:V flg_plus:i", update},
      {"mju_dense2sparse", "res:V mat:w rownnz:N rowadr:N colind:N", make_sparse},
      {"mju_sparse2dense", "res:W mat:v rownnz:n rowadr:n colind:n", make_dense},
      {"mju_sym2dense", "res:W mat:v rownnz:n rowadr:n colind:n", make_symmetric},
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
