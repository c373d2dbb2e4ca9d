// Loops over rows: read and check, compute one, write.
#include "torsor/convention/rotation_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace torsor::rotations {
namespace {

constexpr double kRadiansPerDegree = M_PI / 180;

void check_finite(const char* argument, std::size_t row, const double* p, int width) {
  for (int i = 0; i < width; ++i)
    if (!std::isfinite(p[i])) throw RowError(argument, row, fmt::format("is {}", p[i]), i);
}

void check_order(QuatOrder order) {
  if (order == QuatOrder::kUnspecified) throw Error("the order of a quaternion's elements must be given: wxyz or xyzw");
}

[[noreturn]] void refuse_quat(const char* argument, std::size_t row, const double* p, double length) {
  check_finite(argument, row, p, 4);
  throw RowError(
      argument, row,
      fmt::format("has length {:.6g}; a quaternion must have length 1 to within {:g}", length, kLengthTolerance));
}

// A unit quaternion. If its length is 1 up to rounding, its bits are kept; close to 1, no square root is needed.
TORSOR_INLINE Quat<double> read_quat(const char* argument, std::size_t row, const double* p, QuatOrder order) {
  const Quat<double> q = order == QuatOrder::kWxyz ? load4(p) : Quat<double>{p[3], p[0], p[1], p[2]};
  const double length2 = dot(q, q), error = std::abs(length2 - 1);
  if (error <= 2e-15) return q;
  if (error < 1e-8) return renormalized(q);
  const double length = std::sqrt(length2);
  if (!(std::abs(length - 1) <= kLengthTolerance)) [[unlikely]]
    refuse_quat(argument, row, p, length);
  return normalized(q);
}

class QuatReader {
 public:
  QuatReader(const char* argument, Rows<4> rows, QuatOrder order) : argument_(argument), rows_(rows), order_(order) {
    check_order(order);
  }
  TORSOR_INLINE Quat<double> operator[](std::size_t i) const { return read_quat(argument_, i, rows_.row(i), order_); }

 private:
  const char* argument_;
  Rows<4> rows_;
  QuatOrder order_;
};

class QuatWriter {
 public:
  QuatWriter(double* out, QuatOrder order) : out_(out), order_(order) { check_order(order); }
  TORSOR_INLINE void operator()(std::size_t i, const Quat<double>& q) const {
    double* p = out_ + 4 * i;
    if (order_ == QuatOrder::kWxyz)
      store4(p, q);
    else
      p[0] = q.x, p[1] = q.y, p[2] = q.z, p[3] = q.w;
  }

 private:
  double* out_;
  QuatOrder order_;
};

Vec3<double> read_vector(const char* argument, Rows<3> rows, std::size_t i) {
  check_finite(argument, i, rows.row(i), 3);
  return load3(rows.row(i));
}
double read_number(const char* argument, Rows<1> rows, std::size_t i) {
  check_finite(argument, i, rows.row(i), 1);
  return *rows.row(i);
}
// of unit length
Vec3<double> read_axis(Rows<3> rows, std::size_t i) {
  const Vec3<double> v = read_vector("axis", rows, i);
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0) throw RowError("axis", i, "is zero, and has no direction");
  const Vec3<double> scaled{v.x / largest, v.y / largest, v.z / largest};  // squares neither overflow nor underflow
  return scaled / norm(scaled);
}

// Each form reads a row as a quaternion, and writes one. The index of the row is for messages only.

struct QuatRows {
  static constexpr int kWidth = 4;
  QuatForm form;
  void check() const { check_order(form.order); }
  Quat<double> read(const double* p, std::size_t i) const { return read_quat("quat", i, p, form.order); }
  void write(double* p, const Quat<double>& q) const { QuatWriter(p, form.order)(0, q); }
};

struct MatrixRows {
  static constexpr int kWidth = 9;
  MatrixForm form;
  void check() const {}
  Quat<double> read(const double* p, std::size_t i) const {
    check_finite("matrix", i, p, 9);
    const Mat3<double> R = load9(p);
    const double error = rotation_error(R);
    if (std::isinf(error))
      throw RowError("matrix", i, fmt::format("is not a rotation: its determinant is {:.6g}", det(R)));
    if (error > kLengthTolerance)
      throw RowError("matrix", i,
                     fmt::format("is not a rotation: R'R differs from the identity by {:.6g}, more than {:g}", error,
                                 kLengthTolerance));
    return from_mat(nearest_rotation(R));
  }
  void write(double* p, const Quat<double>& q) const { store9(p, to_mat(q)); }
};

struct RotationVectorRows {
  static constexpr int kWidth = 3;
  RotationVectorForm form;
  void check() const {}
  Quat<double> read(const double* p, std::size_t i) const {
    check_finite("rotvec", i, p, 3);
    return quat_from_rotation_vector(load3(p));
  }
  void write(double* p, const Quat<double>& q) const { store3(p, rotation_vector(q)); }
};

