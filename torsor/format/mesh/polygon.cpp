// Quads along the shorter diagonal; others by ear clipping, in the coordinate plane on which the polygon's projection
// is largest.
#include "torsor/format/mesh/polygon.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace torsor {
namespace {

struct Point {
  double x, y;
};

// Twice the area of a triangle, positive if it turns left.
double turn(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

int largest_element(const Vec3<double>& v) {
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(v[i]) > std::abs(v[axis])) axis = i;
  return axis;
}

// The axis of projection: the one nearest to the normal of the first corner that has one.
int viewing_axis(std::span<const Vec3<double>> corners) {
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<double>&a = corners[i], &b = corners[(i + 1) % n], &c = corners[(i + 2) % n];
    const Vec3<double> normal = cross(b - a, c - b);
    const int axis = largest_element(normal);
    if (std::abs(normal[axis]) > std::numeric_limits<float>::epsilon()) return axis;
  }
  return 0;
}

// The polygon projected along that axis, counter-clockwise.
std::vector<Point> flattened(std::span<const Vec3<double>> corners) {
  const int axis = viewing_axis(corners);
  std::vector<Point> points;
  double area = 0;
  for (const Vec3<double>& corner : corners) {
    points.push_back({corner[(axis + 1) % 3], corner[(axis + 2) % 3]});
    area += points.size() < 3 ? 0 : turn(points.front(), points[points.size() - 2], points.back());
  }
  for (Point& point : points) point.x = area < 0 ? -point.x : point.x;
  return points;
}

bool is_inside(const Point& p, const Point& a, const Point& b, const Point& c) {
  return turn(a, b, p) > 0 && turn(b, c, p) > 0 && turn(c, a, p) > 0;
}

// Whether the triangle of three successive corners is inside the polygon and contains no other corner.
bool is_ear(const std::vector<Point>& points, const std::vector<int>& rest, std::size_t first) {
  const std::size_t n = rest.size();
  const Point &a = points[rest[first]], &b = points[rest[(first + 1) % n]], &c = points[rest[(first + 2) % n]];
  if (turn(a, b, c) < 0) return false;
  for (std::size_t i = 3; i < n; ++i)
    if (is_inside(points[rest[(first + i) % n]], a, b, c)) return false;
  return true;
}

}  // namespace

std::vector<std::array<int, 3>> triangulate_polygon(std::span<const Vec3<double>> corners) {
  std::vector<std::array<int, 3>> triangles;
  if (corners.size() < 3) return triangles;
  if (corners.size() == 4) {  // along the shorter diagonal
    const bool from_first = norm2(corners[2] - corners[0]) < norm2(corners[3] - corners[1]);
    if (from_first) return {{0, 1, 2}, {0, 2, 3}};
    return {{0, 1, 3}, {1, 2, 3}};
  }
  const std::vector<Point> points = flattened(corners);
  std::vector<int> rest(corners.size());
  std::iota(rest.begin(), rest.end(), 0);
  std::size_t first = 0, tried = 0;
  while (rest.size() > 3) {
    const std::size_t n = rest.size();
    first %= n;
    if (tried < n && !is_ear(points, rest, first)) {
      ++first, ++tried;
      continue;
    }
    triangles.push_back({rest[first], rest[(first + 1) % n], rest[(first + 2) % n]});
    rest.erase(rest.begin() + (first + 1) % n);
    if (tried < n) tried = 0;  // once no ear is left, the rest is a fan
  }
  triangles.push_back({rest[0], rest[1], rest[2]});
  return triangles;
}

}  // namespace torsor
