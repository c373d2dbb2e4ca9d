// What tendons do to the dofs: springs with a dead band, dampers, and the inertia a of armature, which adds J' a J to M
// and J' a (J-dot v) to the bias force.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/dynamics/kernels/tendons.hpp"
#include "torsor/dynamics/tendon_wrench.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

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

// Whether one of the trees sleeps and another does not. Then the tendon has neither spring nor damper.
bool is_split(const Model& model, const Data& data, int t) {
  const int* trees = model.tendon_treeid.row(t, 2);
  return model.tendon_treenum[t] == 2 && data.tree_awake[trees[0]] != data.tree_awake[trees[1]];
}

}  // namespace

// J-dot v. The length of a fixed tendon is linear in the coordinates; paths with armature have no geoms.
double tendon_length_product(const Model& model, const Data& data, int t) {
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

// A tree that sleeps at the other end of a tendon keeps its forces and its inertia: nothing is added to them.
void add_tendon_passive(const Model& model, Data& data) {
  if (data.awake.all) return add_tendon_forces(model, data);
  for_each_awake_tendon(model, data, [&](int t) {
    if (!is_split(model, data, t)) add_tendon_force<double>(model, data, t);
  });
}

double tendon_spring_energy(const Model& model, const Data& data) {
  double energy = 0;
  if (model.opt.disabled(kDisableSpring)) return energy;
  for (int t = 0; t < model.ntendon; ++t) {
    const double x = tendon_displacement(model, data, t), *poly = model.tendon_stiffnesspoly.row(t, 2);
    energy += x * x * (model.tendon_stiffness[t] / 2 + x * (poly[0] / 3 + x * poly[1] / 4));
  }
  return energy;
}

bool is_tendon_damped(const Model& model, int t) { return !TendonDamping(model, t).is_zero(); }

double tendon_speed(const Model& model, const Data& data, int t) {
  double speed = 0;
  for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k)
    speed += data.ten_J[k] * data.qvel[model.ten_J_colind[k]];
  return speed;
}

double tendon_damping_slope(const Model& model, int t, double velocity) {
  return TendonDamping(model, t).slope(velocity);
}

void add_tendon_armature(const Model& model, Data& data) {
  if (data.awake.all) return add_tendon_armatures(model, data);
  for_each_tendon_armature(model, data, [&](int i, int, int address, double inertia) {
    if (is_dof_awake(model, data, i)) data.M[address] += inertia;
  });
}

void add_tendon_inertia_force(const Model& model, const Data& data, const double* qacc, double* qfrc) {
  for_each_tendon_armature(model, data, [&](int i, int j, int, double inertia) {
    qfrc[i] += inertia * qacc[j];
    if (i != j) qfrc[j] += inertia * qacc[i];
  });
}

void add_tendon_bias(const Model& model, const Data& data, double* qfrc) {
  for_each_awake_tendon(model, data, [&](int t) {
    const double armature = tendon_armature(model, t);
    if (armature == 0) return;
    const double force = armature * tendon_length_product(model, data, t);
    for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k)
      if (is_dof_awake(model, data, model.ten_J_colind[k])) qfrc[model.ten_J_colind[k]] += force * data.ten_J[k];
  });
}

}  // namespace torsor
