// What set_const() computes: inverse weights against dense matrices, statistics against hand-made cases.
#include "torsor/compile/set_const.hpp"

#include <Eigen/Dense>

#include "tests/compile/make_spec.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vec = Vec3<double>;

struct Reference {
  Data data;
  Matrix M;

  explicit Reference(const Model& model) : data(model), M(model.nv, model.nv) {
    compute_kinematics(model, data);
    compute_com_position(model, data);
    compute_mass_matrix(model, data);
    full_mass_matrix(model, data, M.data());
  }
};

TEST(InverseWeights, OfDofsAreMeansOfTheInverseMassMatrix) {
  for_all(50, [](Random& random) {
    const Model model = compile(make_random_tree(random, 10));
    if (model.nv == 0) return random.screen();
    const Reference reference(model);
    const Matrix inverse = reference.M.inverse();
    for (int j = 0; j < model.njnt; ++j) {
      const JointType type = static_cast<JointType>(model.jnt_type[j]);
      const int first = model.jnt_dofadr[j], dofs = type == JointType::kFree ? 6 : type == JointType::kBall ? 3 : 1;
      for (int i = 0; i < dofs; ++i) {
        double mean = inverse(first + i, first + i);
        const int group = first + i / 3 * 3;
        if (dofs > 1)
          mean = (inverse(group, group) + inverse(group + 1, group + 1) + inverse(group + 2, group + 2)) / 3;
        EXPECT_NEAR_REL(model.dof_invweight0[first + i], mean, 1e-9);
        EXPECT_NEAR_REL(model.dof_M0[first + i], reference.M(first + i, first + i), 1e-12);
      }
    }
  });
}

TEST(InverseWeights, OfBodiesAreMeansAtTheirCom) {
  for_all(50, [](Random& random) {
    const Model model = compile(make_random_tree(random, 10));
    if (model.nv == 0) return random.screen();
    const Reference reference(model);
    const Matrix inverse = reference.M.inverse();
    for (int b = 0; b < model.nbody; ++b) {
      Matrix translation(3, model.nv), rotation(3, model.nv);
      jac_body_com(model, reference.data, translation.data(), rotation.data(), b);
      EXPECT_NEAR_REL(model.body_invweight0[2 * b], (translation * inverse * translation.transpose()).trace() / 3,
                      1e-9);
      EXPECT_NEAR_REL(model.body_invweight0[2 * b + 1], (rotation * inverse * rotation.transpose()).trace() / 3, 1e-9);
    }
  });
}

TEST(InverseWeights, ABodyOnSlidersWeighsTheSameInEveryDirection) {
  Spec spec;
  const int b = add_body(spec, 0);
  add_joint(spec, b, JointType::kSlide).armature = 5;
  add_sphere(spec, b, 0.1, 4);
  const Model model = compile(spec);
  EXPECT_DOUBLE_EQ(model.body_invweight0[2], 0.25);
  EXPECT_DOUBLE_EQ(model.dof_invweight0[0], 0.25);
  EXPECT_DOUBLE_EQ(model.dof_M0[0], 9);
}

// A pendulum: 2 kg at 1 m from its hinge, and a child whose hinge is 3 m from the COM.
Spec make_pendulum() {
  Spec spec;
  const int upper = add_body(spec, 0, {1, 2, 3}), lower = add_body(spec, upper, {4, 0, 0});
  for (const int b : {upper, lower}) {
    add_joint(spec, b, JointType::kHinge, {0, 1, 0});
    set_inertial(spec, b, b == upper ? 2 : 4, {1, 0, 0}, {1, 1, 1});
  }
  return spec;
}

