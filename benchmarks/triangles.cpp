// What one pair costs when a mesh collides as its triangles: shapes, and a mesh of a thousand triangles, on meshes of
// 1, 10 and 100 thousand, and how many triangles the tree looks at. torsor_bench_triangles
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

void finish(Mesh& mesh, const std::vector<int>& faces) {
  mesh.tree = make_triangle_tree(mesh.vertices, faces);
  const TriangleTree& tree = mesh.tree;
  mesh.view = {int(tree.corners.size() / 3),
               mesh.vertices.data(),
               tree.corners.data(),
               tree.neighbors.data(),
               tree.links.data(),
               tree.boxes.data(),
               tree.is_solid};
}

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
  finish(*mesh, faces);
  return mesh;
}

// A ring about z, 10 cm wide and 3 cm thick: a solid of 1,024 triangles.
std::unique_ptr<Mesh> make_ring() {
  auto mesh = std::make_unique<Mesh>();
  std::vector<int> faces;
  constexpr int kAround = 32, kAcross = 16;
  for (int i = 0; i < kAround; ++i) {
    for (int j = 0; j < kAcross; ++j) {
      const double a = 2 * M_PI * i / kAround, b = 2 * M_PI * j / kAcross, r = 0.035 + 0.015 * std::cos(b);
      mesh->vertices.insert(mesh->vertices.end(),
                            {float(r * std::cos(a)), float(r * std::sin(a)), float(0.015 * std::sin(b))});
      const int next = (i + 1) % kAround, up = (j + 1) % kAcross;
      const int q[4] = {i * kAcross + j, next * kAcross + j, next * kAcross + up, i * kAcross + up};
      faces.insert(faces.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
    }
  }
  finish(*mesh, faces);
  return mesh;
}

constexpr double kUpright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, kLying[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
constexpr double kNoSize[3] = {0, 0, 0};

Shape shape_of(const Mesh& mesh, const Vec3<double>& p) {
  Shape shape{GeomType::kMesh, kNoSize, p, kUpright};
  shape.triangles = &mesh.view;
  return shape;
}

// The ring lies on the top of a hill, half a millimetre deep.
void touch_mesh(benchmark::State& state) {
  const std::unique_ptr<Mesh> ground = make_hills(int(std::lround(std::sqrt(state.range(0) / 2.0)))),
                              ring = make_ring();
  const Shape a = shape_of(*ring, {0.003, 0.004, 0.034}), b = shape_of(*ground, {0, 0, 0});
  ContactPoint points[kMaxFieldPoints];
  int count = 0;
  for (auto _ : state) count = find_pair_function(a, b)(a, b, 0, points);
  state.counters["points"] = count;
}
BENCHMARK(touch_mesh)->Arg(1'000)->Arg(10'000)->Arg(100'000);

// Rings in each other like links of a chain, half a millimetre deep.
void touch_link(benchmark::State& state) {
  const std::unique_ptr<Mesh> ring = make_ring();
  const Shape a = shape_of(*ring, {0, 0, 0});
  Shape b = shape_of(*ring, {0.0405, 0, 0});
  constexpr double kAcross[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  b.R_WG = kAcross;
  ContactPoint points[kMaxFieldPoints];
  int count = 0;
  for (auto _ : state) count = find_pair_function(a, b)(a, b, 0, points);
  state.counters["points"] = count;
}
BENCHMARK(touch_link);

// A shape of 10 cm that touches the top of a hill.
void touch(benchmark::State& state, GeomType type) {
  const double size[3] = {0.05, 0.05, 0.05};
  const int cells = int(std::lround(std::sqrt(state.range(0) / 2.0)));
  const std::unique_ptr<Mesh> mesh = make_hills(cells);
  const Shape other{type, size, {0.003, 0.004, 0.0695}, type == GeomType::kCapsule ? kLying : kUpright};
  const Shape hills = shape_of(*mesh, {0, 0, 0});
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
