// collapse_fixed_joints() and elements that name the bodies it merges: the scene moves as before.
#include <gtest/gtest.h>

#include <cmath>

#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/bridge/newton/solver.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::newton {
namespace {

State run(const ModelBuilder& builder, int steps = 200) {
  const Model model = builder.finalize();
  SolverMuJoCo solver(model);
  State state = model.state();
  for (int i = 0; i < steps; ++i) solver.step(state, state, nullptr, nullptr, 2e-3);
  return state;
}

ModelBuilder read(const char* mjcf, bool collapse) {
  ModelBuilder builder;
  MjcfOptions options;
  options.xform = {0.3, -0.2, 0.1, 0, 0, 0, 1};
  options.collapse_fixed_joints = collapse;
  builder.add_mjcf(mjcf, options);
  return builder;
}

void expect_same_motion(const char* mjcf, int merged, double tolerance) {
  const ModelBuilder whole = read(mjcf, false), collapsed = read(mjcf, true);
  EXPECT_EQ(collapsed.body_count(), whole.body_count() - merged);
  const State a = run(whole), b = run(collapsed);
  ASSERT_EQ(a.joint_q.size(), b.joint_q.size());
  for (size_t i = 0; i < a.joint_q.size(); ++i) EXPECT_NEAR(a.joint_q[i], b.joint_q[i], tolerance) << i;
}

// The cart overlaps the rail, which is excluded, and falls onto a block of the world, which is not.
constexpr const char* kCart = R"(<mujoco><worldbody>
    <geom name="block" type="box" size="1 1 0.1" pos="0 0 -0.5"/>
    <body name="rail" pos="0.1 0 0"><geom name="rail" type="box" size="2 0.1 0.1"/></body>
    <body name="cart"><freejoint/><geom type="box" size="0.2 0.2 0.2" mass="1"/></body></worldbody>
  <contact><exclude body1="rail" body2="cart"/>%s</contact></mujoco>)";

TEST(NewtonCollapse, AnExclusionHoldsForTheShapesOfAMergedBodyAlone) {
  std::string mjcf = kCart;
  mjcf.replace(mjcf.find("%s"), 2, "");
  expect_same_motion(mjcf.c_str(), 1, 1e-9);
  EXPECT_NEAR(run(read(mjcf.c_str(), true), 600).joint_q[2], 0.1 - 0.2, 2e-3);  // rests on the block
}

TEST(NewtonCollapse, AnExclusionOfBodiesThatBecomeOneIsDropped) {
  const ModelBuilder builder = read(R"(<mujoco><worldbody>
    <body name="a"><freejoint/><geom size="0.1"/><body name="b" pos="0.1 0 0"><geom size="0.1"/>
      <body name="c" pos="0.1 0 0"><geom size="0.1"/></body></body></body></worldbody>
    <contact><exclude body1="a" body2="c"/><exclude body1="b" body2="c"/></contact></mujoco>)",
                                    true);
  EXPECT_EQ(builder.body_count(), 1);
  EXPECT_TRUE(builder.native.excludes.empty());
  EXPECT_TRUE(builder.shape_collision_filter_pairs.empty());
  run(builder, 2);
}

TEST(NewtonCollapse, ExclusionsSurviveCopiesInManyWorlds) {
  std::string mjcf = kCart;
  mjcf.replace(mjcf.find("%s"), 2, "");
  ModelBuilder builder;
  builder.replicate(read(mjcf.c_str(), true), 3, {5, 5, 0});
  const State state = run(builder, 600);
  for (int world = 0; world < 3; ++world) EXPECT_NEAR(state.joint_q[7 * world + 2], 0.1 - 0.2, 2e-3);
}

// Both ends are links that are fixed, turned, to the bodies that move.
constexpr const char* kLinked = R"(<mujoco><worldbody>
    <body name="post" pos="0 0 1" euler="0 0 30"><geom size="0.02" contype="0" conaffinity="0"/></body>
    <body name="a" pos="0.5 0 1"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="box" size="0.3 0.03 0.03"/>
      <body name="a2" pos="0.3 0.1 0" euler="20 40 60"><geom size="0.04" contype="0" conaffinity="0"/></body></body>
    <body name="b" pos="1.4 0 1"><freejoint/><geom type="box" size="0.2 0.03 0.05"/>
      <body name="b2" pos="-0.1 0 0.1" euler="-70 10 5"><geom size="0.04" contype="0" conaffinity="0"/></body></body>
    </worldbody><equality>%s</equality></mujoco>)";

// How far equalities are violated at coordinates: points, and the sizes of turns (whose axes are those of the bodies).
std::vector<double> violations(const Model& model, const std::vector<double>& joint_q) {
  Data data(model.engine());
  model.data()->set_positions(joint_q.data(), data);
  forward(model.engine(), data);
  std::vector<double> found(&data.efc_pos[0], &data.efc_pos[0] + 3);
  if (data.ne > 3) found.push_back(std::hypot(data.efc_pos[3], data.efc_pos[4], data.efc_pos[5]));
  return found;
}

