// Rotations one at a time: Euler angles in every sequence, six numbers, and the parts and motions of a rotation.
#include "torsor/convention/rotations.hpp"

#include <algorithm>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "tests/support/property.hpp"
#include "torsor/convention/euler.hpp"
#include "torsor/core/error.hpp"

namespace torsor::rotations {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Q = Quat<double>;

const EulerSpelling kSpellings[] = {EulerSpelling::kMujoco, EulerSpelling::kScipy};

Q negative(const Q& q) { return {-q.w, -q.x, -q.y, -q.z}; }

std::vector<std::string> every_three_letters() {
  std::vector<std::string> result;
  const std::string letters = "xyzXYZ";
  for (char a : letters)
    for (char b : letters)
      for (char c : letters) result.push_back({a, b, c});
  return result;
}

// Turns one after the other by Eigen: about axes that turn along, or about fixed ones.
Q by_turns(const std::string& letters, EulerSpelling spelling, const Vec& angles) {
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
  for (int i = 0; i < 3; ++i) {
    const bool is_lower = letters[i] >= 'a';
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(angles[i], Eigen::Vector3d::Unit((letters[i] | 32) - 'x')));
    const bool is_intrinsic = spelling == EulerSpelling::kMujoco ? is_lower : !is_lower;
    q = is_intrinsic ? q * turn : turn * q;
  }
  return {q.w(), q.x(), q.y(), q.z()};
}

std::string message_of(const std::string& letters, EulerSpelling spelling) {
  try {
    make_euler_sequence(letters, spelling);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Euler, ASpellingHas24Sequences) {
  for (EulerSpelling spelling : kSpellings) {
    std::vector<std::string> all = all_euler_sequences(spelling);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()) - all.begin(), 24);
    for (const std::string& letters : all)
      EXPECT_TRUE(make_euler_sequence(letters, spelling).reaches_every_rotation()) << letters;
  }
}

TEST(Euler, EverySequenceIsItsTurnsOneAfterTheOther) {
  for_all(50, [](Random& random) {
    const Vec angles = random.vec3(7);
    for (const std::string& letters : every_three_letters()) {
      const Q q = quat_from_euler(make_euler_sequence(letters, EulerSpelling::kMujoco), angles);
      EXPECT_NEAR_REL(q, by_turns(letters, EulerSpelling::kMujoco, angles), kRounding) << letters;
    }
    for (const std::string& letters : all_euler_sequences(EulerSpelling::kScipy)) {
      const Q q = quat_from_euler(make_euler_sequence(letters, EulerSpelling::kScipy), angles);
      EXPECT_NEAR_REL(q, by_turns(letters, EulerSpelling::kScipy, angles), kRounding) << letters;
    }
  });
}

// A quarter turn about x, then one about z. Fixed axes: y goes to z and stays there. Axes that turn along: the second
// turn is about the old -y, and takes x to z.
TEST(Euler, TheSpellingsContradictEachOther) {
  const Vec angles{M_PI / 2, 0, M_PI / 2};
  const Q mujoco = quat_from_euler(make_euler_sequence("xyz", EulerSpelling::kMujoco), angles);
  const Q scipy = quat_from_euler(make_euler_sequence("xyz", EulerSpelling::kScipy), angles);
  EXPECT_NEAR_REL(mujoco, (Q{0.5, 0.5, -0.5, 0.5}), kRounding);
  EXPECT_NEAR_REL(scipy, (Q{0.5, 0.5, 0.5, 0.5}), kRounding);
  EXPECT_NEAR_REL(rotate(mujoco, Vec{1, 0, 0}), (Vec{0, 0, 1}), kRounding);
  EXPECT_NEAR_REL(rotate(scipy, Vec{0, 1, 0}), (Vec{0, 0, 1}), kRounding);
}

TEST(Euler, RollPitchYawIsAboutFixedXThenYThenZ) {
  const Vec rpy{0.3, -0.4, 0.5};
  EXPECT_NEAR_REL(quat_from_euler(kRollPitchYaw, rpy), by_turns("xyz", EulerSpelling::kScipy, rpy), kRounding);
  EXPECT_NEAR_REL(euler_from_quat(kRollPitchYaw, by_turns("XYZ", EulerSpelling::kMujoco, rpy)), rpy, kRounding);
}

