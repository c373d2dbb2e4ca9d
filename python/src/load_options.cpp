// Options of loading from Python's arguments.
#include "load_options.hpp"

#include <fmt/format.h>

#include "text.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor::python {
namespace {

UrdfOptions make_urdf_options(const UrdfArguments& arguments) {
  UrdfOptions options;
  if (arguments.base == "fixed") options.base = UrdfBase::kFixed;
  if (arguments.base == "floating") options.base = UrdfBase::kFloating;
  if (arguments.base && options.base == UrdfBase::kNotGiven)
    throw Error(fmt::format("'{}' is not a value of base: fixed, floating", *arguments.base));
  if (arguments.packages) {
    for (const std::filesystem::path& folder : *arguments.packages) options.packages.push_back(folder.string());
  }
  options.merge_fixed = arguments.merge_fixed;
  return options;
}

}  // namespace

LoadOptions make_options(const Names& ignore, const Assets& assets, const std::optional<std::string>& axes,
                         const Limits& limits, const UrdfArguments& urdf) {
  LoadOptions options;
  options.urdf = make_urdf_options(urdf);
  if (limits.restrict) {
    options.restrict.emplace();
    for (const std::filesystem::path& folder : *limits.restrict) options.restrict->push_back(folder.string());
  }
  if (limits.memory_limit) options.memory_limit = *limits.memory_limit;
  if (options.memory_limit <= 0) throw Error("memory_limit is a positive number of bytes");
  if (axes && !read_axes(*axes, options.world.emplace())) {
    throw Error(fmt::format("'{}' is not a value of axes: z-up, y-up, x-up, ned, gltf, or such as 'x -y -z'", *axes));
  }
  if (const auto* one = std::get_if<std::string>(&ignore)) {
    options.ignore = {*one};
  } else {
    options.ignore = std::get<std::vector<std::string>>(ignore);
  }
  if (!assets) return options;
  auto files = std::make_shared<FileSystem>();
  for (const auto [name, contents] : *assets) {
    nb::bytes bytes;
    if (!nb::isinstance<nb::str>(name) || !nb::try_cast(contents, bytes))
      throw nb::type_error("assets: expected a dict from names (str) to contents (bytes)");
    (*files)[nb::cast<std::string>(name)] = std::string(bytes.c_str(), bytes.size());
  }
  options.files = std::move(files);
  return options;
}

}  // namespace torsor::python
