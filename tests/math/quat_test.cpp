// Rotations and poses: quaternion, matrix, axis and angle, rotation vector tell one story.
#include "torsor/math/quat.hpp"

#include "tests/support/property.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Q = Quat<double>;

TEST(Quat, AQuarterTurnAboutZTakesXToY) {
  const Q q = from_axis_angle(Vec{0, 0, 1}, M_PI / 2);
  EXPECT_NEAR_REL(q, (Q{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}), kRounding);
  EXPECT_NEAR_REL(rotate(q, Vec{1, 0, 0}), (Vec{0, 1, 0}), kRounding);
  EXPECT_NEAR_REL(to_mat(q), (Mat{0, -1, 0, 1, 0, 0, 0, 0, 1}), kRounding);
}

TEST(Quat, AProductRotatesByTheRightFactorFirst) {
  for_all(1000, [](Random& random) {
    const Q a = random.quat(), b = random.quat();
    const Vec v = random.vec3();
    EXPECT_NEAR_REL(rotate(a * b, v), rotate(a, rotate(b, v)), kRounding);
    EXPECT_NEAR_REL(to_mat(a * b), to_mat(a) * to_mat(b), kRounding);
  });
}

TEST(Quat, RotationKeepsLengthsAnglesAndHandedness) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat();
    const Vec a = random.vec3(), b = random.vec3();
    EXPECT_NEAR_REL(dot(rotate(q, a), rotate(q, b)), dot(a, b), kRounding);
    EXPECT_NEAR_REL(cross(rotate(q, a), rotate(q, b)), rotate(q, cross(a, b)), kRounding);
  });
}

TEST(Quat, TheConjugateUndoesTheRotation) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat();
    const Vec v = random.vec3();
    EXPECT_NEAR_REL(rotate_inverse(q, rotate(q, v)), v, kRounding);
    EXPECT_NEAR_REL(rotate_inverse(q, v), transposed_mul(to_mat(q), v), kRounding);
    EXPECT_NEAR_REL(q * conj(q), Q::identity(), kRounding);
  });
}

TEST(Quat, MatrixAndQuaternionRotateAlike) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat();
    const Vec v = random.vec3();
    EXPECT_NEAR_REL(to_mat(q) * v, rotate(q, v), kRounding);
  });
  EXPECT_EQ(components(to_mat(Q::identity())), components(Mat::identity()));
}

TEST(Quat, TheMatrixOfAQuaternionIsHomogeneousOfDegreeTwo) {
  const Q q{0.5, 0.5, 0.5, 0.5}, twice{1, 1, 1, 1};
  EXPECT_NEAR_REL(to_mat(twice), to_mat(q) * 4, kRounding);
}

// rotations close to every special case: identity, half turns about axes and diagonals
Q near_special_rotation(Random& random) {
  const double size = std::abs(random.magnitude(1e-18, 1e-3));
  const auto element = [&] { return random.integer(-1, 1) + random.uniform(-size, size); };
  return normalized(Q{element(), element(), element(), element()});
}

TEST(Quat, EveryMatrixGivesItsQuaternionBack) {
  for_all(5000, [](Random& random) {
    const Q q = random.chance(0.5) ? random.quat() : near_special_rotation(random);
    EXPECT_TRUE(is_same_rotation(from_mat(to_mat(q)), q, kRounding));
  });
}

TEST(Quat, TheQuaternionOfASmallAngleMatrixHasPositiveW) {
  for_all(200, [](Random& random) {
    EXPECT_GT(from_mat(to_mat(from_axis_angle(random.unit_vec3(), random.uniform(-2, 2)))).w, 0);
  });
}

TEST(Quat, NormalizedIsUnitAndIdempotentToTheBit) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat();
    const double s = std::abs(random.magnitude(1e-10, 1e10));
    const Q unit = normalized(Q{q.w * s, q.x * s, q.y * s, q.z * s});
    EXPECT_NEAR_REL(unit, q, kRounding);
    EXPECT_NEAR(dot(unit, unit), 1, kRounding);
    EXPECT_EQ(components(normalized(unit)), components(unit));
  });
}

TEST(Quat, NormalizedZeroIsNoRotation) {
  EXPECT_EQ(components(normalized(Q{0, 0, 0, 0})), components(Q::identity()));
  EXPECT_EQ(components(normalized(Q{0, 1e-16, 0, 0})), components(Q::identity()));
  EXPECT_EQ(components(normalized(Q{0, 1e-14, 0, 0})), (std::vector<double>{0, 1, 0, 0}));
}

TEST(Quat, TheRotationVectorIsAxisTimesAngle) {
  for_all(1000, [](Random& random) {
    const Vec axis = random.unit_vec3();
    const double angle = random.magnitude(1e-9, M_PI - 1e-6);
    EXPECT_NEAR_REL(quat_from_rotation_vector(axis * angle), from_axis_angle(axis, angle), kRounding);
    EXPECT_NEAR_REL(rotation_vector(from_axis_angle(axis, angle)), axis * angle, kRounding);
  });
}

