// Solvers that step a newton::Model. Each has its own workspace; one solver is for one thread.
//
//   SolverMuJoCo solver(model);
//   const Contacts contacts = model.collide(state_0);
//   solver.step(state_0, state_1, &control, &contacts, 0.005);
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "torsor/bridge/kept_contacts.hpp"
#include "torsor/bridge/newton/distances.hpp"
#include "torsor/bridge/newton/model.hpp"
#include "torsor/model/data.hpp"

namespace torsor::newton {

struct SolverOptions {
  std::optional<int> iterations, ls_iterations;
  std::optional<double> tolerance, ls_tolerance, impratio;
  std::string solver, integrator, cone;  // "" for the default, names as in MJCF
  bool use_mujoco_contacts = true;       // false: only contacts given to step()
  bool disable_contacts = false;
  // Whether worlds are stepped as a batch; without a value, if they can be. See why_not_separate().
  std::optional<bool> separate_worlds;
};

class WorldBatch;  // worlds.hpp

class Solver {
 public:
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Advances state_in, which is not changed, by dt to state_out; the two may be the same object. Without a control, the
  // model's own targets apply. Throws an Error if the contacts belong to another model, or, with state_out unchanged,
  // if numbers become bad. The contacts may be of an earlier state: see Contacts. `report` gets the contacts of the
  // step with their forces.
  void step(const State& state_in, State& state_out, const Control* control, const Contacts* contacts, double dt,
            Contacts* report = nullptr);

  const torsor::Model& engine() const { return engine_; }
  void compute_energy() { engine_.opt.enableflags |= kEnableEnergy; }  // from the next step on, in data().energy
  const Data& data() const { return data_; }  // of the last step; positions belong to its beginning

 protected:
  explicit Solver(const Model& model);
  // Whether the engine detects contacts itself; if not, whether it uses those given to step().
  virtual bool finds_contacts() const { return false; }
  virtual bool takes_contacts(const Contacts* contacts) const { return contacts != nullptr; }
  // Whether edits of body_q and body_qd of a state count, as in solvers of maximal coordinates.
  virtual bool reads_bodies() const { return false; }
  // Changes of the engine's model that the solver needs; called again after the model has been edited.
  virtual void adapt_engine() {}
  // What is done with the contacts given to step(), each time their distances have been computed; may be null.
  virtual ContactsGiven::Adapt contact_adapter() const { return nullptr; }
  // Takes the step as a batch of worlds; false if the solver does not do that.
  virtual bool step_worlds(const State&, State&, const Control*, double) { return false; }

  void prepare(double dt);  // edits, time step and gravity
  void set_input(const State& state, const Control* control);
  void read_output(const State& state_in, State& state_out);
  Data& workspace() { return data_; }

  // With an engine's model and a workspace that others see too; the engine's model is a copy of model.engine().
  Solver(const Model& model, std::shared_ptr<torsor::Model> engine, std::shared_ptr<Data> data);

  const std::shared_ptr<const ModelData> model_;

 private:
  const std::shared_ptr<torsor::Model> shared_engine_;
  const std::shared_ptr<Data> shared_data_;

 protected:
  torsor::Model& engine_;

 private:
  void refresh_engine();
  void take_step();
  void report_contacts(const Contacts* given, Contacts& report) const;

  Data& data_;
  Distances distances_;
  int revision_ = 0;       // of the model that engine_ is a copy of
  double moved_part_ = 1;  // what the engine's tolerance has been multiplied by
};

// The engine's soft constraints, as in MuJoCo. By default it detects contacts itself, as Newton's solver does.
class SolverMuJoCo : public Solver {
 public:
  explicit SolverMuJoCo(const Model& model, const SolverOptions& options = {});
  ~SolverMuJoCo() override;
  bool separates_worlds() const { return separates_; }

 protected:
  bool step_worlds(const State& state_in, State& state_out, const Control* control, double dt) override;
  void adapt_engine() override;
  bool finds_contacts() const override;
  bool takes_contacts(const Contacts* contacts) const override;

 private:
  void find_worlds();

  const SolverOptions options_;
  bool separates_ = false;
  std::unique_ptr<WorldBatch> worlds_;
  int worlds_revision_ = -1;
};

// The engine with convex compliant contact and implicit drives. Without contacts in step(), nothing collides.
class SolverSAP : public Solver {
 public:
  explicit SolverSAP(const Model& model, const SolverOptions& options = {});
  SolverSAP(const Model& model, std::shared_ptr<torsor::Model> engine, std::shared_ptr<Data> data,
            const SolverOptions& options = {});

 private:
  void set_options(const SolverOptions& options);
};

// The names of two solvers of Newton that Torsor does not have: both step with SolverSAP. As in Newton, they start from
// body_q and body_qd where these have been edited. SolverXPBD has near-rigid contact whatever the stiffness of shapes,
// and bodies that fall on each other stop where they touch. Those that overlap part at kRecoverySpeed at most.
class SolverSemiImplicit : public SolverSAP {
 public:
  using SolverSAP::SolverSAP;

 protected:
  bool reads_bodies() const override { return true; }
};
class SolverXPBD : public SolverSemiImplicit {
 public:
  explicit SolverXPBD(const Model& model, const SolverOptions& options = {});

 protected:
  void adapt_engine() override;
  ContactsGiven::Adapt contact_adapter() const override;
};

// Smooth dynamics, limits and loops, without contacts: step() throws if given any.
class SolverFeatherstone : public Solver {
 public:
  explicit SolverFeatherstone(const Model& model);

 protected:
  bool takes_contacts(const Contacts* contacts) const override;
};

}  // namespace torsor::newton
