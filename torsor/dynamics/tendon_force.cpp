// What tendons do to the dofs: springs with a dead band, dampers, and the inertia a of armature, which adds J' a J to M
// and J' a (J-dot v) to the bias force.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// How far the length is outside of the spring's dead band.
double displacement(const Model& model, const Data& data, int t) {
  const double length = data.ten_length[t], *rest = model.tendon_lengthspring.row(t, 2);
  return length < rest[0] ? length - rest[0] : length > rest[1] ? length - rest[1] : 0;
}

// -(k x + k2 x^2 + k3 x^3)
double spring_force(const Model& model, const Data& data, int t) {
  const double* poly = model.tendon_stiffnesspoly.row(t, 2);
  if (model.tendon_stiffness[t] == 0 && poly[0] == 0 && poly[1] == 0) return 0;
  const double x = displacement(model, data, t);
  return -x * (model.tendon_stiffness[t] + x * (poly[0] + x * poly[1]));
}

// Of the tendon and of the actuators that pull at it.
double armature_of(const Model& model, int t) {
  double sum = model.tendon_armature[t];
  for_each_tendon_contributor(model, t, [&](int a, double gear2) { sum += gear2 * model.actuator_armature[a]; });
  return sum;
}
struct Damping {
  double linear, quadratic, cubic;
};
Damping damping_of(const Model& model, int t) {
  Damping d{model.tendon_damping[t], model.tendon_dampingpoly[2 * t], model.tendon_dampingpoly[2 * t + 1]};
  for_each_tendon_contributor(model, t, [&](int a, double gear2) {
    d.linear += gear2 * model.actuator_damping[a];
    d.quadratic += gear2 * model.actuator_dampingpoly[2 * a];
    d.cubic += gear2 * model.actuator_dampingpoly[2 * a + 1];
  });
  return d;
}

// -v (d + d2 |v| + d3 v^2)
double damper_force(const Model& model, const Data& data, int t) {
  const double v = data.ten_velocity[t], speed = std::fabs(v);
  const Damping d = damping_of(model, t);
  return -v * (d.linear + speed * (d.quadratic + speed * d.cubic));
}

// qfrc += J' force
void add_pull(const Model& model, const Data& data, int t, double force, const Field<double>& qfrc) {
  if (force == 0) return;
  for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k)
    qfrc[model.ten_J_colind[k]] += force * data.ten_J[k];
}

// Calls f(i, j, address, J_i a J_j) for every number of M that armature adds to, j <= i. Where M has no number, as
// between trees, the inertia is left out, as in MuJoCo.
template <class F>
void for_each_armature(const Model& model, const Data& data, F&& f) {
  for (int t = 0; t < model.ntendon; ++t) {
    const double armature = armature_of(model, t);
    if (armature == 0) continue;
    const int* dofs = model.ten_J_colind.data() + model.ten_J_rowadr[t];
    const double* row = data.ten_J.data() + model.ten_J_rowadr[t];
    for (int k = 0; k < model.ten_J_rownnz[t]; ++k) {
      if (row[k] == 0) continue;
      const int i = dofs[k], address = model.M_rowadr[i];
      const int *begin = model.M_colind.data() + address, *end = begin + model.M_rownnz[i], *column = begin;
      for (int l = 0; l <= k; ++l) {
        column = std::lower_bound(column, end, dofs[l]);
        if (column == end) break;
        if (*column == dofs[l] && row[l] != 0)
          f(i, dofs[l], address + static_cast<int>(column - begin), armature * row[k] * row[l]);
      }
    }
  }
}

// The acceleration in W of a point that moves with the body, by the present velocities alone.
Vec velocity_product(const Model& model, const Data& data, const Vec& p_WoP_W, int body) {
  const Vec p_TcmP_W = p_WoP_W - load3(data.subtree_com.row(model.body_rootid[body], 3));
  Twist<double> A_Tcm_W = Twist<double>::zero();
  for (int i = last_dof(model, body); i >= 0; i = model.dof_parentid[i])
    A_Tcm_W += load6(data.cdof_dot.row(i, 6)) * data.qvel[i];
  const Twist<double> V_P_W = load6(data.cvel.row(body, 6)).at(p_TcmP_W);
  return A_Tcm_W.at(p_TcmP_W).v + cross(V_P_W.w, V_P_W.v);
}

Vec velocity_of(const Model& model, const Data& data, const Vec& p_WoP_W, int body) {
  return load6(data.cvel.row(body, 6)).at(p_WoP_W - load3(data.subtree_com.row(model.body_rootid[body], 3))).v;
}

