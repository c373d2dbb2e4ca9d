// Small meshes with known properties, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "../support/property.hpp"
#include "torsor/core/error.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor {

// The corner of the unit cube at the origin: volume 1/6, centre of mass (1, 1, 1) / 4.
inline MeshData tetrahedron(double a = 1, double b = 1, double c = 1) {
  MeshData mesh;
  mesh.vertices = {0, 0, 0, float(a), 0, 0, 0, float(b), 0, 0, 0, float(c)};
  mesh.faces = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return mesh;
}

inline MeshData box_mesh(double x, double y, double z) {
  MeshData mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.insert(mesh.vertices.end(), {float(i & 1 ? x : -x), float(i & 2 ? y : -y), float(i & 4 ? z : -z)});
  mesh.faces = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  return mesh;
}

// Random points on an ellipsoid; every one is a corner of the hull.
inline MeshData cloud(Random& random, int count) {
  const Vec3<double> radii{random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)};
  MeshData mesh;
  for (int i = 0; i < count; ++i) {
    const Vec3<double> p = hadamard(random.unit_vec3(), radii);
    mesh.vertices.insert(mesh.vertices.end(), {float(p.x), float(p.y), float(p.z)});
  }
  return mesh;
}

inline CompiledMesh compiled(const MeshData& data, MeshInertia mode = MeshInertia::kLegacy) {
  MeshInput input("m", data);
  input.inertia = mode;
  return compile_mesh(input);
}

// The inertia about the centre of mass, along the asset's axes.
inline Sym3<double> inertia_in_A(const CompiledMesh& mesh) {
  return rotate_diagonal(to_mat(mesh.X_AM.q), mesh.moments);
}

inline Vec3<double> vertex_in_A(const CompiledMesh& mesh, int i) {
  return apply(mesh.X_AM, load3<double>(mesh.vertices.data() + 3 * i));
}
inline Vec3<double> normal_in_A(const CompiledMesh& mesh, int i) {
  return rotate(mesh.X_AM.q, load3<double>(mesh.normals.data() + 3 * i));
}

inline void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "element " << i;
}

// Runs f, which must throw an Error, and returns its text.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace torsor