TEST(Statistics, LengthsReachFromTheComToJointsOfBodyAndChildren) {
  const Model model = compile(make_pendulum());
  EXPECT_DOUBLE_EQ(model.dof_length[0], 3);
  EXPECT_DOUBLE_EQ(model.dof_length[1], 1);
  EXPECT_DOUBLE_EQ(model.stat.meansize, 2);
  EXPECT_DOUBLE_EQ(model.stat.meanmass, 3);
  EXPECT_NEAR(model.stat.meaninertia, (1 + 2 + 1 + 4 * 25 + 1 + 4) / 2.0, 1e-12);
}

TEST(Statistics, CenterAndExtentAreThoseOfTheBoxAroundEverything) {
  Spec spec = make_pendulum();  // reaches from x = 1 to x = 6
  SiteSpec& site = spec.bodies[0].sites.emplace_back();
  site.pos = {1, 2, 11};
  const Model model = compile(spec);
  EXPECT_NEAR_REL(load3(model.stat.center), (Vec{3.5, 2, 7}), kRounding);
  EXPECT_DOUBLE_EQ(model.stat.extent, 8);
}

TEST(Statistics, APlaneCountsWithATenthOfItsSize) {
  Spec spec;
  add_geom(spec, 0, GeomType::kPlane, {20, 30, 1}, 0);
  add_sphere(spec, 0, 1).pos = {0, 0, 9};
  const Model model = compile(spec);
  EXPECT_DOUBLE_EQ(model.stat.extent, 3 + 10);  // from 3 m below the plane to the top of the sphere
}

TEST(Statistics, WhatTheAuthorSaysWins) {
  Spec spec = make_pendulum();
  spec.statistic.extent = 77;
  spec.statistic.center = {1, 1, 1};
  const Model model = compile(spec);
  EXPECT_DOUBLE_EQ(model.stat.extent, 77);
  EXPECT_NEAR_REL(load3(model.stat.center), (Vec{1, 1, 1}), 0);
  EXPECT_DOUBLE_EQ(model.stat.meansize, 2);
}

TEST(Statistics, AnEmptyModelHasDefaults) {
  const Model model = compile(Spec());
  EXPECT_DOUBLE_EQ(model.stat.meaninertia, 1);
  EXPECT_DOUBLE_EQ(model.stat.meansize, 0.2);
  EXPECT_DOUBLE_EQ(model.stat.extent, 2);
}

TEST(SetConst, ChangesNothingRightAfterCompiling) {
  for_all(20, [](Random& random) {
    const Model compiled = compile(make_random_tree(random, 8));
    Model again = compiled;
    set_const(again);
    EXPECT_EQ(find_difference(compiled, again), "");
  });
}

TEST(SetConst, FollowsAChangedMass) {
  Model model = compile(make_pendulum());
  model.body_mass[2] = 40;
  set_const(model);
  EXPECT_DOUBLE_EQ(model.body_subtreemass[1], 42);
  EXPECT_NEAR(model.dof_M0[1], 1 + 40, 1e-12);
}

TEST(SetConst, FollowsAMovedGeom) {
  Spec spec;
  const int b = add_body(spec, 0);
  add_sphere(spec, b);
  Model model = compile(spec);
  EXPECT_EQ(model.geom_sameframe[0], static_cast<int>(SameFrame::kBody));
  model.geom_pos[0] = 1;
  set_const(model);
  EXPECT_EQ(model.geom_sameframe[0], static_cast<int>(SameFrame::kBodyRotation));
}

TEST(SetConst, RefusesASimpleBodyWhoseComMoved) {
  Spec spec;
  const int b = add_body(spec, 0);
  add_joint(spec, b, JointType::kFree);
  add_sphere(spec, b);
  Model model = compile(spec);
  model.body_ipos[3] = 0.5;
  EXPECT_THROW(set_const(model), Error);
}

