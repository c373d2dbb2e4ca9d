// Joint-space inertia M(q) by composite bodies, its factor M = L' D L, and products with both.
// [Featherstone 2008, tables 6.2 and 6.3]. Rows of M hold the ancestors of a dof in ascending order, diagonal last; an
// ancestor's own row is a prefix of the same list, so that all inner loops run over contiguous numbers.
#pragma once

#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/short_rows.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Inertia that actuators add to dof i.
template <class T>
TORSOR_INLINE T actuator_armature(const ModelView& model, int i) {
  T sum = T(0);
  for_each_contributor(model, model.dof_jntid[i],
                       [&](int a, double gear2) { sum += T(gear2) * T(model.actuator_armature[a]); });
  return sum;
}
template <class T>
TORSOR_INLINE void add_actuator_armature(const ModelView& model, DataView<T>& data, const Range& range) {
  if (!model.flg_actjoint) return;
  for (int i = range.dof_begin; i < range.dof_end; ++i)
    data.M[model.M_rowadr[i] + model.M_rownnz[i] - 1] += actuator_armature<T>(model, i);
}

// Row i of M, without what actuators add.
template <class T>
TORSOR_INLINE void compute_mass_row(const ModelView& model, DataView<T>& data, PointerTo<T> composite, int i) {
  const Twist<T> S_i = load6(data.cdof.row(i, 6));
  const Wrench<T> F_Tcm_W = load10(composite + 10 * model.dof_bodyid[i]) * S_i;  // per unit acceleration of dof i
  const int address = model.M_rowadr[i], last = model.M_rownnz[i] - 1;
  const auto row = data.M.row(address, 1);
  row[last] = power(F_Tcm_W, S_i) + T(model.dof_armature[i]);
  const int* column = model.M_colind.row(address, 1);
#pragma GCC unroll 2
  for (int k = 0; k < last; ++k) row[k] = power(F_Tcm_W, load6(data.cdof.row(column[k], 6)));
}

// C is a body with all its descendants; bodies are stored parent first. `composite` holds each body's own inertia on
// entry.
template <class T>
TORSOR_INLINE void compute_mass_matrix_from(const ModelView& model, DataView<T>& data, PointerTo<T> composite) {
  for (int b = model.nbody - 1; b > 0; --b) {
    const int parent = model.body_parentid[b];
    if (parent == 0) continue;  // trees are about different points: there is no sum at the world
    const auto sum = composite + 10 * parent;
    for (int k = 0; k < 10; ++k) sum[k] += composite[10 * b + k];
  }
  for (int i = 0; i < model.nv; ++i) compute_mass_row(model, data, composite, i);
  add_actuator_armature(model, data, whole(model));
}

template <class T>
TORSOR_LOCAL void compute_mass_matrix(const ModelView& model, DataView<T>& data) {
  for (int i = 0; i < 10 * model.nbody; ++i) data.crb[i] = data.cinert[i];
  compute_mass_matrix_from(model, data, data.crb.data());
}

// 1 / D of a row that is otherwise final. A pivot that is not positive, where M is singular, becomes a tiny one.
template <class T>
TORSOR_INLINE T inverse_pivot(T& pivot) {
  pivot = select(pivot < T(kMinValue), T(kMinValue), pivot);
  return T(1) / pivot;
}

// Eliminates row k from the rows of its ancestors.
template <class Pointer>
TORSOR_INLINE void eliminate_row(const ModelView& model, Pointer LD, int k, const ElementOf<Pointer>& inverse) {
  using T = ElementOf<Pointer>;
  const int address = model.M_rowadr[k];
  const int* column = model.M_colind.data() + address;
  const auto row_k = LD + address;
  for (int c = model.M_rownnz[k] - 2; c >= 0; --c) {
    const T scale = row_k[c] * inverse;
    subtract_scaled(c + 1, scale, row_k,
                    LD + model.M_rowadr[column[c]]);  // the row of column c ends there, as do c + 1
    row_k[c] = scale;
  }
}

// The same for row k and its parent row j = k - 1 together: half the walks over the ancestors. Returns 1 / D of j.
template <class Pointer>
TORSOR_INLINE ElementOf<Pointer> eliminate_two_rows(const ModelView& model, Pointer LD, int k,
                                                    const ElementOf<Pointer>& inverse_k) {
  using T = ElementOf<Pointer>;
  const int last_j = model.M_rownnz[k] - 2;
  const int* column = model.M_colind.data() + model.M_rowadr[k];
  const auto row_k = LD + model.M_rowadr[k], row_j = LD + model.M_rowadr[k - 1];
  const T first = row_k[last_j] * inverse_k;
  subtract_scaled(last_j + 1, first, row_k, row_j);
  row_k[last_j] = first;
  const T inverse_j = inverse_pivot(row_j[last_j]);
  for (int c = last_j - 1; c >= 0; --c) {
    const T scale_k = row_k[c] * inverse_k, scale_j = row_j[c] * inverse_j;
    subtract_scaled2(c + 1, scale_k, row_k, scale_j, row_j, LD + model.M_rowadr[column[c]]);
    row_k[c] = scale_k;
    row_j[c] = scale_j;
  }
  return inverse_j;
}

