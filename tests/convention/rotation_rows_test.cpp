// Rows of rotations: every order and form tells the same rotation, strides are followed, bad rows are named.
#include "torsor/convention/rotation_rows.hpp"

#include <cmath>

#include "tests/support/property.hpp"

namespace torsor::rotations {
namespace {

using Q = Quat<double>;

const QuatForm kWxyz{QuatOrder::kWxyz}, kXyzw{QuatOrder::kXyzw};

std::vector<Form> every_form() {
  std::vector<Form> forms{
      kWxyz, kXyzw, MatrixForm{}, RotationVectorForm{}, SixForm{SixLayout::kColumns}, SixForm{SixLayout::kInterleaved}};
  for (AngleUnit unit : {AngleUnit::kRadian, AngleUnit::kDegree}) {
    forms.push_back(EulerForm{kRollPitchYaw, unit});
    forms.push_back(EulerForm{make_euler_sequence("zxz", EulerSpelling::kMujoco), unit});
  }
  return forms;
}

std::vector<double> converted(const Form& from, const std::vector<double>& in, const Form& to) {
  const std::size_t count = in.size() / static_cast<std::size_t>(width(from));
  std::vector<double> out(count * static_cast<std::size_t>(width(to)));
  convert(from, in.data(), to, out.data(), count);
  return out;
}

std::vector<double> random_quats(Random& random, int count) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i)
    for (double x : components(random.quat())) result.push_back(x);
  return result;
}

