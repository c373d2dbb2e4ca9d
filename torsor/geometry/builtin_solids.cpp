// Spheres, cones and tori. The order of vertices and triangles is that of MuJoCo.
#include "torsor/geometry/builtin_solids.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <utility>

namespace torsor {
namespace {

using std::numbers::pi;

void add_vertex(MeshData& mesh, const Vec3<double>& p) {
  mesh.vertices.insert(mesh.vertices.end(), {float(p.x), float(p.y), float(p.z)});
}

void add_face(MeshData& mesh, int a, int b, int c) { mesh.faces.insert(mesh.faces.end(), {a, b, c}); }

int vertex_count(const MeshData& mesh) { return int(mesh.vertices.size() / 3); }

// The corners are those of three golden rectangles, one in each coordinate plane.
MeshData make_icosahedron() {
  const double golden = std::numbers::phi;
  MeshData mesh;
  for (const double y : {golden, -golden})
    for (const double x : {-1.0, 1.0}) add_vertex(mesh, normalized(Vec3<double>{x, y, 0}));
  for (const double z : {golden, -golden})
    for (const double y : {-1.0, 1.0}) add_vertex(mesh, normalized(Vec3<double>{0, y, z}));
  for (const double x : {golden, -golden})
    for (const double z : {-1.0, 1.0}) add_vertex(mesh, normalized(Vec3<double>{x, 0, z}));
  mesh.faces = {0, 11, 5, 0, 5,  1,  0,  1,  7,  0,  7, 10, 0, 10, 11,  // around vertex 0
                1, 5,  9, 5, 11, 4,  11, 10, 2,  10, 7, 6,  7, 1,  8,   // the belt, towards vertex 0
                3, 9,  4, 3, 4,  2,  3,  2,  6,  3,  6, 8,  3, 8,  9,   // around vertex 3, opposite
                4, 9,  5, 2, 4,  11, 6,  2,  10, 8,  6, 7,  9, 8,  1};  // the belt, towards vertex 3
  return mesh;
}

// Replaces every triangle by four; each edge gets one new vertex, on the sphere, when it is first met.
class Quartering {
 public:
  explicit Quartering(MeshData& mesh) : mesh_(mesh) {
    const std::vector<int> coarse = std::move(mesh.faces);
    mesh.faces.clear();
    for (std::size_t i = 0; i < coarse.size(); i += 3) {
      const int a = coarse[i], b = coarse[i + 1], c = coarse[i + 2];
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      add_face(mesh, a, ab, ca);
      add_face(mesh, b, bc, ab);
      add_face(mesh, c, ca, bc);
      add_face(mesh, ab, bc, ca);
    }
  }

 private:
  int middle(int a, int b) {
    const long long edge = (long long)std::min(a, b) << 32 | std::max(a, b);
    const auto [entry, is_new] = middles_.try_emplace(edge, vertex_count(mesh_));
    if (is_new) add_on_sphere(point(a) + point(b));
    return entry->second;
  }
  Vec3<float> point(int i) const { return load3(mesh_.vertices.data() + 3 * i); }
  // In floats and by division, as in MuJoCo: the faces of the hull depend on the last bits of nearly equal points.
  void add_on_sphere(const Vec3<float>& p) {
    const float length = norm(p);
    mesh_.vertices.insert(mesh_.vertices.end(), {p.x / length, p.y / length, p.z / length});
  }

