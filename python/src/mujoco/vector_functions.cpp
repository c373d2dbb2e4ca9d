// mju_add, mju_dot3, mju_normalize and so on: vectors of any length, of three and of four.
#include <algorithm>
#include <cmath>

#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/math/linear.hpp"

namespace torsor::python::mj {
namespace {

// Functions of vectors as linear.hpp has them: sizes of fixed length are known from the table.
PyObject* set_zero(Args& a) { return linear::fill(a.size(0), 0, a.reals(0)), none(); }
PyObject* set_all(Args& a) { return linear::fill(a.size(0), a.real(1), a.reals(0)), none(); }
PyObject* set_unit(Args& a) {
  linear::fill(4, 0, a.reals(0));
  a.reals(0)[0] = 1;
  return none();
}
PyObject* copy(Args& a) {
  a.require_same_size(0, 1);
  return linear::copy(a.size(0), a.reals(1), a.reals(0)), none();
}
PyObject* scale(Args& a) {
  a.require_same_size(0, 1);
  return linear::scale(a.size(0), a.real(2), a.reals(1), a.reals(0)), none();
}
PyObject* add(Args& a) {
  a.require_same_size(0, 1), a.require_same_size(0, 2);
  return linear::add(a.size(0), a.reals(1), a.reals(2), a.reals(0)), none();
}
PyObject* subtract(Args& a) {
  a.require_same_size(0, 1), a.require_same_size(0, 2);
  return linear::subtract(a.size(0), a.reals(1), a.reals(2), a.reals(0)), none();
}
PyObject* add_to(Args& a) {
  a.require_same_size(0, 1);
  return linear::add(a.size(0), a.reals(0), a.reals(1), a.reals(0)), none();
}
PyObject* subtract_from(Args& a) {
  a.require_same_size(0, 1);
  return linear::subtract(a.size(0), a.reals(0), a.reals(1), a.reals(0)), none();
}
PyObject* add_to_scaled(Args& a) {
  a.require_same_size(0, 1);
  return linear::add_scaled(a.size(0), a.reals(0), a.real(2), a.reals(1), a.reals(0)), none();
}
PyObject* add_scaled(Args& a) {
  a.require_same_size(0, 1), a.require_same_size(0, 2);
  return linear::add_scaled(a.size(0), a.reals(1), a.real(3), a.reals(2), a.reals(0)), none();
}
PyObject* sum(Args& a) { return number(linear::sum(a.size(0), a.reals(0))); }
PyObject* norm1(Args& a) { return number(linear::norm1(a.size(0), a.reals(0))); }
PyObject* norm(Args& a) { return number(linear::norm(a.size(0), a.reals(0))); }
PyObject* normalize(Args& a) { return number(linear::normalize(a.size(0), a.reals(0))); }
PyObject* dot(Args& a) {
  a.require_same_size(0, 1);
  return number(linear::dot(a.size(0), a.reals(0), a.reals(1)));
}
PyObject* distance(Args& a) {
  double difference[3];
  linear::subtract(3, a.reals(0), a.reals(1), difference);
  return number(linear::norm(3, difference));
}
PyObject* cross(Args& a) {
  double result[3];
  linear::cross(a.reals(1), a.reals(2), result);
  std::copy_n(result, 3, a.reals(0));
  return none();
}
PyObject* is_zero(Args& a) {
  return whole(std::all_of(a.reals(0), a.reals(0) + a.size(0), [](double x) { return x == 0; }));
}
PyObject* sort_reals(Args& a) { return std::sort(a.reals(0), a.reals(0) + a.size(0)), none(); }
PyObject* sort_ints(Args& a) { return std::sort(a.ints(0), a.ints(0) + a.size(0)), none(); }
PyObject* from_float(Args& a) {
  a.require_same_size(0, 1);
  return std::copy_n(a.floats(1), a.size(0), a.reals(0)), none();
}
PyObject* to_float(Args& a) {
  a.require_same_size(0, 1);
  std::transform(a.reals(1), a.reals(1) + a.size(0), a.floats(0), [](double x) { return static_cast<float>(x); });
  return none();
}

}  // namespace

void bind_vector_functions(nb::module_& m) {
  const Function rows[] = {
      {"mju_zero", "res:V", set_zero},
      {"mju_zero3", "res:V3", set_zero},
      {"mju_zero4", "res:V4", set_zero},
      {"mju_unit4", "res:V4", set_unit},
      {"mju_fill", "res:V val:f", set_all},
      {"mju_copy", "res:V vec:v", copy},
      {"mju_copy3", "res:V3 data:v3", copy},
      {"mju_copy4", "res:V4 data:v4", copy},
      {"mju_n2d", "res:V vec:v", copy},
      {"mju_d2n", "res:V vec:v", copy},
      {"mju_f2n", "res:V vec:g", from_float},
      {"mju_n2f", "res:G vec:v", to_float},
      {"mju_scl", "res:V vec:v scl:f", scale},
      {"mju_scl3", "res:V3 vec:v3 scl:f", scale},
      {"mju_add", "res:V vec1:v vec2:v", add},
      {"mju_add3", "res:V3 vec1:v3 vec2:v3", add},
      {"mju_sub", "res:V vec1:v vec2:v", subtract},
      {"mju_sub3", "res:V3 vec1:v3 vec2:v3", subtract},
      {"mju_addTo", "res:V vec:v", add_to},
      {"mju_addTo3", "res:V3 vec:v3", add_to},
      {"mju_subFrom", "res:V vec:v", subtract_from},
      {"mju_subFrom3", "res:V3 vec:v3", subtract_from},
      {"mju_addToScl", "res:V vec:v scl:f", add_to_scaled},
      {"mju_addToScl3", "res:V3 vec:v3 scl:f", add_to_scaled},
      {"mju_addScl", "res:V vec1:v vec2:v scl:f", add_scaled},
      {"mju_addScl3", "res:V3 vec1:v3 vec2:v3 scl:f", add_scaled},
      {"mju_sum", "vec:v", sum},
      {"mju_L1", "vec:v", norm1},
      {"mju_norm", "res:v", norm},
      {"mju_norm3", "vec:v3", norm},
      {"mju_normalize", "res:V", normalize},
      {"mju_normalize3", "vec:V3", normalize},
      {"mju_normalize4", "vec:V4", normalize},
      {"mju_dot", "vec1:v vec2:v", dot},
      {"mju_dot3", "vec1:v3 vec2:v3", dot},
      {"mju_dist3", "pos1:v3 pos2:v3", distance},
      {"mju_cross", "res:V3 a:v3 b:v3", cross},
      {"mju_isZero", "vec:v", is_zero},
      {"mju_insertionSort", "list:V", sort_reals},
      {"mju_insertionSortInt", "list:N", sort_ints},
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
