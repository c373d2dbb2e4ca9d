// From a model file or a string to a Model that is ready to simulate.
#pragma once

#include <optional>
#include <string>

#include "torsor/convention/axes.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

struct LoadOptions : ReadOptions {
  // Converts the model from its own axes (z up, unless its <compiler worldaxes> says otherwise) to a world with these,
  // gravity included.
  std::optional<Axes> world;
};

// Reads MJCF and its assets, and compiles. Throws an Error with all diagnostics and their locations; warnings are in
// the model.
Model load(const std::string& path, const LoadOptions& options = {});
Model load_string(const std::string& xml, const LoadOptions& options = {});
Model load_spec(Spec spec);

}  // namespace torsor
