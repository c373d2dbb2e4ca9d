// SAP's boundary: the matrices as printed in its documentation, the power check, and the orientation on the way out.
#include "torsor/bridge/sap_boundary.hpp"

#include <gtest/gtest.h>

#include "tests/bridge/scene.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

// [r]x, I and 0 put together by hand.
Matrix6 blocks(const Mat3<double>& a, const Mat3<double>& b, const Mat3<double>& c, const Mat3<double>& d) {
  Matrix6 m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      m[6 * i + j] = a(i, j), m[6 * i + j + 3] = b(i, j), m[6 * (i + 3) + j] = c(i, j),
                m[6 * (i + 3) + j + 3] = d(i, j);
    }
  }
  return m;
}
Mat3<double> skew(const Vec3<double>& r) { return {0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0}; }

void expect_equal(const Matrix6& a, const Matrix6& b) {
  for (int i = 0; i < 36; ++i) ASSERT_NEAR(a[i], b[i], 1e-15) << i;
}

TEST(SapBoundary, MatricesAreThoseOfTheDocument) {
  for_all(100, [](Random& random) {
    const Vec3<double> r = random.vec3();
    const Mat3<double> I = Mat3<double>::identity(), O = Mat3<double>::zero(), rx = skew(r);
    expect_equal(sap_velocity_matrix(r), blocks(O, I, I, rx));
    expect_equal(sap_velocity_matrix_inverse(r), blocks(rx * -1.0, I, I, O));
    expect_equal(sap_force_matrix(r), blocks(rx, I, I, O));
  });
}

TEST(SapBoundary, ThePowerCheckHolds) {
  for_all(100, [](Random& random) {
    const Vec3<double> r = random.vec3();
    const Matrix6 Pv = sap_velocity_matrix(r), Pf = sap_force_matrix(r);
    const auto u = random.numbers(6), g = random.numbers(6);
    double here = 0, there = 0, us[6] = {}, gs[6] = {};
    for (int i = 0; i < 36; ++i) us[i / 6] += Pv[i] * u[i % 6], gs[i / 6] += Pf[i] * g[i % 6];
    for (int i = 0; i < 6; ++i) here += u[i] * g[i], there += us[i] * gs[i];
    ASSERT_NEAR(here, there, 1e-14);
  });
}

class SapBoundaryOfAModel : public testing::Test {
 protected:
  const Model model = load_string(kMixedModel);
  const SapBoundary boundary{model};
};

TEST_F(SapBoundaryOfAModel, JointSegmentsArePackedByType) {
  // root: position and quaternion; shoulder: quaternion; elbow; rail and turn; knuckle; box
  EXPECT_EQ(boundary.joint_q_start(), (std::vector<int>{0, 7, 11, 12, 13, 14, 15, 22}));
  EXPECT_EQ(boundary.joint_qd_start(), (std::vector<int>{0, 6, 9, 10, 11, 12, 13, 19}));
}

TEST_F(SapBoundaryOfAModel, OnlyFreeJointsChange) {
  for_all(20, [&](Random& random) {
    const StateMap to_newton(model, find_convention("mujoco"), find_convention("newton"));
    const auto q = random_qpos(model, random), qd = random.numbers(model.nv, 2);
    std::vector<double> joint_q(boundary.nq()), inside(model.nv), outside(model.nv), copied(model.nv);
    to_newton.positions(q.data(), joint_q.data());
    boundary.velocities_in(SapOrder::kPublic, joint_q.data(), qd.data(), inside.data());
    for (int i = 6; i < 13; ++i) ASSERT_EQ(inside[i], qd[i]) << "ball, hinge and slide are copied";
    for (int k = 0; k < 3; ++k) ASSERT_EQ(inside[k], qd[3 + k]) << "angular first";
    boundary.velocities_out(SapOrder::kPublic, joint_q.data(), inside.data(), outside.data());
    for (int i = 0; i < model.nv; ++i) ASSERT_NEAR(outside[i], qd[i], 1e-14);
    boundary.velocities_in(SapOrder::kSap, joint_q.data(), qd.data(), copied.data());
    ASSERT_EQ(copied, qd) << "a buffer that is in sap order already stays as it is";
  });
}

TEST_F(SapBoundaryOfAModel, TheWayOutUsesTheNewOrientation) {
  Random random(3);
  const StateMap to_newton(model, find_convention("mujoco"), find_convention("newton"));
  std::vector<double> before(boundary.nq()), after(boundary.nq()), inside = random.numbers(model.nv), out(model.nv);
  to_newton.positions(random_qpos(model, random).data(), before.data());
  to_newton.positions(random_qpos(model, random).data(), after.data());
  boundary.velocities_out(SapOrder::kPublic, after.data(), inside.data(), out.data());
  // v_C = v_O + w x r with r = R_new r_B, worked out here
  const Quat<double> q_new{after[6], after[3], after[4], after[5]}, q_old{before[6], before[3], before[4], before[5]};
  const Vec3<double> r_B = load3(&model.body_ipos[3]), w = load3(inside.data()), v_O = load3(inside.data() + 3);
  EXPECT_LT(norm(load3(out.data()) - (v_O + cross(w, rotate(q_new, r_B)))), 1e-14);
  EXPECT_GT(norm(load3(out.data()) - (v_O + cross(w, rotate(q_old, r_B)))), 1e-3) << "the old one is another answer";
}

TEST_F(SapBoundaryOfAModel, BodyForcesAreNegatedResiduals) {
  const double s = std::sqrt(0.5);
  const std::vector<double> body_q{3, 1, 2, 0, 0, s, s}, com{1, 0, 0}, f{7, 8, 9, 10, 11, 12};
  std::vector<double> out(6);
  boundary.body_forces_in(SapOrder::kPublic, body_q, com, f, out);
  const double expected[6] = {-19, -11, -5, -7, -8, -9};  // -(tau_C + r x f), -f with r = (0, 1, 0)
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(out[i], expected[i], 1e-14);
  boundary.body_forces_in(SapOrder::kSap, body_q, com, f, out);
  EXPECT_EQ(out, f);
  EXPECT_THROW(boundary.body_forces_in(SapOrder::kPublic, body_q, com, {f.data(), 5}, out), Error);
}

}  // namespace
}  // namespace torsor
