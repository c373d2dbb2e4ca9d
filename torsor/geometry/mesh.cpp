// The steps from arrays to a compiled mesh, in order: hull, faces, reference frame and scale, mass, own frame.
#include "torsor/geometry/mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "torsor/core/error.hpp"
#include "torsor/geometry/mesh_check.hpp"
#include "torsor/geometry/mesh_mass.hpp"
#include "torsor/geometry/mesh_normals.hpp"
#include "torsor/math/principal_axes.hpp"

namespace torsor {
namespace {

using Points = std::vector<Vec3<double>>;

// Converts the given coordinates to A: subtracts refpos, undoes refquat, then scales and stretches.
struct Reference {
  Vec3<double> refpos;
  Mat3<double> R;
  Vec3<double> scale;
  Mat3<double> stretch, of_normals;  // of_normals: the inverse of the transpose, but for a factor

  explicit Reference(const MeshInput& input)
      : refpos(input.refpos), R(to_mat(normalized(input.refquat))), scale(input.scale), stretch(input.stretch) {
    const Vec3<double> x = stretch.col(0), y = stretch.col(1), z = stretch.col(2);
    of_normals = mat_from_cols(cross(y, z), cross(z, x), cross(x, y));
  }
  Vec3<double> point(const Vec3<double>& p) const { return stretch * hadamard(transposed_mul(R, p - refpos), scale); }
  // normals scale with the inverse
  Vec3<double> normal(const Vec3<double>& n) const {
    const Vec3<double> v = transposed_mul(R, n);
    return normal_direction(of_normals * Vec3<double>{v.x / scale.x, v.y / scale.y, v.z / scale.z});
  }
  bool mirrors() const { return scale.x * scale.y * scale.z < 0; }
};

void copy_faces(const MeshInput& input, CompiledMesh& mesh) {
  if (input.faces.empty())
    mesh.faces = mesh.hull->faces;
  else
    mesh.faces.assign(input.faces.begin(), input.faces.end());
}

// Indices per corner of `count` items: as given, or those of the vertices. With several items per vertex, the first is
// used; with fewer items than vertices, item 0 everywhere.
std::vector<int> corner_indices(std::span<const int> given, const std::vector<int>& faces, std::size_t count,
                                std::size_t vertex_count) {
  if (!given.empty()) return {given.begin(), given.end()};
  std::vector<int> indices(faces.size());
  const int per_vertex = int(count / vertex_count);
  for (std::size_t i = 0; i < faces.size(); ++i) indices[i] = faces[i] * per_vertex;
  return indices;
}

void turn_inside_out(std::vector<int>& faces) {
  for (std::size_t i = 0; i < faces.size(); i += 3) std::swap(faces[i + 1], faces[i + 2]);
}

Points normals_in_A(const MeshInput& input, const std::vector<int>& faces, const Reference& reference) {
  Points normals(input.normals.size() / 3);
  for (std::size_t i = 0; i < normals.size(); ++i) normals[i] = load3<double>(input.normals.data() + 3 * i);
  if (normals.empty()) normals = compute_normals(input.vertices, faces, input.smooth_normals);
  for (Vec3<double>& normal : normals) normal = reference.normal(normal_direction(normal));
  return normals;
}

Points vertices_in_A(const MeshInput& input, const Reference& reference) {
  Points vertices(input.vertices.size() / 3);
  for (std::size_t i = 0; i < vertices.size(); ++i)
    vertices[i] = reference.point(load3<double>(input.vertices.data() + 3 * i));
  return vertices;
}

void check_moments(const Vec3<double>& moments, const std::string& name) {
  const auto [x, y, z] = moments;  // decreasing
  if (!(z > 0)) throw Error(fmt::format("mesh '{}': a principal moment of inertia is not positive", name));
  if (y + z < x * (1 - 1e-6))
    throw Error(fmt::format("mesh '{}': one principal moment of inertia is larger than the sum of the others", name));
}

void set_mass(const MeshMass& mass, const std::string& name, CompiledMesh& mesh) {
  const PrincipalAxes<double> axes = principal_axes(mass.I_Mo_A, kAxesOfMeshes);
  check_moments(axes.moments, name);
  mesh.X_AM = {mass.p_AoMo_A, axes.q};
  mesh.volume = mass.volume;
  mesh.moments = axes.moments;
}

// Transforms points to M, and computes their bounding box before they are rounded to floats.
std::vector<float> points_in_M(const Points& points, const Pose<double>& X_AM, Aabb& bounds) {
  const Mat3<double> R_AM = to_mat(X_AM.q);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3<double> low{kInfinity, kInfinity, kInfinity}, high = -low;
  std::vector<float> result(3 * points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3<double> p = transposed_mul(R_AM, points[i] - X_AM.p);
    low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y), std::fmin(low.z, p.z)};
    high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y), std::fmax(high.z, p.z)};
    for (int k = 0; k < 3; ++k) result[3 * i + k] = float(p[k]);
  }
  bounds = {(low + high) / 2, (high - low) / 2};
  return result;
}

