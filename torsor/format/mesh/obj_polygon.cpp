// Ear clipping in single precision. What counts as an ear was found by comparing the triangles of random polygons with
// MuJoCo's; it is not the usual definition, and loses parts of some polygons.
#include "torsor/format/mesh/obj_polygon.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "torsor/format/mesh/polygon.hpp"

namespace torsor {
namespace obj_face {
namespace {

struct Point {
  float x, y;
};

float cross(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }

Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }

Vec3<float> in_floats(const Vec3<double>& v) { return {float(v[0]), float(v[1]), float(v[2])}; }

// The two axes of the plane that the polygon is projected on: the one nearest to the first corner that has an area.
// Between planes that are equally near, the one of x and z wins.
std::array<int, 2> viewing_plane(std::span<const Vec3<double>> corners) {
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<float> a = in_floats(corners[i]), b = in_floats(corners[(i + 1) % n]),
                      c = in_floats(corners[(i + 2) % n]);
    const Vec3<float> normal = torsor::cross(b - a, c - b);
    const float x = std::abs(normal[0]), y = std::abs(normal[1]), z = std::abs(normal[2]);
    constexpr float kLeast = std::numeric_limits<float>::epsilon();
    if (!(x > kLeast || y > kLeast || z > kLeast)) continue;
    if (x > y && x > z) return {1, 2};
    return z > x && z > y ? std::array{0, 1} : std::array{0, 2};
  }
  return {1, 2};
}

std::vector<Point> flattened(std::span<const Vec3<double>> corners) {
  const auto [first, second] = viewing_plane(corners);
  std::vector<Point> points;
  for (const Vec3<double>& corner : corners) points.push_back({float(corner[first]), float(corner[second])});
  return points;
}

// Whether a ray from p towards +x crosses the sides of a triangle an odd number of times.
bool is_inside(const Point& p, const Point (&triangle)[3]) {
  bool is_odd = false;
  for (int i = 0; i < 3; ++i) {
    const Point &a = triangle[i], &b = triangle[(i + 2) % 3];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    if (p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) is_odd = !is_odd;
  }
  return is_odd;
}

// Whether three successive corners can be cut off: no other corner is in their triangle, and the turn at the second
// has the sense in which the first side turns around the origin of the coordinates.
bool is_ear(const std::vector<Point>& points, const std::vector<int>& rest, std::size_t first) {
  const std::size_t n = rest.size();
  const Point ear[3] = {points[rest[first]], points[rest[(first + 1) % n]], points[rest[(first + 2) % n]]};
  const float turn = cross(ear[1] - ear[0], ear[2] - ear[1]), around_origin = cross(ear[0], ear[1]) * 0.5f;
  if (turn * around_origin < 0) return false;
  for (std::size_t i = 3; i < n; ++i) {
    if (is_inside(points[rest[(first + i) % n]], ear)) return false;
  }
  return true;
}

}  // namespace
}  // namespace obj_face

std::vector<std::array<int, 3>> triangulate_obj_face(std::span<const Vec3<double>> corners) {
  constexpr std::size_t kMostCorners = 100;
  if (corners.size() > kMostCorners) return {};
  if (corners.size() <= 4) return triangulate_polygon(corners);
  const std::vector<obj_face::Point> points = obj_face::flattened(corners);
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> rest(corners.size());
  std::iota(rest.begin(), rest.end(), 0);
  std::size_t first = 0, tried = 0;
  while (rest.size() > 3 && tried < rest.size()) {
    const std::size_t n = rest.size();
    first %= n;
    if (!obj_face::is_ear(points, rest, first)) {
      ++first, ++tried;
      continue;
    }
    triangles.push_back({rest[first], rest[(first + 1) % n], rest[(first + 2) % n]});
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>((first + 1) % n));
    if (tried + 1 == corners.size()) break;  // found at the last of all corners: the rest is not looked at
    tried = 0;
  }
  if (rest.size() == 3) triangles.push_back({rest[0], rest[1], rest[2]});
  return triangles;
}

}  // namespace torsor
