// Orders of a Model: the known gather of a humanoid, index maps of dofs and coordinates, and what bad input is told.
#include "torsor/bridge/model_order.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "torsor/load/load.hpp"

namespace torsor {
namespace {

using Ints = std::vector<int>;
using Strings = std::vector<std::string>;

const Model& humanoid() {
  static const Model kModel = load(TORSOR_SOURCE_DIR "/models/humanoid_29.xml");
  return kModel;
}

// Joints of all widths: qpos 0-6 free, 7-10 ball, 11 hinge, 12 slide; qvel 0-5, 6-8, 9, 10.
//   base (free): arm (ball): hand (hinge);  leg (slide)
const Model& mixed() {
  static const Model kModel = load_string(R"(
<mujoco>
  <worldbody>
    <body name="base">
      <freejoint name="root"/>
      <geom size="0.1"/>
      <body name="arm">
        <joint name="shoulder" type="ball"/>
        <geom size="0.1"/>
        <body name="hand">
          <joint name="wrist"/>
          <geom size="0.1"/>
        </body>
      </body>
      <body name="leg">
        <joint name="hip" type="slide"/>
        <geom size="0.1"/>
      </body>
    </body>
  </worldbody>
</mujoco>)");
  return kModel;
}

void expect_error(const std::function<void()>& call, const std::string& text) {
  try {
    call();
    ADD_FAILURE() << "no error, expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), text);
  }
}

constexpr JointOrder kDepth = JointOrder::kDepthFirst, kBreadth = JointOrder::kBreadthFirst;

TEST(ModelOrder, FromIsaacLabToMujocoAHumanoidsGatherIsTheKnownOne) {
  const Ints known{0,  3,  6,  9,  13, 17, 1,  4,  7,  10, 14, 18, 2,  5, 8,
                   11, 15, 19, 21, 23, 25, 27, 12, 16, 20, 22, 24, 26, 28};
  EXPECT_EQ(joint_permutation(humanoid(), kBreadth, kDepth).map(), known);
  EXPECT_EQ(dof_permutation(humanoid(), kBreadth, kDepth).map(), known);
  EXPECT_EQ(qpos_permutation(humanoid(), kBreadth, kDepth).map(), known);
  EXPECT_EQ(joint_permutation(humanoid(), kDepth, kBreadth).inverse().map(), known);
}

TEST(ModelOrder, MujocosOwnOrderIsDepthFirst) {
  EXPECT_EQ(joint_permutation(humanoid(), DeclaredOrder{}, kDepth), Permutation::identity(29));
  EXPECT_EQ(body_permutation(humanoid(), DeclaredOrder{}, kDepth), Permutation::identity(30));
  EXPECT_EQ(list_dofs(humanoid(), kDepth).front(), 6);
  EXPECT_EQ(list_qpos(humanoid(), kDepth).front(), 7);
}

TEST(ModelOrder, SiblingsByNameStandOtherwise) {
  const Ints by_name = list_joint_ids(humanoid(), JointOrder::kBreadthFirstByName);
  const auto name = [](int joint) { return humanoid().name(ObjectType::kJoint, joint); };
  EXPECT_EQ(name(by_name[0]), "mast_1");
  EXPECT_EQ(name(by_name[1]), "port_leg_1");
  EXPECT_EQ(name(by_name[2]), "starboard_leg_1");
  EXPECT_EQ(name(by_name[3]), "mast_2");
  EXPECT_EQ(name(by_name[9]), "port_arm_1");  // below mast_3, which is the first of its level
}

TEST(ModelOrder, BallJointsMoveWithAllTheirNumbers) {
  EXPECT_EQ(list_joint_ids(mixed(), kBreadth), (Ints{1, 3, 2}));  // shoulder, hip, wrist
  EXPECT_EQ(list_dofs(mixed(), kBreadth), (Ints{6, 7, 8, 10, 9}));
  EXPECT_EQ(list_qpos(mixed(), kBreadth), (Ints{7, 8, 9, 10, 12, 11}));
  EXPECT_EQ(dof_permutation(mixed(), kDepth, Strings{"hip", "wrist", "shoulder"}).map(), (Ints{4, 3, 0, 1, 2}));
  EXPECT_EQ(qpos_permutation(mixed(), kDepth, Strings{"hip", "wrist", "shoulder"}).map(), (Ints{5, 4, 0, 1, 2, 3}));
}

TEST(ModelOrder, FreeJointsAreListedWhenAskedFor) {
  EXPECT_EQ(list_joint_ids(mixed(), kBreadth, FreeJoints::kList), (Ints{0, 1, 3, 2}));
  EXPECT_EQ(list_dofs(mixed(), kBreadth, FreeJoints::kList), (Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 9}));
  EXPECT_EQ(joint_permutation(mixed(), kDepth, Strings{"hip", "wrist", "shoulder", "root"}, FreeJoints::kList).map(),
            (Ints{3, 2, 1, 0}));
}

TEST(ModelOrder, TheWorldIsListedWhenAskedFor) {
  EXPECT_EQ(list_body_ids(mixed(), kBreadth), (Ints{1, 2, 4, 3}));
  EXPECT_EQ(list_body_ids(mixed(), kBreadth, WorldBody::kList), (Ints{0, 1, 2, 4, 3}));
  EXPECT_EQ(list_body_ids(mixed(), Strings{"leg", "hand", "arm", "base"}), (Ints{4, 3, 2, 1}));
  EXPECT_EQ(body_permutation(mixed(), kDepth, kBreadth).map(), (Ints{0, 1, 3, 2}));
  EXPECT_EQ(body_permutation(mixed(), kDepth, kBreadth, WorldBody::kList).map(), (Ints{0, 1, 2, 4, 3}));
}

TEST(ModelOrder, ActuatorsFollowTheirJoints) {
  const Ints driven = find_joints(mixed(), Strings{"hip", "wrist", "shoulder"});
  EXPECT_EQ(driven, (Ints{3, 2, 1}));
  EXPECT_EQ(list_actuator_ids(mixed(), driven, kBreadth), (Ints{2, 0, 1}));
  EXPECT_EQ(actuator_permutation(mixed(), driven, kBreadth, kDepth).map(), (Ints{0, 2, 1}));
  EXPECT_EQ(actuator_permutation(mixed(), driven, DeclaredOrder{}, kBreadth).map(), (Ints{2, 0, 1}));
  expect_error(
      [] {
        list_actuator_ids(mixed(), Ints{1, 0}, kDepth);
      },
      "actuator 1 drives joint 0, a free joint, and those are not listed");
  expect_error([] { list_actuator_ids(mixed(), Ints{4}, kDepth); }, "actuator 0 drives joint 4, but the model has 4");
  EXPECT_EQ(list_actuator_ids(mixed(), Ints{1, 0}, kDepth, FreeJoints::kList), (Ints{1, 0}));
}

TEST(ModelOrder, NamesThatDoNotMatchAreListed) {
  expect_error(
      [] {
        joint_permutation(mixed(), kDepth, Strings{"hip", "wrists", "shoulder"});
      },
      "the names do not match; only in the source: wrist (nearest: wrists); only in the target: wrists "
      "(nearest: wrist)");
  expect_error([] { find_joints(mixed(), Strings{"hipp"}); }, "the model has no joint 'hipp' (did you mean 'hip'?)");
  const Model unnamed = load_string(
      "<mujoco><worldbody><body><freejoint/><geom size='1'/><body><joint/><geom size='1'/></body></body></worldbody>"
      "</mujoco>");
  expect_error([&] { list_joint_ids(unnamed, Strings{"a"}); },
               "joint 1 has no name, and an order given by names needs one");
  expect_error([&] { list_joint_ids(unnamed, JointOrder::kBreadthFirstByName); },
               "body 1 has no name, and this order needs one");
  EXPECT_EQ(list_joint_ids(unnamed, kBreadth), Ints{1});
}

}  // namespace
}  // namespace torsor