// M = L' D L in place: on entry the lower rows of M, on return L below the diagonal and D on it. From the leaves to the
// root; done(k, 1 / D) is called when row k is final.
template <class Pointer, class Done>
TORSOR_INLINE void factor_rows(const ModelView& model, Pointer LD, const Range& range, Done&& done) {
  for (int k = range.dof_end - 1; k >= range.dof_begin; --k) {
    const auto inverse = inverse_pivot(LD[model.M_rowadr[k] + model.M_rownnz[k] - 1]);
    const bool is_simple = model.M_rownnz[k] == 1;
    if (!is_simple && model.dof_parentid[k] == k - 1) {
      const auto inverse_parent = eliminate_two_rows(model, LD, k, inverse);
      done(k, inverse);
      done(--k, inverse_parent);
    } else {
      eliminate_row(model, LD, k, inverse);
      done(k, inverse);
    }
  }
}

template <class Pointer>
TORSOR_INLINE void factor_in_place(const ModelView& model, Pointer LD, Pointer diagonal_inverse, const Range& range) {
  factor_rows(model, LD, range, [&](int k, const ElementOf<Pointer>& inverse) { diagonal_inverse[k] = inverse; });
}
template <class Pointer>
TORSOR_INLINE void factor_in_place(const ModelView& model, Pointer LD, Pointer diagonal_inverse) {
  factor_in_place(model, LD, diagonal_inverse, whole(model));
}

// Where the rows of the dofs of a range are in M.
struct NumberRange {
  int begin, end;
};
TORSOR_INLINE NumberRange numbers_in_M(const ModelView& model, const Range& range) {
  const auto address = [&](int dof) { return dof < model.nv ? model.M_rowadr[dof] : model.nC; };
  return {address(range.dof_begin), address(range.dof_end)};
}

template <class T>
TORSOR_LOCAL void factor_mass_matrix(const ModelView& model, DataView<T>& data, const Range& range) {
  const NumberRange numbers = numbers_in_M(model, range);
  for (int i = numbers.begin; i < numbers.end; ++i) data.qLD[i] = data.M[i];
  factor_in_place(model, data.qLD.data(), data.qLDiagInv.data(), range);
}

// x[column[c]] -= s LD[c]
template <class T, class From, class Pointer>
TORSOR_INLINE void subtract_scattered(int n, const T& s, From LD, const int* column, Pointer x) {
#pragma GCC unroll 4
  for (int c = 0; c < n; ++c) x[column[c]] -= LD[c] * s;
}

// x <- L^-T x
template <class From, class Pointer>
TORSOR_INLINE void solve_upper(const ModelView& model, From LD, Pointer x, const Range& range) {
  for (int k = range.dof_end - 1; k >= range.dof_begin; --k) {
    const int address = model.M_rowadr[k], last = model.M_rownnz[k] - 1;
    const ElementOf<Pointer> x_k = x[k];
    const int* column = model.M_colind.data() + address;
    subtract_scattered(last, x_k, LD + address, column, x);
  }
}
// x <- L^-1 x
template <class From, class Pointer>
TORSOR_INLINE void solve_lower(const ModelView& model, From LD, Pointer x, const Range& range) {
  for (int k = range.dof_begin; k < range.dof_end; ++k) {
    const int address = model.M_rowadr[k], last = model.M_rownnz[k] - 1;
    const int* column = model.M_colind.data() + address;
    ElementOf<Pointer> x_k = x[k];
#pragma GCC unroll 4
    for (int c = 0; c < last; ++c) x_k -= LD[address + c] * x[column[c]];
    x[k] = x_k;
  }
}

// x <- (L' D L)^-1 x
template <class From, class Pointer>
TORSOR_INLINE void solve_factored(const ModelView& model, From LD, From diagonal_inverse, Pointer x,
                                  const Range& range) {
  solve_upper(model, LD, x, range);
  for (int k = range.dof_begin; k < range.dof_end; ++k) x[k] *= diagonal_inverse[k];
  solve_lower(model, LD, x, range);
}
template <class From, class Pointer>
TORSOR_INLINE void solve_factored(const ModelView& model, From LD, From diagonal_inverse, Pointer x) {
  solve_factored(model, LD, diagonal_inverse, x, whole(model));
}

// y = M x
template <class From, class Pointer>
TORSOR_INLINE void multiply_mass_matrix(const ModelView& model, From M, From x, Pointer y) {
  for (int i = 0; i < model.nv; ++i) {
    const int address = model.M_rowadr[i], last = model.M_rownnz[i] - 1;
    ElementOf<Pointer> sum = M[address + last] * x[i];
    for (int c = 0; c < last; ++c) {
      const int j = model.M_colind[address + c];
      sum += M[address + c] * x[j];
      y[j] += M[address + c] * x[i];
    }
    y[i] = sum;
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
