// Newton's interface in C++: what the Python package is a thin layer over. Its laws are tested there at length.
#include <gtest/gtest.h>

#include <cmath>

#include "torsor/bridge/newton/solver.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

LinkOptions heavy(const Vector3& com = {0, 0, 0}) {
  LinkOptions link;
  link.mass = 2;
  link.com = com;
  link.inertia = {0.3, 0, 0, 0, 0.4, 0, 0, 0, 0.5};
  return link;
}

ModelBuilder make_pendulum() {
  ModelBuilder builder;
  const int link = builder.add_link();
  builder.add_shape(link, ShapeType::kBox, {0.5, 0, 0, 0, 0, 0, 1}, {0.5, 0.05, 0.05}, {});
  DofConfig axis;
  axis.axis = {0, 1, 0};
  builder.add_articulation({builder.add_joint(JointKind::kRevolute, -1, link, {}, {axis})});
  return builder;
}

TEST(NewtonBuilder, APendulumFallsWithTheAccelerationOfARod) {
  const Model model = make_pendulum().finalize();
  SolverFeatherstone solver(model);
  const State start = model.state();
  State end = model.state();
  solver.step(start, end, nullptr, nullptr, 1e-3);
  const double mass = 10, inertia = mass * (1 + 0.01) / 12 + mass * 0.25;
  EXPECT_NEAR(end.joint_qd[0], 1e-3 * mass * 9.81 * 0.5 / inertia, 1e-12);
  EXPECT_NEAR(end.body_qd[2], -0.5 * end.joint_qd[0] * std::cos(end.joint_q[0]), 1e-9);
  EXPECT_EQ(start.joint_q[0], 0);
}

TEST(NewtonBuilder, AFreeBodyUnderATorqueKeepsItsCentreOfMass) {
  ModelBuilder builder(Axis::kZ, 0.0);
  builder.add_body(heavy({0.3, -0.2, 0.5}));
  const Model model = builder.finalize();
  SolverMuJoCo solver(model);
  State state = model.state();
  Control control = model.control();
  control.joint_f = {0, 0, 0, 1, 2, 3};
  solver.step(state, state, &control, nullptr, 1e-4);
  // the step moves the origin by the old orientation: what is left is of third order, |alpha|^2 |r| dt^3
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(state.body_qd[i], 0, 80 * 0.62 * 1e-12);
  EXPECT_GT(std::fabs(state.body_qd[5]), 1e-5);
}

TEST(NewtonBuilder, LoopsStrangersAndBadNumbersAreRefused) {
  ModelBuilder builder;
  const int a = builder.add_link(heavy()), b = builder.add_link(heavy());
  builder.add_articulation({builder.add_joint(JointKind::kRevolute, a, b, {}, {DofConfig{}}),
                            builder.add_joint(JointKind::kRevolute, b, a, {}, {DofConfig{}})});
  EXPECT_NE(refusal([&] { builder.finalize(); }).find("loops in the articulation"), std::string::npos);
  const Model model = make_pendulum().finalize(), other = make_pendulum().finalize();
  State state = model.state();
  SolverMuJoCo solver(model);
  EXPECT_NE(refusal([&] { solver.step(other.state(), state, nullptr, nullptr, 1); }).find("another model"),
            std::string::npos);
  EXPECT_NE(refusal([&] { solver.step(state, state, nullptr, nullptr, 0); }).find("positive time"), std::string::npos);
  const Contacts contacts = other.collide(other.state());
  EXPECT_NE(refusal([&] { solver.step(state, state, nullptr, &contacts, 1); }).find("contacts belong to another model"),
            std::string::npos);
  state.joint_q.push_back(0);
  EXPECT_NE(refusal([&] { solver.step(state, state, nullptr, nullptr, 1); }).find("joint_q"), std::string::npos);
}

