// The worlds of a model, stepped as a batch: each is a model of its own, of the same structure.
#pragma once

#include <memory>
#include <vector>

#include "torsor/batch/batch.hpp"
#include "torsor/bridge/newton/solver.hpp"

namespace torsor::newton {

// The lists of one world with the shapes of no world: what a scene with this world alone would be. Throws an Error if
// the world cannot be taken out.
ModelBuilder make_world_builder(const ModelBuilder& whole, int world);

// Why the worlds of a model cannot be stepped as a batch; "" if they can: all were added as whole builders of the same
// structure, and nothing but static shapes is outside of them.
std::string why_not_separate(const ModelBuilder& whole);

class WorldBatch {
 public:
  // `model` outlives this. Throws an Error for worlds of different structure.
  WorldBatch(const ModelData& model, SolverOptions options);
  ~WorldBatch();

  // One step of all worlds, in lanes where their numbers are the same, on all cores.
  void step(const State& state_in, State& state_out, const Control* control, double dt);

 private:
  class Part;  // the solver of one world, or of several with the same numbers

  const ModelData& model_;
  std::vector<std::shared_ptr<Part>> parts_;  // by world
  std::unique_ptr<BasicBatch<double>> batch_;
  std::vector<const torsor::Model*> models_;  // by world; empty if one serves all
};

}  // namespace torsor::newton