template <class Function>
RowError error_of(Function function) {
  try {
    function();
  } catch (const RowError& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return RowError("", 0, "");
}

TEST(RotationRows, FromAnyFormToAnyOtherIsTheSameRotation) {
  for_all(50, [](Random& random) {
    const std::vector<double> quats = random_quats(random, 5);
    for (const Form& a : every_form())
      for (const Form& b : every_form()) {
        const std::vector<double> back = converted(b, converted(a, converted(kWxyz, quats, a), b), kWxyz);
        for (int i = 0; i < 5; ++i)
          EXPECT_TRUE(is_same_rotation(load4(back.data() + 4 * i), load4(quats.data() + 4 * i), 1e-13));
      }
  });
}

// A third of a turn about (1, 1, 1), then written by hand in every form: x goes to y, y to z, z to x.
TEST(RotationRows, ARotationInEveryForm) {
  const std::vector<double> quat{0.5, 0.5, 0.5, 0.5};
  const double part = 2 * M_PI / 3 / std::sqrt(3.0);
  EXPECT_NEAR_REL(converted(kWxyz, quat, MatrixForm{}), (std::vector<double>{0, 0, 1, 1, 0, 0, 0, 1, 0}), kRounding);
  EXPECT_NEAR_REL(converted(kWxyz, quat, RotationVectorForm{}), (std::vector<double>{part, part, part}), kRounding);
  EXPECT_NEAR_REL(converted(kWxyz, quat, SixForm{SixLayout::kColumns}), (std::vector<double>{0, 1, 0, 0, 0, 1}),
                  kRounding);
  EXPECT_NEAR_REL(converted(kWxyz, quat, EulerForm{kRollPitchYaw, AngleUnit::kDegree}),
                  (std::vector<double>{90, 0, 90}), kRounding);
  EXPECT_EQ(converted(kWxyz, {0.1, 0.7, 0.5, 0.5}, kXyzw), (std::vector<double>{0.7, 0.5, 0.5, 0.1}));
  EXPECT_EQ(converted(kXyzw, {0.1, 0.7, 0.5, 0.5}, kWxyz), (std::vector<double>{0.5, 0.1, 0.7, 0.5}));
}

TEST(RotationRows, StridesLeadFromRowToRow) {
  const double quats[] = {1, 0, 0, 0, 9, 0, 1, 0, 0, 9};  // with a gap after each
  const double turn[] = {0, 0, 0, 1};
  double out[8];
  multiply(QuatOrder::kWxyz, {turn, 0}, {quats, 5}, out, 2);
  EXPECT_EQ(std::vector<double>(out, out + 8), (std::vector<double>{0, 0, 0, 1, 0, 0, 1, 0}));
  const double backward[] = {0, 1, 0, 0, 1, 0, 0, 0};
  multiply(QuatOrder::kWxyz, {turn, 0}, {backward + 4, -4}, out, 2);
  EXPECT_EQ(std::vector<double>(out, out + 8), (std::vector<double>{0, 0, 0, 1, 0, 0, 1, 0}));
}

TEST(RotationRows, LengthsNearOneAreNormalisedAndOthersRefused) {
  for (double length : {1 - 9.9e-4, 1 - 1e-7, 1 - 1e-9, 1 + 1e-12, 1 + 1e-5, 1 + 9.9e-4}) {
    const double quat[] = {0.6 * length, 0, 0.8 * length, 0};
    double out[4];
    conjugate(QuatOrder::kWxyz, quat, out, 1);
    EXPECT_NEAR_REL(load4(out), (Q{0.6, 0, -0.8, 0}), kRounding) << length;
  }
  for (double length : {0.0, 1e-200, 0.5, 1 - 1.01e-3, 1 + 1.01e-3, 2.0, 1e200}) {
    const double quats[] = {1, 0, 0, 0, 0.6 * length, 0, 0.8 * length, 0};
    double out[8];
    const RowError error = error_of([&] { conjugate(QuatOrder::kWxyz, quats, out, 2); });
    EXPECT_EQ(error.argument(), "quat");
    EXPECT_EQ(error.row(), 1u);
    EXPECT_NE(error.problem().find("has length"), std::string::npos);
  }
}

TEST(RotationRows, NumbersThatAreNotFiniteAreNamed) {
  for (double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
    for (const Form& form : every_form())
      for (int element = 0; element < width(form); ++element) {
        std::vector<double> rows = converted(kWxyz, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, form);
        rows[static_cast<std::size_t>(width(form) + element)] = bad;
        const RowError error = error_of([&] { converted(form, rows, kWxyz); });
        EXPECT_EQ(error.row(), 1u);
        EXPECT_EQ(error.element(), element);
      }
}

TEST(RotationRows, WhatIsNoRotationIsRefused) {
  const auto problem = [](const Form& form, const std::vector<double>& row) {
    return error_of([&] { converted(form, row, kWxyz); }).problem();
  };
  EXPECT_NE(problem(MatrixForm{}, {1, 0, 0, 0, 1, 0, 0, 0, -1}).find("determinant is -1"), std::string::npos);
  EXPECT_NE(problem(MatrixForm{}, {1, 0, 0, 0, 1, 0, 0, 0, 1.01}).find("differs"), std::string::npos);
  EXPECT_NE(problem(SixForm{SixLayout::kColumns}, {0, 0, 0, 1, 0, 0}).find("zero"), std::string::npos);
  EXPECT_NE(problem(SixForm{SixLayout::kColumns}, {1, 1, 0, 2, 2, 0}).find("parallel"), std::string::npos);
  EXPECT_NE(problem(SixForm{SixLayout::kInterleaved}, {1, 2, 1, 2, 0, 0}).find("parallel"), std::string::npos);
}

TEST(RotationRows, WhatIsUnspecifiedIsRefused) {
  const std::vector<double> quat{1, 0, 0, 0};
  double out[4];
  EXPECT_THROW(conjugate(QuatOrder::kUnspecified, quat.data(), out, 1), Error);
  EXPECT_THROW(quat_from_uniform(QuatOrder::kUnspecified, quat.data(), out, 1), Error);
  EXPECT_THROW(converted(kWxyz, quat, QuatForm{QuatOrder::kUnspecified}), Error);
  EXPECT_THROW(converted(kWxyz, quat, SixForm{SixLayout::kUnspecified}), Error);
  EXPECT_THROW(converted(kWxyz, quat, EulerForm{kRollPitchYaw, AngleUnit::kUnspecified}), Error);
}

TEST(RotationRows, AxesOfAnyLengthButZeroAreAxes) {
  double out[4];
  const double angle = M_PI / 3;
  for (double length : {1e-200, 0.1, 7.0, 1e200}) {
    const double axis[] = {0, length, 0};
    axis_angle_to_quat(QuatOrder::kXyzw, axis, &angle, out, 1);
    EXPECT_NEAR_REL(load4(out), (Q{0, 0.5, 0, std::sqrt(0.75)}), kRounding) << length;
  }
  const double zero[] = {0, 0, 0};
  EXPECT_EQ(error_of([&] { axis_angle_to_quat(QuatOrder::kXyzw, zero, &angle, out, 1); }).argument(), "axis");
}

TEST(RotationRows, NoTimeIsNoTimeForAVelocity) {
  const double quat[] = {1, 0, 0, 0}, dt = 0;
  double out[3];
  const auto call = [&] { angular_velocity(QuatOrder::kWxyz, Frame::kBody, quat, quat, &dt, out, 1); };
  EXPECT_EQ(error_of(call).argument(), "dt");
}

// Each function over rows is the one for a single rotation, in either order of elements.
TEST(RotationRows, RowsAreComputedOneByOne) {
  for_all(100, [](Random& random) {
    const Q a = random.quat(), b = random.quat();
    const Vec3<double> v = random.unit_vec3();
    const double t = random.uniform(0, 1), vec[] = {v.x, v.y, v.z};
    const double p[] = {a.x, a.y, a.z, a.w}, q[] = {b.x, b.y, b.z, b.w};
    double out[4], other[4];
    const auto quat = [](const double* x) { return Q{x[3], x[0], x[1], x[2]}; };
    multiply(QuatOrder::kXyzw, p, q, out, 1);
    EXPECT_NEAR_REL(quat(out), a * b, kRounding);
    rotate(QuatOrder::kXyzw, p, vec, out, 1);
    EXPECT_NEAR_REL(load3(out), torsor::rotate(a, v), kRounding);
    rotate_inverse(QuatOrder::kXyzw, p, vec, out, 1);
    EXPECT_NEAR_REL(load3(out), torsor::rotate_inverse(a, v), kRounding);
    slerp(QuatOrder::kXyzw, p, q, &t, out, 1);
    EXPECT_NEAR_REL(quat(out), slerp(a, b, t), kRounding);
    swing_twist(QuatOrder::kXyzw, p, vec, out, other, 1);
    EXPECT_NEAR_REL(quat(out), swing_twist(a, v).swing, kRounding);
    EXPECT_NEAR_REL(quat(other), swing_twist(a, v).twist, kRounding);
    heading(QuatOrder::kXyzw, p, out, 1);
    EXPECT_NEAR_REL(out[0], heading(a), 1e-12);
    heading_quat(QuatOrder::kXyzw, p, out, 1);
    EXPECT_NEAR_REL(quat(out), heading_quat(a), 1e-12);
    angle_between(QuatOrder::kXyzw, p, q, out, 1);
    EXPECT_NEAR_REL(out[0], angle_between(a, b), kRounding);
    standardise_sign(QuatOrder::kXyzw, p, out, 1);
    EXPECT_NEAR_REL(quat(out), standardise_sign(a), kRounding);
    quat_to_axis_angle(QuatOrder::kXyzw, p, out, other, 1);
    EXPECT_NEAR_REL(load3(out) * other[0], rotation_vector(a), 1e-14);
  });
}

}  // namespace
}  // namespace torsor::rotations