TEST(NewtonModel, AnUpdateEqualsAModelOfTheEditedLists) {
  ModelBuilder builder = make_pendulum();
  Model model = builder.finalize();
  SolverMuJoCo solver(model);
  State state = model.state(), expected = state;
  solver.step(state, state, nullptr, nullptr, 0.01);
  for (double& mass : builder.body_mass) mass *= 3;
  for (double& ke : builder.joint_target_ke) ke = 50;  // a drive that was not there
  for (double& target : builder.joint_target_pos) target = 0.5;
  const Model built = builder.finalize();
  model.update(builder);
  SolverMuJoCo other(built);
  state = model.state();
  State made = built.state();
  for (int i = 0; i < 20; ++i) {
    solver.step(state, state, nullptr, nullptr, 0.01);
    other.step(made, made, nullptr, nullptr, 0.01);
  }
  for (size_t i = 0; i < made.joint_q.size(); ++i) EXPECT_NEAR(state.joint_q[i], made.joint_q[i], 1e-12);
  EXPECT_GT(std::fabs(state.joint_q[0] - expected.joint_q[0]), 1e-4);
  builder.add_link(heavy());
  EXPECT_NE(refusal([&] { model.update(builder); }).find("only numbers"), std::string::npos);
}

TEST(NewtonModel, KinematicBodiesKeepWhatTheUserPrescribes) {
  ModelBuilder builder;
  LinkOptions options = heavy();
  options.is_kinematic = true;
  builder.add_body(options);
  const Model model = builder.finalize();
  SolverMuJoCo solver(model);
  State state = model.state();
  state.joint_qd[0] = 2;
  state.body_f[2] = 1e4;
  solver.step(state, state, nullptr, nullptr, 0.1);
  EXPECT_EQ(state.joint_q[0], 0);
  EXPECT_EQ(state.joint_qd[0], 2);
  EXPECT_EQ(state.joint_qd[2], 0);
}

TEST(NewtonBuilder, CopiesOfABuilderAreWorldsThatDoNotTouch) {
  ModelBuilder one;
  const int body = one.add_body();
  one.add_shape(body, ShapeType::kSphere, kIdentity, {0.1, 0, 0}, {});
  ModelBuilder scene;
  scene.replicate(one, 3);
  EXPECT_EQ(scene.world_count, 3);
  const Model model = scene.finalize();
  EXPECT_EQ(model.collide(model.state()).count, 0);
  ModelBuilder same;
  for (int i = 0; i < 3; ++i) same.add_builder(one);
  const Model together = same.finalize();
  EXPECT_EQ(together.collide(together.state()).count, 3);
}

TEST(NewtonBuilder, KinematicsThereAndBack) {
  const Model model = make_pendulum().finalize(Version::kParentAxes);
  State state = model.state();
  eval_fk(model, {0.7}, {-0.3}, state);
  std::vector<double> q, qd;
  eval_ik(model, state, q, qd);
  EXPECT_NEAR(q[0], 0.7, 1e-14);
  EXPECT_NEAR(qd[0], -0.3, 1e-13);
  const std::vector<double> J = eval_jacobian(model, state), H = eval_mass_matrix(model, state);
  ASSERT_EQ(J.size(), 6u);
  EXPECT_NEAR(J[4], 1, 1e-14);  // spin about y
  EXPECT_NEAR(H[0], 10 * (1.01 / 12 + 0.25), 1e-12);
}

