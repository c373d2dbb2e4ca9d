// Laws of whole generalised vectors between every pair of conventions that has them all.
#include "torsor/bridge/state_map.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "tests/bridge/scene.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/convention/joint.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

// Conventions whose rows say all that the mixed model needs; what most leave open is filled alike.
std::vector<Convention> complete_conventions() {
  std::vector<Convention> all;
  for (Convention& c : list_conventions()) {
    set_cells(c.row, c.example.assume);
    if (c.row.ball == Frame::kUnspecified) c.row.ball = Frame::kBody;
    if (c.row.joints == JointOrder::kUnspecified) c.row.joints = JointOrder::kBreadthFirstByName;
    if (c.row.zero == JointZero::kUnspecified) c.row.zero = JointZero::kZero;
    const auto has = [&](Quantity quantity) { return open_cells(c.row, quantity).empty(); };
    if (has(Quantity::kPose) && has(Quantity::kTwist) && has(Quantity::kJointForce)) all.push_back(c);
  }
  return all;
}

JointSystem random_system(const Model& model, Random& random) {
  JointSystem system = make_joint_system(model);
  for (JointCoordinates& joint : system.joints) joint.place.X_WP = random.pose(), joint.place.X_BA = random.pose();
  return system;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, size = 1;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return largest / size;
}
// Coordinates compared as the poses that they are: through MuJoCo's numbers with every quaternion's sign fixed.
std::vector<double> standard(const Model& model, std::vector<double> q) {
  for (int j = 0; j < model.njnt; ++j) {
    const auto type = static_cast<JointType>(model.jnt_type[j]);
    if (type > JointType::kBall) continue;
    double* quat = &q[model.jnt_qposadr[j] + (type == JointType::kFree ? 3 : 0)];
    if (quat[0] < 0) {
      for (int k = 0; k < 4; ++k) quat[k] = -quat[k];
    }
  }
  return q;
}

class StateMapLaws : public testing::Test {
 protected:
  const Model model = load_string(kMixedModel);
  const std::vector<Convention> all = complete_conventions();
  const Convention mujoco = find_convention("mujoco");
};

TEST_F(StateMapLaws, ManyConventionsHaveAllThatAModelNeeds) { EXPECT_GT(all.size(), 20u); }

TEST_F(StateMapLaws, ThereAndBackIsTheSame) {
  for_all(10, [&](Random& random) {
    const JointSystem system = random_system(model, random);
    const auto q = random_qpos(model, random), v = random.numbers(model.nv, 3), f = random.numbers(model.nv, 3);
    for (const Convention& c : all) {
      const StateMap there(system, mujoco, c), back(system, c, mujoco);
      std::vector<double> q_c(there.nq_to()), v_c(model.nv), f_c(model.nv), a_c(model.nv), q_b(model.nq), x(model.nv);
      there.positions(q.data(), q_c.data());
      back.positions(q_c.data(), q_b.data());
      ASSERT_LT(distance(standard(model, q_b), standard(model, q)), 1e-12) << c.id;
      there.velocities(q.data(), v.data(), v_c.data());
      back.velocities(q_c.data(), v_c.data(), x.data());
      ASSERT_LT(distance(x, v), 1e-12) << c.id;
      there.forces(q.data(), f.data(), f_c.data());
      back.forces(q_c.data(), f_c.data(), x.data());
      ASSERT_LT(distance(x, f), 1e-12) << c.id;
      there.accelerations(q.data(), v.data(), f.data(), a_c.data());
      if (c.row.acceleration == AccelerationForm::kUnspecified) continue;
      back.accelerations(q_c.data(), v_c.data(), a_c.data(), x.data());
      ASSERT_LT(distance(x, f), 1e-11) << c.id;
    }
  });
}

TEST_F(StateMapLaws, ByWayOfAThirdConventionIsTheDirectWay) {
  for_all(2, [&](Random& random) {
    const JointSystem system = random_system(model, random);
    const auto q = random_qpos(model, random), v = random.numbers(model.nv, 3);
    for (const Convention& a : all) {
      const StateMap first(system, mujoco, a);
      std::vector<double> q_a(first.nq_to()), v_a(model.nv);
      first.positions(q.data(), q_a.data());
      first.velocities(q.data(), v.data(), v_a.data());
      for (const Convention& b : all) {
        const StateMap direct(system, mujoco, b), second(system, a, b);
        std::vector<double> v_b(model.nv), v_ab(model.nv);
        direct.velocities(q.data(), v.data(), v_b.data());
        second.velocities(q_a.data(), v_a.data(), v_ab.data());
        ASSERT_LT(distance(v_ab, v_b), 1e-11) << a.id << " " << b.id;
      }
    }
  });
}

