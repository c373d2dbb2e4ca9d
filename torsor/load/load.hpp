// From a model file or a string to a Model that is ready to simulate.
#pragma once

#include <string>

#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

using LoadOptions = ReadOptions;

// Reads MJCF and its assets, and compiles. Throws an Error that holds all diagnostics with their places; warnings are
// in the model.
Model load(const std::string& path, const LoadOptions& options = {});
Model load_string(const std::string& xml, const LoadOptions& options = {});

}  // namespace torsor
