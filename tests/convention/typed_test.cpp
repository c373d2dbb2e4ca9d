// Quantities with their convention in the type give the numbers of the run-time conversions, and do not mix.
#include "torsor/convention/typed.hpp"

#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/convention/convert.hpp"

namespace torsor {
namespace {

template <const Row& kFrom, const Row& kTo>
void expect_the_run_time_numbers(const char* from_id, const char* to_id) {
  for_all(50, [&](Random& random) {
    BodyPlace<double> body;
    body.p_BoBcm_B = random.vec3(), body.q_BI = random.quat(), body.X_WP = random.pose(), body.X_BA = random.pose();
    double pose[7], twist[6], out[7];
    const PoseIn<kFrom> typed_pose{random.vec3(2), random.quat()};
    const TwistIn<kFrom> typed_twist{random.vec3(2), random.vec3(2)};
    const JointForceIn<kFrom> typed_force{random.vec3(2), random.vec3(2)};
    to_numbers(typed_pose, pose);
    to_numbers(typed_twist, twist);
    const BodyConversion conversion(find_convention(from_id), find_convention(to_id), body);
    conversion.poses(pose, out, 1);
    double typed[7];
    to_numbers(convert<kTo>(typed_pose, body), typed);
    for (int i = 0; i < 7; ++i) ASSERT_NEAR(std::abs(typed[i]), std::abs(out[i]), 1e-13);
    conversion.twists(pose, twist, out, 1);
    to_numbers(convert<kTo>(typed_twist, typed_pose, body), typed);
    for (int i = 0; i < 6; ++i) ASSERT_NEAR(typed[i], out[i], 1e-13);
    double force[6];
    store_parts(joint_force_layout(kFrom).order, Parts<double>{typed_force.linear, typed_force.angular}, force);
    conversion.joint_forces(pose, force, out, 1);
    const auto result = convert<kTo>(typed_force, typed_pose, body);
    store_parts(joint_force_layout(kTo).order, Parts<double>{result.linear, result.angular}, typed);
    for (int i = 0; i < 6; ++i) ASSERT_NEAR(typed[i], out[i], 1e-13);
  });
}

TEST(Typed, ConversionsGiveTheNumbersOfTheRunTimeForm) {
  expect_the_run_time_numbers<rows::mujoco, rows::newton>("mujoco", "newton");
  expect_the_run_time_numbers<rows::newton, rows::mujoco>("newton", "mujoco");
  expect_the_run_time_numbers<rows::drake, rows::pinocchio>("drake", "pinocchio");
  expect_the_run_time_numbers<rows::sap_internal, rows::mujoco>("sap.internal", "mujoco");
  expect_the_run_time_numbers<rows::newton_joint_1_5, rows::drake>("newton.joint.1_5", "drake");
  expect_the_run_time_numbers<rows::ros, rows::isaaclab2>("ros", "isaaclab2");
}

TEST(Typed, PowerIsTheSameInBothConventions) {
  for_all(50, [](Random& random) {
    BodyPlace<double> body;
    body.p_BoBcm_B = random.vec3();
    const PoseIn<rows::mujoco> pose{random.vec3(), random.quat()};
    const TwistIn<rows::mujoco> twist{random.vec3(), random.vec3()};
    const JointForceIn<rows::mujoco> force{random.vec3(), random.vec3()};
    ASSERT_NEAR(power(force, twist),
                power(convert<rows::pinocchio>(force, pose, body), convert<rows::pinocchio>(twist, pose, body)), 1e-14);
    ASSERT_NEAR(power(force, twist),
                power(convert<rows::newton>(force, pose, body), convert<rows::newton>(twist, pose, body)), 1e-14);
  });
}

// What must not compile, asked as questions.
template <class A, class B>
concept CanAssign = requires(A a, B b) {
  a = b;
};
template <class F, class V>
concept HavePower = requires(F f, V v) {
  power(f, v);
};

TEST(Typed, MixingTwoConventionsDoesNotCompile) {
  static_assert(CanAssign<TwistIn<rows::mujoco>, TwistIn<rows::mujoco>>);
  static_assert(!CanAssign<TwistIn<rows::mujoco>, TwistIn<rows::newton>>);
  static_assert(!CanAssign<PoseIn<rows::drake>, PoseIn<rows::newton>>);
  static_assert(!CanAssign<TwistIn<rows::newton>, WrenchIn<rows::newton>>, "nor do a twist and a wrench");
  static_assert(HavePower<JointForceIn<rows::mujoco>, TwistIn<rows::mujoco>>);
  static_assert(!HavePower<JointForceIn<rows::mujoco>, TwistIn<rows::newton>>);
}

}  // namespace
}  // namespace torsor