// The second derivative of the distance of two points, by the present velocities alone:
// u . (a1 - a0) + (|v|^2 - (u . v)^2) / distance, with v the relative velocity.
double distance_product(const Model& model, const Data& data, int site0, int site1) {
  const int body0 = model.site_bodyid[site0], body1 = model.site_bodyid[site1];
  if (body0 == body1) return 0;
  const Vec p0 = load3(data.site_xpos.row(site0, 3)), p1 = load3(data.site_xpos.row(site1, 3));
  const double distance = norm(p1 - p0);
  const Vec u = normalized(p1 - p0);
  const Vec v = velocity_of(model, data, p1, body1) - velocity_of(model, data, p0, body0);
  const Vec a = velocity_product(model, data, p1, body1) - velocity_product(model, data, p0, body0);
  const double along = dot(u, v);
  const double turning = distance < kMinValue ? 0 : (norm2(v) - along * along) / distance;
  return dot(u, a) + turning;
}

// J-dot v. The length of a fixed tendon is linear in the coordinates; paths with armature have no geoms.
double length_product(const Model& model, const Data& data, int t) {
  const int begin = model.tendon_adr[t], end = begin + model.tendon_num[t];
  double sum = 0, divisor = 1;
  for (int element = begin; element < end; ++element) {
    const WrapType type = static_cast<WrapType>(model.wrap_type[element]);
    if (type == WrapType::kPulley) divisor = model.wrap_prm[element];
    const bool has_segment = type == WrapType::kSite && element + 1 < end &&
                             static_cast<WrapType>(model.wrap_type[element + 1]) == WrapType::kSite;
    if (has_segment)
      sum += distance_product(model, data, model.wrap_objid[element], model.wrap_objid[element + 1]) / divisor;
  }
  return sum;
}

}  // namespace

void add_tendon_passive(const Model& model, Data& data) {
  const bool springs = !model.opt.disabled(kDisableSpring), dampers = !model.opt.disabled(kDisableDamper);
  for (int t = 0; t < model.ntendon; ++t) {
    const double spring = springs ? spring_force(model, data, t) : 0,
                 damper = dampers ? damper_force(model, data, t) : 0;
    add_pull(model, data, t, spring, data.qfrc_spring);
    add_pull(model, data, t, damper, data.qfrc_damper);
    add_pull(model, data, t, spring + damper, data.qfrc_passive);
  }
}

double tendon_spring_energy(const Model& model, const Data& data) {
  double energy = 0;
  if (model.opt.disabled(kDisableSpring)) return energy;
  for (int t = 0; t < model.ntendon; ++t) {
    const double x = displacement(model, data, t), *poly = model.tendon_stiffnesspoly.row(t, 2);
    energy += x * x * (model.tendon_stiffness[t] / 2 + x * (poly[0] / 3 + x * poly[1] / 4));
  }
  return energy;
}

bool is_tendon_damped(const Model& model, int t) {
  const Damping d = damping_of(model, t);
  return d.linear != 0 || d.quadratic != 0 || d.cubic != 0;
}

double tendon_speed(const Model& model, const Data& data, int t) {
  double speed = 0;
  for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k)
    speed += data.ten_J[k] * data.qvel[model.ten_J_colind[k]];
  return speed;
}

double tendon_damping_slope(const Model& model, int t, double velocity) {
  const double speed = std::fabs(velocity);
  const Damping d = damping_of(model, t);
  return d.linear + speed * (2 * d.quadratic + speed * 3 * d.cubic);
}

void add_tendon_armature(const Model& model, Data& data) {
  for_each_armature(model, data, [&](int, int, int address, double inertia) { data.M[address] += inertia; });
}

void add_tendon_inertia_force(const Model& model, const Data& data, const double* qacc, double* qfrc) {
  for_each_armature(model, data, [&](int i, int j, int, double inertia) {
    qfrc[i] += inertia * qacc[j];
    if (i != j) qfrc[j] += inertia * qacc[i];
  });
}

void add_tendon_bias(const Model& model, const Data& data, double* qfrc) {
  for (int t = 0; t < model.ntendon; ++t) {
    const double armature = armature_of(model, t);
    if (armature == 0) continue;
    const double force = armature * length_product(model, data, t);
    for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k)
      qfrc[model.ten_J_colind[k]] += force * data.ten_J[k];
  }
}

}  // namespace torsor
