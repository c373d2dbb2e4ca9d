// Vertex normals.
#include "torsor/geometry/mesh_normals.hpp"

#include <cmath>

#include "mesh_support.hpp"
#include "torsor/geometry/builtin_mesh.hpp"

namespace torsor {
namespace {

// Triangles at one vertex, given by their area vectors (along a coordinate plane): vertex 0 is the common one.
MeshData fan(const std::vector<Vec3<double>>& area_vectors) {
  MeshData mesh;
  mesh.vertices = {0, 0, 0};
  for (const auto& [x, y, z] : area_vectors) {
    const int next = int(mesh.vertices.size() / 3);
    const float first[3] = {0, float(z == 0 ? 0 : 1), float(z == 0 ? 1 : 0)};
    const float second[3] = {float(z == 0 ? y : -z), float(z == 0 ? -x : 0), float(z == 0 ? 0 : x)};
    mesh.vertices.insert(mesh.vertices.end(), first, first + 3);
    mesh.vertices.insert(mesh.vertices.end(), second, second + 3);
    mesh.faces.insert(mesh.faces.end(), {0, next, next + 1});
  }
  return mesh;
}

Vec3<double> first_normal(const MeshData& mesh, bool smooth) {
  return compute_normals(mesh.vertices, mesh.faces, smooth)[0];
}

TEST(MeshNormals, ASmoothNormalIsTheMeanByArea) {
  const MeshData mesh = fan({{3, 0, 0}, {0, 4, 0}});
  expect_near(first_normal(mesh, true), {0.6, 0.8, 0}, 1e-7);
}

TEST(MeshNormals, ASharpNormalLeavesOutWhatTurnsFarFromTheMean) {
  // the mean is near y: cosine of the first with it is below 0.8, of the second above
  const MeshData mesh = fan({{3, 0, 0}, {0, 9, 0}});
  expect_near(first_normal(mesh, false), {0, 1, 0}, 1e-7);
  expect_near(first_normal(mesh, true), {3 / std::sqrt(90.0), 9 / std::sqrt(90.0), 0}, 1e-7);
}

TEST(MeshNormals, TheSharpLimitIsACosineOfFourFifths) {
  for (const double margin : {-1e-4, 1e-4}) {
    const double cosine = 0.8 + margin, sine = std::sqrt(1 - cosine * cosine);
    const MeshData mesh = fan({{cosine, sine, 0}, {cosine, -sine, 0}});  // the mean is x
    const Vec3<double> expected = margin > 0 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1};
    expect_near(first_normal(mesh, false), expected, 1e-6);
  }
}

TEST(MeshNormals, WhereNothingIsLeftTheNormalIsUp) {
  const MeshData cube = box_mesh(1, 1, 1);
  for (const Vec3<double>& normal : compute_normals(cube.vertices, cube.faces, false))
    expect_near(normal, {0, 0, 1}, 1e-12);
  expect_near(first_normal(fan({{1, 0, 0}, {-1, 0, 0}}), true), {0, 0, 1}, 1e-12);
}

TEST(MeshNormals, TinyTrianglesDoNotCount) {
  expect_near(first_normal(fan({{1e-6, 0, 0}, {0, 0.9e-7, 0}}), true), {1, 0, 0}, 1e-12);
  expect_near(first_normal(fan({{1e-6, 0, 0}, {0, 1e-6, 0}}), true), {std::sqrt(0.5), std::sqrt(0.5), 0}, 1e-6);
}

TEST(MeshNormals, OnASphereTheyPointOutwards) {
  const BuiltinMesh sphere = make_builtin_mesh("sphere", std::vector<double>{3}, "s");
  const CompiledMesh mesh = compiled(sphere.data);
  for (int i = 0; i < int(mesh.normals.size() / 3); ++i) expect_near(normal_in_A(mesh, i), vertex_in_A(mesh, i), 0.02);
}

}  // namespace
}  // namespace torsor
