// Meshes and height fields, and the references among assets.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "torsor/compile/draft.hpp"
#include "torsor/core/content_cache.hpp"
#include "torsor/core/memory_meter.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/geometry/builtin_mesh.hpp"

namespace torsor::compiler {
namespace {

MeshInput make_input(const MeshSpec& spec) {
  MeshInput input;
  input.name = spec.name;
  input.vertices = spec.vertex;
  input.normals = spec.normal;
  input.texcoords = spec.texcoord;
  input.faces = spec.face;
  input.face_normals = spec.face_normal;
  input.face_texcoords = spec.face_texcoord;
  return input;
}

CompiledMesh compile_one(const MeshSpec& spec, bool needs_hull) {
  BuiltinMesh builtin;
  MeshInput input = make_input(spec);
  if (!spec.builtin.empty()) {
    builtin = make_builtin_mesh(spec.builtin, spec.params, spec.name);
    input = MeshInput(spec.name, builtin.data);
  }
  input.refpos = to_vec(spec.refpos);
  input.refquat = {spec.refquat[0], spec.refquat[1], spec.refquat[2], spec.refquat[3]};
  input.scale = to_vec(spec.scale);
  if (spec.stretch) std::copy(spec.stretch->begin(), spec.stretch->end(), std::begin(input.stretch.m));
  const bool is_shell = builtin.is_shell || (builtin.is_surface && spec.inertia == MeshInertia::kLegacy);
  input.inertia = is_shell ? MeshInertia::kShell : spec.inertia;
  input.smooth_normals = spec.smoothnormal;
  input.max_hull_vertices = std::max(0, spec.maxhullvert);
  input.needs_hull = needs_hull;
  return compile_mesh(input);
}

// How geoms with a mesh collide: as a hull, as triangles, or both; by their filters or in a predefined pair.
struct Uses {
  bool as_hull = false, as_triangles = false;
};

std::vector<Uses> find_uses(const Draft& draft) {
  std::unordered_set<std::string_view> paired;
  for (const PairSpec& pair : draft.spec.pairs) paired.insert({pair.geom1, pair.geom2});
  paired.erase("");
  std::vector<Uses> uses(draft.spec.meshes.size());
  for (const BodySpec& body : draft.spec.bodies) {
    for (const GeomSpec& geom : body.geoms) {
      const int mesh = draft.mesh_names.find(geom.mesh);
      const bool collides =
          geom.type == GeomType::kMesh && (geom.contype != 0 || geom.conaffinity != 0 || paired.contains(geom.name));
      if (mesh < 0 || !collides) continue;
      Uses& use = uses[static_cast<size_t>(mesh)];
      (geom.mesh_collision == MeshCollision::kTriangles ? use.as_triangles : use.as_hull) = true;
    }
    for (const SiteSpec& site : body.sites) {  // sensors ask what is inside
      if (const int mesh = draft.mesh_names.find(site.mesh); mesh >= 0) uses[static_cast<size_t>(mesh)].as_hull = true;
    }
  }
  return uses;
}

Count bytes_in(const CompiledMesh& mesh) {
  return Count(sizeof(float)) *
         (Count(mesh.vertices.size()) + Count(mesh.normals.size()) + Count(mesh.texcoords.size()) +
          Count(mesh.faces.size()) + Count(mesh.face_normals.size()) + Count(mesh.face_texcoords.size()));
}

TriangleTree make_tree(const CompiledMesh& mesh, const std::string& name) {
  TriangleTree tree = make_triangle_tree(mesh.vertices, mesh.faces);
  if (tree.links.empty())
    throw Error(fmt::format("mesh '{}': it cannot collide as triangles, because none of them has any area", name));
  return tree;
}

constexpr size_t kCacheBytes = size_t{256} << 20, kLeastVertices = 100;

struct PreparedMesh {
  CompiledMesh mesh;
  HullGraph hull;
  TriangleTree tree;

