// Convex hulls and their extremal vertices.
#include "torsor/geometry/hull.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "mesh_support.hpp"

namespace torsor {
namespace {

Vec3<double> point(const MeshData& mesh, int i) { return load3<double>(mesh.vertices.data() + 3 * i); }

TEST(Hull, NoPointIsOutsideOfAnyFace) {
  for_all(30, [](Random& random) {
    MeshData mesh;
    for (int i = 0; i < 100; ++i) {
      const Vec3<double> p = random.vec3();
      mesh.vertices.insert(mesh.vertices.end(), {float(p.x), float(p.y), float(p.z)});
    }
    const Hull hull = make_hull(mesh.vertices, 0, "m");
    for (std::size_t f = 0; f < hull.faces.size(); f += 3) {
      const Vec3<double> a = point(mesh, hull.faces[f]), b = point(mesh, hull.faces[f + 1]),
                         c = point(mesh, hull.faces[f + 2]);
      const Vec3<double> normal = normalized(cross(b - a, c - a));
      for (int i = 0; i < 100; ++i) EXPECT_LT(dot(normal, point(mesh, i) - a), 1e-9);
    }
  });
}

TEST(Hull, ItIsClosedAndItsVerticesAreThoseOfItsFaces) {
  for_all(30, [](Random& random) {
    const MeshData mesh = cloud(random, 60);
    const Hull hull = make_hull(mesh.vertices, 0, "m");
    EXPECT_EQ(hull.vertices.size(), 60u);
    EXPECT_EQ(hull.faces.size() / 3, 2 * hull.vertices.size() - 4);  // Euler
    EXPECT_EQ(std::set(hull.faces.begin(), hull.faces.end()), std::set(hull.vertices.begin(), hull.vertices.end()));
  });
}

TEST(Hull, PointsInsideAndOnEdgesAreNoVertices) {
  MeshData grid;
  for (int i = 0; i < 27; ++i)
    grid.vertices.insert(grid.vertices.end(), {float(i / 9), float(i / 3 % 3), float(i % 3)});
  const Hull hull = make_hull(grid.vertices, 0, "m");
  std::vector<int> corners = hull.vertices;
  std::sort(corners.begin(), corners.end());
  EXPECT_EQ(corners, (std::vector<int>{0, 2, 6, 8, 18, 20, 24, 26}));
  EXPECT_EQ(hull.faces.size(), 36u);
}

TEST(Hull, ALimitKeepsFewVerticesAndMostOfTheVolume) {
  Random random(1);
  const MeshData data = cloud(random, 300);
  double last = 0;
  for (const int limit : {4, 10, 40, 0}) {
    MeshInput input("m", data);
    input.max_hull_vertices = limit;
    const CompiledMesh mesh = compile_mesh(input);
    EXPECT_EQ(mesh.hull->vertices.size(), limit == 0 ? 300u : unsigned(limit));
    EXPECT_GT(mesh.volume, last);
    last = mesh.volume;
  }
}

TEST(Hull, FacesComeInTheOrderThatMujocoGives) {
  const MeshData mesh = tetrahedron();
  EXPECT_EQ(make_hull(mesh.vertices, 0, "m").faces, (std::vector<int>{2, 1, 0, 1, 3, 0, 3, 2, 0, 2, 3, 1}));
}

TEST(Hull, ExtremalVerticesAreFurthestInTheirDirection) {
  for_all(30, [](Random& random) {
    const MeshData mesh = cloud(random, 40);
    const Hull hull = make_hull(mesh.vertices, 0, "m");
    const auto extrema = find_extremal_vertices(hull, mesh.vertices);
    for (int d = 0; d < 27; ++d) {
      const Vec3<double> direction{d / 9 - 1.0, d / 3 % 3 - 1.0, d % 3 - 1.0};
      const double reached = dot(direction, point(mesh, hull.vertices[extrema[d]]));
      for (int i = 0; i < 40; ++i) EXPECT_LE(dot(direction, point(mesh, i)), reached + 1e-6);
    }
    EXPECT_EQ(extrema[13], 0);  // no direction: the first
  });
}

TEST(Hull, ItsGraphIsAClosedSurfaceOnWhichClimbingFindsTheFurthestCorner) {
  for_all(30, [](Random& random) {
    const MeshData mesh = cloud(random, 60);
    const Hull hull = make_hull(mesh.vertices, 0, "m");
    const HullGraph graph = make_hull_graph(hull);
    const int corners = int(hull.vertices.size());
    EXPECT_EQ(corners - int(graph.edges.size()) / 2 + int(graph.faces.size()) / 3, 2);  // Euler
    const auto neighbours = [&graph](int corner) {
      return std::span(graph.edges)
          .subspan(std::size_t(graph.edge_address[corner]),
                   std::size_t(graph.edge_address[corner + 1] - graph.edge_address[corner]));
    };
    for (int corner = 0; corner < corners; ++corner) {
      for (const int other : neighbours(corner)) {
        const auto back = neighbours(other);
        EXPECT_TRUE(std::binary_search(back.begin(), back.end(), corner));
      }
    }
    const Vec3<double> direction = random.unit_vec3();
    const auto height = [&](int corner) { return dot(direction, point(mesh, hull.vertices[corner])); };
    int at = random.integer(0, corners - 1);
    for (int best = at;; at = best) {
      for (const int other : neighbours(at)) best = height(other) > height(best) ? other : best;
      if (best == at) break;
    }
    for (int i = 0; i < 60; ++i) EXPECT_LE(dot(direction, point(mesh, i)), height(at) + 1e-6);
  });
}

TEST(Hull, FlatCloudsAreRefusedByName) {
  const std::vector<float> square{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, line{0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  for (const auto& flat : {square, line, std::vector<float>(12, 1)})
    expect_contains(error_of([&] { make_hull(flat, 0, "sheet"); }), "mesh 'sheet'");
  expect_contains(error_of([&] { make_hull(square, 0, "sheet"); }), "lie in a plane");
  expect_contains(error_of([&] { make_hull(std::vector<float>(9, 1), 0, "sheet"); }), "at least 4 points");
}

TEST(Hull, ThreadsDoNotDisturbEachOther) {
  Random random(7);
  const MeshData mesh = cloud(random, 400);
  const Hull expected = make_hull(mesh.vertices, 0, "m");
  std::vector<Hull> hulls(4);
  std::vector<std::thread> threads;
  for (Hull& hull : hulls) threads.emplace_back([&] { hull = make_hull(mesh.vertices, 0, "m"); });
  for (std::thread& thread : threads) thread.join();
  for (const Hull& hull : hulls) EXPECT_EQ(hull.faces, expected.faces);
}

}  // namespace
}  // namespace torsor
