// mju_cholFactorBand, mju_boxQP and so on: band matrices and quadratic programs.
#include <algorithm>
#include <cmath>

#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/core/error.hpp"
#include "torsor/math/band.hpp"
#include "torsor/math/box_qp.hpp"

namespace torsor::python::mj {
namespace {

// ntotal, nband and ndense, which follow one another.
linear::Band band_from(const Args& a, int first) {
  const linear::Band shape{a.integer(first), a.integer(first + 1), a.integer(first + 2)};
  if (shape.total < 0 || shape.dense < 0 || shape.dense > shape.total || shape.band < 0 || shape.band > shape.total ||
      (shape.band < 1 && shape.banded() > 0) || shape.total > 40000)
    throw_type_error("ntotal, nband and ndense are not those of a band matrix");
  return shape;
}

void require_stored(const Args& a, int i, const linear::Band& shape) {
  if (a.size(i) != shape.size()) throw_type_error("the size of mat should be (ntotal-ndense)*nband + ndense*ntotal");
}

PyObject* to_dense(Args& a) {  // res mat ntotal nband ndense flg_sym
  const linear::Band shape = band_from(a, 2);
  require_stored(a, 1, shape);
  a.require_shape(0, shape.total, shape.total, "(ntotal, ntotal)");
  return linear::band_to_dense(shape, a.reals(1), a.truth(5), a.reals(0)), none();
}
PyObject* from_dense(Args& a) {  // res mat ntotal nband ndense
  const linear::Band shape = band_from(a, 2);
  require_stored(a, 0, shape);
  a.require_shape(1, shape.total, shape.total, "(ntotal, ntotal)");
  return linear::band_from_dense(shape, a.reals(1), a.reals(0)), none();
}
PyObject* diagonal(Args& a) {  // i ntotal nband ndense
  const linear::Band shape = band_from(a, 1);
  if (a.integer(0) < 0 || a.integer(0) >= shape.total) throw Error("mju_bandDiag: row does not exist");
  return whole(shape.at(a.integer(0), a.integer(0)));
}
PyObject* multiply(Args& a) {  // res mat vec ntotal nband ndense nvec flg_sym
  const linear::Band shape = band_from(a, 3);
  const int count = a.integer(6);
  require_stored(a, 1, shape);
  const int64_t size = int64_t{shape.total} * count;
  if (count < 0 || a.size(0) != size) throw_type_error("size of res should be ntotal*nvec");
  if (a.size(2) != size) throw_type_error("size of vec should be ntotal*nvec");
  return linear::multiply_band(shape, a.reals(1), a.reals(2), count, a.truth(7), a.reals(0)), none();
}
PyObject* factor(Args& a) {  // mat ntotal nband ndense diagadd diagmul
  const linear::Band shape = band_from(a, 1);
  require_stored(a, 0, shape);
  return number(std::sqrt(linear::factor_band(shape, a.real(4), a.real(5), a.reals(0))));  // of the factor's diagonal
}
PyObject* solve(Args& a) {  // res mat vec ntotal nband ndense
  const linear::Band shape = band_from(a, 3);
  require_stored(a, 1, shape);
  a.require_size(0, shape.total, "ntotal"), a.require_size(2, shape.total, "ntotal");
  return linear::solve_band(shape, a.reals(1), a.reals(2), a.reals(0)), none();
}

PyObject* box(Args& a) {  // res R index H g lower upper
  const int n = a.size(0);
  const auto require = [](bool holds, const char* message) {
    if (!holds) throw_type_error(message);
  };
  require(a.rows(1) == n && a.columns(1) == n + 7, "shape of R should be (n, n+7)");
  require(!a.is_given(2) || a.size(2) == n, "size of index should equal the size of res");
  require(a.rows(3) == n && a.columns(3) == n, "shape of H should be (n, n)");
  require(a.size(4) == n, "size of g should equal the size of res");
  require(!a.is_given(5) || a.size(5) == n, "size of lower should equal the size of res");
  require(!a.is_given(6) || a.size(6) == n, "size of upper should equal the size of res");
  for (int i = 0; a.is_given(5) && a.is_given(6) && i < n; ++i)
    if (!(a.reals(5)[i] < a.reals(6)[i])) throw Error("mju_boxQP: upper bounds must be larger than lower bounds");
  return whole(
      linear::solve_box({n, a.reals(3), a.reals(4), a.reals(5), a.reals(6)}, a.reals(0), a.reals(1), a.ints(2)));
}

}  // namespace

void bind_band_functions(nb::module_& m) {
  const Function rows[] = {
      {"mju_band2Dense", "res:W mat:v ntotal:i nband:i ndense:i flg_sym:b", to_dense},
      {"mju_dense2Band", "res:V mat:w ntotal:i nband:i ndense:i", from_dense},
      {"mju_bandDiag", "i:i ntotal:i nband:i ndense:i", diagonal},
      {"mju_bandMulMatVec", "res:V mat:w vec:w ntotal:i nband:i ndense:i nvec:i flg_sym:b", multiply},
      {"mju_cholFactorBand", "mat:V ntotal:i nband:i ndense:i diagadd:f diagmul:f", factor},
      {"mju_cholSolveBand", "res:V mat:v vec:v ntotal:i nband:i ndense:i", solve},
      {"mju_boxQP", "res:V R:W index:N? H:w g:v lower:v? upper:v?", box},
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