TEST_F(StateMapLaws, PowerIsTheSameNumberWhereForcesAreDualToVelocities) {
  for_all(10, [&](Random& random) {
    const JointSystem system = random_system(model, random);
    const auto q = random_qpos(model, random), v = random.numbers(model.nv, 3), f = random.numbers(model.nv, 3);
    double power = 0;
    for (int i = 0; i < model.nv; ++i) power += f[i] * v[i];
    for (const Convention& c : all) {
      if (joint_force_layout(c.row) != c.row.twist) continue;
      if (scalar_force_factor(c.row, true) * scalar_factor(c.row, true) != 1) continue;  // degrees, but newton metres
      const StateMap map(system, mujoco, c);
      std::vector<double> v_c(model.nv), f_c(model.nv);
      map.velocities(q.data(), v.data(), v_c.data());
      map.forces(q.data(), f.data(), f_c.data());
      double result = 0;
      for (int i = 0; i < model.nv; ++i) result += f_c[i] * v_c[i];
      ASSERT_NEAR(result, power, 1e-11) << c.id;
    }
  });
}

TEST_F(StateMapLaws, VelocitiesAreTheFiniteDifferencesOfPositions) {
  // hinges, slides, and ball joints; free joints are the business of the laws of single bodies
  for_all(20, [&](Random& random) {
    const JointSystem system = random_system(model, random);
    const auto q = random_qpos(model, random), v = random.numbers(model.nv, 3);
    const double h = 1e-6;
    auto moved = [&](double by) {
      std::vector<double> result(q);
      integrate_pos(model, result.data(), v.data(), by);
      return result;
    };
    for (const Convention& c : all) {
      if (c.row.rotation != RotationForm::kQuaternion) continue;
      const StateMap map(system, mujoco, c);
      std::vector<double> before(map.nq_to()), after(map.nq_to()), rate(model.nv);
      map.positions(moved(-h).data(), before.data());
      map.positions(moved(h).data(), after.data());
      map.velocities(q.data(), v.data(), rate.data());
      const auto order = list_joints(system, c, nullptr);
      int at = 0, dof = 0;
      for (const int j : order) {
        const CoordinateKind kind = system.joints[j].kind;
        if (dof_count(kind) == 1) {
          ASSERT_NEAR(rate[dof], (after[at] - before[at]) / (2 * h), 1e-6 * (1 + std::abs(rate[dof]))) << c.id;
        }
        if (kind == CoordinateKind::kBall) {
          const Quat<double> a = load_quat(c.row.quat, &before[at]), b = load_quat(c.row.quat, &after[at]);
          const Quat<double> turn = c.row.ball == Frame::kParent ? b * conj(a) : conj(a) * b;
          const double unit = c.row.angle == AngleUnit::kDegree ? 180 / M_PI : 1;
          ASSERT_LT(norm(rotation_vector(turn) * (unit / (2 * h)) - load3(&rate[dof])), 1e-5 * unit) << c.id;
        }
        at += is_pose(kind) ? 7 : (kind == CoordinateKind::kBall ? 4 : 1);
        dof += dof_count(kind);
      }
    }
  });
}

TEST_F(StateMapLaws, ABatchIsItsStatesOneByOne) {
  Random random(7);
  const StateMap map(model, mujoco, find_convention("newton"));
  const int count = 5;
  std::vector<double> q, v = random.numbers(count * model.nv, 3), q_all(count * map.nq_to()), v_all(count * model.nv);
  for (int i = 0; i < count; ++i) {
    const auto one = random_qpos(model, random);
    q.insert(q.end(), one.begin(), one.end());
  }
  map.positions(q.data(), q_all.data(), count);
  map.velocities(q.data(), v.data(), v_all.data(), count);
  for (int i = 0; i < count; ++i) {
    std::vector<double> one(map.nq_to()), rate(model.nv);
    map.positions(&q[i * model.nq], one.data());
    map.velocities(&q[i * model.nq], &v[i * model.nv], rate.data());
    EXPECT_TRUE(std::equal(one.begin(), one.end(), &q_all[i * map.nq_to()]));
    EXPECT_TRUE(std::equal(rate.begin(), rate.end(), &v_all[i * model.nv]));
  }
}

