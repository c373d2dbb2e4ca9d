// SAP's buffers on models of Newton's builder: segments, order flags, many worlds, and distance joints far outside of
// their range.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/bridge/scene.hpp"
#include "torsor/bridge/sap_worlds.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using newton::DofConfig;
using newton::JointKind;

int add_link(newton::ModelBuilder& builder, const newton::Transform& xform = newton::kIdentity) {
  newton::LinkOptions options;
  options.mass = 1.5;
  options.inertia = {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.25};
  options.com = {0.1, -0.2, 0.05};
  options.xform = xform;
  return builder.add_link(options);
}

DofConfig driven(const newton::Vector3& axis) {
  DofConfig config;
  config.axis = axis;
  config.target_ke = 50;
  config.target_kd = 2;
  return config;
}

// A fixed joint, a d6 joint on it, a floating body, and a body on a rope that hangs on the floating one.
newton::Model make_scene() {
  newton::ModelBuilder builder;
  const int base = add_link(builder), arm = add_link(builder);
  newton::JointOptions turned;
  turned.parent_xform = {0.3, 0, 0, 0, 0, std::sin(0.4), std::cos(0.4)};
  builder.add_articulation({builder.add_joint(JointKind::kFixed, -1, base, {}, {}),
                            builder.add_joint(JointKind::kD6, base, arm, {driven({1, 0, 0})},
                                              {driven({0, 1, 0}), driven({0, 0, 1})}, turned)});
  const int floating = add_link(builder, {1, 0, 0, std::sin(0.2), 0, 0, std::cos(0.2)});
  const int load = add_link(builder, {1, 0, -0.5, 0, std::sin(0.3), 0, std::cos(0.3)});
  const int free = builder.add_joint_free(floating);
  builder.add_articulation({free, builder.add_joint_distance(floating, load, 0.1, 2, turned)});
  return builder.finalize();
}

SapState random_state(SapSolver& solver, Random& random) {
  SapState state = solver.state();
  state.joint_qd = random.numbers(static_cast<int>(state.joint_qd.size()));
  state.body_f = random.numbers(static_cast<int>(state.body_f.size()));
  return state;
}

TEST(SapOnNewton, FixedJointsHaveEmptySegmentsAndD6JointsOne) {
  SapSolver solver(make_scene());
  EXPECT_EQ(solver.boundary().joint_q_start(), (std::vector<int>{0, 0, 3, 10, 17}));
  EXPECT_EQ(solver.boundary().joint_qd_start(), (std::vector<int>{0, 0, 3, 9, 15}));
}

TEST(SapOnNewton, ResultsDoNotDependOnTheOrderFlags) {
  const newton::Model model = make_scene();
  newton::SolverOptions options;
  options.tolerance = 1e-12;
  SapSolver solver(model, options);
  const SapBoundary& boundary = solver.boundary();
  for_all(20, [&](Random& random) {
    const SapState in = random_state(solver, random);
    SapControl control = solver.control();
    control.joint_f = random.numbers(static_cast<int>(control.joint_f.size()));
    SapState out = solver.state();
    solver.step(in, out, &control, nullptr, 0.004);

    SapState other;
    other.joint_q = in.joint_q;
    other.joint_qd.resize(in.joint_qd.size());
    boundary.velocities_in(SapOrder::kPublic, in.joint_q.data(), in.joint_qd.data(), other.joint_qd.data());
    other.body_f.resize(in.body_f.size());
    std::vector<double> com;
    for (const newton::Vector3& each : model.lists().body_com) com.insert(com.end(), each.begin(), each.end());
    boundary.body_forces_in(SapOrder::kPublic, in.body_q, com, in.body_f, other.body_f);
    SapControl other_control = control;
    other_control.joint_f_order = SapOrder::kSap;
    boundary.forces_in(SapOrder::kPublic, in.joint_q.data(), control.joint_f.data(), other_control.joint_f.data());
    SapState other_out;
    solver.step(other, other_out, &other_control, nullptr, 0.004);

    std::vector<double> inside(out.joint_qd.size());
    boundary.velocities_in(SapOrder::kPublic, out.joint_q.data(), out.joint_qd.data(), inside.data());
    for (size_t i = 0; i < inside.size(); ++i) EXPECT_NEAR(other_out.joint_qd[i], inside[i], 1e-9) << i;
    for (size_t i = 0; i < out.joint_q.size(); ++i) EXPECT_NEAR(other_out.joint_q[i], out.joint_q[i], 1e-11) << i;
    for (size_t i = 0; i < out.body_qd.size(); ++i) EXPECT_NEAR(other_out.body_qd[i], out.body_qd[i], 1e-9) << i;
  });
}

