// Wrapping happens in a plane: that of the two points and the centre for a sphere, the cross section for a cylinder,
// along whose axis the path then rises in proportion to its length. Where several paths are possible, and how far the
// iteration for paths inside goes, is decided as MuJoCo does, since lengths and moments are compared with its.
#include "torsor/dynamics/wrap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/model/types.hpp"  // kMinValue

namespace torsor {
namespace {

using Vec = Vec3<double>;

struct Point2 {
  double x, y;
};
Point2 operator+(Point2 a, Point2 b) { return {a.x + b.x, a.y + b.y}; }
Point2 operator-(Point2 a, Point2 b) { return {a.x - b.x, a.y - b.y}; }
Point2 operator*(Point2 a, double s) { return {a.x * s, a.y * s}; }
double dot(Point2 a, Point2 b) { return a.x * b.x + a.y * b.y; }
double cross(Point2 a, Point2 b) { return a.x * b.y - a.y * b.x; }
double norm(Point2 a) { return std::sqrt(dot(a, a)); }
Point2 normalized(Point2 a) {
  const double length = norm(a);
  return length < kMinValue ? Point2{1, 0} : a * (1 / length);
}
Point2 rotated(Point2 a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

struct CircleWrap {
  bool touches = false;
  double arc = 0;
  Point2 first{}, second{};
};

// The point nearest to the centre on the segment from a to b.
Point2 nearest_on_segment(Point2 a, Point2 b) {
  const Point2 along = b - a;
  const double part = -dot(a, along) / dot(along, along);
  return a + along * std::clamp(part, 0.0, 1.0);
}

bool segments_cross(Point2 a, Point2 b, Point2 c, Point2 d) {
  const Point2 ab = b - a, cd = d - c, ac = c - a;
  const double determinant = cross(ab, cd);
  if (std::fabs(determinant) < kMinValue) return false;
  const double along_ab = cross(ac, cd) / determinant, along_cd = cross(ac, ab) / determinant;
  return along_ab >= 0 && along_ab <= 1 && along_cd >= 0 && along_cd <= 1;
}

// The tangent point of the circle as seen from d, turned from d by an angle with the sign of `turn`.
Point2 tangent_point(Point2 d, double radius, double turn) {
  const double square = dot(d, d), height = std::sqrt(std::max(0.0, square - radius * radius));
  const Point2 left{-d.y, d.x};
  return (d * (radius * radius) + left * (turn * radius * height)) * (1 / square);
}

// One of the two ways around: counter-clockwise from d0 to d1 (turn 1) or clockwise (turn -1).
CircleWrap tangent_path(Point2 d0, Point2 d1, double radius, double turn) {
  CircleWrap path;
  path.first = tangent_point(d0, radius, turn);
  path.second = tangent_point(d1, radius, -turn);
  path.touches = !segments_cross(d0, path.first, d1, path.second);
  double angle = turn * std::atan2(cross(path.first, path.second), dot(path.first, path.second));
  if (angle < -1e-10) angle += 2 * std::numbers::pi;  // a tiny negative angle is a graze that was rounded
  path.arc = radius * std::max(0.0, angle);
  return path;
}

// Around the outside, on the side of the point `side` on the circle, or the shorter way without one.
CircleWrap wrap_outside(Point2 d0, Point2 d1, const Point2* side, double radius) {
  const double square = radius * radius;
  if (dot(d0, d0) < square || dot(d1, d1) < square) return {};
  if (dot(d1 - d0, d1 - d0) < kMinValue) return {};
  const Point2 nearest = nearest_on_segment(d0, d1);
  if (dot(nearest, nearest) > square && (!side || dot(*side, nearest) >= 0)) return {};
  const auto rate = [side](const CircleWrap& path) {
    if (!path.touches) return -1e4;
    if (side) return dot(normalized(path.first + path.second), *side);
    return -dot(path.first - path.second, path.first - path.second);
  };
  const CircleWrap left = tangent_path(d0, d1, radius, 1), right = tangent_path(d0, d1, radius, -1);
  return rate(right) > rate(left) ? right : left;
}

// sin of the angle at which the path meets the circle from inside: reflection makes the angles of the two segments
// equal, and the angles at the centre add up to `between`. Newton's method from the right; negative if it does not get
// there.
double find_incidence(double A, double B, double between) {
  constexpr double kStart = 1 - 1e-7, kEnough = 1e-6;
  constexpr int kMostSteps = 20;
  const auto excess = [&](double z) { return std::asin(A * z) + std::asin(B * z) - 2 * std::asin(z) + between; };
  const auto slope_of = [](double c, double z) { return c / std::max(kMinValue, std::sqrt(1 - z * z * c * c)); };
  double z = kStart, f = excess(z);
  if (f > 0) return -1;
  int step = 0;
  for (; step < kMostSteps && std::fabs(f) > kEnough; ++step) {
    const double slope = slope_of(A, z) + slope_of(B, z) - 2 * slope_of(1, z);
    if (slope > -kMinValue) return -1;
    const double next = z - f / slope;
    if (next > z) return -1;
    z = next;
    f = excess(z);
    if (f > kEnough) return -1;
  }
  return step < kMostSteps ? z : -1;
}

// Against the inside of the circle, at one point; both ends are outside, and the straight line misses the circle.
CircleWrap wrap_inside(Point2 d0, Point2 d1, double radius) {
  const double length0 = norm(d0), length1 = norm(d1), square = dot(d1 - d0, d1 - d0);
  if (length0 <= radius || length1 <= radius || radius < kMinValue) return {};
  if (square > kMinValue) {
    const Point2 nearest = nearest_on_segment(d0, d1);
    const bool is_end = (nearest.x == d0.x && nearest.y == d0.y) || (nearest.x == d1.x && nearest.y == d1.y);
    if (!is_end && norm(nearest) <= radius) return {};
  }
  CircleWrap path;
  path.touches = true;
  path.first = path.second = normalized(d0 + d1) * radius;  // what is left where the iteration fails
  const double cosine = (length0 * length0 + length1 * length1 - square) / (2 * length0 * length1);
  if (cosine < -1 + kMinValue) return {};
  if (cosine > 1 - kMinValue) return path;
  const double A = radius / length0, B = radius / length1;
  const double z = find_incidence(A, B, std::acos(cosine));
  if (z < 0) return path;
  const bool ascending = cross(d0, d1) > 0;  // counted counter-clockwise from the first of the two
  const Point2 from = ascending ? d0 : d1;
  const double turn = std::asin(z) - std::asin((ascending ? A : B) * z);
  path.first = path.second = rotated(normalized(from), turn) * radius;
  return path;
}

// The plane of wrapping, by two unit vectors in G.
struct Plane {
  Vec x, y;

  Point2 project(const Vec& p) const { return {torsor::dot(p, x), torsor::dot(p, y)}; }
  Vec lift(Point2 d) const { return x * d.x + y * d.y; }
};

// Of a sphere: through the centre and both points; some plane through both if they are in line with the centre.
Plane plane_through(const Vec& p0, const Vec& p1) {
  Plane plane;
  plane.x = normalized(p0);
  Vec normal = torsor::cross(p0, p1);
  if (torsor::norm(normal) < kMinValue) {
    const Vec size{std::fabs(plane.x.x), std::fabs(plane.x.y), std::fabs(plane.x.z)};
    Vec other{1, 1, 1};
    other[size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2] = 0;
    normal = torsor::cross(plane.x, other);
  }
  plane.y = normalized(torsor::cross(normalized(normal), plane.x));
  return plane;
}

// Heights along a cylinder's axis in proportion to the length so far.
void raise(Vec& first, Vec& second, double& arc, const Vec& p0, const Vec& p1, const Plane& plane) {
  const double before = norm(plane.project(first - p0)), after = norm(plane.project(p1 - second));
  const double rise = (p1.z - p0.z) / (before + arc + after);
  first.z = p0.z + rise * before;
  second.z = p0.z + rise * (before + arc);
  arc = std::hypot(arc, second.z - first.z);
}

}  // namespace

WrapPath wrap_around(const WrapObject& object, const Vec& from_W, const Vec& to_W, const Vec* side_W) {
  const auto to_G = [&](const Vec& p_W) { return transposed_mul(object.R_WG, p_W - object.p_WoGo_W); };
  const Vec p0 = to_G(from_W), p1 = to_G(to_W);
  if (torsor::norm(p0) < kMinValue || torsor::norm(p1) < kMinValue || object.radius < kMinValue) return {};
  const Plane plane = object.is_cylinder ? Plane{{1, 0, 0}, {0, 1, 0}} : plane_through(p0, p1);
  const Point2 d0 = plane.project(p0), d1 = plane.project(p1);
  CircleWrap circle;
  if (side_W) {
    const Vec side = to_G(*side_W);
    const Point2 on_circle = normalized(plane.project(side)) * object.radius;
    circle = torsor::norm(side) < object.radius ? wrap_inside(d0, d1, object.radius)
                                                : wrap_outside(d0, d1, &on_circle, object.radius);
  } else {
    circle = wrap_outside(d0, d1, nullptr, object.radius);
  }
  if (!circle.touches) return {};
  Vec first = plane.lift(circle.first), second = plane.lift(circle.second);
  double arc = circle.arc;
  if (object.is_cylinder) raise(first, second, arc, p0, p1, plane);
  return {true, arc, object.p_WoGo_W + object.R_WG * first, object.p_WoGo_W + object.R_WG * second};
}

}  // namespace torsor