// --- by hand --------------------------------------------------------------------------------------------------------

TEST(StateMap, NewtonsScalarCoordinatesHaveNoRef) {
  const Model model =
      load_string("<mujoco><worldbody><body><joint ref='30'/><geom size='1'/></body></worldbody></mujoco>");
  const StateMap map(model, find_convention("mujoco"), find_convention("newton"));
  const double q = 1.0, limits[2] = {0.5, INFINITY};
  double out, limits_out[2];
  map.positions(&q, &out);
  EXPECT_DOUBLE_EQ(out, 1.0 - M_PI / 6);
  map.limits(limits, limits_out);
  EXPECT_DOUBLE_EQ(limits_out[0], 0.5 - M_PI / 6);
  EXPECT_EQ(limits_out[1], INFINITY);
}

TEST(StateMap, UsdGainsArePerDegree) {
  const Model model = load_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>");
  const StateMap map(model, find_convention("mujoco"), find_convention("usd.text"));
  const double gain = 100, target = M_PI / 2, force = 1;
  double out;
  map.position_targets(&target, &out);
  EXPECT_NEAR(out, 90, 1e-12);
  map.forces(nullptr, &force, &out);
  EXPECT_EQ(out, 1) << "newton metres";
  map.gains(&gain, &out);
  EXPECT_NEAR(out, 100 * M_PI / 180, 1e-12) << "newton metres per degree";
}

TEST(StateMap, NewtonsBallJointIsInTheParentAnchor) {
  // q_mj = q_c r q_c^-1 and w_mj = R(q_c r^-1) w_newton
  for_all(100, [](Random& random) {
    JointSystem system{{{"world", "arm"}, {-1, 0}}, {}};
    JointCoordinates joint;
    joint.kind = CoordinateKind::kBall, joint.body = 1, joint.place.X_BA = random.pose();
    system.joints.push_back(joint);
    const StateMap map(system, find_convention("newton"), find_convention("mujoco"));
    const Quat<double> r = random.quat(), q_c = joint.place.X_BA.q;
    const Vec3<double> w = random.vec3(3);
    const double in[4] = {r.x, r.y, r.z, r.w}, rate[3] = {w.x, w.y, w.z};
    double out[4], rate_out[3];
    map.positions(in, out);
    map.velocities(in, rate, rate_out);
    const Quat<double> expected = q_c * r * conj(q_c), got = load4(out);
    ASSERT_NEAR(std::abs(dot(expected, got)), 1, 1e-12);
    ASSERT_LT(norm(load3(rate_out) - rotate(q_c * conj(r), w)), 1e-12);
  });
}

