// Tendons: fixed ones whole, and for all kinds what follows from their lengths and ten_J. Springs have a dead band;
// armature a adds J' a J to M.
#pragma once

#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/scalar.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Calls f(dof, number of ten_J) for the row of tendon t.
template <class F>
TORSOR_INLINE void for_each_tendon_dof(const ModelView& model, int t, F&& f) {
  for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k) f(model.ten_J_colind[k], k);
}

TORSOR_INLINE bool is_fixed_tendon(const ModelView& model, int t) {
  return model.wrap_type[model.tendon_adr[t]] == static_cast<int>(WrapType::kJoint);
}

// A weighted sum of joint coordinates. A joint that is named twice has two numbers in the row; the first gets the sum.
template <class T>
TORSOR_INLINE void compute_fixed_tendon(const ModelView& model, DataView<T>& data, int t) {
  for_each_tendon_dof(model, t, [&](int, int k) { data.ten_J[k] = T(0); });
  T length = T(0);
  for (int element = model.tendon_adr[t], end = element + model.tendon_num[t]; element < end; ++element) {
    const int j = model.wrap_objid[element], dof = model.jnt_dofadr[j];
    const T coefficient = T(model.wrap_prm[element]);
    length += coefficient * data.qpos[model.jnt_qposadr[j]];
    int k = model.ten_J_rowadr[t];
    while (model.ten_J_colind[k] < dof) ++k;
    data.ten_J[k] += coefficient;
  }
  data.ten_length[t] = length;
}

// All tendons, which must be fixed.
template <class T>
TORSOR_LOCAL void compute_fixed_tendons(const ModelView& model, DataView<T>& data) {
  for (T& x : data.wrap_xpos) x = T(0);
  for (int t = 0; t < model.ntendon; ++t) compute_fixed_tendon(model, data, t);
}

template <class T>
TORSOR_INLINE void compute_tendon_velocity(const ModelView& model, DataView<T>& data, int t) {
  T velocity = T(0);
  for_each_tendon_dof(model, t, [&](int dof, int k) { velocity += data.ten_J[k] * data.qvel[dof]; });
  data.ten_velocity[t] = velocity;
}
template <class T>
TORSOR_LOCAL void compute_tendon_velocities(const ModelView& model, DataView<T>& data) {
  for (int t = 0; t < model.ntendon; ++t) compute_tendon_velocity(model, data, t);
}

// How far the length is outside of the spring's dead band.
template <class T>
TORSOR_INLINE T tendon_displacement(const ModelView& model, const DataView<T>& data, int t) {
  const int plastic = model.tendon_plasticadr[t];
  const T length = data.ten_length[t];
  const T low = plastic >= 0 ? data.plastic[plastic] : T(model.tendon_lengthspring[2 * t]);
  const T high = plastic >= 0 ? data.plastic[plastic + 1] : T(model.tendon_lengthspring[2 * t + 1]);
  return select(length < low, length - low, select(length > high, length - high, T(0)));
}

// -(k x + k2 x^2 + k3 x^3)
template <class T>
TORSOR_INLINE T tendon_spring_force(const ModelView& model, const DataView<T>& data, int t) {
  const double *poly = model.tendon_stiffnesspoly.row(t, 2), stiffness = model.tendon_stiffness[t];
  if (stiffness == 0 && poly[0] == 0 && poly[1] == 0) return T(0);
  const T x = tendon_displacement(model, data, t);
  return -x * (T(stiffness) + x * (T(poly[0]) + x * T(poly[1])));
}

// Of the tendon and of the actuators that pull at it.
TORSOR_INLINE double tendon_armature(const ModelView& model, int t) {
  double sum = model.tendon_armature[t];
  for_each_tendon_contributor(model, t, [&](int a, double gear2) { sum += gear2 * model.actuator_armature[a]; });
  return sum;
}
struct TendonDamping {
  double linear, quadratic, cubic;

