// From a model file or a string to a Model that is ready to simulate.
#pragma once

#include <optional>
#include <string>

#include "torsor/convention/axes.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

struct LoadOptions : ReadOptions {
  // Turns the model, written z up, as a whole into a world with these axes; gravity follows.
  std::optional<Axes> world;
};

// Reads MJCF and its assets, and compiles. Throws an Error that holds all diagnostics with their places; warnings are
// in the model.
Model load(const std::string& path, const LoadOptions& options = {});
Model load_string(const std::string& xml, const LoadOptions& options = {});
Model load_spec(Spec spec);

}  // namespace torsor
