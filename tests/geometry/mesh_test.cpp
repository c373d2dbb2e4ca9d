// Compiled meshes: frames, scale, indices, and what is refused.
#include "torsor/geometry/mesh.hpp"

#include <cmath>

#include "mesh_support.hpp"

namespace torsor {
namespace {

TEST(Mesh, ItsFrameIsAtTheCenterOfMassAlongPrincipalAxes) {
  for_all(50, [](Random& random) {
    const CompiledMesh mesh = compiled(cloud(random, 20));
    MeshData own;
    own.vertices = mesh.vertices;
    own.faces = mesh.faces;
    const CompiledMesh again = compiled(own);
    expect_near(again.X_AM.p, {0, 0, 0}, 1e-6);
    const Sym3<double> I = inertia_in_A(again);
    for (const double product : {I.xy, I.xz, I.yz}) EXPECT_NEAR(product, 0, 1e-5 * mesh.moments.x);
    EXPECT_GE(mesh.moments.x, mesh.moments.y);
    EXPECT_GE(mesh.moments.y, mesh.moments.z);
  });
}

TEST(Mesh, CompilingMovesNoPoint) {
  for_all(50, [](Random& random) {
    const MeshData data = cloud(random, 20);
    const CompiledMesh mesh = compiled(data);
    for (int i = 0; i < 20; ++i) expect_near(vertex_in_A(mesh, i), load3<double>(data.vertices.data() + 3 * i), 1e-6);
  });
}

TEST(Mesh, RefposIsSubtractedThenRefquatTurnedBackThenScaleApplied) {
  for_all(50, [](Random& random) {
    const MeshData data = cloud(random, 12);
    MeshInput input("m", data);
    input.refpos = random.vec3(3);
    const Quat<double> q = random.quat();
    input.refquat = {2 * q.w, 2 * q.x, 2 * q.y, 2 * q.z};
    input.scale = {random.uniform(0.5, 2), -random.uniform(0.5, 2), random.uniform(0.5, 2)};
    const CompiledMesh mesh = compile_mesh(input);
    for (int i = 0; i < 12; ++i) {
      const Vec3<double> p = load3<double>(data.vertices.data() + 3 * i);
      expect_near(vertex_in_A(mesh, i), hadamard(rotate_inverse(q, p - input.refpos), input.scale), 1e-5);
    }
  });
}

TEST(Mesh, AMirrorKeepsTheOutsideOutside) {
  MeshData data = tetrahedron();
  data.texcoords = {0, 0, 1, 0, 0, 1, 1, 1};
  for (const MeshInertia mode : {MeshInertia::kExact, MeshInertia::kConvex}) {
    MeshInput input("m", data);
    input.scale = {1, 1, -1};
    input.inertia = mode;
    const CompiledMesh mesh = compile_mesh(input);
    EXPECT_NEAR(mesh.volume, 1.0 / 6, 1e-12);
    EXPECT_EQ(mesh.faces, (std::vector<int>{0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2}));
    EXPECT_EQ(mesh.face_normals, mesh.faces);
    EXPECT_EQ(mesh.face_texcoords, mesh.faces);
  }
}

TEST(Mesh, BoundsHoldEveryVertexEvenUnusedOnes) {
  MeshData data = box_mesh(1, 2, 3);
  data.vertices.insert(data.vertices.end(), {0, 0, 7});
  const CompiledMesh mesh = compiled(data);
  expect_near(mesh.bounds.center, {0, 0, 2}, 1e-12);
  expect_near(mesh.bounds.half, {1, 2, 5}, 1e-12);
  expect_near(mesh_extent(mesh), {1, 2, 7}, 1e-12);
  EXPECT_NEAR(bounding_radius(mesh), std::sqrt(54.0), 1e-12);
}

TEST(Mesh, WithoutFacesItIsItsHull) {
  MeshData points = box_mesh(1, 2, 3);
  points.faces.clear();
  points.vertices.insert(points.vertices.end(), {0.1f, 0.2f, 0.3f});
  const CompiledMesh mesh = compiled(points);
  EXPECT_EQ(mesh.faces.size(), 36u);
  EXPECT_EQ(mesh.vertices.size(), 27u);  // the point inside stays a vertex
  EXPECT_NEAR(mesh.volume, 48, 1e-9);
  ASSERT_TRUE(mesh.hull);
  EXPECT_EQ(mesh.hull->vertices.size(), 8u);
}

TEST(Mesh, AHullIsMadeOnlyWhereSomethingNeedsIt) {
  const MeshData data = tetrahedron();
  MeshInput input("m", data);
  EXPECT_FALSE(compile_mesh(input).hull);
  input.needs_hull = true;
  EXPECT_TRUE(compile_mesh(input).hull);
  input.needs_hull = false;
  input.inertia = MeshInertia::kConvex;
  EXPECT_TRUE(compile_mesh(input).hull);
}

TEST(Mesh, CornersOfNormalsFollowVerticesUnlessTheFileSays) {
  MeshData data = tetrahedron();
  EXPECT_EQ(compiled(data).face_normals, data.faces);
  EXPECT_EQ(compiled(data).face_texcoords, std::vector<int>(12, 0));
  data.normals.assign(36, 1);  // three per vertex
  std::vector<int> tripled = data.faces;
  for (int& i : tripled) i *= 3;
  EXPECT_EQ(compiled(data).face_normals, tripled);
  data.face_normals = {0, 0, 0, 1, 1, 1, 2, 2, 2, -1, -1, -1};
  EXPECT_EQ(compiled(data).face_normals, data.face_normals);
}

TEST(Mesh, GivenNormalsScaleWithTheInverse) {
  MeshData data = tetrahedron();
  data.normals = {1, 1, 0, 0, 3, 0, 0, 0, 0, 0, 1, 1};
  MeshInput input("m", data);
  input.scale = {2, 1, 1};
  const CompiledMesh mesh = compile_mesh(input);
  const double r = 1 / std::sqrt(5.0);
  expect_near(normal_in_A(mesh, 0), {r, 2 * r, 0}, 1e-6);
  expect_near(normal_in_A(mesh, 1), {0, 1, 0}, 1e-6);
  expect_near(normal_in_A(mesh, 2), {0, 0, 1}, 1e-6);  // one without direction
}

struct Refusal {
  const char* part;  // of the message
  void (*spoil)(MeshData&, MeshInput&);
};

// Spoils a good mesh; the spans are set again afterwards, because the arrays may have moved.
std::string message_of(const Refusal& refusal) {
  MeshData data = tetrahedron();
  MeshInput attributes("bad", data);
  refusal.spoil(data, attributes);
  MeshInput input("bad", data);
  input.refpos = attributes.refpos;
  input.refquat = attributes.refquat;
  input.scale = attributes.scale;
  input.max_hull_vertices = attributes.max_hull_vertices;
  input.inertia = attributes.inertia;
  return error_of([&] { compile_mesh(input); });
}

TEST(Mesh, DataThatMakeNoMeshAreRefusedByName) {
  const Refusal refusals[] = {
      {"multiple of 3", [](MeshData& d, MeshInput&) { d.vertices.push_back(1); }},
      {"multiple of 3", [](MeshData& d, MeshInput&) { d.faces.push_back(1); }},
      {"multiple of 3",
       [](MeshData& d, MeshInput&) {
         d.normals = {1, 0};
       }},
      {"multiple of 2", [](MeshData& d, MeshInput&) { d.texcoords = {1}; }},
      {"at least 4 vertices", [](MeshData& d, MeshInput&) { d.vertices.resize(9); }},
      {"vertex 1 is not finite", [](MeshData& d, MeshInput&) { d.vertices[3] = NAN; }},
      {"triangle 1 uses vertex 4", [](MeshData& d, MeshInput&) { d.faces[4] = 4; }},
      {"triangle 3 uses vertex -1", [](MeshData& d, MeshInput&) { d.faces[9] = -1; }},
      {"texcoords for 4 vertices",
       [](MeshData& d, MeshInput&) {
         d.texcoords = {0, 0, 1, 1};
       }},
      {"uses normal 0", [](MeshData& d, MeshInput&) { d.face_normals.assign(12, 0); }},
      {"normal indices",
       [](MeshData& d, MeshInput&) {
         d.normals = {0, 0, 1}, d.face_normals = {0};
       }},
      {"scale", [](MeshData&, MeshInput& in) { in.scale.y = 0; }},
      {"scale", [](MeshData&, MeshInput& in) { in.scale.y = INFINITY; }},
      {"refpos", [](MeshData&, MeshInput& in) { in.refpos.y = NAN; }},
      {"refquat",
       [](MeshData&, MeshInput& in) {
         in.refquat = {0, 0, 0, 0};
       }},
      {"maxhullvert", [](MeshData&, MeshInput& in) { in.max_hull_vertices = 3; }},
      {"maxhullvert", [](MeshData&, MeshInput& in) { in.max_hull_vertices = -1; }},
  };
  for (const Refusal& refusal : refusals) {
    const std::string message = message_of(refusal);
    expect_contains(message, "mesh 'bad'");
    expect_contains(message, refusal.part);
  }
}

}  // namespace
}  // namespace torsor
