// The buffers of a SAP solver, with the names and the layout of SAP Warp.
//
// Buffers carry the order of their free and distance joints and of their wrenches: `public` (linear first, at the COM)
// or `sap` (angular first, at the body's origin; see sap_boundary.hpp). A new buffer is in sap order, those of
// SapSolver::state() and control() are in public order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "torsor/bridge/kept_contacts.hpp"
#include "torsor/bridge/sap_boundary.hpp"

namespace torsor {

namespace newton {
struct ModelData;
}

struct SapState {
  std::vector<double> joint_q, joint_qd;
  std::vector<double> body_q;   // position and x y z w of each body: written by step(), not read
  std::vector<double> body_qd;  // velocity of its COM and angular velocity, in the world: written by step(), not read
  std::vector<double> body_f;   // six numbers per body: read by step(), not written; may be empty
  SapOrder joint_qd_order = SapOrder::kSap, body_f_order = SapOrder::kSap;
  uint64_t model = 0;  // signature of its model; 0: unknown
};

// One number per axis, that is, as long as joint_qd; a fixed joint has none. Any of them may be empty.
struct SapControl {
  std::vector<double> joint_f;  // empty: zero
  // Of the drives of a model of Newton's builder; empty: the targets of the model.
  std::vector<double> joint_target_pos, joint_target_vel;
  std::vector<double> joint_act;  // added to joint_f, except for free and distance joints; for the same models
  std::vector<double> ctrl;       // of actuators from MJCF: setpoints of drives, forces of motors
  SapOrder joint_f_order = SapOrder::kSap;
  uint64_t model = 0;
};

struct SapContacts : KeptContacts {
  std::vector<int> shape0, shape1;       // of the user's model: geoms of a torsor::Model, shapes of a newton::Model
  std::vector<double> margin0, margin1;  // of each surface: contact begins where the distance is the sum; not read
  std::vector<double> joint_q;  // of the state that they belong to; empty: of Newton's, for any state of a frame
  uint64_t model = 0;
  std::shared_ptr<const newton::ModelData> newton;  // where they come from such a model
  void clear();                                     // removes all
};

}  // namespace torsor
