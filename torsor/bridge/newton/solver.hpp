// Solvers that step a newton::Model. Each has its own workspace; one solver is for one thread.
//
//   SolverMuJoCo solver(model);
//   const Contacts contacts = model.collide(state_0);
//   solver.step(state_0, state_1, &control, &contacts, 0.005);
#pragma once

#include <memory>
#include <optional>
#include <string>

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
};

class Solver {
 public:
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Advances state_in, which is not changed, by dt to state_out; the two may be the same object. Without a control, the
  // model's own targets apply. Throws an Error if the contacts do not belong to state_in, or, with state_out unchanged,
  // if numbers become bad.
  void step(const State& state_in, State& state_out, const Control* control, const Contacts* contacts, double dt);

  const torsor::Model& engine() const { return engine_; }
  const Data& data() const { return data_; }  // of the last step; positions belong to its beginning

 protected:
  explicit Solver(const Model& model);
  // Whether the engine detects contacts itself; if not, whether it uses those given to step().
  virtual bool finds_contacts() const { return false; }
  virtual bool takes_contacts(const Contacts* contacts) const { return contacts != nullptr; }

  // With an engine's model and a workspace that others see too; the engine's model is a copy of model.engine().
  Solver(const Model& model, std::shared_ptr<torsor::Model> engine, std::shared_ptr<Data> data);

  const std::shared_ptr<const ModelData> model_;

 private:
  const std::shared_ptr<torsor::Model> shared_engine_;
  const std::shared_ptr<Data> shared_data_;

 protected:
  torsor::Model& engine_;

 private:
  void set_input(const State& state, const Control* control);
  void read_output(const State& state_in, State& state_out);

  Data& data_;
  const Distances distances_;
};

// The engine's soft constraints, as in MuJoCo. By default it detects contacts itself, as Newton's solver does.
class SolverMuJoCo : public Solver {
 public:
  explicit SolverMuJoCo(const Model& model, const SolverOptions& options = {});

 protected:
  bool finds_contacts() const override;
  bool takes_contacts(const Contacts* contacts) const override;

 private:
  const SolverOptions options_;
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

// Smooth dynamics, limits and loops, without contacts: step() throws if given any.
class SolverFeatherstone : public Solver {
 public:
  explicit SolverFeatherstone(const Model& model);

 protected:
  bool takes_contacts(const Contacts* contacts) const override;
};

}  // namespace torsor::newton
