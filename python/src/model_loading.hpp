// Models from files and text, and copies of them, as the classes of the package make them.
#pragma once

#include "load_options.hpp"
#include "objects.hpp"

namespace torsor::python {

// Other Python threads run meanwhile. Throw Error.
ModelObject load_path(const std::filesystem::path& path, const Names& ignore, const Assets& assets,
                      const std::optional<std::string>& axes, const Folders& restrict,
                      std::optional<std::int64_t> memory_limit, const std::optional<std::string>& base,
                      const Folders& packages, bool merge_fixed);
ModelObject load_text(const std::string& xml, const Assets& assets, const Names& ignore,
                      const std::optional<std::string>& axes, const Folders& restrict,
                      std::optional<std::int64_t> memory_limit, const std::optional<std::string>& base,
                      const Folders& packages, bool merge_fixed);

// With arrays of its own.
ModelObject copy_of(const ModelObject& self);

}  // namespace torsor::python