TEST(NewtonCollapse, EqualitiesKeepTheirPointsAndPoses) {
  for (const char* equality :
       {R"(<connect body1="a2" body2="b2" anchor="0.05 -0.02 0.03"/>)", R"(<connect body1="b2" anchor="0.1 0 0.2"/>)",
        R"(<connect body1="post" body2="b2" anchor="0.1 0.2 0.3"/>)", R"(<weld body1="a2" body2="b2"/>)",
        R"(<weld body1="a2" body2="b2" anchor="0.1 0.2 0.05" relpose="0.2 0.1 0 0.8 0.6 0 0"/>)",
        R"(<weld body1="b2" body2="post" anchor="0.1 0.2 0.05" relpose="-0.6 0.1 0 0.8 0 0.6 0"/>)"}) {
    SCOPED_TRACE(equality);
    std::string mjcf = kLinked;
    mjcf.replace(mjcf.find("%s"), 2, equality);
    const ModelBuilder collapsed = read(mjcf.c_str(), true);
    EXPECT_EQ(collapsed.body_count(), 2);
    std::vector<double> q = collapsed.joint_q;
    for (int round = 0; round < 3; ++round) {
      const std::vector<double> a = violations(read(mjcf.c_str(), false).finalize(), q),
                                b = violations(collapsed.finalize(), q);
      ASSERT_EQ(a.size(), b.size());
      for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
      q[0] += 0.3, q[1] -= 0.2, q[2] += 0.4, q[3] += 0.1, q[5] = 0.6, q[8] = 0.8;
    }
    run(collapsed, 2);
  }
}

TEST(NewtonCollapse, AnEqualityInsideOneBodyIsDropped) {
  std::string mjcf = kLinked;
  mjcf.replace(mjcf.find("%s"), 2, R"(<weld body1="a" body2="a2"/><weld body1="post"/>)");
  EXPECT_TRUE(read(mjcf.c_str(), true).native.equalities.empty());
  run(read(mjcf.c_str(), true), 2);
}

TEST(NewtonCollapse, TendonsFollowTheSitesOfMergedBodies) {
  expect_same_motion(R"(<mujoco><worldbody>
      <body name="post" pos="0 0 1"><site name="hook" pos="0 0.1 0"/></body>
      <body name="a" pos="0.5 0 1"><freejoint/><geom size="0.05"/>
        <body pos="0 0 0.1" euler="0 30 0"><site name="eye" pos="0.1 0 0"/></body></body></worldbody>
    <tendon><spatial name="rope" stiffness="100" damping="1"><site site="hook"/><site site="eye"/></spatial></tendon>
    <actuator><motor tendon="rope"/></actuator></mujoco>)",
                     2, 1e-9);
}

TEST(NewtonCollapse, ExplicitPairsCollideThoughTheirBodiesAreExcluded) {
  std::string mjcf = kCart;
  mjcf.replace(mjcf.find("%s"), 2, R"(<pair geom1="rail" geom2="cart"/>)");
  mjcf.replace(mjcf.find("<freejoint/><geom"), 17, R"(<freejoint/><geom name="cart" pos="0 0 0.6")");
  EXPECT_NEAR(run(read(mjcf.c_str(), true), 600).joint_q[2], 0.1 - 0.3, 2e-3);  // rests on the rail, 0.3 below
}

TEST(NewtonCollapse, BodiesWithAdhesionStay) {
  const ModelBuilder builder = read(R"(<mujoco><worldbody><body name="arm"><freejoint/><geom size="0.1"/>
      <body name="pad" pos="0 0 -0.1"><geom size="0.05"/><body name="tip"><geom size="0.02"/></body></body>
      <body name="other"><geom size="0.02"/></body></body></worldbody>
    <actuator><adhesion body="pad" ctrlrange="0 1"/></actuator></mujoco>)",
                                    true);
  EXPECT_EQ(builder.body_count(), 3);  // only "other" is merged
  run(builder, 2);
}

TEST(NewtonCollapse, JointsToKeepStay) {
  ModelBuilder builder = read(std::string(kLinked).replace(std::string(kLinked).find("%s"), 2, "").c_str(), false);
  builder.collapse_fixed_joints({0});
  EXPECT_EQ(builder.body_key, (std::vector<std::string>{"post", "a", "b"}));
}

TEST(NewtonCollapse, OnlyTheMasslessRootsOfFreeRobotsTakeOverTheirFixedLinks) {
  const char* const urdf = R"(<robot name="r"><link name="a"/><link name="b"/>
    <link name="c"><inertial><mass value="4"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="d"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="ab" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0.1 0 0"/></joint>
    <joint name="bc" type="fixed"><parent link="b"/><child link="c"/><origin xyz="0.2 0 0"/></joint>
    <joint name="cd" type="fixed"><parent link="c"/><child link="d"/><origin xyz="0.3 0 0"/></joint></robot>)";
  ModelBuilder floating, fixed;
  UrdfImportOptions options;
  options.collapse_massless_fixed_root = true;
  fixed.add_urdf(urdf, options);
  EXPECT_EQ(fixed.body_count(), 4);
  options.floating = true;
  floating.add_urdf(urdf, options);
  EXPECT_EQ(floating.body_mass, (std::vector<double>{4, 1}));  // as in Newton 1.7
  EXPECT_EQ(floating.body_key[0], "r/a");
  EXPECT_NEAR(floating.body_com[0][0], 0.3, 1e-15);
  EXPECT_NEAR(floating.joint_X_p[1][0], 0.6, 1e-15);
}

}  // namespace
}  // namespace torsor::newton
