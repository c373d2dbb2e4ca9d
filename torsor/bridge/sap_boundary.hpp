// The boundary of a SAP solver: converts buffers from `public` order (linear first, at the COM) to `sap` order (angular
// first, at the body origin) before a step, and back after it. Only free and distance joints differ; the rest is
// copied.
//   u_sap = P_v(r) u_public,  g_sap = P_f(r) g_public,  P_f = P_v^-T,  body_f is stored as the residual -P_f F
// with r from the body's origin to its COM in world axes: at the current orientation before the step, at the new one
// after it. Buffers are in the axes of the model.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "torsor/bridge/state_map.hpp"

namespace torsor {

namespace newton {
class Model;
class SapOrders;
}  // namespace newton

enum class SapOrder : char { kPublic, kSap };

using Matrix6 = std::array<double, 36>;                           // row by row
Matrix6 sap_velocity_matrix(const Vec3<double>& p_OC_W);          // P_v
Matrix6 sap_velocity_matrix_inverse(const Vec3<double>& p_OC_W);  // P_v^-1
Matrix6 sap_force_matrix(const Vec3<double>& p_OC_W);             // P_f

class SapBoundary {
 public:
  explicit SapBoundary(const Model& model) : SapBoundary(make_joint_system(model)) {}
  explicit SapBoundary(const JointSystem& system);
  // All joints of Newton's builder: also fixed ones, which have no numbers, and D6 joints, whose axes are one segment,
  // the linear ones first. A distance joint and a free joint on another body are like free joints, relative to that
  // body.
  explicit SapBoundary(const newton::Model& model);

  // Joint j has coordinates joint_q_start()[j] up to joint_q_start()[j + 1], and the same for velocities: one number
  // for a hinge or slide, x y z w for a ball joint, a position and x y z w for a free or distance joint, slides before
  // hinges.
  const std::vector<int>& joint_q_start() const { return q_start_; }
  const std::vector<int>& joint_qd_start() const { return qd_start_; }
  int nq() const { return q_start_.back(); }
  int nv() const { return qd_start_.back(); }

  // Into the solver, at the current joint_q.
  void velocities_in(SapOrder order, const double* joint_q, const double* joint_qd, double* sap_qd) const;
  void forces_in(SapOrder order, const double* joint_q, const double* joint_f, double* sap_f) const;
  // body_q: position and x y z w of each body; body_com: from its origin to its COM, in its axes.
  void body_forces_in(SapOrder order, std::span<const double> body_q, std::span<const double> body_com,
                      std::span<const double> body_f, std::span<double> sap_f) const;
  // Out of the solver, at the new joint_q.
  void velocities_out(SapOrder order, const double* joint_q_new, const double* sap_qd, double* joint_qd) const;

 private:
  std::optional<StateMap> in_, out_;                 // of a torsor::Model
  std::shared_ptr<const newton::SapOrders> newton_;  // of a newton::Model
  std::vector<int> q_start_{0}, qd_start_{0};
};

}  // namespace torsor
