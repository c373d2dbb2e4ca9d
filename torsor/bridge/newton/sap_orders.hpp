// The two orders of SAP's buffers on a newton::Model: velocities and forces of free and distance joints are six
// numbers, in `public` order linear first, at the child's COM, in `sap` order angular first, at its origin; both in the
// axes of the world and, for a joint on another body, relative to that body. Numbers of all other joints are the same
// in both.
#pragma once

#include <memory>
#include <vector>

#include "torsor/bridge/newton/model.hpp"
#include "torsor/convention/convert.hpp"

namespace torsor::newton {

class SapOrders {
 public:
  explicit SapOrders(const Model& model);

  // Numbers of all joints from one order to the other, at joint_q.
  void velocities_to_sap(const double* joint_q, const double* joint_qd, double* sap_qd) const;
  void velocities_to_public(const double* joint_q, const double* sap_qd, double* joint_qd) const;
  void forces_to_sap(const double* joint_q, const double* joint_f, double* sap_f) const;
  void forces_to_public(const double* joint_q, const double* sap_f, double* joint_f) const;

  // Velocities in public order from those of a State, which may be in the axes of parent anchors (Version), and back.
  void turn_to_world(const double* joint_q, double* joint_qd) const;
  void turn_to_state(const double* joint_q, double* joint_qd) const;

  // A force of a joint acts on its child and, in the opposite direction, on its parent. Moves public forces of joints
  // on other bodies from joint_f to body_f (six numbers per body).
  void move_forces_between_bodies(const double* joint_q, double* joint_f, double* body_f) const;

  // Where each body is.
  std::vector<Pose<double>> body_poses(const double* joint_q) const;

 private:
  using Convert = void (BodyConversion::*)(const double*, const double*, double*, size_t) const;
  void convert(const BodyConversion& orders, Convert quantity, const double* joint_q, const double* in,
               double* out) const;
  void turn(const double* joint_q, double* joint_qd, bool to_world) const;

  const std::shared_ptr<const ModelData> model_;
  const BodyConversion to_sap_, to_public_;
  std::vector<int> joints_;  // free and distance joints
};

}  // namespace torsor::newton