std::vector<float> directions_in_M(const Points& directions, const Quat<double>& q_AM) {
  const Mat3<double> R_AM = to_mat(q_AM);
  std::vector<float> result(3 * directions.size());
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Vec3<double> v = transposed_mul(R_AM, directions[i]);
    for (int k = 0; k < 3; ++k) result[3 * i + k] = float(v[k]);
  }
  return result;
}

}  // namespace

MeshInput::MeshInput(std::string mesh_name, const MeshData& data)
    : name(std::move(mesh_name)),
      vertices(data.vertices),
      normals(data.normals),
      texcoords(data.texcoords),
      faces(data.faces),
      face_normals(data.face_normals),
      face_texcoords(data.face_texcoords) {}

CompiledMesh compile_mesh(const MeshInput& input) {
  check_mesh_input(input);
  CompiledMesh mesh;

  // The hull is computed from the vertices as given, so that its corners do not depend on the scale.
  if (input.needs_hull || input.faces.empty() || input.inertia == MeshInertia::kConvex)
    mesh.hull = make_hull(input.vertices, input.max_hull_vertices, input.name);

  // faces, with normals and texture coordinates
  const Reference reference(input);
  const std::size_t vertex_count = input.vertices.size() / 3;
  copy_faces(input, mesh);
  const Points normals = normals_in_A(input, mesh.faces, reference);
  mesh.texcoords.assign(input.texcoords.begin(), input.texcoords.end());
  mesh.face_normals = corner_indices(input.face_normals, mesh.faces, normals.size(), vertex_count);
  mesh.face_texcoords = corner_indices(input.face_texcoords, mesh.faces, mesh.texcoords.size() / 2, vertex_count);
  if (reference.mirrors()) {
    for (auto* corners : {&mesh.faces, &mesh.face_normals, &mesh.face_texcoords}) turn_inside_out(*corners);
    if (mesh.hull) turn_inside_out(mesh.hull->faces);
  }

  // mass, which determines the frame M
  const Points vertices = vertices_in_A(input, reference);
  const std::vector<int>& solid = input.inertia == MeshInertia::kConvex ? mesh.hull->faces : mesh.faces;
  set_mass(compute_mesh_mass(vertices, solid, input.inertia, input.name), input.name, mesh);

  mesh.vertices = points_in_M(vertices, mesh.X_AM, mesh.bounds);
  mesh.normals = directions_in_M(normals, mesh.X_AM.q);
  if (mesh.hull) mesh.extrema = find_extremal_vertices(*mesh.hull, mesh.vertices);
  return mesh;
}

Vec3<double> mesh_extent(const CompiledMesh& mesh) {
  const auto& [center, half] = mesh.bounds;
  return {std::abs(center.x) + half.x, std::abs(center.y) + half.y, std::abs(center.z) + half.z};
}

double bounding_radius(const CompiledMesh& mesh) { return norm(mesh_extent(mesh)); }

}  // namespace torsor
