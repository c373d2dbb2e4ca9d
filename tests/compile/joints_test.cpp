// Joints: units, limits, the reference pose.
#include <cmath>

#include "tests/compile/make_spec.hpp"

namespace torsor {
namespace {

Spec make_joint(JointType type) {
  Spec spec;
  const int b = add_body(spec, 0, {1, 2, 3});
  add_joint(spec, b, type);
  add_sphere(spec, b);
  return spec;
}

JointSpec& joint_of(Spec& spec) { return body_of(spec, 1).joints[0]; }

TEST(Joints, DegreesBecomeRadiansForHingesOnly) {
  for (const JointType type : {JointType::kHinge, JointType::kSlide}) {
    Spec spec = make_joint(type);
    joint_of(spec).range = {-90, 180};
    joint_of(spec).ref = 90;
    joint_of(spec).springref = 45;
    const Model model = compile(spec);
    const double unit = type == JointType::kHinge ? M_PI / 180 : 1;
    EXPECT_DOUBLE_EQ(model.jnt_range[0], -90 * unit);
    EXPECT_DOUBLE_EQ(model.jnt_range[1], 180 * unit);
    EXPECT_DOUBLE_EQ(model.qpos0[0], 90 * unit);
    EXPECT_DOUBLE_EQ(model.qpos_spring[0], 45 * unit);
  }
}

TEST(Joints, RadiansStay) {
  Spec spec = make_joint(JointType::kHinge);
  spec.compiler.degree = false;
  joint_of(spec).range = {-1, 2};
  EXPECT_DOUBLE_EQ(compile(spec).jnt_range[1], 2);
}

TEST(Joints, ARangeThatGrowsMeansLimitsUnlessTheAuthorSaysOtherwise) {
  Spec spec = make_joint(JointType::kSlide);
  EXPECT_FALSE(compile(spec).jnt_limited[0]);
  joint_of(spec).range = {-1, 1};
  EXPECT_TRUE(compile(spec).jnt_limited[0]);
  joint_of(spec).limited = Tristate::kFalse;
  EXPECT_FALSE(compile(spec).jnt_limited[0]);
}

TEST(Joints, FreeJointsAreNeverLimited) {
  Spec spec = make_joint(JointType::kFree);
  joint_of(spec).range = {0, 1};
  joint_of(spec).limited = Tristate::kTrue;
  EXPECT_FALSE(compile(spec).jnt_limited[0]);
}

TEST(Joints, ForceLimitsAreForSlidersAndHinges) {
  for (const JointType type : {JointType::kHinge, JointType::kBall}) {
    Spec spec = make_joint(type);
    joint_of(spec).actfrcrange = {-1, 2};
    EXPECT_EQ(compile(spec).jnt_actfrclimited[0], type == JointType::kHinge);
  }
}

TEST(Joints, AFreeJointRestsWhereItsBodyIs) {
  Spec spec = make_joint(JointType::kFree);
  body_of(spec, 1).orientation.quat = {0, 0, 3, 0};
  const Model model = compile(spec);
  EXPECT_EQ(std::vector<double>(model.qpos0.begin(), model.qpos0.end()), (std::vector<double>{1, 2, 3, 0, 0, 1, 0}));
  EXPECT_EQ(std::vector<double>(model.qpos_spring.begin(), model.qpos_spring.end()),
            (std::vector<double>{1, 2, 3, 0, 0, 1, 0}));
}

TEST(Joints, EveryDofOfAJointHasItsCoefficients) {
  Spec spec = make_joint(JointType::kBall);
  joint_of(spec).damping = {1, 2, 3};
  joint_of(spec).stiffness = {4, 5, 6};
  joint_of(spec).armature = 7;
  const Model model = compile(spec);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(model.dof_damping[i], 1);
    EXPECT_EQ(model.dof_dampingpoly[2 * i + 1], 3);
    EXPECT_EQ(model.dof_armature[i], 7);
  }
  EXPECT_EQ(model.jnt_stiffness[0], 4);
  EXPECT_EQ(model.jnt_stiffnesspoly[0], 5);
}

}  // namespace
}  // namespace torsor
