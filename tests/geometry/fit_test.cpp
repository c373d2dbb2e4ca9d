// Primitives fitted to meshes.
#include "torsor/geometry/fit.hpp"

#include <cmath>

#include "mesh_support.hpp"

namespace torsor {
namespace {

TEST(Fit, ABoxFittedToABoxIsThatBox) {
  const CompiledMesh mesh = compiled(box_mesh(0.25, 0.5, 0.75));
  for (const bool to_aabb : {false, true})
    expect_near(fit_primitive(mesh, GeomType::kBox, to_aabb, 1, "m").size, {0.25, 0.5, 0.75}, 1e-9);
}

TEST(Fit, TheEqualInertiaBoxHasEqualInertia) {
  for_all(100, [](Random& random) {
    const double mass = random.uniform(0.1, 10);
    const Vec3<double> moments = random.moments(2);
    const MassProperties box = solid_properties(GeomType::kBox, equal_inertia_box(mass, moments));
    expect_near(box.moments * (mass / box.mass), moments, 1e-9);
  });
}

TEST(Fit, MeansOfTheInertiaBox) {
  const CompiledMesh mesh = compiled(box_mesh(0.25, 0.5, 0.75));
  const auto size = [&](GeomType shape) { return fit_primitive(mesh, shape, false, 1, "m").size; };
  expect_near(size(GeomType::kSphere), {0.5, 0, 0}, 1e-9);
  expect_near(size(GeomType::kCapsule), {0.375, 0.75 - 0.1875, 0}, 1e-9);
  expect_near(size(GeomType::kCylinder), {0.375, 0.75, 0}, 1e-9);
  expect_near(size(GeomType::kEllipsoid), {0.25, 0.5, 0.75}, 1e-9);
}

TEST(Fit, CoversOfTheBoundingBox) {
  const CompiledMesh mesh = compiled(box_mesh(0.25, 0.5, 0.75));
  const auto size = [&](GeomType shape) { return fit_primitive(mesh, shape, true, 1, "m").size; };
  expect_near(size(GeomType::kSphere), {0.75, 0, 0}, 1e-9);
  expect_near(size(GeomType::kCapsule), {0.5, 0.25, 0}, 1e-9);
  expect_near(size(GeomType::kCylinder), {0.5, 0.75, 0}, 1e-9);
  expect_near(size(GeomType::kEllipsoid), {0.25, 0.5, 0.75}, 1e-9);
}

TEST(Fit, ACoverIsCenteredOnTheBoxAMeanOnTheMass) {
  MeshData data = box_mesh(1, 2, 3);
  data.vertices.insert(data.vertices.end(), {0, 0, 7});  // widens the box upwards
  const CompiledMesh mesh = compiled(data);
  expect_near(fit_primitive(mesh, GeomType::kBox, false, 1, "m").X_AS.p, {0, 0, 0}, 1e-9);
  expect_near(fit_primitive(mesh, GeomType::kBox, true, 1, "m").X_AS.p, {0, 0, 2}, 1e-9);
}

TEST(Fit, ScaleChangesTheSizeOnly) {
  const CompiledMesh mesh = compiled(tetrahedron(1, 2, 3));
  for (const bool to_aabb : {false, true}) {
    const FittedShape plain = fit_primitive(mesh, GeomType::kCapsule, to_aabb, 1, "m");
    const FittedShape half = fit_primitive(mesh, GeomType::kCapsule, to_aabb, 0.5, "m");
    expect_near(half.size, plain.size * 0.5, 1e-12);
    expect_near(half.X_AS.p, plain.X_AS.p, 0);
  }
}

TEST(Fit, ACapsuleAroundSomethingWideHasNoLength) {
  MeshData data = box_mesh(1, 1.1, 1.5);
  data.vertices.insert(data.vertices.end(), {5, 0, 0, -5, 0, 0});
  const FittedShape capsule = fit_primitive(compiled(data), GeomType::kCapsule, true, 1, "m");
  expect_near(capsule.size, {5, 0, 0}, 1e-9);
}

TEST(Fit, ShapesWithoutAFitAreRefused) {
  const CompiledMesh mesh = compiled(tetrahedron());
  for (const GeomType shape : {GeomType::kPlane, GeomType::kHfield, GeomType::kCone})
    for (const bool to_aabb : {false, true})
      expect_contains(error_of([&] { fit_primitive(mesh, shape, to_aabb, 1, "part"); }), "mesh 'part'");
}

}  // namespace
}  // namespace torsor