  TORSOR_INLINE TendonDamping(const ModelView& model, int t)
      : linear(model.tendon_damping[t]),
        quadratic(model.tendon_dampingpoly[2 * t]),
        cubic(model.tendon_dampingpoly[2 * t + 1]) {
    for_each_tendon_contributor(model, t, [&](int a, double gear2) {
      linear += gear2 * model.actuator_damping[a];
      quadratic += gear2 * model.actuator_dampingpoly[2 * a];
      cubic += gear2 * model.actuator_dampingpoly[2 * a + 1];
    });
  }
  TORSOR_INLINE bool is_zero() const { return linear == 0 && quadratic == 0 && cubic == 0; }
  // -v (d + d2 |v| + d3 v^2)
  template <class T>
  TORSOR_INLINE T force(const T& v) const {
    const T speed = abs(v);
    return -v * (T(linear) + speed * (T(quadratic) + speed * T(cubic)));
  }
  // Minus its derivative.
  template <class T>
  TORSOR_INLINE T slope(const T& v) const {
    const T speed = abs(v);
    return T(linear) + speed * (T(2 * quadratic) + speed * T(3 * cubic));
  }
};

// Springs and dampers of tendon t.
template <class T>
TORSOR_INLINE void add_tendon_force(const ModelView& model, DataView<T>& data, int t) {
  const bool springs = !model.opt.disabled(kDisableSpring), dampers = !model.opt.disabled(kDisableDamper);
  const auto pull = [&](const T& force, const Field<T>& qfrc) {
    if (!any(force != T(0))) return;
    for_each_tendon_dof(model, t, [&](int dof, int k) { qfrc[dof] += force * data.ten_J[k]; });
  };
  const T spring = springs ? tendon_spring_force(model, data, t) : T(0),
          damper = dampers ? TendonDamping(model, t).force(data.ten_velocity[t]) : T(0);
  pull(spring, data.qfrc_spring);
  pull(damper, data.qfrc_damper);
  pull(spring + damper, data.qfrc_passive);
}
template <class T>
TORSOR_LOCAL void add_tendon_forces(const ModelView& model, DataView<T>& data) {
  for (int t = 0; t < model.ntendon; ++t) add_tendon_force(model, data, t);
}

// Calls f(i, j, address, k, l) for pairs of numbers k and l of a sparse row with columns i >= j where M has a number,
// at this address. Where it has none, as between trees, there is no call.
template <class F>
TORSOR_INLINE void for_each_product_in_M(const ModelView& model, const int* columns, int first, int count, F&& f) {
  for (int k = 0; k < count; ++k) {
    const int i = columns[first + k];
    int place = model.M_rowadr[i];
    const int end = place + model.M_rownnz[i];
    for (int l = 0; l <= k; ++l) {
      const int j = columns[first + l];
      while (place < end && model.M_colind[place] < j) ++place;
      if (place == end) break;
      if (model.M_colind[place] == j) f(i, j, place, first + k, first + l);
    }
  }
}

// Calls f(i, j, address, J_i a J_j) for every number of M that armature adds to, j <= i.
template <class T, class F>
TORSOR_INLINE void for_each_tendon_armature(const ModelView& model, const DataView<T>& data, F&& f) {
  for (int t = 0; t < model.ntendon; ++t) {
    const double armature = tendon_armature(model, t);
    if (armature == 0) continue;
    for_each_product_in_M(model, model.ten_J_colind.data(), model.ten_J_rowadr[t], model.ten_J_rownnz[t],
                          [&](int i, int j, int address, int k, int l) {
                            f(i, j, address, T(armature) * data.ten_J[k] * data.ten_J[l]);
                          });
  }
}

template <class T>
TORSOR_LOCAL void add_tendon_armatures(const ModelView& model, DataView<T>& data) {
  for_each_tendon_armature(model, data, [&](int, int, int address, const T& inertia) { data.M[address] += inertia; });
}

// M += h J' slope J
template <class T>
TORSOR_LOCAL void add_tendon_damping(const ModelView& model, DataView<T>& data) {
  if (model.opt.disabled(kDisableDamper)) return;
  for (int t = 0; t < model.ntendon; ++t) {
    const TendonDamping damping(model, t);
    if (damping.is_zero()) continue;
    const T slope = T(model.opt.timestep) * damping.slope(data.ten_velocity[t]);
    for_each_product_in_M(
        model, model.ten_J_colind.data(), model.ten_J_rowadr[t], model.ten_J_rownnz[t],
        [&](int, int, int address, int k, int l) { data.M[address] += slope * data.ten_J[k] * data.ten_J[l]; });
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