TEST(SetConst, CamerasAndLightsKeepTheirPlaceInTheReferencePose) {
  Spec spec = make_pendulum();
  CameraSpec& camera = body_of(spec, 1).cameras.emplace_back();
  camera.pos = {0, 0, 2};
  camera.mode = TrackingMode::kTrack;
  LightSpec& light = body_of(spec, 2).lights.emplace_back();
  light.pos = {0, 0, 2};
  light.dir = {0, 3, 0};
  const Model model = compile(spec);
  EXPECT_NEAR_REL(load3(model.cam_pos0.data()), (Vec{0, 0, 2}), kRounding);
  // COM of both bodies: (2 * 2 + 4 * 6) / 6 along x
  EXPECT_NEAR_REL(load3(model.cam_poscom0.data()), (Vec{1 - 28.0 / 6, 0, 2}), kRounding);
  EXPECT_NEAR_REL(load3(model.light_poscom0.data()), (Vec{-1, 0, 2}), kRounding);
  EXPECT_NEAR_REL(load3(model.light_dir0.data()), (Vec{0, 1, 0}), kRounding);
}

TEST(SetConst, ACameraThatAimsIsPlacedAgainstItsTarget) {
  Spec spec = make_pendulum();
  CameraSpec& camera = spec.bodies[0].cameras.emplace_back();
  camera.target = "body2";
  camera.mode = TrackingMode::kTargetBody;
  EXPECT_NEAR_REL(load3(compile(spec).cam_poscom0.data()), (Vec{-6, -2, -3}), kRounding);
}

TEST(InverseWeights, JointsThatMoveAlikeAreAWarning) {
  Spec spec;
  const int b = add_body(spec, 0);
  add_joint(spec, b, JointType::kHinge);
  set_inertial(spec, b, 1, {1, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(compile(spec).warnings.empty());
  add_joint(spec, b, JointType::kHinge);
  EXPECT_FALSE(compile(spec).warnings.empty());
}

TEST(SpringDamper, GivesTheTimeConstantAndTheDampingRatio) {
  Spec spec;
  const int b = add_body(spec, 0);
  add_joint(spec, b, JointType::kHinge).springdamper = {0.5, 0.2};
  set_inertial(spec, b, 1, {0, 0, 0}, {1, 1, 1.5});
  const Model model = compile(spec);
  const double k = model.jnt_stiffness[0], d = model.dof_damping[0], m = 1.5;
  EXPECT_NEAR(2 * m / d, 0.5, 1e-12);                   // time constant of the decay
  EXPECT_NEAR(d / (2 * std::sqrt(k * m)), 0.2, 1e-12);  // damping ratio
}

TEST(Flags, SayWhatTheModelHasAndFollowItsValues) {
  Spec spec;
  const int body = add_body(spec, 0);
  add_joint(spec, body, JointType::kHinge);
  add_sphere(spec, body);
  body_of(spec, body).gravcomp = -1;
  Model model = compile(spec);
  EXPECT_FALSE(model.flg_gravcomp || model.flg_surfacevel || model.flg_adhesion) << "a negative one is none, alone";
  EXPECT_EQ(model.ngravcomp, 0);
  model.body_gravcomp[body] = 0.5;
  model.geom_surfacevel[5] = -1;
  set_const(model);
  EXPECT_TRUE(model.flg_gravcomp && model.flg_surfacevel && !model.flg_adhesion);
  model.geom_surfacevel[5] = 0;
  model.geom_adhesion[0] = 1;
  set_const(model);
  EXPECT_TRUE(!model.flg_surfacevel && model.flg_adhesion);
}

// Where two dofs move alike, the second pivot of M is 0 and counts as 1e-15.
TEST(InverseWeights, OfASingularMassMatrixAreHugeAndFinite) {
  Spec spec;
  const int body = add_body(spec, 0);
  add_joint(spec, body, JointType::kHinge);
  add_joint(spec, body, JointType::kHinge);
  set_inertial(spec, body, 1, {0, 0, 0}, {1, 1, 1});
  Model model = compile(spec);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(model.dof_invweight0[i] * 1e-15, 1, 1e-6);
  EXPECT_EQ(model.warnings.size(), 2u);
}

}  // namespace
}  // namespace torsor
