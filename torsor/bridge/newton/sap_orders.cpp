#include "torsor/bridge/newton/sap_orders.hpp"

#include <algorithm>

#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::newton {
namespace {

BodyConversion between(const char* from, const char* to) {
  return BodyConversion(find_convention(from), find_convention(to));
}

}  // namespace

SapOrders::SapOrders(const Model& model)
    : model_(model.data()),
      to_sap_(between("sap.public", "sap.internal")),
      to_public_(between("sap.internal", "sap.public")) {
  const ModelBuilder& lists = model_->lists;
  for (int j = 0; j < lists.joint_count(); ++j) {
    if (lists.joint_type[j] == JointKind::kFree || lists.joint_type[j] == JointKind::kDistance) joints_.push_back(j);
  }
}

std::vector<Pose<double>> SapOrders::body_poses(const double* joint_q) const {
  const std::lock_guard lock(model_->mutex);
  Data& data = model_->scratch;
  model_->set_positions(joint_q, data);
  compute_kinematics(model_->engine, data);
  std::vector<Pose<double>> poses;
  for (const int body : model_->layout.body_engine)
    poses.push_back({load3(data.xpos.row(body, 3)), load4(data.xquat.row(body, 4))});
  return poses;
}

void SapOrders::convert(const BodyConversion& orders, Convert quantity, const double* joint_q, const double* in,
                        double* out) const {
  const ModelBuilder& lists = model_->lists;
  std::copy_n(in, lists.joint_dof_count(), out);
  if (joints_.empty()) return;
  const std::vector<Pose<double>> X_WB = body_poses(joint_q);
  BodyConversion conversion = orders;
  for (const int j : joints_) {
    const int body = lists.joint_child[j], dof = lists.joint_qd_start[j];
    BodyPlace<double> place;
    place.p_BoBcm_B = to_vec(lists.body_com[body]);
    conversion.set_body(place);
    const Transform pose = to_transform(X_WB[body]);
    double result[6];
    (conversion.*quantity)(pose.data(), in + dof, result, 1);
    std::copy_n(result, 6, out + dof);
  }
}

void SapOrders::velocities_to_sap(const double* joint_q, const double* joint_qd, double* sap_qd) const {
  convert(to_sap_, &BodyConversion::twists, joint_q, joint_qd, sap_qd);
}
void SapOrders::velocities_to_public(const double* joint_q, const double* sap_qd, double* joint_qd) const {
  convert(to_public_, &BodyConversion::twists, joint_q, sap_qd, joint_qd);
}
void SapOrders::forces_to_sap(const double* joint_q, const double* joint_f, double* sap_f) const {
  convert(to_sap_, &BodyConversion::joint_forces, joint_q, joint_f, sap_f);
}
void SapOrders::forces_to_public(const double* joint_q, const double* sap_f, double* joint_f) const {
  convert(to_public_, &BodyConversion::joint_forces, joint_q, sap_f, joint_f);
}

void SapOrders::turn(const double* joint_q, double* joint_qd, bool to_world) const {
  if (model_->version == Version::kWorldAxes || joints_.empty()) return;
  const ModelBuilder& lists = model_->lists;
  const std::vector<Pose<double>> X_WB = body_poses(joint_q);
  for (const int j : joints_) {
    const int parent = lists.joint_parent[j];
    const Quat<double> q_PA = to_pose(lists.joint_X_p[j]).q;
    const Quat<double> q_WA = parent < 0 ? q_PA : X_WB[static_cast<size_t>(parent)].q * q_PA;
    double* twist = joint_qd + lists.joint_qd_start[j];
    for (double* v : {twist, twist + 3}) store3(v, to_world ? rotate(q_WA, load3(v)) : rotate_inverse(q_WA, load3(v)));
  }
}

void SapOrders::turn_to_world(const double* joint_q, double* joint_qd) const { turn(joint_q, joint_qd, true); }
void SapOrders::turn_to_state(const double* joint_q, double* joint_qd) const { turn(joint_q, joint_qd, false); }

void SapOrders::move_forces_between_bodies(const double* joint_q, double* joint_f, double* body_f) const {
  const ModelBuilder& lists = model_->lists;
  const auto is_between = [&](int j) { return lists.joint_parent[j] >= 0; };
  if (std::none_of(joints_.begin(), joints_.end(), is_between)) return;
  const std::vector<Pose<double>> X_WB = body_poses(joint_q);
  const auto p_WBcm = [&](int b) { return apply(X_WB[static_cast<size_t>(b)], to_vec(lists.body_com[b])); };
  for (const int j : joints_) {
    if (!is_between(j)) continue;
    const int parent = lists.joint_parent[j], child = lists.joint_child[j];
    double* load = joint_f + lists.joint_qd_start[j];
    const Vec3<double> f_W = load3(load), t_Ccm_W = load3(load + 3);
    const Vec3<double> t_Pcm_W = t_Ccm_W + cross(p_WBcm(child) - p_WBcm(parent), f_W);
    double *on_child = body_f + 6 * child, *on_parent = body_f + 6 * parent;
    store3(on_child, load3(on_child) + f_W), store3(on_child + 3, load3(on_child + 3) + t_Ccm_W);
    store3(on_parent, load3(on_parent) - f_W), store3(on_parent + 3, load3(on_parent + 3) - t_Pcm_W);
    std::fill_n(load, 6, 0.0);
  }
}

}  // namespace torsor::newton
