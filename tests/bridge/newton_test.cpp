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
  const Contacts contacts = model.collide(state);
  state.joint_q[0] = 1;
  EXPECT_NE(refusal([&] { solver.step(state, state, nullptr, &contacts, 1); }).find("another state"),
            std::string::npos);
  state.joint_q.push_back(0);
  EXPECT_NE(refusal([&] { solver.step(state, state, nullptr, nullptr, 1); }).find("joint_q"), std::string::npos);
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

}  // namespace
}  // namespace torsor::newton
