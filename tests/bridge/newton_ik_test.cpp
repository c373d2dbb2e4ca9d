// Inverse kinematics: joints of every kind, many problems at once.
#include "torsor/bridge/newton/ik.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

LinkOptions link() {
  LinkOptions options;
  options.mass = 1;
  options.com = {0.1, 0.05, 0};
  options.inertia = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  return options;
}

DofConfig axis(const Vector3& direction, double limit = 2) {
  DofConfig config;
  config.axis = direction, config.limit_lower = -limit, config.limit_upper = limit;
  return config;
}

// Ball, d6, revolute and prismatic joints with turned anchors.
Model make_arm() {
  ModelBuilder builder;
  std::vector<int> links, joints;
  for (int i = 0; i < 5; ++i) links.push_back(builder.add_link(link()));
  JointOptions anchors;
  anchors.parent_xform = {0.3, 0.1, 0, 0, 0.6, 0, 0.8}, anchors.child_xform = {-0.1, 0, 0.05, 0.6, 0, 0, 0.8};
  joints.push_back(builder.add_joint_ball(-1, links[0], 0, 0, anchors));
  joints.push_back(builder.add_joint(JointKind::kD6, links[0], links[1], {axis({1, 0, 0}, 0.5)},
                                     {axis({0, 1, 0}), axis({0, 0, 1})}, anchors));
  joints.push_back(builder.add_joint(JointKind::kRevolute, links[1], links[2], {}, {axis({0, 1, 0})}, anchors));
  joints.push_back(builder.add_joint(JointKind::kPrismatic, links[2], links[3], {axis({0, 0, 1}, 0.4)}, {}, anchors));
  joints.push_back(builder.add_joint(JointKind::kRevolute, links[3], links[4], {}, {axis({1, 1, 0})}, anchors));
  builder.add_articulation(joints);
  return builder.finalize();
}

std::vector<double> random_coordinates(const Model& model, std::mt19937& random, double spread) {
  std::uniform_real_distribution<double> draw(-spread, spread);
  std::vector<double> q(model.lists().joint_q.size());
  for (double& value : q) value = draw(random);
  double* const ball = q.data();
  ball[3] = 1;
  const double length = std::sqrt(ball[0] * ball[0] + ball[1] * ball[1] + ball[2] * ball[2] + 1);
  for (int i = 0; i < 4; ++i) ball[i] /= length;
  return q;
}

Pose<double> pose_of(const Model& model, const std::vector<double>& q, int body) {
  State state = model.state();
  eval_fk(model, q, state.joint_qd, state);
  Transform pose;
  std::copy_n(&state.body_q[static_cast<size_t>(7 * body)], 7, pose.begin());
  return to_pose(pose);
}

std::vector<double> three(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
std::vector<double> four(const Quat<double>& q) { return {q.x, q.y, q.z, q.w}; }

TEST(NewtonIk, PosesOfReachableTargetsAreFound) {
  const Model model = make_arm();
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    const Pose<double> X = pose_of(model, random_coordinates(model, random, 0.35), 4);
    const IkPosition position{4, {0.1, 0.2, 0.3}, three(apply(X, {0.1, 0.2, 0.3}))};
    const IkRotation rotation{4, {0.6, 0, 0, 0.8}, four(X.q * Quat<double>{0.8, 0.6, 0, 0})};
    std::vector<double> q = random_coordinates(model, random, 0.1);
    IkOptions options;
    options.iterations = 200;
    EXPECT_LT(solve_ik(model, {position, rotation}, options, q)[0], 1e-16) << "round " << round;
    const Pose<double> found = pose_of(model, q, 4);
    EXPECT_LT(norm(found.p - X.p), 1e-7);
    EXPECT_LT(norm(rotation_vector(found.q * conj(X.q))), 1e-7);
  }
}