struct SixRows {
  static constexpr int kWidth = 6;
  static constexpr double kParallel = 1e-10;  // sine of the angle below which two columns count as parallel
  SixForm form;
  void check() const {
    if (form.layout == SixLayout::kUnspecified)
      throw Error("the layout of a 6D rotation must be given: columns or interleaved");
  }
  Quat<double> read(const double* p, std::size_t i) const {
    check_finite("rot6d", i, p, 6);
    const auto columns = columns_of(form.layout, p);
    const double product = norm(columns[0]) * norm(columns[1]);
    if (product == 0) throw RowError("rot6d", i, "has a column of length zero");
    if (norm(cross(columns[0], columns[1])) < kParallel * product)
      throw RowError("rot6d", i, "has two parallel columns, which span no plane");
    return quat_from_columns(columns);
  }
  void write(double* p, const Quat<double>& q) const {
    const auto six = six_from_quat(form.layout, q);
    std::copy(six.begin(), six.end(), p);
  }
};

struct EulerRows {
  static constexpr int kWidth = 3;
  EulerForm form;
  void check() const {
    if (form.unit == AngleUnit::kUnspecified) throw Error("the unit of angles must be given: radians or degrees");
  }
  Quat<double> read(const double* p, std::size_t i) const {
    check_finite("euler", i, p, 3);
    return quat_from_euler(form.sequence, load3(p) * (is_degree() ? kRadiansPerDegree : 1.0));
  }
  void write(double* p, const Quat<double>& q) const {
    store3(p, euler_from_quat(form.sequence, q) * (is_degree() ? 1 / kRadiansPerDegree : 1.0));
  }
  bool is_degree() const { return form.unit == AngleUnit::kDegree; }
};

QuatRows rows_of(const QuatForm& form) { return {form}; }
MatrixRows rows_of(const MatrixForm& form) { return {form}; }
RotationVectorRows rows_of(const RotationVectorForm& form) { return {form}; }
SixRows rows_of(const SixForm& form) { return {form}; }
EulerRows rows_of(const EulerForm& form) { return {form}; }

template <class From, class To>
void convert_rows(const From& from, const double* in, std::ptrdiff_t stride, const To& to, double* out,
                  std::size_t count) {
  from.check();
  to.check();
  for (std::size_t i = 0; i < count; ++i)
    to.write(out + To::kWidth * i, from.read(in + static_cast<std::ptrdiff_t>(i) * stride, i));
}

}  // namespace

int width(const Form& form) {
  return std::visit([](const auto& f) { return decltype(rows_of(f))::kWidth; }, form);
}

void convert(const Form& from, const double* in, std::ptrdiff_t stride, const Form& to, double* out,
             std::size_t count) {
  std::visit([&](const auto& f, const auto& t) { convert_rows(rows_of(f), in, stride, rows_of(t), out, count); }, from,
             to);
}

void axis_angle_to_quat(QuatOrder order, Rows<3> axis, Rows<1> angle, double* quat, std::size_t count) {
  const QuatWriter write(quat, order);
  for (std::size_t i = 0; i < count; ++i) write(i, from_axis_angle(read_axis(axis, i), read_number("angle", angle, i)));
}

void quat_to_axis_angle(QuatOrder order, Rows<4> quat, double* axis, double* angle, std::size_t count) {
  const QuatReader q("quat", quat, order);
  for (std::size_t i = 0; i < count; ++i) {
    const AxisAngle result = axis_angle(q[i]);
    store3(axis + 3 * i, result.axis);
    angle[i] = result.angle;
  }
}

void axis_angle_to_rotvec(Rows<3> axis, Rows<1> angle, double* rotvec, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) store3(rotvec + 3 * i, read_axis(axis, i) * read_number("angle", angle, i));
}

void rotvec_to_axis_angle(Rows<3> rotvec, double* axis, double* angle, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const AxisAngle result = axis_angle(quat_from_rotation_vector(read_vector("rotvec", rotvec, i)));
    store3(axis + 3 * i, result.axis);
    angle[i] = result.angle;
  }
}

void multiply(QuatOrder order, Rows<4> quat1, Rows<4> quat2, double* product, std::size_t count) {
  const QuatReader a("quat1", quat1, order), b("quat2", quat2, order);
  const QuatWriter write(product, order);
  for (std::size_t i = 0; i < count; ++i) write(i, a[i] * b[i]);
}

void conjugate(QuatOrder order, Rows<4> quat, double* result, std::size_t count) {
  const QuatReader q("quat", quat, order);
  const QuatWriter write(result, order);
  for (std::size_t i = 0; i < count; ++i) write(i, conj(q[i]));
}

void standardise_sign(QuatOrder order, Rows<4> quat, double* result, std::size_t count) {
  const QuatReader q("quat", quat, order);
  const QuatWriter write(result, order);
  for (std::size_t i = 0; i < count; ++i) write(i, standardise_sign(q[i]));
}

void rotate(QuatOrder order, Rows<4> quat, Rows<3> vec, double* rotated, std::size_t count) {
  const QuatReader q("quat", quat, order);
  for (std::size_t i = 0; i < count; ++i) store3(rotated + 3 * i, torsor::rotate(q[i], read_vector("vec", vec, i)));
}

