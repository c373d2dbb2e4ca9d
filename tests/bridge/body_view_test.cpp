// Bodies of a simulation in any convention, and forces of free joints as loads on their bodies.
#include "torsor/bridge/body_view.hpp"

#include <gtest/gtest.h>

#include "tests/bridge/scene.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

class BodyViews : public testing::Test {
 protected:
  const Model model = load_string(kMixedModel);
  const int box = model.nbody - 1;
};

std::vector<double> numbers(const double* p, int count) { return {p, p + count}; }

TEST_F(BodyViews, AFreeBodyInMujocosConventionIsItsPartOfTheState) {
  for_all(20, [&](Random& random) {
    const Data data = random_data(model, random);
    const int q = model.jnt_qposadr[model.njnt - 1], v = model.jnt_dofadr[model.njnt - 1];
    double pose[7], twist[6];
    read_body_pose(model, data, box, find_convention("mujoco"), pose);
    read_body_twist(model, data, box, find_convention("mujoco"), twist);
    for (int i = 0; i < 7; ++i) ASSERT_NEAR(pose[i], data.qpos[q + i], 1e-13);
    for (int i = 0; i < 6; ++i) ASSERT_NEAR(twist[i], data.qvel[v + i], 1e-12);
  });
}

TEST_F(BodyViews, CvelIsMujocosOwn) {
  for_all(20, [&](Random& random) {
    const Data data = random_data(model, random);
    for (int b = 1; b < model.nbody; ++b) {
      double twist[6];
      read_body_twist(model, data, b, find_convention("mujoco.cvel"), twist);
      for (int i = 0; i < 6; ++i) ASSERT_NEAR(twist[i], data.cvel[6 * b + i], 1e-12);
    }
  });
}

TEST_F(BodyViews, TheTwistAtAPointIsTheVelocityOfThatPoint) {
  for_all(20, [&](Random& random) {
    const Data data = random_data(model, random);
    const int b = random.integer(1, model.nbody - 1), other = random.integer(0, model.nbody - 1);
    const Vec3<double> p_B = random.vec3();
    double twist[6];
    ViewOptions options;
    options.p_BoQ_B = p_B, options.axes_body = other;
    read_body_twist(model, data, b, find_convention("newton"), twist, options);
    // by Jacobians, then turned into the other body's axes
    const Vec3<double> p_W = load3(&data.xpos[3 * b]) + rotate(load4(&data.xquat[4 * b]), p_B);
    std::vector<double> jacp(3 * model.nv), jacr(3 * model.nv);
    const double point[3] = {p_W.x, p_W.y, p_W.z};
    jac(model, data, jacp.data(), jacr.data(), point, b);
    Vec3<double> v = Vec3<double>::zero(), w = v;
    for (int i = 0; i < model.nv; ++i) {
      v += Vec3<double>{jacp[i], jacp[model.nv + i], jacp[2 * model.nv + i]} * data.qvel[i];
      w += Vec3<double>{jacr[i], jacr[model.nv + i], jacr[2 * model.nv + i]} * data.qvel[i];
    }
    const Quat<double> q = load4(&data.xquat[4 * other]);
    ASSERT_LT(norm(load3(twist) - rotate_inverse(q, v)), 1e-12);
    ASSERT_LT(norm(load3(twist + 3) - rotate_inverse(q, w)), 1e-12);
  });
}

TEST_F(BodyViews, AJacobianTimesTheVelocityIsTheTwist) {
  for_all(10, [&](Random& random) {
    const Data data = random_data(model, random);
    for (Convention& c : list_conventions()) {
      set_cells(c.row, c.example.assume);
      if (!open_cells(c.row, Quantity::kTwist).empty()) continue;
      const int b = random.integer(1, model.nbody - 1);
      std::vector<double> jacobian(6 * model.nv);
      double twist[6];
      read_body_jacobian(model, data, b, c, jacobian.data());
      read_body_twist(model, data, b, c, twist);
      for (int k = 0; k < 6; ++k) {
        double sum = 0;
        for (int i = 0; i < model.nv; ++i) sum += jacobian[k * model.nv + i] * data.qvel[i];
        ASSERT_NEAR(sum, twist[k], 1e-10 * (1 + std::abs(twist[k]))) << c.id;
      }
    }
  });
}

TEST_F(BodyViews, AWrenchInAnyConventionMovesTheBodyAlike) {
  for_all(10, [&](Random& random) {
    Data data = random_data(model, random);
    const int b = random.integer(1, model.nbody - 1);
    const auto load = random.numbers(6, 5);
    std::copy(load.begin(), load.end(), &data.xfrc_applied[6 * b]);
    forward(model, data);
    const std::vector<double> qacc = numbers(data.qacc.data(), model.nv);
    for (Convention& c : list_conventions()) {
      set_cells(c.row, c.example.assume);
      if (!open_cells(c.row, Quantity::kWrench).empty()) continue;
      double wrench[6], again[6];
      read_body_wrench(model, data, b, c, wrench);
      Data other(data);
      for (int i = 0; i < 6; ++i) other.xfrc_applied[6 * b + i] = 0;
      apply_body_wrench(model, other, b, c, wrench);
      read_body_wrench(model, other, b, c, again);
      forward(model, other);
      for (int i = 0; i < 6; ++i) ASSERT_NEAR(again[i], wrench[i], 1e-11 * (1 + std::abs(wrench[i]))) << c.id;
      for (int i = 0; i < model.nv; ++i) ASSERT_NEAR(other.qacc[i], qacc[i], 1e-9 * (1 + std::abs(qacc[i]))) << c.id;
    }
  });
}