TEST(StateMap, ADistanceJointHasTheCoordinatesOfAFreeJoint) {
  JointSystem system{{{"world", "ball"}, {-1, 0}}, {}};
  JointCoordinates joint;
  joint.kind = CoordinateKind::kDistance, joint.body = 1, joint.place.p_BoBcm_B = {0, 0, 1};
  system.joints.push_back(joint);
  const StateMap map(system, find_convention("sap.public"), find_convention("sap.internal"));
  EXPECT_EQ(map.nq_from(), 7);
  EXPECT_EQ(map.nv(), 6);
  const double q[7] = {1, 2, 3, 0, 0, 0, 1}, qd[6] = {1, 0, 0, 0, 2, 0};
  double out[6];
  map.velocities(q, qd, out);
  const double expected[6] = {0, 2, 0, -1, 0, 0};  // v_O = v_C - w x r = (1,0,0) - (2,0,0)
  for (int i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(out[i], expected[i]);
}

TEST(StateMap, SlidesComeFirstInNewtonWhereTheyMayAndAreRefusedWhereTheyMayNot) {
  const auto model_with = [](const char* axis) {
    return load_string(
        std::string("<mujoco><worldbody><body><joint name='h' axis='0 0 1'/><joint name='s' type='slide' "
                    "axis='") +
        axis + "'/><geom size='1'/></body></worldbody></mujoco>");
  };
  const Model along = model_with("0 0 1"), across = model_with("1 0 0");
  const StateMap map(along, find_convention("mujoco"), find_convention("newton"));
  const double q[2] = {0.5, 2};
  double out[2];
  map.positions(q, out);
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(out[1], 0.5);
  EXPECT_EQ(map.dof_map(), (std::vector<int>{1, 0}));
  EXPECT_THROW(StateMap(across, find_convention("mujoco"), find_convention("newton")), Error);
}

TEST(StateMap, JointOrderIsThatOfEachConvention) {
  const Model model = load_string(kMixedModel);
  const StateMap map(model, find_convention("mujoco"), find_convention("isaaclab3[ball=body]"));
  // MuJoCo: root shoulder elbow rail turn knuckle box; breadth first: root box shoulder rail turn elbow knuckle
  EXPECT_EQ(map.joint_map().map(), (std::vector<int>{0, 6, 1, 3, 4, 2, 5}));
  const StateMap named(model, find_convention("mujoco"), find_convention("mujoco"),
                       {std::nullopt,
                        Order(std::vector<std::string>{"box", "elbow", "knuckle", "rail", "root", "shoulder", "turn"}),
                        {}});
  EXPECT_EQ(named.joint_map().map(), (std::vector<int>{6, 2, 5, 3, 0, 1, 4}));
  try {
    StateMap(model, find_convention("mujoco"), find_convention("mujoco"),
             {std::nullopt,
              Order(std::vector<std::string>{"box", "elbow", "nuckle", "rail", "root", "shoulder", "turn"}),
              {}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nuckle"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("knuckle"), std::string::npos) << error.what();
  }
}

TEST(StateMap, ControlsFollowTheJointsThatTheyDrive) {
  const Model model = load_string(kMixedModel);
  const int elbow = 2, rail = 3, turn = 4, knuckle = 5;
  const StateMap map(model, find_convention("mujoco"), find_convention("isaaclab3[ball=body,angle=deg]"),
                     {std::nullopt, std::nullopt, {knuckle, elbow, rail, turn}});
  ASSERT_EQ(map.nu(), 4);
  // in MuJoCo's joint order: elbow rail turn knuckle; in breadth-first order: rail turn elbow knuckle
  const double in[4] = {0.25 + M_PI / 2, 0.1, M_PI, 0};
  double out[4];
  map.controls(ControlKind::kPosition, in, out);
  const double expected[4] = {0, 180, 90, 0};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(out[i], expected[i], 1e-12) << i;
}

TEST(StateMap, ArmatureThatDependsOnAxesIsRefused) {
  const Model model = load_string(kMixedModel);
  const StateMap map(model, find_convention("mujoco"), find_convention("newton"));
  std::vector<double> armature(model.nv, 0.0), out(model.nv);
  armature[model.jnt_dofadr[2]] = 0.5;
  map.armature(armature.data(), out.data());
  EXPECT_EQ(out[model.jnt_dofadr[2]], 0.5);
  armature[0] = 1;
  EXPECT_THROW(map.armature(armature.data(), out.data()), Error);
}

TEST(StateMap, OpenCellsThatTheModelNeedsAreRefused) {
  const Model model = load_string(kMixedModel);
  for (const char* id : {"isaaclab3", "drake", "ros", "scipy", "unity", "physx"}) {
    EXPECT_THROW(StateMap(model, find_convention("mujoco"), find_convention(id)), Error) << id;
  }
}

TEST(StateMap, BadNumbersAreNamedByRowAndColumn) {
  const Model model = load_string(kMixedModel);
  const StateMap map(model, find_convention("mujoco"), find_convention("newton"));
  Random random(1);
  std::vector<double> q = random_qpos(model, random), out(2 * map.nq_to());
  const std::vector<double> again = q;
  q.insert(q.end(), again.begin(), again.end());
  q[model.nq + model.jnt_qposadr[2]] = NAN;
  try {
    map.positions(q.data(), out.data(), 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 1, 'elbow'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace torsor