TEST(Quat, ExpAndLogAreInverse) {
  for_all(2000, [](Random& random) {
    const Q q = random.chance(0.5) ? random.quat() : near_special_rotation(random);
    EXPECT_TRUE(is_same_rotation(quat_from_rotation_vector(rotation_vector(q)), q, kRounding));
    const Vec axis = random.unit_vec3();
    const double angle = std::abs(random.magnitude(1e-300, 3.14));
    EXPECT_NEAR_REL(rotation_vector(quat_from_rotation_vector(axis * angle)) / angle, axis, kRounding);
  });
}

TEST(Quat, LogTakesTheShortWayRoundForBothSigns) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat(), negative{-q.w, -q.x, -q.y, -q.z};
    EXPECT_LE(norm(rotation_vector(q)), M_PI);
    EXPECT_NEAR_REL(rotation_vector(negative), rotation_vector(q), kRounding);
  });
}

TEST(Quat, ExpAndLogAreSafeAtZero) {
  EXPECT_EQ(components(quat_from_rotation_vector(Vec::zero())), components(Q::identity()));
  EXPECT_EQ(components(rotation_vector(Q::identity())), components(Vec::zero()));
  EXPECT_EQ(components(rotation_vector(Q{-1, 0, 0, 0})), components(Vec::zero()));
  // so small that their square is zero
  EXPECT_EQ(components(quat_from_rotation_vector(Vec{0, 2e-200, 0})), components(Q{1, 0, 1e-200, 0}));
  EXPECT_EQ(components(rotation_vector(Q{1, 0, 1e-200, 0})), components(Vec{0, 2e-200, 0}));
  EXPECT_EQ(components(rotation_vector(Q{-1, 0, 1e-200, 0})), components(Vec{0, -2e-200, 0}));
}

TEST(Quat, IntegratingTheDifferenceLeadsFromOneToTheOther) {
  for_all(1000, [](Random& random) {
    const Q a = random.quat(), b = random.quat();
    EXPECT_TRUE(is_same_rotation(integrate(b, quat_difference(a, b), 1), a, kRounding));
    EXPECT_NEAR_REL(quat_difference(a, a), Vec::zero(), kRounding);
  });
}

TEST(Quat, IntegrationTurnsInTheBodysOwnAxes) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat();
    const Vec w = random.vec3(5), v = random.vec3();
    const double h = 3e-6;  // truncation h^2 w^3 / 6 and rounding 1e-15 / h stay below 2e-9
    const Vec rate = (rotate(integrate(q, w, h), v) - rotate(integrate(q, w, -h), v)) / (2 * h);
    EXPECT_NEAR_REL(rate, rotate(q, cross(w, v)), 2e-9);
  });
}

TEST(Quat, IntegrationOfHalvesIsTheWhole) {
  for_all(1000, [](Random& random) {
    const Q q = random.quat();
    const Vec w = random.vec3(20);
    EXPECT_NEAR_REL(integrate(integrate(q, w, 0.05), w, 0.05), integrate(q, w, 0.1), kRounding);
  });
}

TEST(Quat, LoadAndStoreKeepWFirst) {
  const double in[4] = {1, 2, 3, 4};
  double out[4] = {};
  const Q q = load4(in);
  EXPECT_EQ(q.w, 1);
  EXPECT_EQ(components(q.vec()), (std::vector<double>{2, 3, 4}));
  store4(out, q);
  EXPECT_TRUE(std::equal(in, in + 4, out));
}

TEST(Pose, ComposesAsItsPointsDo) {
  for_all(1000, [](Random& random) {
    const Pose<double> X_AB = random.pose(), X_BC = random.pose();
    const Vec p_CoP_C = random.vec3();
    EXPECT_NEAR_REL(apply(X_AB * X_BC, p_CoP_C), apply(X_AB, apply(X_BC, p_CoP_C)), kRounding);
  });
}

TEST(Pose, IsAGroup) {
  for_all(1000, [](Random& random) {
    const Pose<double> a = random.pose(), b = random.pose(), c = random.pose();
    EXPECT_NEAR_REL((a * b) * c, a * (b * c), kRounding);
    EXPECT_NEAR_REL(a * inverse(a), Pose<double>::identity(), kRounding);
    EXPECT_NEAR_REL(inverse(a) * a, Pose<double>::identity(), kRounding);
    EXPECT_NEAR_REL(a * Pose<double>::identity(), a, 0);
    EXPECT_NEAR_REL(inverse(a * b), inverse(b) * inverse(a), kRounding);
  });
}

TEST(Pose, AppliesRotationThenTranslation) {
  const Pose<double> X{{1, 2, 3}, from_axis_angle(Vec{0, 0, 1}, M_PI / 2)};
  EXPECT_NEAR_REL(apply(X, Vec{10, 0, 0}), (Vec{1, 12, 3}), kRounding);
}

}  // namespace
}  // namespace torsor
