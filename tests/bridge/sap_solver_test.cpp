// Stepping through SAP's buffers: order flags, momentum, and what is refused.
#include "torsor/bridge/sap_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/bridge/scene.hpp"
#include "torsor/core/error.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

class SapSolverOfAModel : public testing::Test {
 protected:
  SapSolver solver{load_string(kMixedModel)};

  SapState random_state(Random& random) {
    SapState state = solver.state();
    state.joint_qd = random.numbers(static_cast<int>(state.joint_qd.size()));
    state.body_f = random.numbers(static_cast<int>(state.body_f.size()));
    return state;
  }
};

TEST_F(SapSolverOfAModel, FlagsHaveTheDefaultsOfTheDocument) {
  EXPECT_EQ(SapState{}.joint_qd_order, SapOrder::kSap);
  EXPECT_EQ(SapState{}.body_f_order, SapOrder::kSap);
  EXPECT_EQ(SapControl{}.joint_f_order, SapOrder::kSap);
  EXPECT_EQ(solver.state().joint_qd_order, SapOrder::kPublic);
  EXPECT_EQ(solver.state().body_f_order, SapOrder::kPublic);
  EXPECT_EQ(solver.control().joint_f_order, SapOrder::kPublic);
}

TEST_F(SapSolverOfAModel, ResultsDoNotDependOnTheOrderFlags) {
  for_all(20, [&](Random& random) {
    const SapBoundary& boundary = solver.boundary();
    const SapState in = random_state(random);
    SapControl control = solver.control();
    control.joint_f = random.numbers(static_cast<int>(control.joint_f.size()));
    SapState out = solver.state();
    solver.step(in, out, &control, nullptr, 0.004);

    SapState other;
    other.joint_q = in.joint_q;
    other.joint_qd.resize(in.joint_qd.size());
    boundary.velocities_in(SapOrder::kPublic, in.joint_q.data(), in.joint_qd.data(), other.joint_qd.data());
    other.body_f.resize(in.body_f.size());
    const Model& model = solver.model();
    const std::span<const double> com(model.body_ipos.data() + 3, 3 * static_cast<size_t>(model.nbody - 1));
    boundary.body_forces_in(SapOrder::kPublic, in.body_q, com, in.body_f, other.body_f);
    SapControl other_control;
    other_control.joint_f.resize(control.joint_f.size());
    boundary.forces_in(SapOrder::kPublic, in.joint_q.data(), control.joint_f.data(), other_control.joint_f.data());
    SapState other_out;
    solver.step(other, other_out, &other_control, nullptr, 0.004);

    expect_near(other_out.joint_q, out.joint_q, 1e-11);
    std::vector<double> expected(out.joint_qd.size());
    boundary.velocities_in(SapOrder::kPublic, out.joint_q.data(), out.joint_qd.data(), expected.data());
    expect_near(other_out.joint_qd, expected, 1e-9);
    expect_near(other_out.body_q, out.body_q, 1e-10);
  });
}

TEST_F(SapSolverOfAModel, WhatDoesNotFitIsRefusedAndTheResultStays) {
  const SapState in = solver.state();
  SapState out = solver.state();
  const std::vector<double> before = out.joint_q;
  const SapContacts contacts = solver.collide(in);
  EXPECT_THROW(solver.step(in, out, nullptr, &contacts, 0), Error);
  EXPECT_THROW(solver.step(in, out, nullptr, &contacts, std::nan("")), Error);
  SapState moved = in;
  moved.joint_q[0] += 1;
  EXPECT_THROW(solver.step(moved, out, nullptr, &contacts, 0.01), Error);
  SapState small = in;
  small.joint_qd.pop_back();
  EXPECT_THROW(solver.step(small, out, nullptr, nullptr, 0.01), Error);
  SapState foreign = in;
  foreign.model ^= 1;
  EXPECT_THROW(solver.step(foreign, out, nullptr, nullptr, 0.01), Error);
  EXPECT_EQ(out.joint_q, before);
  solver.step(in, out, nullptr, &contacts, 0.01);
  EXPECT_NE(out.joint_q, before);
}

TEST(KeptContacts, GiveBackWhatTheyTook) {
  const Model model = load_string(R"(<mujoco><option solver="SAP"/><worldbody>
      <geom name="floor" type="plane" size="5 5 1" sapstiffness="3e4"/>
      <body pos="0.3 0 0.09" quat="0.9 0.1 0.2 -0.3"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1"/></body>
      <body pos="1 2 0.049"><freejoint/><geom name="ball" size="0.05" sapstiffness="1e4"/></body></worldbody>
      <contact><pair geom1="floor" geom2="ball" friction="0.3" condim="4"/></contact></mujoco>)");
  Data data(model);
  forward_position(model, data);
  ASSERT_GT(data.ncon, 2);
  KeptContacts kept;
  kept.take(model, data);
  Data other(model);
  const ContactsGiven given(other, kept);
  forward_position(model, other);
  ASSERT_EQ(other.ncon, data.ncon);
  for (int c = 0; c < data.ncon; ++c) {
    const Contact &a = data.contact[c], &b = other.contact[c];
    EXPECT_NEAR(a.dist, b.dist, 1e-15);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.pos[i], b.pos[i], 1e-15);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(a.frame[i], b.frame[i], 1e-15);
    EXPECT_EQ(a.friction[0], b.friction[0]);
    EXPECT_EQ(a.dim, b.dim);
    EXPECT_EQ(a.stiffness, b.stiffness);
    EXPECT_EQ(a.pair, b.pair);
    EXPECT_EQ(a.geom[1], b.geom[1]);
  }
  // bodies take their points along
  other.qpos[2] += 1e-3;
  forward_position(model, other);
  for (int c = 0; c < data.ncon; ++c) {
    const bool is_box = data.contact[c].geom[1] == 1;
    EXPECT_NEAR(other.contact[c].dist, data.contact[c].dist + (is_box ? 1e-3 : 0), 1e-15);
  }
  kept.pair[0] = model.npair;
  EXPECT_THROW(forward_position(model, other), Error);
  kept.geom0[0] = model.ngeom;
  EXPECT_THROW(forward_position(model, other), Error);
  kept.normal.clear();
  EXPECT_THROW(forward_position(model, other), Error);
}

}  // namespace
}  // namespace torsor
