#include "torsor/format/urdf/load_robot.hpp"

#include <fmt/format.h>

#include "torsor/format/assets.hpp"
#include "torsor/format/files.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/format/urdf/tree.hpp"
#include "torsor/format/urdf/urdf.hpp"

namespace torsor::urdf {
namespace {

bool is_text(const std::string& source) {
  const size_t start = source.find_first_not_of(" \t\r\n");
  return start != std::string::npos && source[start] == '<';
}

mjcf::Document open(const std::string& source, const FileAccess& access, mjcf::Budget& budget, mjcf::Report& report) {
  if (is_text(source)) return mjcf::Document::from_string(source, access, budget, report);
  const auto file = find_file({}, {source});
  if (!file) throw Error(fmt::format("cannot open '{}'", source));
  return mjcf::Document::from_file(source, *file, access, budget, report);
}

// The files of all shapes, each once.
class MeshFinder {
 public:
  MeshFinder(const UrdfOptions& options, Spec& spec, mjcf::Report& report)
      : options_(options), spec_(spec), report_(report) {}

  void add(const Shape& shape, bool is_visual) {
    if (shape.type != ShapeType::kMesh || shape.file.empty() || !seen_.insert({shape.file, 0}).second) return;
    if (is_visual && !is_mesh_file(shape.file))
      return report_.warning(shape.where,
                             fmt::format("'{}' is left out: only STL, OBJ, MSH and DAE files are read", shape.file));
    MeshSpec mesh;
    mesh.name = shape.file;
    mesh.location = shape.where;
    mesh.file = find_mesh(shape.file, options_, spec_);
    spec_.meshes.push_back(std::move(mesh));
  }

 private:
  const UrdfOptions& options_;
  Spec& spec_;
  mjcf::Report& report_;
  std::map<std::string, int> seen_;
};

}  // namespace

LoadedRobot load_robot(const std::string& source, const UrdfOptions& options) {
  mjcf::Budget budget(kDefaultMemoryLimit);
  mjcf::Report report;
  Spec spec;
  if (is_text(source)) spec.restrict.emplace();
  spec.memory_limit = kDefaultMemoryLimit;
  const mjcf::Document document = open(source, access_of(spec), budget, report);
  if (document.root().name() != "robot")
    throw Error({Diagnostic{Severity::kError, document.root().where(),
                            fmt::format("the root element of URDF is <robot>, got <{}>", document.root().name()), ""}});
  spec.base_dir = document.base_dir();
  LoadedRobot loaded{read_robot(document.root(), report), {}, {}};
  Tree(loaded.robot, report);
  MeshFinder finder(options, spec, report);
  for (const Link& link : loaded.robot.links) {
    for (const Shape& shape : link.collisions) finder.add(shape, false);
    if (!options.visuals) continue;
    for (const Shape& shape : link.visuals) finder.add(shape, true);
  }
  loaded.warnings = report.warnings();
  Findings findings = report.take_findings();
  load_assets(spec, findings);
  findings.diagnostics.throw_if_errors();
  for (MeshSpec& mesh : spec.meshes) {
    const std::string name = mesh.name;
    mesh.file.clear();  // it has been read
    mesh.from_file = {};
    loaded.meshes.emplace(name, std::move(mesh));
  }
  return loaded;
}

}  // namespace torsor::urdf
