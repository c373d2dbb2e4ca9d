// Mass properties of meshes in all four modes.
#include "torsor/geometry/mesh_mass.hpp"

#include <cmath>

#include "mesh_support.hpp"
#include "torsor/geometry/builtin_mesh.hpp"

namespace torsor {
namespace {

constexpr MeshInertia kAllModes[] = {MeshInertia::kConvex, MeshInertia::kExact, MeshInertia::kLegacy,
                                     MeshInertia::kShell};

void expect_same_tensor(const Sym3<double>& a, const Sym3<double>& b, double tolerance) {
  EXPECT_NEAR(a.xx, b.xx, tolerance);
  EXPECT_NEAR(a.yy, b.yy, tolerance);
  EXPECT_NEAR(a.zz, b.zz, tolerance);
  EXPECT_NEAR(a.xy, b.xy, tolerance);
  EXPECT_NEAR(a.xz, b.xz, tolerance);
  EXPECT_NEAR(a.yz, b.yz, tolerance);
}

TEST(MeshMass, ABoxOfTrianglesWeighsAsABox) {
  const Vec3<double> half{0.25, 0.5, 0.75};
  const MeshData data = box_mesh(half.x, half.y, half.z);
  for (const MeshInertia mode : kAllModes) {
    const bool shell = mode == MeshInertia::kShell;
    const MassProperties box = (shell ? shell_properties : solid_properties)(GeomType::kBox, half);
    const CompiledMesh mesh = compiled(data, mode);
    EXPECT_NEAR(mesh.volume, box.mass, 1e-12);
    expect_near(mesh.X_AM.p, {0, 0, 0}, 1e-12);
    expect_same_tensor(inertia_in_A(mesh), {box.moments.x, box.moments.y, box.moments.z, 0, 0, 0}, 1e-12);
  }
}

TEST(MeshMass, ATetrahedronHasItsTextbookInertia) {
  const double a = 1, b = 2, c = 4, volume = a * b * c / 6;
  const CompiledMesh mesh = compiled(tetrahedron(a, b, c), MeshInertia::kExact);
  EXPECT_NEAR(mesh.volume, volume, 1e-12);
  expect_near(mesh.X_AM.p, {a / 4, b / 4, c / 4}, 1e-12);
  // about the centre of mass: mean of x^2 is 3 a^2 / 80, of x y -a b / 80
  const double s = 3 * volume / 80, p = volume / 80;
  const Sym3<double> expected{s * (b * b + c * c), s * (a * a + c * c), s * (a * a + b * b),
                              p * a * b,           p * a * c,           p * b * c};
  expect_same_tensor(inertia_in_A(mesh), expected, 1e-5 * expected.xx);  // vertices are floats
}

TEST(MeshMass, AFineSphereApproachesTheSphere) {
  const BuiltinMesh sphere = make_builtin_mesh("sphere", std::vector<double>{4}, "s");
  const MassProperties solid = solid_properties(GeomType::kSphere, {1, 0, 0});
  const CompiledMesh mesh = compiled(sphere.data, MeshInertia::kExact);
  EXPECT_NEAR(mesh.volume / solid.mass, 1, 3e-3);
  EXPECT_NEAR(mesh.moments.x / solid.moments.x, 1, 5e-3);
  EXPECT_LT(mesh.volume, solid.mass);
}

TEST(MeshMass, MovingTurningAndStretchingAMeshMovesTurnsAndStretchesItsMass) {
  for_all(30, [](Random& random) {
    const MeshData data = cloud(random, 15);
    for (const MeshInertia mode : kAllModes) {
      MeshInput input("m", data);
      input.inertia = mode;
      const CompiledMesh plain = compile_mesh(input);
      input.refpos = random.vec3(2);
      input.refquat = random.quat();
      const CompiledMesh moved = compile_mesh(input);
      EXPECT_NEAR_REL(moved.volume, plain.volume, 1e-12);
      expect_near(moved.X_AM.p, rotate_inverse(input.refquat, plain.X_AM.p - input.refpos), 1e-12);
      expect_near(moved.moments, plain.moments, 1e-9 * plain.moments.x);
      input.scale = {3, 3, 3};
      const CompiledMesh large = compile_mesh(input);
      const double mass_ratio = mode == MeshInertia::kShell ? 9 : 27;
      EXPECT_NEAR_REL(large.volume, mass_ratio * plain.volume, 1e-12);
      expect_near(large.moments, plain.moments * (9 * mass_ratio), 1e-9 * large.moments.x);
    }
  });
}

// Two cubes of half length 1, one inside out in the other of half length 2.
MeshData hollow_cube() {
  MeshData mesh = box_mesh(2, 2, 2);
  const MeshData cavity = box_mesh(1, 1, 1);
  mesh.vertices.insert(mesh.vertices.end(), cavity.vertices.begin(), cavity.vertices.end());
  for (std::size_t i = 0; i < cavity.faces.size(); i += 3)
    mesh.faces.insert(mesh.faces.end(), {cavity.faces[i] + 8, cavity.faces[i + 2] + 8, cavity.faces[i + 1] + 8});
  return mesh;
}

TEST(MeshMass, ACavityIsSubtractedAddedFilledOrLinedByMode) {
  const MeshData mesh = hollow_cube();
  EXPECT_NEAR(compiled(mesh, MeshInertia::kExact).volume, 64 - 8, 1e-10);
  EXPECT_NEAR(compiled(mesh, MeshInertia::kLegacy).volume, 64 + 8, 1e-10);
  EXPECT_NEAR(compiled(mesh, MeshInertia::kConvex).volume, 64, 1e-10);
  EXPECT_NEAR(compiled(mesh, MeshInertia::kShell).volume, 96 + 24, 1e-10);
}

TEST(MeshMass, AnOpenMeshIsClosedTowardsItsCenterOfMass) {
  MeshData data = tetrahedron();
  data.faces.resize(9);  // the three faces in the coordinate planes
  const CompiledMesh mesh = compiled(data, MeshInertia::kExact);
  expect_near(mesh.X_AM.p, {2.0 / 9, 2.0 / 9, 2.0 / 9}, 1e-12);
  EXPECT_NEAR(mesh.volume, 3 * 0.5 * (2.0 / 9) / 3, 1e-12);
}

TEST(MeshMass, TrianglesWithoutAreaDoNotCount) {
  MeshData data = tetrahedron();
  data.faces.insert(data.faces.end(), {0, 0, 1});
  for (const MeshInertia mode : kAllModes)
    EXPECT_EQ(compiled(data, mode).volume, compiled(tetrahedron(), mode).volume) << int(mode);
}

TEST(MeshMass, ATiltedSheetHasNoVolumeThoughRoundingLeavesSome) {
  for_all(100, [](Random& random) {
    MeshData sheet;
    const Vec3<double> origin = random.vec3(5), u = random.vec3(5), v = random.vec3(5);
    for (const Vec3<double>& p : {origin, origin + u, origin + v, origin + u + v})
      sheet.vertices.insert(sheet.vertices.end(), {float(p.x), float(p.y), float(p.z)});
    sheet.faces = {0, 1, 2};
    for (const MeshInertia mode : {MeshInertia::kExact, MeshInertia::kLegacy})
      expect_contains(error_of([&] { compiled(sheet, mode); }), "volume is too small");
  });
}

TEST(MeshMass, MeshesWithoutVolumeOrAreaAreRefused) {
  MeshData flat;
  flat.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  flat.faces = {0, 1, 2, 1, 3, 2};
  expect_contains(error_of([&] { compiled(flat); }), "volume is too small");
  EXPECT_NEAR(compiled(flat, MeshInertia::kShell).volume, 1, 1e-12);
  MeshData line = flat;
  line.vertices = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  expect_contains(error_of([&] { compiled(line, MeshInertia::kShell); }), "area is too small");
}

TEST(MeshMass, ExactInertiaNeedsOrientedTriangles) {
  MeshData inside_out = tetrahedron(), mixed = tetrahedron();
  for (std::size_t i = 0; i < 12; i += 3) std::swap(inside_out.faces[i], inside_out.faces[i + 1]);
  std::swap(mixed.faces[0], mixed.faces[1]);
  expect_contains(error_of([&] { compiled(inside_out, MeshInertia::kExact); }), "inside out");
  expect_contains(error_of([&] { compiled(mixed, MeshInertia::kExact); }), "not consistently oriented");
  EXPECT_NEAR(compiled(inside_out).volume, 1.0 / 6, 1e-12);
  EXPECT_NEAR(compiled(mixed).volume, 1.0 / 6, 1e-12);
}

TEST(MeshMass, ImpossibleMomentsAreRefused) {
  // a small tetrahedron inside out, far from a large one, pulls the moments below zero
  for (const auto& [size, distance, part] :
       {std::tuple(0.5f, 5.0f, "not positive"), {0.2f, 2.2f, "larger than the sum"}}) {
    MeshData mesh = tetrahedron();
    const MeshData other = tetrahedron(size, size, size);
    for (int i = 0; i < 12; ++i) mesh.vertices.push_back(other.vertices[i] + (i % 3 == 0 ? distance : 0));
    for (int i = 0; i < 12; i += 3)
      mesh.faces.insert(mesh.faces.end(), {other.faces[i + 1] + 4, other.faces[i] + 4, other.faces[i + 2] + 4});
    expect_contains(error_of([&] { compiled(mesh, MeshInertia::kExact); }), part);
  }
}

}  // namespace
}  // namespace torsor
