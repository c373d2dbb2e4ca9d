// Read, load assets, compile.
#include "torsor/load/load.hpp"

#include "torsor/compile/compile.hpp"
#include "torsor/format/assets.hpp"

namespace torsor {
namespace {

Model finish(Spec spec) {
  load_assets(spec);
  return compile(spec);
}

}  // namespace

Model load(const std::string& path, const LoadOptions& options) { return finish(read_mjcf_file(path, options)); }

Model load_string(const std::string& xml, const LoadOptions& options) { return finish(read_mjcf_string(xml, options)); }

}  // namespace torsor