TEST_F(BodyViews, APureTorqueLeavesTheCentreOfMassOfAFreeBodyAtRest) {
  // Newton's Featherstone warning: a torque on a body with a COM offset must not push its COM
  Random random(5);
  Model still = model;
  for (double& g : still.opt.gravity) g = 0;
  Data data(still);
  const auto q = random_qpos(still, random);
  std::copy(q.begin(), q.end(), data.qpos.begin());
  forward(still, data);
  const double torque[6] = {0, 0, 0, 1, 2, 3};
  set_body_wrench(still, data, box, find_convention("newton"), torque);
  forward(still, data);
  const int dof = still.jnt_dofadr[still.njnt - 1];
  std::vector<double> pose(7), acceleration(6);
  read_body_pose(still, data, box, find_convention("mujoco"), pose.data());
  const std::vector<double> rest(6, 0.0);
  const BodyConversion conversion(find_convention("mujoco"), find_convention("newton"),
                                  make_body_place(still, data, box));
  conversion.accelerations(pose.data(), rest.data(), &data.qacc[dof], acceleration.data(), 1);
  EXPECT_LT(norm(load3(acceleration.data())), 1e-12);
  EXPECT_GT(norm(load3(acceleration.data() + 3)), 1);
}

TEST_F(BodyViews, AFreeSpinTurnsAboutTheCentreOfMass) {
  Random random(6);
  Model still = model;
  for (double& g : still.opt.gravity) g = 0;
  Data data = random_data(still, random);
  const int dof = still.jnt_dofadr[still.njnt - 1], adr = still.jnt_qposadr[still.njnt - 1];
  const double spin[6] = {0, 0, 0, 1, -2, 3};  // Newton: the COM at rest
  const BodyConversion conversion(find_convention("newton"), find_convention("mujoco"),
                                  make_body_place(still, data, box));
  const BodyConversion back(find_convention("mujoco"), find_convention("newton"), make_body_place(still, data, box));
  double pose[7];
  back.poses(&data.qpos[adr], pose, 1);
  conversion.twists(pose, spin, &data.qvel[dof], 1);
  forward(still, data);
  EXPECT_GT(norm(load3(&data.qvel[dof])), 0.1) << "the origin moves";
  std::vector<double> acceleration(6);
  back.accelerations(&data.qpos[adr], &data.qvel[dof], &data.qacc[dof], acceleration.data(), 1);
  EXPECT_LT(norm(load3(acceleration.data())), 1e-12)
      << "the centripetal term of the origin is just what keeps the COM still";
}

TEST_F(BodyViews, JointForcesOfFreeJointsAreLoadsAtTheCom) {
  for_all(10, [&](Random& random) {
    Data data = random_data(model, random);
    JointForces forces(model, find_convention("newton"));
    const auto joint_f = random.numbers(model.nv, 5);
    forces.set(model, data, joint_f.data());
    for (int k = 0; k < 6; ++k) {
      ASSERT_EQ(data.xfrc_applied[6 + k], joint_f[k]) << "the same numbers as body_f";
      ASSERT_EQ(data.qfrc_applied[k], 0);
    }
    std::vector<double> again(model.nv);
    forces.read(model, data, again.data());
    for (int i = 0; i < model.nv; ++i) ASSERT_NEAR(again[i], joint_f[i], 1e-14 * (1 + std::abs(joint_f[i])));
  });
}

TEST_F(BodyViews, MujocosOwnJointForcesComeToTheSameAcceleration) {
  // (f, tau_C) enters qfrc_applied as (f, R'(tau_C + r_OC x f)): as a load or as generalised force, the same motion
  for_all(10, [&](Random& random) {
    Data data = random_data(model, random);
    const auto qfrc = random.numbers(model.nv, 5);
    Data direct(data);
    std::copy(qfrc.begin(), qfrc.end(), direct.qfrc_applied.begin());
    forward(model, direct);
    JointForces forces(model, find_convention("mujoco"));
    forces.set(model, data, qfrc.data());
    forward(model, data);
    for (int i = 0; i < model.nv; ++i) ASSERT_NEAR(data.qacc[i], direct.qacc[i], 1e-9 * (1 + std::abs(direct.qacc[i])));
  });
}

TEST_F(BodyViews, UnknownBodiesAreRefused) {
  Random random(1);
  const Data data = random_data(model, random);
  double out[7];
  EXPECT_THROW(read_body_pose(model, data, -1, find_convention("mujoco"), out), Error);
  EXPECT_THROW(read_body_twist(model, data, model.nbody, find_convention("mujoco"), out), Error);
}

}  // namespace
}  // namespace torsor
