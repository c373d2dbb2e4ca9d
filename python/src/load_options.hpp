// Common arguments of functions that load models: sections to leave out, files in memory, axes of the world, limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>

#include "torsor/load/load.hpp"

namespace torsor::python {

namespace nb = nanobind;

using Names = std::variant<std::string, std::vector<std::string>>;
using Assets = std::optional<nb::typed<nb::dict, nb::str, nb::bytes>>;

using Folders = std::optional<std::vector<std::filesystem::path>>;

// Limits that are not given are those of ReadOptions.
struct Limits {
  Folders restrict;
  std::optional<std::int64_t> memory_limit;
};

// What URDF leaves open: base is "fixed", "floating" or not given.
struct UrdfArguments {
  std::optional<std::string> base;
  Folders packages;
  bool merge_fixed = false;
};

LoadOptions make_options(const Names& ignore, const Assets& assets, const std::optional<std::string>& axes,
                         const Limits& limits, const UrdfArguments& urdf = {});

}  // namespace torsor::python