TEST(NewtonIk, WithoutASolutionTheCostHasAMinimum) {  // which needs exact derivatives of all residuals
  const Model model = make_arm();
  std::mt19937 random(3);
  IkLimits limits{model.lists().joint_limit_lower, model.lists().joint_limit_upper, 0.7};
  for (double& upper : limits.upper) upper = 0.05;
  const std::vector<IkObjective> objectives{IkPosition{4, {0.1, 0.2, 0.3}, {4, 1, -2}, 0.9},
                                            IkRotation{2, {0, 0, 0, 1}, {0.9, 0.1, 0.3, 0.3}, 1.5},
                                            IkPosition{1, {0, 0, 0}, {0, 0.5, 0.5}}, limits};
  std::vector<double> q = random_coordinates(model, random, 0.3);
  IkOptions options;
  options.iterations = 4000;
  const double least = solve_ik(model, objectives, options, q)[0];
  EXPECT_GT(least, 0.1);
  options.iterations = 0;
  for (size_t i = 4; i < q.size(); ++i) {
    const auto cost = [&](double change) {
      std::vector<double> moved = q;
      moved[i] += change;
      return solve_ik(model, objectives, options, moved)[0];
    };
    EXPECT_NEAR((cost(1e-5) - cost(-1e-5)) / 2e-5, 0, 1e-5) << i;
  }
}

TEST(NewtonIk, ProblemsDoNotDependOnEachOtherNorOnThreads) {
  const Model model = make_arm();
  std::mt19937 random(5);
  std::vector<double> all, targets;
  for (int i = 0; i < 12; ++i) {
    const std::vector<double> q = random_coordinates(model, random, 0.3);
    const std::vector<double> target = three(pose_of(model, random_coordinates(model, random, 0.3), 4).p);
    all.insert(all.end(), q.begin(), q.end()), targets.insert(targets.end(), target.begin(), target.end());
  }
  const size_t width = all.size() / 12;
  std::vector<double> last(all.end() - static_cast<long>(width), all.end()), again = all;
  IkOptions options;
  options.threads = 3;
  const double cost = solve_ik(model, {IkPosition{4, {0, 0, 0}, targets}}, options, all)[11];
  options.threads = 1;
  solve_ik(model, {IkPosition{4, {0, 0, 0}, targets}}, options, again);
  EXPECT_EQ(all, again);
  EXPECT_EQ(solve_ik(model, {IkPosition{4, {0, 0, 0}, {targets.end() - 3, targets.end()}}}, options, last)[0], cost);
  EXPECT_EQ(last, std::vector<double>(all.end() - static_cast<long>(width), all.end()));
}

TEST(NewtonIk, HeldDofsDoNotMove) {
  const Model model = make_arm();
  std::mt19937 random(1);
  const std::vector<double> start = random_coordinates(model, random, 0.3);
  std::vector<double> q = start;
  IkOptions options;
  options.is_free = std::vector<bool>(model.lists().joint_dof_count(), true);
  for (int dof = 0; dof < 4; ++dof) options.is_free[dof] = false;  // the ball joint and the first axis of the d6 joint
  solve_ik(model, {IkPosition{4, {0, 0, 0}, {1, 1, 1}}}, options, q);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(q[i], start[i], 1e-15);  // read back from the engine's quaternion
  EXPECT_EQ(q[4], start[4]);
  EXPECT_NE(q[5], start[5]);
}

TEST(NewtonIk, BadInputIsRefused) {
  const Model model = make_arm();
  std::vector<double> q = model.lists().joint_q;
  const auto refuses = [&](const IkObjective& objective) { EXPECT_THROW(solve_ik(model, {objective}, {}, q), Error); };
  refuses(IkPosition{9, {0, 0, 0}, {1, 1, 1}});
  refuses(IkPosition{4, {0, 0, 0}, {1, 1}});
  refuses(IkPosition{4, {0, 0, 0}, {1, 1, std::nan("")}});
  refuses(IkRotation{4, {0, 0, 0, 1}, {0, 0, 0, 0}});
  refuses(IkLimits{{1}, {1}});
}

}  // namespace
}  // namespace torsor::newton
