// M(q) of one world, four numbers at a time: the same sums as inertia.hpp, laid out for registers. Axes and forces of
// the dofs are kept number by number (all w.x, then all w.y, ...), so that dofs that follow each other, as most
// ancestors of a dof do, are read side by side.
#pragma once

#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/math/four_spatial.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Six numbers of every dof, number by number; `stride` dofs, a multiple of four.
struct SixTable {
  double* numbers;
  ptrdiff_t stride;

  TORSOR_INLINE void store(int i, const Vec3<Four>& a, const Vec3<Four>& b) const {
    const Four six[] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (int k = 0; k < 6; ++k) store_as(numbers + k * stride + i, six[k].v);
  }
  // four dofs from i on
  TORSOR_INLINE Twist<Four> twists(int i) const {
    const double *w = numbers + i, *v = w + 3 * stride;
    return {{load_four(w), load_four(w + stride), load_four(w + 2 * stride)},
            {load_four(v), load_four(v + stride), load_four(v + 2 * stride)}};
  }
  // dof i, four times
  TORSOR_INLINE Wrench<Four> wrench(int i) const {
    const double *t = numbers + i, *f = t + 3 * stride;
    return {{Four(t[0]), Four(t[stride]), Four(t[2 * stride])}, {Four(f[0]), Four(f[stride]), Four(f[2 * stride])}};
  }
};

TORSOR_INLINE ptrdiff_t padded_to_four(int n) { return (static_cast<ptrdiff_t>(n) + 3) / 4 * 4; }

// The ten numbers of an inertia. Copies and sums cut them alike, because a load of what was just stored is quick only
// if one store holds all of it.
struct Ten {
  Four a, b;
  Two c;

  TORSOR_INLINE explicit Ten(const double* p) : a(load_four(p)), b(load_four(p + 4)), c(load_two(p + 8)) {}
  TORSOR_INLINE void store(double* p) const {
    store_as(p, a.v);
    store_as(p + 4, b.v);
    store_as(p + 8, c.v);
  }
  TORSOR_INLINE Ten& operator+=(const Ten& other) {
    a += other.a, b += other.b, c += other.c;
    return *this;
  }
};

// Inertias of the composite bodies: each body with all its descendants, from the leaves to the roots.
TORSOR_INLINE void compute_composites(const ModelView& model, DataView<double>& data, const Range& range) {
  Ten(data.cinert.row(0, 10)).store(data.crb.row(0, 10));
  for (int b = range.body_begin; b < range.body_end; ++b) Ten(data.cinert.row(b, 10)).store(data.crb.row(b, 10));
  for (int b = range.body_end - 1; b >= range.body_begin; --b) {
    const int parent = model.body_parentid[b];
    if (parent < range.body_begin) continue;  // trees are about different points: there is no sum at the world
    double* sum = data.crb.row(parent, 10);
    (Ten(sum) += Ten(data.crb.row(b, 10))).store(sum);
  }
}

// Axes S of all dofs.
TORSOR_INLINE void tabulate_axes(const DataView<double>& data, const SixTable& axes, const Range& range) {
  const int last = range.dof_end - 1;
  for (int i = range.dof_begin; i <= last; i += 4) {
    FourRows<const double> cdof;
    for (int k = 0; k < 4; ++k) cdof.row[k] = data.cdof.row(i + k < last ? i + k : last, 6);
    const Twist<Four> S = load6(cdof);
    axes.store(i, S.w, S.v);
  }
}

// Rows with fewer numbers are computed one number at a time, without the tables.
constexpr int kLongRow = 4;

TORSOR_INLINE bool has_long_row(const ModelView& model, int begin, int end) {
  int longest = 0;
  for (int i = begin; i < end; ++i) longest = model.M_rownnz[i] > longest ? model.M_rownnz[i] : longest;
  return longest >= kLongRow;
}

// The forces F = I S that accelerate the composite bodies along the axes by one unit, where long rows need them.
TORSOR_INLINE void tabulate_forces(const ModelView& model, const DataView<double>& data, const SixTable& axes,
                                   const SixTable& forces, const Range& range) {
  const int last = range.dof_end - 1;
  for (int i = range.dof_begin; i <= last; i += 4) {
    if (!has_long_row(model, i, i + 4 < range.dof_end ? i + 4 : range.dof_end)) continue;
    FourRows<const double> crb;
    for (int k = 0; k < 4; ++k) crb.row[k] = data.crb.row(model.dof_bodyid[i + k < last ? i + k : last], 10);
    const Wrench<Four> F = load10(crb) * axes.twists(i);
    forces.store(i, F.t, F.f);
  }
}

// Four numbers of a row of M, from the force of its dof.
TORSOR_INLINE Four four_powers(const DataView<double>& data, const SixTable& axes, const Wrench<Four>& F,
                               const int* column) {
  const int first = column[0];
  if (column[3] == first + 3) return power(F, axes.twists(first));
  const double* cdof = data.cdof.data();
  return power(F, load6(FourRows<const double>{
                      {cdof + 6 * first, cdof + 6 * column[1], cdof + 6 * column[2], cdof + 6 * column[3]}}));
}

// A row of at least kLongRow numbers. The last four, which end with the diagonal, may include some that are there
// already.
TORSOR_INLINE void compute_long_row(const DataView<double>& data, const SixTable& axes, const Wrench<Four>& F,
                                    const int* column, int count, double armature, double* row) {
  for (int k = 0; k + 4 < count; k += 4) store_as(row + k, four_powers(data, axes, F, column + k).v);
  const Four extra = Four::wrap(Four::Vector{0, 0, 0, armature});
  store_as(row + count - 4, (four_powers(data, axes, F, column + count - 4) + extra).v);
}

// A row of fewer numbers.
TORSOR_INLINE void compute_short_row(const ModelView& model, const DataView<double>& data, int i, const int* column,
                                     int count, double armature, double* row) {
  const Twist<double> S = load6(data.cdof.row(i, 6));
  const Wrench<double> F = load10(data.crb.row(model.dof_bodyid[i], 10)) * S;
  const int last = count - 1;
  for (int k = 0; k < last; ++k) row[k] = power(F, load6(data.cdof.row(column[k], 6)));
  row[last] = power(F, S) + armature;
}

// Scratch: 12 numbers per dof, rounded up to four dofs.
TORSOR_LOCAL void compute_mass_matrix_of_world(const ModelView& model, DataView<double>& data, double* scratch,
                                               const Range& range) {
  const ptrdiff_t stride = padded_to_four(model.nv + 3);
  const SixTable axes{scratch, stride}, forces{scratch + 6 * stride, stride};
  tabulate_axes(data, axes, range);  // first: stores need time until a load may span two of them
  compute_composites(model, data, range);
  tabulate_forces(model, data, axes, forces, range);
  for (int i = range.dof_begin; i < range.dof_end; ++i) {
    const int address = model.M_rowadr[i], count = model.M_rownnz[i];
    const int* column = model.M_colind.row(address, 1);
    double* row = data.M.row(address, 1);
    if (count < kLongRow)
      compute_short_row(model, data, i, column, count, model.dof_armature[i], row);
    else
      compute_long_row(data, axes, forces.wrench(i), column, count, model.dof_armature[i], row);
  }
  add_actuator_armature(model, data, range);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
