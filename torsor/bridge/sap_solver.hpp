// Steps with the SAP solver, on buffers of joint coordinates, in the style of SAP Warp:
//
//   SapSolver solver(model);
//   SapState now = solver.state(), next = solver.state();
//   SapControl control = solver.control();
//   const SapContacts contacts = solver.collide(now);
//   solver.step(now, next, &control, &contacts, 0.005);
//
// Buffers carry the order of their free joints and wrenches: `public` (linear first, at the COM) or `sap` (angular
// first, at the body's origin; see sap_boundary.hpp). A new buffer is in sap order, those of state() and control() are
// in public order. Joints are in the order of SapBoundary, bodies in that of the model without the world.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "torsor/bridge/kept_contacts.hpp"
#include "torsor/bridge/sap_boundary.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

struct SapState {
  std::vector<double> joint_q, joint_qd;
  std::vector<double> body_q;  // position and x y z w of each body: written by step(), not read
  std::vector<double> body_f;  // six numbers per body: read by step(), not written; may be empty
  SapOrder joint_qd_order = SapOrder::kSap, body_f_order = SapOrder::kSap;
  uint64_t model = 0;  // signature of its model; 0: unknown
};

struct SapControl {
  std::vector<double> joint_f;  // may be empty
  std::vector<double> ctrl;     // of the model's actuators: setpoints of drives, forces of motors; may be empty
  SapOrder joint_f_order = SapOrder::kSap;
  uint64_t model = 0;
};

struct SapContacts : KeptContacts {
  std::vector<double> joint_q;  // of the state that they belong to
  uint64_t model = 0;
};

class SapSolver {
 public:
  // A copy of the model, with solver SAP and integrator Euler.
  explicit SapSolver(const Model& model);
  // Uses a shared model and data; sets the model's solver and integrator.
  SapSolver(std::shared_ptr<Model> model, std::shared_ptr<Data> data);

  SapState state() const;      // the reference pose, in public order
  SapControl control() const;  // nothing applied, in public order
  SapContacts collide(const SapState& state);

  // Advances `in` by dt to `out`, which may be the same object, with the given contacts; without contacts, nothing
  // collides. Throws an Error, with `out` unchanged, if dt is not positive, sizes do not fit, a state belongs to
  // another model, or contacts to another state.
  void step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts, double dt);

  const SapBoundary& boundary() const { return boundary_; }
  Model& model() { return *model_; }           // for its options and parameters
  const Data& data() const { return *data_; }  // contacts, forces and counts of the last step

 private:
  void load(const SapState& state, const char* name);
  void load_inputs(const SapState& state, const SapControl* control);
  void write_bodies(std::vector<double>& body_q);

  std::shared_ptr<Model> model_;
  std::shared_ptr<Data> data_;
  SapBoundary boundary_;
  const Convention convention_;  // sap order
  StateMap in_, out_;            // from sap order to ours and back
  std::vector<double> sap_v_, sap_f_;
};

}  // namespace torsor
