// One rotation at a time.
#include "torsor/convention/rotations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/convention/euler.hpp"
#include "torsor/core/error.hpp"

namespace torsor::rotations {
namespace {

Quat<double> operator-(const Quat<double>& q) { return {-q.w, -q.x, -q.y, -q.z}; }
Quat<double> weighted(const Quat<double>& a, double s, const Quat<double>& b, double t) {
  return {a.w * s + b.w * t, a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
}
double length(const Quat<double>& q) { return std::sqrt(dot(q, q)); }
double sine(double angle) {
  double s, c;
  sincos(angle, s, c);
  return s;
}

}  // namespace

AxisAngle axis_angle(const Quat<double>& q) {
  const Vec3<double> v = q.w < 0 ? -q.vec() : q.vec();
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0) return {{1, 0, 0}, 0};
  const Vec3<double> scaled{v.x / largest, v.y / largest, v.z / largest};  // the square of a tiny angle would underflow
  const double size = norm(scaled);
  return {scaled / size, 2 * atan2(size * largest, std::abs(q.w))};
}

double rotation_error(const Mat3<double>& R) {
  if (det(R) <= 0) return std::numeric_limits<double>::infinity();
  const Mat3<double> error = transposed_mul(R, R) - Mat3<double>::identity();
  double largest = 0;
  for (double x : error.m) largest = std::max(largest, std::abs(x));
  return largest;
}

// Newton's method for the polar factor without an inverse; an error e becomes 3/4 e^2.
Mat3<double> nearest_rotation(const Mat3<double>& R) {
  constexpr double kRounding = 1e-15;
  Mat3<double> result = R;
  for (int i = 0; i < 5 && rotation_error(result) > kRounding; ++i)
    result = result * (Mat3<double>::identity() * 1.5 - transposed_mul(result, result) * 0.5);
  return result;
}

std::array<double, 6> six_from_quat(SixLayout layout, const Quat<double>& q) {
  const Mat3<double> R = to_mat(q);
  const Vec3<double> a = R.col(0), b = R.col(1);
  if (layout == SixLayout::kColumns) return {a.x, a.y, a.z, b.x, b.y, b.z};
  return {a.x, b.x, a.y, b.y, a.z, b.z};
}

std::array<Vec3<double>, 2> columns_of(SixLayout layout, const double six[6]) {
  if (layout == SixLayout::kColumns) return {load3(six), load3(six + 3)};
  return {Vec3<double>{six[0], six[2], six[4]}, Vec3<double>{six[1], six[3], six[5]}};
}

Quat<double> quat_from_columns(const std::array<Vec3<double>, 2>& columns) {
  const Vec3<double> x = columns[0] / norm(columns[0]);
  Vec3<double> y = columns[1];
  for (int pass = 0; pass < 2; ++pass) {  // the second pass removes rounding errors if the columns are nearly parallel
    y -= x * dot(x, y);
    y *= 1 / norm(y);
  }
  return from_mat(mat_from_cols(x, y, cross(x, y)));
}

Quat<double> standardise_sign(const Quat<double>& q) {
  for (double element : {q.w, q.x, q.y, q.z}) {
    if (element > 0) return q;
    if (element < 0) return -q;
  }
  return q;
}

double angle_between(const Quat<double>& a, const Quat<double>& b) {
  const Quat<double> q = conj(a) * b;
  return 2 * atan2(norm(q.vec()), std::abs(q.w));
}

double heading(const Quat<double>& q) {
  const double x = q.w * q.w + q.x * q.x - q.y * q.y - q.z * q.z, y = 2 * (q.x * q.y + q.w * q.z);
  return x * x + y * y < kGimbalLock * kGimbalLock ? 0 : atan2(y, x);
}

Quat<double> heading_quat(const Quat<double>& q) {
  double s, c;
  sincos(heading(q) * 0.5, s, c);
  return {c, 0, 0, s};
}

SwingTwist swing_twist(const Quat<double>& q, const Vec3<double>& axis) {
  const double along = dot(q.vec(), axis), size = std::sqrt(q.w * q.w + along * along);
  if (size < kGimbalLock) return {q, Quat<double>::identity()};
  const Vec3<double> v = axis * (along / size);
  const Quat<double> twist{q.w / size, v.x, v.y, v.z};
  return {q * conj(twist), twist};
}

SwingTwist twist_swing(const Quat<double>& q, const Vec3<double>& axis) {
  const Quat<double> twist = swing_twist(q, axis).twist;
  return {conj(twist) * q, twist};
}

Quat<double> quat_between(const Vec3<double>& u, const Vec3<double>& v) {
  const Vec3<double> a = u / norm(u), b = v / norm(v);
  const Vec3<double> axis = cross(a, b);
  const double sum = norm(a + b), difference = norm(a - b);  // twice the cosine and sine of half the angle
  if (sum < 1e-10) {
    const Vec3<double> other = std::abs(a.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    const Vec3<double> line = other - a * dot(a, other);
    const Vec3<double> unit = line / norm(line);
    return {0, unit.x, unit.y, unit.z};
  }
  const double size = norm(axis), scale = size > 0 ? 0.5 * difference / size : 0.5;
  return normalized(Quat<double>{0.5 * sum, axis.x * scale, axis.y * scale, axis.z * scale});
}

double wrap_angle(double angle) { return std::remainder(angle, 2 * M_PI); }

std::array<double, 6> tan_norm_from_quat(const Quat<double>& q) {
  const Vec3<double> x = rotate(q, Vec3<double>{1, 0, 0}), z = rotate(q, Vec3<double>{0, 0, 1});
  return {x.x, x.y, x.z, z.x, z.y, z.z};
}

Quat<double> quat_from_tan_norm(const double six[6]) {
  const Vec3<double> tangent = load3(six), normal = load3(six + 3);
  // the y axis is at right angles to both
  return quat_from_columns({tangent, cross(normal, tangent)});
}

Quat<double> slerp(const Quat<double>& a, const Quat<double>& b, double t) {
  const Quat<double> end = dot(a, b) < 0 ? -b : b;
  const double angle = 2 * atan2(length(weighted(a, 1, end, -1)), length(weighted(a, 1, end, 1)));
  if (angle < 1e-8) return normalized(weighted(a, 1 - t, end, t));  // the arc equals its chord
  const double s = 1 / sine(angle);
  return normalized(weighted(a, sine((1 - t) * angle) * s, end, sine(t * angle) * s));
}

Vec3<double> angular_velocity(const Quat<double>& a, const Quat<double>& b, double dt, Frame frame) {
  if (frame == Frame::kBody) return rotation_vector(conj(a) * b) / dt;
  if (frame == Frame::kWorld) return rotation_vector(b * conj(a)) / dt;
  throw Error("an angular velocity needs a frame: of the body, or of the world");
}

Quat<double> quat_from_uniform(const Vec3<double>& u) {
  const double p = std::sqrt(u.x), q = std::sqrt(1 - u.x);
  double s, c, S, C;
  sincos(2 * M_PI * u.y, s, c);
  sincos(2 * M_PI * u.z, S, C);
  return {p * c, p * s, q * C, q * S};
}

}  // namespace torsor::rotations