TEST(Euler, AnglesComeBackInEverySequenceAndSpelling) {
  for_all(50, [](Random& random) {
    const double first = random.uniform(-3.1, 3.1), third = random.uniform(-3.1, 3.1), away = 0.05;
    for (EulerSpelling spelling : kSpellings)
      for (const std::string& letters :
           spelling == EulerSpelling::kMujoco ? every_three_letters() : all_euler_sequences(spelling)) {
        const EulerSequence sequence = make_euler_sequence(letters, spelling);
        if (!sequence.reaches_every_rotation()) continue;
        const bool is_proper = sequence.axis[0] == sequence.axis[2];
        const double middle = random.uniform(away, M_PI - away) - (is_proper ? 0 : M_PI / 2);
        Vec angles{};
        angles[sequence.angle[0]] = first, angles[sequence.angle[1]] = middle, angles[sequence.angle[2]] = third;
        const Q q = quat_from_euler(sequence, angles);
        EXPECT_NEAR_REL(euler_from_quat(sequence, q), angles, 1e-13) << letters;
        EXPECT_NEAR_REL(euler_from_quat(sequence, negative(q)), angles, 1e-13) << letters;
      }
  });
}

TEST(Euler, EveryRotationComesBackNearAndInGimbalLock) {
  for_all(100, [](Random& random) {
    for (const std::string& letters : every_three_letters()) {
      const EulerSequence sequence = make_euler_sequence(letters, EulerSpelling::kMujoco);
      if (!sequence.reaches_every_rotation()) continue;
      Vec angles = random.vec3(3.1);
      const bool is_proper = sequence.axis[0] == sequence.axis[2];
      const double end = (is_proper ? 0 : M_PI / 2) + M_PI * random.integer(0, 1);
      angles[sequence.angle[1]] = end + (random.chance(0.3) ? 0 : random.magnitude(1e-16, 1e-2));
      const Q q = quat_from_euler(sequence, angles);
      EXPECT_TRUE(is_same_rotation(quat_from_euler(sequence, euler_from_quat(sequence, q)), q, 2 * kGimbalLock));
    }
  });
}

TEST(Euler, TheThirdAngleIsZeroInGimbalLock) {
  for_all(100, [](Random& random) {
    for (const std::string& letters : every_three_letters()) {
      const EulerSequence sequence = make_euler_sequence(letters, EulerSpelling::kMujoco);
      if (!sequence.reaches_every_rotation()) continue;
      Vec angles = random.vec3(3.1);
      const bool is_proper = sequence.axis[0] == sequence.axis[2];
      angles[sequence.angle[1]] = is_proper ? M_PI * random.integer(0, 1) : M_PI * random.integer(0, 1) - M_PI / 2;
      const Vec found = euler_from_quat(sequence, quat_from_euler(sequence, angles));
      EXPECT_EQ(found.z, 0) << letters;
      EXPECT_NEAR(found[sequence.angle[1]], angles[sequence.angle[1]], 1e-14) << letters;
    }
  });
}

TEST(Euler, ASequenceThatRepeatsAnAxisDoesNotReachEveryRotation) {
  for (const char* letters : {"xxy", "xyX", "xYx", "zZz", "xXy"}) {
    const EulerSequence sequence = make_euler_sequence(letters, EulerSpelling::kMujoco);
    EXPECT_FALSE(sequence.reaches_every_rotation()) << letters;
    EXPECT_THROW(euler_from_quat(sequence, Q::identity()), Error) << letters;
  }
  EXPECT_TRUE(make_euler_sequence("xzZ", EulerSpelling::kMujoco).reaches_every_rotation());  // Z x z
}