void rotate_inverse(QuatOrder order, Rows<4> quat, Rows<3> vec, double* rotated, std::size_t count) {
  const QuatReader q("quat", quat, order);
  for (std::size_t i = 0; i < count; ++i)
    store3(rotated + 3 * i, torsor::rotate_inverse(q[i], read_vector("vec", vec, i)));
}

void angle_between(QuatOrder order, Rows<4> quat1, Rows<4> quat2, double* angle, std::size_t count) {
  const QuatReader a("quat1", quat1, order), b("quat2", quat2, order);
  for (std::size_t i = 0; i < count; ++i) angle[i] = angle_between(a[i], b[i]);
}

void heading(QuatOrder order, Rows<4> quat, double* angle, std::size_t count) {
  const QuatReader q("quat", quat, order);
  for (std::size_t i = 0; i < count; ++i) angle[i] = heading(q[i]);
}

void heading_quat(QuatOrder order, Rows<4> quat, double* result, std::size_t count) {
  const QuatReader q("quat", quat, order);
  const QuatWriter write(result, order);
  for (std::size_t i = 0; i < count; ++i) write(i, heading_quat(q[i]));
}

void swing_twist(QuatOrder order, Rows<4> quat, Rows<3> axis, double* swing, double* twist, std::size_t count) {
  const QuatReader q("quat", quat, order);
  const QuatWriter write_swing(swing, order), write_twist(twist, order);
  for (std::size_t i = 0; i < count; ++i) {
    const SwingTwist parts = swing_twist(q[i], read_axis(axis, i));
    write_swing(i, parts.swing);
    write_twist(i, parts.twist);
  }
}

void twist_swing(QuatOrder order, Rows<4> quat, Rows<3> axis, double* twist, double* swing, std::size_t count) {
  const QuatReader q("quat", quat, order);
  const QuatWriter write_twist(twist, order), write_swing(swing, order);
  for (std::size_t i = 0; i < count; ++i) {
    const SwingTwist parts = twist_swing(q[i], read_axis(axis, i));
    write_twist(i, parts.twist);
    write_swing(i, parts.swing);
  }
}

void quat_between(QuatOrder order, Rows<3> vec1, Rows<3> vec2, double* quat, std::size_t count) {
  const QuatWriter write(quat, order);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3<double> u = read_vector("vec1", vec1, i), v = read_vector("vec2", vec2, i);
    if (!(norm(u) > 0)) throw RowError("vec1", i, "has length zero, which is no direction");
    if (!(norm(v) > 0)) throw RowError("vec2", i, "has length zero, which is no direction");
    write(i, quat_between(u, v));
  }
}

void wrap_angle(Rows<1> angle, double* wrapped, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) wrapped[i] = wrap_angle(read_number("angle", angle, i));
}

void quat_to_tan_norm(QuatOrder order, Rows<4> quat, double* tan_norm, std::size_t count) {
  const QuatReader q("quat", quat, order);
  for (std::size_t i = 0; i < count; ++i) {
    const auto six = tan_norm_from_quat(q[i]);
    std::copy(six.begin(), six.end(), tan_norm + 6 * i);
  }
}

void tan_norm_to_quat(QuatOrder order, Rows<6> tan_norm, double* quat, std::size_t count) {
  constexpr double kParallel = 1e-10;  // sine of the angle below which two directions count as parallel
  const QuatWriter write(quat, order);
  for (std::size_t i = 0; i < count; ++i) {
    const double* six = tan_norm.row(i);
    check_finite("tan_norm", i, six, 6);
    const Vec3<double> tangent = load3(six), normal = load3(six + 3);
    const double product = norm(tangent) * norm(normal);
    if (product == 0) throw RowError("tan_norm", i, "has a direction of length zero");
    if (norm(cross(tangent, normal)) < kParallel * product)
      throw RowError("tan_norm", i, "has two parallel directions, which span no plane");
    write(i, quat_from_tan_norm(six));
  }
}

void slerp(QuatOrder order, Rows<4> quat1, Rows<4> quat2, Rows<1> t, double* result, std::size_t count) {
  const QuatReader a("quat1", quat1, order), b("quat2", quat2, order);
  const QuatWriter write(result, order);
  for (std::size_t i = 0; i < count; ++i) write(i, slerp(a[i], b[i], read_number("t", t, i)));
}

void angular_velocity(QuatOrder order, Frame frame, Rows<4> quat1, Rows<4> quat2, Rows<1> dt, double* velocity,
                      std::size_t count) {
  const QuatReader a("quat1", quat1, order), b("quat2", quat2, order);
  for (std::size_t i = 0; i < count; ++i) {
    const double h = read_number("dt", dt, i);
    if (h == 0) throw RowError("dt", i, "is zero; a velocity needs a time difference");
    store3(velocity + 3 * i, angular_velocity(a[i], b[i], h, frame));
  }
}

void quat_from_uniform(QuatOrder order, Rows<3> uniform, double* quat, std::size_t count) {
  const QuatWriter write(quat, order);
  for (std::size_t i = 0; i < count; ++i) write(i, quat_from_uniform(read_vector("uniform", uniform, i)));
}

}  // namespace torsor::rotations