  size_t bytes() const {
    const size_t of_hull = mesh.hull ? mesh.hull->vertices.size() + mesh.hull->faces.size() : 0;
    const size_t of_graph = hull.faces.size() + hull.edge_address.size() + hull.edges.size() + hull.corner_faces.size();
    const size_t of_tree = tree.corners.size() + tree.neighbors.size() + tree.links.size() + tree.boxes.size();
    return static_cast<size_t>(bytes_in(mesh).value()) + sizeof(float) * (of_hull + of_graph + of_tree);
  }
};

PreparedMesh prepare(const MeshSpec& spec, const Uses& uses) {
  PreparedMesh made;
  made.mesh = compile_one(spec, uses.as_hull);
  if (made.mesh.hull) made.hull = make_hull_graph(*made.mesh.hull);
  if (uses.as_triangles) made.tree = make_tree(made.mesh, spec.name);
  return made;
}

template <class T>
void append(std::string& key, const std::vector<T>& numbers) {
  const size_t count = numbers.size();
  key.append(reinterpret_cast<const char*>(&count), sizeof(count));
  key.append(reinterpret_cast<const char*>(numbers.data()), count * sizeof(T));
}

// All that prepare() depends on, but for the name, which only errors have.
std::string key_of(const MeshSpec& spec, const Uses& uses) {
  std::string key;
  key.reserve(512 + sizeof(float) * (spec.vertex.size() + spec.normal.size() + spec.texcoord.size() + spec.face.size() +
                                     spec.face_normal.size() + spec.face_texcoord.size()));
  std::vector<double> numbers(spec.scale.begin(), spec.scale.end());
  numbers.insert(numbers.end(), spec.refpos.begin(), spec.refpos.end());
  numbers.insert(numbers.end(), spec.refquat.begin(), spec.refquat.end());
  if (spec.stretch) numbers.insert(numbers.end(), spec.stretch->begin(), spec.stretch->end());
  append(key, numbers);
  append(key, std::vector<int>{static_cast<int>(spec.inertia), spec.smoothnormal, spec.maxhullvert, uses.as_hull,
                               uses.as_triangles});
  append(key, spec.vertex), append(key, spec.normal), append(key, spec.texcoord);
  append(key, spec.face), append(key, spec.face_normal), append(key, spec.face_texcoord);
  return key;
}

// Robots are loaded again and again, often with the same meshes.
PreparedMesh prepare_or_recall(const MeshSpec& spec, const Uses& uses) {
  static ContentCache<PreparedMesh> cache(kCacheBytes);
  if (!spec.builtin.empty() || spec.vertex.size() < 3 * kLeastVertices) return prepare(spec, uses);
  std::string key = key_of(spec, uses);
  if (const auto known = cache.find(key)) return *known;
  const auto made = std::make_shared<const PreparedMesh>(prepare(spec, uses));
  cache.keep(std::move(key), made, made->bytes());
  return *made;
}

// Meshes are independent and the slowest part of loading, so they are compiled in parallel.
void compile_meshes(Draft& draft) {
  const std::vector<MeshSpec>& specs = draft.spec.meshes;
  const std::vector<Uses> uses = find_uses(draft);
  std::vector<std::string> problems(specs.size());
  draft.meshes.resize(specs.size());
  draft.hulls.resize(specs.size());
  draft.trees.resize(specs.size());
  const int threads = draft.spec.compiler.usethread ? 0 : 1;
  MemoryMeter meter(draft.spec.memory_limit);
  parallel_for(static_cast<int>(specs.size()), threads, [&](int i, int) {
    const size_t at = static_cast<size_t>(i);
    if (draft.is_faulty(specs[at])) return;  // its file could not be read, for example
    try {
      if (meter.is_full()) throw Error("the meshes of the model need more memory than memory_limit allows");
      PreparedMesh prepared = prepare_or_recall(specs[at], uses[at]);
      draft.meshes[at] = std::move(prepared.mesh);
      draft.hulls[at] = std::move(prepared.hull);
      draft.trees[at] = std::move(prepared.tree);
      meter.add(bytes_in(*draft.meshes[at]));
    } catch (const Error& problem) {
      problems[at] = problem.what();
    }
  });
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!problems[i].empty()) draft.error_at(specs[i].location, problems[i]);
    if (const int skipped = draft.trees[i].skipped)
      draft.warning("mesh", specs[i],
                    fmt::format("{} of its {} triangles do not collide: they have no area or repeat others", skipped,
                                skipped + static_cast<int>(draft.trees[i].corners.size()) / 3));
    if (!specs[i].material.empty() && draft.material_names.find(specs[i].material) < 0)
      draft.warning("mesh", specs[i], fmt::format("unknown material '{}'", specs[i].material));
    draft.kept_meshes.push_back(static_cast<int>(i));
  }
}

void prepare_hfields(Draft& draft) {
  MemoryMeter meter(draft.spec.memory_limit);
  for (const HfieldSpec& spec : draft.spec.hfields) {
    meter.add(Count(sizeof(float)) * Count(spec.nrow) * Count(spec.ncol));
    ElevationGrid grid{spec.nrow, spec.ncol, spec.elevation};
    try {
      if (meter.is_full()) throw Error("the height fields of the model need more memory than memory_limit allows");
      if (!draft.is_faulty(spec)) prepare_hfield(grid, spec.size, spec.name);
    } catch (const Error& problem) {
      draft.error_at(spec.location, problem.what());
    }
    draft.hfields.push_back(std::move(grid));
  }
}

}  // namespace

void compile_assets(Draft& draft) {
  compile_meshes(draft);
  prepare_hfields(draft);
  for (const MaterialSpec& material : draft.spec.materials) {
    for (const std::string& texture : material.textures)
      draft.resolve(draft.texture_names, "texture", texture, "material", material);
  }
}

}  // namespace torsor::compiler