  MeshData& mesh_;
  std::unordered_map<long long, int> middles_;
};

// sign(x) |x|^exponent: how super-shapes bend sine and cosine
double signed_power(double x, double exponent) { return std::copysign(std::pow(std::abs(x), exponent), x); }

}  // namespace

MeshData make_icosphere(int subdivision) {
  MeshData mesh = make_icosahedron();
  for (int i = 0; i < subdivision; ++i) Quartering quartering(mesh);
  return mesh;
}

// Half an octahedron, subdivided and pushed out to the sphere. Ring k, from the pole down, has 4 k vertices.
MeshData make_hemisphere(int resolution) {
  const int rings = resolution + 1;
  constexpr int kCos[] = {1, 0, -1, 0, 1};
  MeshData mesh;
  add_vertex(mesh, {0, 0, 1});
  for (int ring = 1; ring <= rings; ++ring)
    for (int i = 0; i < 4 * ring; ++i) {
      // on the quarter of a square from corner to corner
      const int quarter = i / ring, step = i % ring, x = kCos[quarter], y = kCos[(quarter + 3) % 4];
      const int next_x = -y, next_y = x;
      add_vertex(mesh, normalized(Vec3<double>{double(x * (ring - step) + next_x * step),
                                               double(y * (ring - step) + next_y * step), double(rings - ring)}));
    }
  add_vertex(mesh, {0, 0, 0});

  // between each ring and the next: one triangle down, then pairs, in every quarter
  for (int ring = 0; ring < rings; ++ring) {
    const int inner = ring == 0 ? 0 : 1 + 2 * ring * (ring - 1), outer = 1 + 2 * ring * (ring + 1);
    const int inner_count = std::max(1, 4 * ring), outer_count = 4 * (ring + 1);
    for (int quarter = 0; quarter < 4; ++quarter)
      for (int step = 0; step <= ring; ++step) {
        const int in = inner + (quarter * ring + step) % inner_count, out = quarter * (ring + 1) + step;
        const int next_out = outer + (out + 1) % outer_count;
        add_face(mesh, in, outer + out, next_out);
        if (step < ring) add_face(mesh, in, next_out, inner + (quarter * ring + step + 1) % inner_count);
      }
  }
  const int equator = 1 + 2 * rings * (rings - 1), count = 4 * rings, center = equator + count;
  for (int i = 0; i < count; ++i) add_face(mesh, equator + i, center, equator + (i + 1) % count);
  return mesh;
}

MeshData make_cone_points(int corners, double top_radius) {
  MeshData mesh;
  const int count = top_radius > 0 ? 2 * corners : corners;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * pi * i / corners, radius = i < corners ? 1 : top_radius;
    add_vertex(mesh, {radius * std::cos(angle), radius * std::sin(angle), i < corners ? -1.0 : 1.0});
  }
  if (top_radius <= 0) add_vertex(mesh, {0, 0, 1});
  return mesh;
}

MeshData make_supersphere(int resolution, double e, double n) {
  MeshData mesh;
  add_vertex(mesh, {0, 0, -1});
  for (int i = 1; i < resolution; ++i) {
    const double latitude = -pi / 2 + pi * i / resolution;
    const double r = signed_power(std::cos(latitude), n), z = signed_power(std::sin(latitude), n);
    for (int j = 0; j < resolution; ++j) {
      const double longitude = -pi + 2 * pi * j / resolution;
      add_vertex(mesh, {r * signed_power(std::cos(longitude), e), r * signed_power(std::sin(longitude), e), z});
    }
  }
  add_vertex(mesh, {0, 0, 1});

  const int last = vertex_count(mesh) - 1;
  for (int j = 0; j < resolution; ++j) add_face(mesh, 0, 1 + (j + 1) % resolution, 1 + j);
  for (int low = 1; low + 2 * resolution <= last; low += resolution)
    for (int j = 0; j < resolution; ++j) {
      const int next = (j + 1) % resolution, high = low + resolution;
      add_face(mesh, low + j, low + next, high + j);
      add_face(mesh, low + next, high + next, high + j);
    }
  const int top = last - resolution;
  for (int j = 0; j < resolution; ++j) add_face(mesh, top + j, top + (j + 1) % resolution, last);
  return mesh;
}

MeshData make_supertorus(int resolution, double tube_radius, double s, double t) {
  MeshData mesh;
  for (int i = 0; i < resolution; ++i) {
    const double around = 2 * pi * i / resolution;
    const double x = signed_power(std::cos(around), t), y = signed_power(std::sin(around), t);
    for (int j = 0; j < resolution; ++j) {
      const double across = 2 * pi * j / resolution;
      const double r = 1 + tube_radius * signed_power(std::cos(across), s);
      add_vertex(mesh, {x * r, y * r, tube_radius * signed_power(std::sin(across), s)});
    }
  }
  for (int i = 0; i < resolution; ++i)
    for (int j = 0; j < resolution; ++j) {
      const int here = i * resolution, there = (i + 1) % resolution * resolution, next = (j + 1) % resolution;
      add_face(mesh, here + j, there + j, here + next);
      add_face(mesh, there + j, there + next, here + next);
    }
  return mesh;
}

}  // namespace torsor