TEST(SapOnNewton, ManyWorldsHaveTheBitsOfOneWhateverTheThreads) {
  constexpr int kCount = 7;
  SapSolver solver(make_scene());
  SapWorlds worlds(solver, kCount);
  std::vector<SapState> many;
  std::vector<SapSolver> alone;
  Random random(5);
  for (int i = 0; i < kCount; ++i) {
    many.push_back(random_state(solver, random));
    alone.emplace_back(make_scene());
  }
  std::vector<SapState> single = many;
  for (int step = 0; step < 20; ++step) {
    SapWorldsStep call;
    call.dt = {0.005};
    call.threads = 1 + step % 3;
    worlds.step(many, many, call);
    for (size_t i = 0; i < kCount; ++i) {
      alone[i].step(single[i], single[i], nullptr, nullptr, 0.005);
      ASSERT_EQ(many[i].joint_q, single[i].joint_q) << step << " " << i;
      ASSERT_EQ(many[i].joint_qd, single[i].joint_qd);
      ASSERT_EQ(many[i].body_qd, single[i].body_qd);
    }
  }
}

TEST(SapOnNewton, AnErrorInOneWorldLeavesAllUnchanged) {
  SapSolver solver(make_scene());
  SapWorlds worlds(solver, 3);
  std::vector<SapState> states(3, solver.state()), out = states;
  states[2].joint_qd[0] = std::nan("");
  SapWorldsStep call;
  call.dt = {0.01};
  EXPECT_THROW(worlds.step(states, out, call), Error);
  EXPECT_EQ(out[0].joint_q, states[0].joint_q);
  call.worlds = {0, 3};
  const std::span<SapState> two(out.data(), 2);
  EXPECT_THROW(worlds.step(two, two, call), Error);
  call.worlds = {0, 1};
  worlds.step(two, two, call);
  EXPECT_NE(out[0].joint_q, states[0].joint_q);
}

TEST(SapOnNewton, TargetsNeedOneNumberPerAxis) {
  SapSolver solver(make_scene());
  const SapState state = solver.state();
  SapState out = state;
  SapControl control = solver.control();
  control.joint_target_pos.push_back(0);
  EXPECT_THROW(solver.step(state, out, &control, nullptr, 0.01), Error);
  EXPECT_EQ(out.joint_q, state.joint_q);
  control.joint_target_pos.pop_back();
  control.joint_target_pos[1] = 0.5;
  for (int step = 0; step < 1000; ++step) solver.step(out, out, &control, nullptr, 0.01);
  EXPECT_GT(out.joint_q[1], 0.3);
}

TEST(Distances, AJointFarOutsideReturnsSlowlyInEverySolver) {
  newton::ModelBuilder builder(newton::Axis::kZ, 0);
  newton::LinkOptions options;
  options.mass = 1;
  options.inertia = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01};
  options.xform = {0, 0, -1.5, 0, 0, 0, 1};
  builder.add_articulation({builder.add_joint_distance(-1, builder.add_link(options), 0.3, 1)});
  const newton::Model model = builder.finalize();
  newton::SolverMuJoCo soft(model);
  newton::SolverSAP convex(model);
  newton::SolverFeatherstone smooth(model);
  for (newton::Solver* solver : {static_cast<newton::Solver*>(&soft), static_cast<newton::Solver*>(&convex),
                                 static_cast<newton::Solver*>(&smooth)}) {
    newton::State state = model.state();
    for (int step = 0; step < 1000; ++step) {
      solver->step(state, state, nullptr, nullptr, 0.001);
      ASSERT_LT(std::fabs(state.body_qd[2]), 1.02 * newton::kRecoverySpeed) << step;
    }
    EXPECT_LT(std::fabs(state.joint_q[2]), 1.001);
    EXPECT_GT(std::fabs(state.joint_q[2]), 0.299);
  }
}

}  // namespace
}  // namespace torsor