TEST(Euler, WrongLettersAreRefusedWithTheNearestSequence) {
  EXPECT_NE(message_of("xyq", EulerSpelling::kMujoco).find("did you mean 'xy"), std::string::npos);
  EXPECT_NE(message_of("xYz", EulerSpelling::kScipy).find("does not mix"), std::string::npos);
  EXPECT_NE(message_of("xxz", EulerSpelling::kScipy).find("neighbouring axes"), std::string::npos);
  for (const char* letters : {"", "x", "xy", "xyzx", "abc", "x z"})
    EXPECT_NE(message_of(letters, EulerSpelling::kMujoco).find("three letters"), std::string::npos) << letters;
  EXPECT_NE(message_of("xyz", EulerSpelling::kUnspecified).find("spelling"), std::string::npos);
}

TEST(Rotations, AxisAndAngleComeBack) {
  for_all(1000, [](Random& random) {
    const Vec axis = random.unit_vec3();
    const double angle = random.chance(0.5) ? random.uniform(0.01, M_PI) : std::abs(random.magnitude(1e-200, 1));
    for (const Q& q : {from_axis_angle(axis, angle), negative(from_axis_angle(axis, angle))}) {
      const AxisAngle found = axis_angle(q);
      EXPECT_NEAR_REL(found.axis, axis, 1e-13);
      EXPECT_NEAR(found.angle / angle, 1, 1e-13);
    }
  });
  EXPECT_EQ(components(axis_angle(Q::identity()).axis), components(Vec{1, 0, 0}));
  EXPECT_EQ(axis_angle(Q::identity()).angle, 0);
}

TEST(Rotations, TheNearestRotationIsTheOneOfTheSingularValues) {
  for_all(300, [](Random& random) {
    Mat R = random.rotation();
    for (double& x : R.m) x += random.uniform(-2e-4, 2e-4);
    const Eigen::Matrix3d E = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R.m);
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(E, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::Matrix3d polar = svd.matrixU() * svd.matrixV().transpose();
    Mat expected;
    for (int i = 0; i < 9; ++i) expected.m[i] = polar(i / 3, i % 3);
    EXPECT_NEAR_REL(nearest_rotation(R), expected, kRounding);
    EXPECT_GT(rotation_error(R), 1e-6);
    EXPECT_LT(rotation_error(nearest_rotation(R)), kRounding);
    EXPECT_TRUE(std::isinf(rotation_error(R * -1)));
  });
}

// the rotation that takes x to y, y to z, z to x
const Q kCycle{0.5, 0.5, 0.5, 0.5};

TEST(Rotations, SixNumbersHaveTwoLayouts) {
  const std::array<double, 6> columns{0, 1, 0, 0, 0, 1}, interleaved{0, 0, 1, 0, 0, 1};
  EXPECT_EQ(six_from_quat(SixLayout::kColumns, kCycle), columns);
  EXPECT_EQ(six_from_quat(SixLayout::kInterleaved, kCycle), interleaved);
  EXPECT_TRUE(is_same_rotation(quat_from_columns(columns_of(SixLayout::kColumns, columns.data())), kCycle, 1e-15));
  EXPECT_TRUE(
      is_same_rotation(quat_from_columns(columns_of(SixLayout::kInterleaved, interleaved.data())), kCycle, 1e-15));
}

TEST(Rotations, GramSchmidtKeepsTheFirstDirectionAndTheSideOfTheSecond) {
  for_all(500, [](Random& random) {
    const Q q = random.quat();
    const Mat R = to_mat(q);
    const double lean = random.magnitude(1e-3, 1e4);
    const Vec first = R.col(0) * std::abs(random.magnitude(1e-5, 1e5));
    const Vec second = (R.col(1) + R.col(0) * lean) * std::abs(random.magnitude(1e-5, 1e5));
    EXPECT_TRUE(is_same_rotation(quat_from_columns({first, second}), q, 1e-15 * (10 + std::abs(lean))));
  });
}

TEST(Rotations, TheStandardSignIsThatOfTheFirstElementThatIsNotZero) {
  for_all(200, [](Random& random) {
    const Q q = random.quat();
    EXPECT_EQ(components(standardise_sign(q)), components(standardise_sign(negative(q))));
    EXPECT_GT(standardise_sign(q).w, 0);
  });
  EXPECT_EQ(components(standardise_sign({0, -0.6, 0.8, 0})), components(Q{0, 0.6, -0.8, 0}));
  EXPECT_EQ(components(standardise_sign({-0.0, 0, -0.6, 0.8})), components(Q{0, 0, 0.6, -0.8}));
  EXPECT_EQ(components(standardise_sign({0, 0, 0, -1})), components(Q{0, 0, 0, 1}));
}

