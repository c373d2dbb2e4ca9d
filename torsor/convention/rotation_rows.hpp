// Many rotations at a time: functions of rows of numbers, with checks of their input.
//
// A quaternion whose length differs from 1 by at most kLengthTolerance is normalised; any other, and numbers that are
// not finite, throw a RowError that names the row. Results must not overlap arguments. For example:
//   multiply(QuatOrder::kWxyz, a, b, product, n);                       // double a[4 * n], b[4 * n], product[4 * n]
//   convert(MatrixForm{}, R, EulerForm{kRollPitchYaw, AngleUnit::kRadian}, rpy, n);
#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "torsor/convention/euler.hpp"
#include "torsor/convention/rotations.hpp"
#include "torsor/convention/row_error.hpp"

namespace torsor::rotations {

inline constexpr double kLengthTolerance = 1e-3;

// Rows of kWidth numbers each, contiguous unless there is a stride (in numbers); stride 0 repeats a row.
template <int kWidth>
struct Rows {
  Rows(const double* data, std::ptrdiff_t row_stride = kWidth) : first(data), stride(row_stride) {}
  const double* row(std::size_t i) const { return first + static_cast<std::ptrdiff_t>(i) * stride; }

  const double* first;
  std::ptrdiff_t stride;
};

// Forms of a rotation in one row of numbers. Matrices are row-major; a matrix within kLengthTolerance of a rotation is
// replaced by the nearest one, any other is rejected. Rotation vectors are in radians.
struct QuatForm {
  QuatOrder order;
};
struct MatrixForm {};
struct RotationVectorForm {};
struct SixForm {
  SixLayout layout;
};
struct EulerForm {
  EulerSequence sequence;
  AngleUnit unit;
};
using Form = std::variant<QuatForm, MatrixForm, RotationVectorForm, SixForm, EulerForm>;

int width(const Form& form);  // numbers per row: 4, 9, 3, 6, 3

// Converts rows of one form to another. Whether q or -q results is unspecified; see standardise_sign(). The stride
// between rows of `in` is in numbers; 0 repeats one row.
void convert(const Form& from, const double* in, std::ptrdiff_t stride, const Form& to, double* out, std::size_t count);
inline void convert(const Form& from, const double* in, const Form& to, double* out, std::size_t count) {
  convert(from, in, width(from), to, out, count);
}

// An axis of any length but zero, and an angle in radians of any size; back: unit length, and [0, pi].
void axis_angle_to_quat(QuatOrder order, Rows<3> axis, Rows<1> angle, double* quat, std::size_t count);
void quat_to_axis_angle(QuatOrder order, Rows<4> quat, double* axis, double* angle, std::size_t count);
void axis_angle_to_rotvec(Rows<3> axis, Rows<1> angle, double* rotvec, std::size_t count);
void rotvec_to_axis_angle(Rows<3> rotvec, double* axis, double* angle, std::size_t count);

void multiply(QuatOrder order, Rows<4> quat1, Rows<4> quat2, double* product, std::size_t count);
void conjugate(QuatOrder order, Rows<4> quat, double* result, std::size_t count);
void standardise_sign(QuatOrder order, Rows<4> quat, double* result, std::size_t count);
void rotate(QuatOrder order, Rows<4> quat, Rows<3> vec, double* rotated, std::size_t count);
void rotate_inverse(QuatOrder order, Rows<4> quat, Rows<3> vec, double* rotated, std::size_t count);
void angle_between(QuatOrder order, Rows<4> quat1, Rows<4> quat2, double* angle, std::size_t count);
void heading(QuatOrder order, Rows<4> quat, double* angle, std::size_t count);
void heading_quat(QuatOrder order, Rows<4> quat, double* result, std::size_t count);
void swing_twist(QuatOrder order, Rows<4> quat, Rows<3> axis, double* swing, double* twist, std::size_t count);
void twist_swing(QuatOrder order, Rows<4> quat, Rows<3> axis, double* twist, double* swing, std::size_t count);
// Directions of any length but zero.
void quat_between(QuatOrder order, Rows<3> vec1, Rows<3> vec2, double* quat, std::size_t count);
void wrap_angle(Rows<1> angle, double* wrapped, std::size_t count);
void quat_to_tan_norm(QuatOrder order, Rows<4> quat, double* tan_norm, std::size_t count);
void tan_norm_to_quat(QuatOrder order, Rows<6> tan_norm, double* quat, std::size_t count);
void slerp(QuatOrder order, Rows<4> quat1, Rows<4> quat2, Rows<1> t, double* result, std::size_t count);
void angular_velocity(QuatOrder order, Frame frame, Rows<4> quat1, Rows<4> quat2, Rows<1> dt, double* velocity,
                      std::size_t count);
void quat_from_uniform(QuatOrder order, Rows<3> uniform, double* quat, std::size_t count);

}  // namespace torsor::rotations
