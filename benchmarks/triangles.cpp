// What one pair costs when a mesh collides as its triangles: shapes on meshes of 1, 10 and 100 thousand triangles, and
// how many triangles the tree looks at. torsor_bench_triangles
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <vector>

#include "torsor/contact/pairs.hpp"
#include "torsor/contact/triangle_walk.hpp"
#include "torsor/geometry/triangle_tree.hpp"

namespace torsor {
namespace {

struct Mesh {
  std::vector<float> vertices;
  TriangleTree tree;
  TriangleView view;
};

// Hills over a square of 2 m, 2 cells^2 triangles.
std::unique_ptr<Mesh> make_hills(int cells) {
  auto mesh = std::make_unique<Mesh>();
  std::vector<int> faces;
  for (int i = 0; i <= cells; ++i) {
    for (int j = 0; j <= cells; ++j) {
      const double x = 2.0 * i / cells - 1, y = 2.0 * j / cells - 1;
      const double z = 0.02 * std::cos(5 * x) * std::cos(4 * y);
      mesh->vertices.insert(mesh->vertices.end(), {float(x), float(y), float(z)});
      if (i == cells || j == cells) continue;
      const int a = i * (cells + 1) + j, b = a + cells + 1;
      faces.insert(faces.end(), {a, b, b + 1, a, b + 1, a + 1});
    }
  }
  mesh->tree = make_triangle_tree(mesh->vertices, faces);
  const TriangleTree& tree = mesh->tree;
  mesh->view = {int(tree.corners.size() / 3),
                mesh->vertices.data(),
                tree.corners.data(),
                tree.neighbors.data(),
                tree.links.data(),
                tree.boxes.data(),
                tree.is_solid};
  return mesh;
}

constexpr double kUpright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, kLying[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
constexpr double kNoSize[3] = {0, 0, 0};

// A shape of 10 cm that touches the top of a hill.
void touch(benchmark::State& state, GeomType type) {
  const double size[3] = {0.05, 0.05, 0.05};
  const int cells = int(std::lround(std::sqrt(state.range(0) / 2.0)));
  const std::unique_ptr<Mesh> mesh = make_hills(cells);
  const Shape other{type, size, {0.003, 0.004, 0.0695}, type == GeomType::kCapsule ? kLying : kUpright};
  Shape hills{GeomType::kMesh, kNoSize, {0, 0, 0}, kUpright};
  hills.triangles = &mesh->view;
  ContactPoint points[kMaxFieldPoints];
  int count = 0, visited = 0;
  for (auto _ : state) count = find_pair_function(other, hills)(other, hills, 0, points);
  const Bounds3 bounds{{-0.047, -0.046, 0.0195}, {0.053, 0.054, 0.1195}};
  walk_triangles(
      mesh->view, [&](const float* box) { return bounds.meets(box); }, [&](int) { ++visited; });
  state.counters["points"] = count;
  state.counters["visited"] = visited;
}
BENCHMARK_CAPTURE(touch, sphere, GeomType::kSphere)->Arg(1'000)->Arg(10'000)->Arg(100'000);
BENCHMARK_CAPTURE(touch, capsule, GeomType::kCapsule)->Arg(1'000)->Arg(10'000)->Arg(100'000);
BENCHMARK_CAPTURE(touch, cylinder, GeomType::kCylinder)->Arg(1'000)->Arg(10'000)->Arg(100'000);
BENCHMARK_CAPTURE(touch, ellipsoid, GeomType::kEllipsoid)->Arg(1'000)->Arg(10'000)->Arg(100'000);
BENCHMARK_CAPTURE(touch, box, GeomType::kBox)->Arg(1'000)->Arg(10'000)->Arg(100'000);

}  // namespace
}  // namespace torsor
