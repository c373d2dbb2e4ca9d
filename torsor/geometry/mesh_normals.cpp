// Area-weighted vertex normals, with or without the triangles beyond a sharp edge.
#include "torsor/geometry/mesh_normals.hpp"

namespace torsor {
namespace {

constexpr double kMinCosine = 0.8;       // about 37 degrees
constexpr double kMinDoubleArea = 1e-7;  // triangles and means below this have no reliable direction
constexpr double kNoDirection = 1e-15;

// Twice the area times the normal.
Vec3<double> area_vector(std::span<const float> vertices, std::span<const int> triangle) {
  Vec3<double> p[3];
  for (int k = 0; k < 3; ++k) p[k] = load3<double>(vertices.data() + 3 * std::size_t(triangle[k]));
  return cross(p[1] - p[0], p[2] - p[0]);
}

void add_rounded(Vec3<float>& sum, const Vec3<double>& v) {
  sum = {float(sum.x + v.x), float(sum.y + v.y), float(sum.z + v.z)};
}

Vec3<double> widened(const Vec3<float>& v) { return {v.x, v.y, v.z}; }

// Sums over the triangles at each vertex. To round as MuJoCo does, they are floats, and triangles are subtracted from a
// sum instead of left out of it: this matters if nearly everything is subtracted.
struct NormalSums {
  std::vector<Vec3<float>> all, excluded;

  NormalSums(std::span<const float> vertices, std::span<const int> faces, bool smooth)
      : all(vertices.size() / 3, Vec3<float>::zero()), excluded(all) {
    for_each_corner(vertices, faces, [&](int vertex, const Vec3<double>& area) { add_rounded(all[vertex], area); });
    if (smooth) return;
    for_each_corner(vertices, faces, [&](int vertex, const Vec3<double>& area) {
      const Vec3<double> mean = widened(all[vertex]);
      const double length = norm(mean);
      if (length < kMinDoubleArea || dot(area, mean) < kMinCosine * norm(area) * length)
        add_rounded(excluded[vertex], area);
    });
  }

  template <class Visit>
  static void for_each_corner(std::span<const float> vertices, std::span<const int> faces, Visit visit) {
    for (std::size_t i = 0; i < faces.size(); i += 3) {
      const std::span<const int> triangle = faces.subspan(i, 3);
      const Vec3<double> area = area_vector(vertices, triangle);
      if (norm(area) < kMinDoubleArea) continue;
      for (const int vertex : triangle) visit(vertex, area);
    }
  }
};

}  // namespace

Vec3<double> normal_direction(const Vec3<double>& normal) {
  const double length = norm(normal);
  return length >= kNoDirection ? normal / length : Vec3<double>{0, 0, 1};
}

std::vector<Vec3<double>> compute_normals(std::span<const float> vertices, std::span<const int> faces, bool smooth) {
  const NormalSums sums(vertices, faces, smooth);
  std::vector<Vec3<double>> normals(sums.all.size());
  for (std::size_t i = 0; i < normals.size(); ++i)
    normals[i] = normal_direction(widened(sums.all[i] - sums.excluded[i]));
  return normals;
}

}  // namespace torsor