TEST(Rotations, TheAngleBetweenIsThatOfTheTurnFromOneToTheOther) {
  for_all(500, [](Random& random) {
    const Q a = random.quat();
    const double angle = random.chance(0.5) ? random.uniform(0, M_PI) : std::abs(random.magnitude(1e-14, 1));
    const Q b = a * from_axis_angle(random.unit_vec3(), angle);
    EXPECT_NEAR(angle_between(a, b), angle, 2e-15);
    EXPECT_NEAR(angle_between(negative(a), b), angle, 2e-15);
  });
}

TEST(Rotations, HeadingIsWhereTheXAxisPointsAndTheYawOfRollPitchYaw) {
  for_all(500, [](Random& random) {
    const Q q = random.quat();
    const Vec x_W = rotate(q, Vec{1, 0, 0});
    EXPECT_NEAR(heading(q), std::atan2(x_W.y, x_W.x), 1e-12);
    EXPECT_NEAR(heading(q), euler_from_quat(kRollPitchYaw, q).z, 1e-12);
    // without its heading a rotation looks straight ahead
    const Vec ahead = rotate(conj(heading_quat(q)) * q, Vec{1, 0, 0});
    EXPECT_NEAR(ahead.y, 0, kRounding);
    EXPECT_GE(ahead.x, 0);
    EXPECT_GE(heading_quat(q).w, 0);
  });
}

TEST(Rotations, AVerticalXAxisHasNoHeading) {
  for_all(100, [](Random& random) {
    const Q up = quat_from_euler(kRollPitchYaw, {random.uniform(-3, 3), M_PI / 2, random.uniform(-3, 3)});
    EXPECT_EQ(heading(up), 0);
    EXPECT_EQ(components(heading_quat(up)), components(Q::identity()));
  });
}

TEST(Rotations, SwingAndTwistMakeTheRotationAndAreAtRightAngles) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat();
    const Vec axis = random.unit_vec3();
    const SwingTwist parts = swing_twist(q, axis);
    EXPECT_NEAR_REL(parts.swing * parts.twist, q, kRounding);
    EXPECT_NEAR_REL(dot(parts.swing.vec(), axis), 0.0, kRounding);
    EXPECT_NEAR_REL(cross(parts.twist.vec(), axis), Vec::zero(), kRounding);
    EXPECT_NEAR(dot(parts.twist, parts.twist), 1, kRounding);
    EXPECT_GE(parts.swing.w, 0);
  });
}

TEST(Rotations, AHalfTurnOfSwingHasNoTwist) {
  const SwingTwist parts = swing_twist({0, 0.6, 0.8, 0}, {0, 0, 1});
  EXPECT_EQ(components(parts.twist), components(Q::identity()));
  EXPECT_EQ(components(parts.swing), components(Q{0, 0.6, 0.8, 0}));
}

TEST(Rotations, TwistAndSwingInTheOtherOrderMakeTheRotationToo) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat();
    const Vec axis = random.unit_vec3();
    const SwingTwist parts = twist_swing(q, axis);
    EXPECT_NEAR_REL(parts.twist * parts.swing, q, kRounding);
    EXPECT_NEAR_REL(dot(parts.swing.vec(), axis), 0.0, kRounding);
    EXPECT_NEAR_REL(parts.twist, swing_twist(q, axis).twist, kRounding);
  });
}

TEST(Rotations, TheRotationBetweenTwoDirectionsTakesOneToTheOther) {
  for_all(1000, [](Random& random) {
    const Vec u = random.unit_vec3(), v = random.unit_vec3();
    const Q q = quat_between(u * random.uniform(0.1, 9), v);
    EXPECT_NEAR_REL(rotate(q, u), v, 10 * kRounding);
    EXPECT_NEAR(dot(q.vec(), u), 0, 10 * kRounding);  // no turn about the direction itself
    EXPECT_NEAR_REL(rotate(quat_between(u, -u), u), -u, 10 * kRounding);
    const auto six = tan_norm_from_quat(q);
    EXPECT_NEAR(std::abs(dot(quat_from_tan_norm(six.data()), q)), 1, kRounding);
  });
}

