// Runs a model that a fuzz target has made: whatever a loader accepts must simulate without harm.
#pragma once

#include <algorithm>

#include "torsor/torsor.hpp"

namespace torsor::fuzz {

// Larger models are sound too, but a fuzzer wants thousands of runs a second.
inline bool is_small(const Model& model) {
  return model.nv <= 120 && model.nbody <= 300 && model.ngeom <= 300 && model.nsensordata <= 10'000 &&
         model.nmeshvert <= 5'000 && model.nhfielddata <= 10'000 && model.ntendon <= 100;
}

// A file may ask for any number of iterations; that it then takes long is no finding.
inline void limit_iterations(Option& option) {
  option.iterations = std::min(option.iterations, 10);
  option.ls_iterations = std::min(option.ls_iterations, 10);
  option.noslip_iterations = std::min(option.noslip_iterations, 10);
  option.ccd_iterations = std::min(option.ccd_iterations, 35);
}

inline void exercise(Model& model) {
  if (!is_small(model)) return;
  limit_iterations(model.opt);
  Data data(model);
  for (int i = 0; i < 3; ++i) step(model, data);
  forward(model, data);
  inverse(model, data);
  const Data copy(data);
  for (int key = 0; key < std::min(model.nkey, 2); ++key) {
    reset_to_key(model, data, key);
    step(model, data);
  }
}

}  // namespace torsor::fuzz
