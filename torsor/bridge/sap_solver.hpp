// Steps with the SAP solver, on buffers of joint coordinates, in the style of SAP Warp:
//
//   SapSolver solver(model);                       // a torsor::Model, or a newton::Model of Newton's builder
//   SapState now = solver.state(), next = solver.state();
//   SapControl control = solver.control();
//   const SapContacts contacts = solver.collide(now);
//   solver.step(now, next, &control, &contacts, 0.005);
//
// Joints are in the order of SapBoundary: of a newton::Model all joints of the builder, fixed ones with empty segments
// and several axes of a D6 joint in one segment; of a torsor::Model its joints. Bodies are in the order of the model,
// without the world.
#pragma once

#include <memory>
#include <vector>

#include "torsor/bridge/sap_system.hpp"

namespace torsor {

// The contacts that newton::Model::collide() found.
SapContacts make_sap_contacts(const newton::Contacts& contacts);

class SapSolver {
 public:
  // A copy of the model, with solver SAP and integrator Euler.
  explicit SapSolver(const Model& model);
  explicit SapSolver(const newton::Model& model, const newton::SolverOptions& options = {});
  // Uses a shared model and data; sets the model's solver and integrator.
  SapSolver(std::shared_ptr<Model> model, std::shared_ptr<Data> data);
  SapSolver(const newton::Model& model, std::shared_ptr<Model> engine, std::shared_ptr<Data> data,
            const newton::SolverOptions& options = {});

  SapState state() const;      // the reference pose, in public order
  SapControl control() const;  // nothing applied, the model's targets, in public order
  SapContacts collide(const SapState& state);

  // Advances `in` by dt to `out`, which may be the same object, with the given contacts; without contacts, nothing
  // collides. Throws an Error, with `out` unchanged, if dt is not positive, sizes do not fit, a state belongs to
  // another model, or contacts to another state. Without a control, nothing is applied and the model's targets hold.
  void step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts, double dt);

  const SapBoundary& boundary() const { return system_->boundary(); }
  int body_count() const { return system_->body_count(); }
  Model& model() { return system_->model(); }           // the engine's, for its options and parameters
  const Data& data() const { return system_->data(); }  // contacts, forces and counts of the last step

  // The same model with another workspace.
  SapSolver copy() const { return SapSolver(system_->copy()); }
  // What a step keeps for the next one besides the buffers: the warm start, and activations of actuators from MJCF.
  std::vector<double> memory() const;
  void set_memory(const std::vector<double>& memory);

 private:
  explicit SapSolver(std::unique_ptr<SapSystem> system) : system_(std::move(system)) {}
  std::unique_ptr<SapSystem> system_;
};

}  // namespace torsor