TEST(Rotations, SlerpTurnsAtConstantSpeedTheShortWay) {
  for_all(500, [](Random& random) {
    const Q a = random.quat();
    const Vec axis = random.unit_vec3();
    const double angle = random.chance(0.5) ? random.uniform(0, 3.1) : std::abs(random.magnitude(1e-18, 1));
    const double t = random.uniform(-0.5, 1.5);
    const Q b = a * from_axis_angle(axis, angle);
    const Q expected = a * from_axis_angle(axis, angle * t);
    EXPECT_NEAR_REL(slerp(a, b, t), expected, 1e-14);
    EXPECT_NEAR_REL(slerp(a, negative(b), t), expected, 1e-14);
    EXPECT_NEAR_REL(slerp(a, b, 0), a, kRounding);
  });
}

TEST(Rotations, SlerpBetweenEqualRotationsStays) {
  for_all(100, [](Random& random) {
    const Q q = random.quat();
    const double t = random.uniform(0, 1);
    EXPECT_NEAR_REL(slerp(q, q, t), q, kRounding);
    EXPECT_NEAR_REL(slerp(q, negative(q), t), q, kRounding);
  });
  // half a turn either way: towards b as it is given
  EXPECT_NEAR_REL(slerp(Q::identity(), Q{0, 0, 0, 1}, 0.5), (Q{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}), kRounding);
  EXPECT_NEAR_REL(slerp(Q::identity(), Q{0, 0, 0, -1}, 0.5), (Q{std::sqrt(0.5), 0, 0, -std::sqrt(0.5)}), kRounding);
}

TEST(Rotations, TurningAtTheAngularVelocityLeadsFromOneToTheOther) {
  for_all(500, [](Random& random) {
    const Q a = random.quat(), b = random.quat();
    const double dt = random.uniform(0.01, 2);
    const Vec w_B = angular_velocity(a, b, dt, Frame::kBody), w_W = angular_velocity(a, b, dt, Frame::kWorld);
    EXPECT_TRUE(is_same_rotation(integrate(a, w_B, dt), b, 1e-14));
    EXPECT_TRUE(is_same_rotation(quat_from_rotation_vector(w_W * dt) * a, b, 1e-14));
    EXPECT_NEAR_REL(rotate(a, w_B), w_W, 1e-14);
    EXPECT_NEAR_REL(rotate(b, w_B), w_W, 1e-14);
    EXPECT_LE(norm(w_B) * dt, M_PI + 1e-14);
  });
  EXPECT_THROW(angular_velocity(kCycle, kCycle, 1, Frame::kUnspecified), Error);
  EXPECT_THROW(angular_velocity(kCycle, kCycle, 1, Frame::kParent), Error);
}

// Of uniform rotations, the matrix has mean 0 and each element mean square 1/3, and the angle has the density
// (1 - cos) / pi, whose mean is pi/2 + 2/pi.
TEST(Rotations, RandomRotationsAreUniform) {
  constexpr int kCount = 100'000;
  std::mt19937_64 generator(1);
  double sum[9] = {}, squares[9] = {}, angles = 0;
  for (int i = 0; i < kCount; ++i) {
    const Q q = random_quat(generator);
    EXPECT_NEAR(dot(q, q), 1, kRounding);
    const Mat R = to_mat(q);
    for (int k = 0; k < 9; ++k) sum[k] += R.m[k] / kCount, squares[k] += R.m[k] * R.m[k] / kCount;
    angles += angle_between(q, Q::identity()) / kCount;
  }
  const double five_sigma = 5 / std::sqrt(kCount);  // no standard deviation here is above 1
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(sum[k], 0, five_sigma * std::sqrt(1 / 3.0)) << k;
    EXPECT_NEAR(squares[k], 1 / 3.0, five_sigma * std::sqrt(4 / 45.0)) << k;
  }
  EXPECT_NEAR(angles, M_PI / 2 + 2 / M_PI, five_sigma * 0.65);
}

}  // namespace
}  // namespace torsor::rotations
