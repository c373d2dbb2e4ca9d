// Meshes made from parameters.
#include "torsor/geometry/builtin_mesh.hpp"

#include <cmath>

#include "mesh_support.hpp"

namespace torsor {
namespace {

MeshData make(const char* kind, std::vector<double> params) { return make_builtin_mesh(kind, params, "m").data; }

int vertices(const MeshData& mesh) { return int(mesh.vertices.size() / 3); }
int faces(const MeshData& mesh) { return int(mesh.faces.size() / 3); }

TEST(BuiltinMesh, CountsFollowTheResolution) {
  for (int s = 0; s <= 4; ++s) {
    const MeshData mesh = make("sphere", {double(s)});
    EXPECT_EQ(vertices(mesh), 2 + 10 * (1 << 2 * s));
    EXPECT_EQ(faces(mesh), 20 * (1 << 2 * s));
  }
  for (int r = 0; r <= 10; ++r) {
    const MeshData mesh = make("hemisphere", {double(r)});
    EXPECT_EQ(vertices(mesh), 2 + 2 * (r + 1) * (r + 2));
    EXPECT_EQ(faces(mesh), 4 * (r + 1) * (r + 2));
  }
  EXPECT_EQ(vertices(make("cone", {7, 0})), 8);
  EXPECT_EQ(vertices(make("cone", {7, 0.5})), 14);
  EXPECT_EQ(vertices(make("supersphere", {6, 1, 1})), 2 + 5 * 6);
  EXPECT_EQ(vertices(make("supertorus", {6, 0.5, 1, 1})), 36);
  EXPECT_EQ(vertices(make("plate", {3, 4})), 12);
  EXPECT_EQ(make("wedge", {3, 4, 60, 40, 0}).normals.size(), 3u * 36);
}

TEST(BuiltinMesh, ClosedKindsAreWellOriented) {
  const std::pair<const char*, std::vector<double>> closed[] = {{"sphere", {0}},
                                                                {"sphere", {3}},
                                                                {"hemisphere", {0}},
                                                                {"hemisphere", {7}},
                                                                {"cone", {9, 0.25}},
                                                                {"supersphere", {8, 1, 1}},
                                                                {"supertorus", {9, 0.4, 1, 1}}};
  for (const auto& [kind, params] : closed) {
    SCOPED_TRACE(kind);
    EXPECT_GT(compiled(make(kind, params), MeshInertia::kExact).volume, 0);  // exact checks the orientation
  }
}

TEST(BuiltinMesh, FineMeshesApproachTheirShapes) {
  const double pi = M_PI;
  const auto volume = [](const MeshData& mesh) { return compiled(mesh, MeshInertia::kExact).volume; };
  EXPECT_NEAR(volume(make("hemisphere", {10})), 2 * pi / 3, 0.03);
  EXPECT_NEAR(volume(make("supersphere", {60, 1, 1})), 4 * pi / 3, 0.02);
  EXPECT_NEAR(volume(make("supersphere", {40, 0, 0})), 8, 1e-5);  // a cube
  EXPECT_NEAR(volume(make("supertorus", {80, 0.25, 1, 1})), 2 * pi * pi * 0.0625, 0.01);
  EXPECT_NEAR(volume(make("cone", {400, 0})), 2 * pi / 3, 1e-3);
  EXPECT_NEAR(volume(make("cone", {400, 1})), 2 * pi, 1e-3);
}

TEST(BuiltinMesh, VerticesAreWhereMujocoHasThem) {
  const auto vertex = [](const MeshData& mesh, int i) { return load3<double>(mesh.vertices.data() + 3 * i); };
  const double a = 0.5257311, b = 0.8506508;
  expect_near(vertex(make("sphere", {0}), 0), {-a, b, 0}, 1e-7);
  expect_near(vertex(make("sphere", {0}), 11), {-b, 0, a}, 1e-7);
  expect_near(vertex(make("hemisphere", {2}), 6), {0.5773503, 0.5773503, 0.5773503}, 1e-7);
  expect_near(vertex(make("supersphere", {5, 2, 1}), 2), {-0.0561285, -0.5316567, -0.809017}, 1e-7);
  expect_near(vertex(make("supertorus", {5, 0.4, 0.5, 0.7}), 6), {0.5372616, 1.1801646, 0.3900885}, 1e-7);
  expect_near(vertex(make("wedge", {5, 5, 90, 45, 0.5}), 1), {-0.8553236, -0.1715577, -0.4888656}, 1e-7);
  expect_near(vertex(make("plate", {2, 3}), 0), {-0.5, -2.0 / 3, -1}, 1e-7);
}

TEST(BuiltinMesh, SensorPatchesHaveAFrameAtEveryPoint) {
  const MeshData mesh = make("wedge", {4, 5, 70, 50, 0.5});
  for (int i = 0; i < vertices(mesh); ++i) {
    Vec3<double> axes[3];
    for (int k = 0; k < 3; ++k) axes[k] = load3<double>(mesh.normals.data() + 9 * i + 3 * k);
    expect_near(axes[0], load3<double>(mesh.vertices.data() + 3 * i), 0);
    expect_near(cross(axes[1], axes[2]), axes[0] * -1, 1e-6);
  }
}

TEST(BuiltinMesh, APlateIsAShell) {
  const BuiltinMesh plate = make_builtin_mesh("plate", std::vector<double>{4, 4}, "m");
  EXPECT_TRUE(plate.is_shell);
  const CompiledMesh mesh = compiled(plate.data, MeshInertia::kShell);
  EXPECT_NEAR(mesh.volume, 1.5 * 1.5, 1e-6);
  EXPECT_EQ(mesh.face_normals[1], 3 * mesh.faces[1]);
}

TEST(BuiltinMesh, FractionsOfCountsAreCutOff) { EXPECT_EQ(vertices(make("sphere", {1.9})), 42); }

TEST(BuiltinMesh, WrongKindsAndParametersAreRefusedByName) {
  const std::tuple<const char*, std::vector<double>, const char*> refused[] = {
      {"prism", {3}, "unknown builtin 'prism'"},
      {"sphere", {}, "takes 1 parameter, not 0"},
      {"sphere", {1, 2}, "takes 1 parameter, not 2"},
      {"sphere", {5}, "subdivision"},
      {"sphere", {-1}, "subdivision"},
      {"sphere", {NAN}, "subdivision"},
      {"hemisphere", {11}, "resolution"},
      {"cone", {2, 0}, "nvert"},
      {"cone", {1e12, 0}, "nvert"},
      {"cone", {3}, "takes 2 parameters"},
      {"cone", {3, 1.5}, "radius"},
      {"supersphere", {2, 1, 1}, "resolution"},
      {"supersphere", {1e9, 1, 1}, "resolution"},
      {"supersphere", {3, -1, 1}, "e must be"},
      {"supersphere", {3, 1, -1}, "n must be"},
      {"supertorus", {3, 0, 1, 1}, "radius must be larger than 0"},
      {"supertorus", {3, 1.1, 1, 1}, "radius"},
      {"supertorus", {3, 0.5, 0, 1}, "s must be larger than 0"},
      {"wedge", {0, 4, 60, 40, 0}, "res_phi"},
      {"wedge", {3, 4, 0, 40, 0}, "fov_phi"},
      {"wedge", {3, 4, 60, 91, 0}, "fov_theta"},
      {"wedge", {3, 4, 60, 40, 1.1}, "gamma"},
      {"plate", {0, 3}, "res_x"},
  };
  for (const auto& [kind, params, part] : refused) {
    const std::string message = error_of([&] { make(kind, params); });
    expect_contains(message, "mesh 'm'");
    expect_contains(message, part);
  }
}

}  // namespace
}  // namespace torsor
