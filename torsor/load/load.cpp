// Read, load assets, compile.
#include "torsor/load/load.hpp"

#include <fstream>
#include <string_view>

#include "torsor/compile/compile.hpp"
#include "torsor/format/assets.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/format/world_axes.hpp"
#include "torsor/sim/length_range.hpp"

namespace torsor {
namespace {

Model finish(Spec spec, const LoadOptions& options) {
  if (options.world) turn_world(spec, kOurAxes, *options.world);
  load_assets(spec);
  return compile(spec, nullptr, measure_length_range);
}

// A compiled model is told by its first bytes, not by the name of its file.
bool is_binary_file(const std::string& path) {
  char start[64] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(start, sizeof(start));
  return is_binary(std::string_view(start, static_cast<size_t>(file.gcount())));
}

}  // namespace

Model load(const std::string& path, const LoadOptions& options) {
  const bool in_memory = options.files && options.files->contains(path);
  if (!in_memory && is_binary_file(path)) {
    if (options.world) throw Error(path + ": a compiled model cannot be turned into a world with other axes");
    return load_binary(path);
  }
  return finish(read_mjcf_file(path, options), options);
}

Model load_spec(Spec spec) { return finish(std::move(spec), {}); }

Model load_string(const std::string& xml, const LoadOptions& options) {
  return finish(read_mjcf_string(xml, options), options);
}

}  // namespace torsor
