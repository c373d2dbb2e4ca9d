// Read, load assets, compile.
#include "torsor/load/load.hpp"

#include <fstream>
#include <string_view>

#include "torsor/compile/compile.hpp"
#include "torsor/format/assets.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/format/files.hpp"
#include "torsor/format/world_axes.hpp"
#include "torsor/sim/length_range.hpp"

namespace torsor {
namespace {

// Reports all errors at once, except those that only follow from others. If parts may be missing (for example, an
// include could not be opened), or settings are in doubt that affect paths and units, later stages do not run.
Model finish(Spec spec, const LoadOptions& options, Findings& findings) {
  if (findings.faults.is_incomplete() || findings.faults.has_section("compiler"))
    findings.diagnostics.throw_if_errors();
  if (options.world) turn_world(spec, spec.compiler.axes.world, *options.world);
  load_assets(spec, findings);
  return compile(spec, findings, nullptr, measure_length_range);
}

// A compiled model is recognised by its first bytes, not by its file name.
bool is_binary_file(const std::string& path) {
  if (!is_regular_file(path)) return false;
  char start[64] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(start, sizeof(start));
  return is_binary(std::string_view(start, static_cast<size_t>(file.gcount())));
}

}  // namespace

Model load(const std::string& path, const LoadOptions& options) {
  const bool in_memory = options.files && options.files->contains(path);
  if (!in_memory && is_binary_file(path)) {
    if (options.world) throw Error(path + ": a compiled model cannot be converted to a world with other axes");
    return load_binary(path);
  }
  Findings findings;
  Spec spec = read_mjcf_file(path, options, findings);
  return finish(std::move(spec), options, findings);
}

Model load_spec(Spec spec) {
  Findings findings;
  return finish(std::move(spec), {}, findings);
}

Model load_string(const std::string& xml, const LoadOptions& options) {
  Findings findings;
  Spec spec = read_mjcf_string(xml, options, findings);
  return finish(std::move(spec), options, findings);
}

}  // namespace torsor