// All kinds of joints and shapes in one scene, with asserts and poisoned scratch memory where the build has them.
ModelBuilder make_zoo() {
  ModelBuilder builder;
  std::vector<int> links;
  for (int i = 0; i < 7; ++i) links.push_back(builder.add_link(heavy({0.1, 0.02 * i, -0.05})));
  const JointOptions anchors{{0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5}, {0, 0.1, 0, 0, 0.6, 0, 0.8}, "", true, true};
  DofConfig x, y, z;
  x.axis = {1, 0, 0}, y.axis = {0, 1, 0}, z.axis = {0, 0.6, 0.8};
  x.limit_upper = 0.5, y.target_ke = 10, y.target_kd = 1;
  const std::vector<int> joints{builder.add_joint_free(links[0], -1, anchors),
                                builder.add_joint(JointKind::kRevolute, links[0], links[1], {}, {y}, anchors),
                                builder.add_joint(JointKind::kPrismatic, links[1], links[2], {x}, {}, anchors),
                                builder.add_joint_ball(links[1], links[3], 0.01, 0, anchors),
                                builder.add_joint(JointKind::kD6, links[0], links[4], {x, y}, {z, x, y}, anchors),
                                builder.add_joint_free(links[5], links[2], anchors),
                                builder.add_joint_distance(links[5], links[6], 0.05, 1, anchors)};
  builder.add_articulation(joints);
  builder.add_joint(JointKind::kBall, -1, links[0], {}, {x, y, z}, anchors);  // closes a loop
  const ShapeType types[] = {ShapeType::kSphere,    ShapeType::kCapsule, ShapeType::kBox, ShapeType::kCylinder,
                             ShapeType::kEllipsoid, ShapeType::kCone,    ShapeType::kBox};
  for (int i = 0; i < 7; ++i) builder.add_shape(links[i], types[i], kIdentity, {0.1, 0.1, 0.1}, {});
  builder.add_ground_plane(-1);
  return builder;
}

TEST(NewtonBuilder, EveryKindOfJointStepsInBothVersions) {
  for (const Version version : {Version::kWorldAxes, Version::kParentAxes}) {
    ModelBuilder scene;
    scene.replicate(make_zoo(), 2, {5, 0, 0});
    const Model model = scene.finalize(version);
    SolverMuJoCo solver(model);
    State state = model.state();
    for (int i = 0; i < 20; ++i) {
      const Contacts contacts = model.collide(state);
      solver.step(state, state, nullptr, &contacts, 1e-3);
    }
    for (const double number : state.body_q) EXPECT_TRUE(std::isfinite(number));
    // what the step says of bodies is what their coordinates say
    State again = model.state();
    eval_fk(model, state.joint_q, state.joint_qd, again);
    for (size_t i = 0; i < state.body_qd.size(); ++i) EXPECT_NEAR(state.body_qd[i], again.body_qd[i], 1e-10);
    std::vector<double> q, qd;
    eval_ik(model, state, q, qd);
    eval_fk(model, q, qd, again);
    for (size_t i = 0; i < state.body_qd.size(); ++i) EXPECT_NEAR(state.body_qd[i], again.body_qd[i], 1e-8);
    EXPECT_EQ(eval_jacobian(model, state).size(), 2u * 42 * 28);
  }
}

TEST(NewtonBuilder, FixedBodiesBecomeOne) {
  ModelBuilder builder;
  const int a = builder.add_link(heavy()), b = builder.add_link(heavy({0.2, 0, 0}));
  builder.add_articulation({builder.add_joint_free(a), builder.add_joint(JointKind::kFixed, a, b, {}, {})});
  builder.collapse_fixed_joints();
  ASSERT_EQ(builder.body_count(), 1);
  EXPECT_EQ(builder.body_mass[0], 4);
  EXPECT_NEAR(builder.body_com[0][0], 0.1, 1e-15);
  EXPECT_NEAR(builder.body_inertia[0][4], 2 * 0.4 + 4 * 0.01, 1e-15);  // each 0.1 from the common centre
}

TEST(NewtonBuilder, AFileBecomesEntriesOfTheLists) {
  ModelBuilder builder;
  builder.add_mjcf(R"(<mujoco><worldbody><body name="arm"><joint name="hinge" damping="0.5"/>
    <geom type="cylinder" fromto="0 0 0 0 0 1" size="0.1"/></body></worldbody>
    <actuator><motor joint="hinge" gear="3"/></actuator></mujoco>)");
  EXPECT_EQ(builder.shape_type[0], ShapeType::kCylinder);
  EXPECT_EQ(builder.joint_damping[0], 0.5);
  const Model model = builder.finalize();
  EXPECT_EQ(model.control().ctrl.size(), 1u);
  SolverFeatherstone solver(model);
  State state = model.state();
  Control control = model.control();
  control.ctrl[0] = 2;
  solver.step(state, state, &control, nullptr, 1e-3);
  EXPECT_GT(state.joint_qd[0], 0);
}

}  // namespace
}  // namespace torsor::newton
