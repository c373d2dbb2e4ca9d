// Files of meshes (OBJ, STL, MSH) and height fields, and what the compiler makes of them. The first byte says which.
#include <string>

#include "exercise.hpp"
#include "fuzz.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::fuzz {
namespace {

// A mesh of each kind that collides as a hull and as triangles, with a ball that falls on it.
std::string scene_with(const std::string& asset, const std::string& geom) {
  return "<mujoco><asset>" + asset + "</asset><worldbody>" + geom +
         "<body pos='0 0 0.1'><freejoint/><geom size='.2'/></body></worldbody></mujoco>";
}

void load_mesh(const std::string& extension, std::string contents, bool triangles) {
  const std::string file = "m." + extension;
  LoadOptions options;
  auto files = std::make_shared<FileSystem>();
  files->emplace(file, std::move(contents));
  options.files = files;
  const std::string more = triangles ? " meshcollision='triangles'" : "";
  Model model = load_string(
      scene_with("<mesh name='m' file='" + file + "' inertia='shell'/>", "<geom type='mesh' mesh='m'" + more + "/>"),
      options);
  exercise(model);
}

void load_hfield(const std::string& extension, std::string contents) {
  const std::string file = "h." + extension;
  LoadOptions options;
  auto files = std::make_shared<FileSystem>();
  files->emplace(file, std::move(contents));
  options.files = files;
  Model model = load_string(
      scene_with("<hfield name='h' file='" + file + "' size='1 1 1 .1'/>", "<geom type='hfield' hfield='h'/>"),
      options);
  exercise(model);
}

}  // namespace
}  // namespace torsor::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace torsor::fuzz;
  if (size == 0) return 0;
  const std::string contents(text_of(bytes + 1, size - 1));
  const char kind = static_cast<char>(bytes[0]);
  try {
    switch (kind) {
      case 'o':
      case 's':
      case 'm':
      case 'd':
        load_mesh(kind == 'o' ? "obj" : kind == 's' ? "stl" : kind == 'd' ? "dae" : "msh", contents, size % 2 == 0);
        break;
      case 'h':
        load_hfield("bin", contents);
        break;
      default:
        load_hfield("png", contents);
    }
  } catch (const torsor::Error&) {
  }
  return 0;
}
