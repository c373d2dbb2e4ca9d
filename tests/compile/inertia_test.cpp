// Masses of bodies: written, inferred, bounded, balanced, scaled.
#include <cmath>

#include "tests/compile/make_spec.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr double kAxes = 1e-12;

Mat3<double> inertia_in_body(const Model& model, int b) {
  return to_mat(rotate_diagonal(to_mat(load4(model.body_iquat.row(b, 4))), load3(model.body_inertia.row(b, 3))));
}

// Spheres of 1 kg and 3 kg, 4 m apart along x: the COM is 3 m from the light one.
Spec make_dumbbell() {
  Spec spec;
  const int b = add_body(spec, 0, {7, 8, 9});
  add_joint(spec, b, JointType::kHinge);
  add_sphere(spec, b, 0.5, 1).pos = {0, 1, 0};
  add_sphere(spec, b, 0.5, 3).pos = {4, 1, 0};
  return spec;
}

TEST(BodyInertia, GeomsAreJoinedAboutTheirCommonCom) {
  const Model model = compile(make_dumbbell());
  const double own = 0.4 * 4 * 0.25, far = 1 * 9 + 3 * 1;
  EXPECT_DOUBLE_EQ(model.body_mass[1], 4);
  EXPECT_NEAR_REL(load3(model.body_ipos.row(1, 3)), (Vec{3, 1, 0}), kRounding);
  EXPECT_NEAR_REL(inertia_in_body(model, 1), diag(Vec{own, own + far, own + far}), 1e-14);
}

TEST(BodyInertia, PrincipalMomentsDecrease) {
  const Model model = compile(make_dumbbell());
  EXPECT_GE(model.body_inertia[3], model.body_inertia[4]);
  EXPECT_GE(model.body_inertia[4], model.body_inertia[5]);
}

TEST(BodyInertia, OneGeomAloneGivesItsOwnFrame) {
  Spec spec;
  const int b = add_body(spec, 0);
  GeomSpec& box = add_geom(spec, b, GeomType::kBox, {0.3, 0.2, 0.1}, 12);
  box.pos = {1, 2, 3};
  box.orientation.quat = {1, 2, 3, 4};
  add_sphere(spec, b, 5, 0);  // weighs nothing
  const Model model = compile(spec);
  EXPECT_NEAR_REL(load3(model.body_inertia.row(1, 3)), (Vec{0.2, 0.4, 0.52}), 1e-14);  // 4 (0.2^2 + 0.1^2) and so on
  EXPECT_NEAR_REL(load3(model.body_ipos.row(1, 3)), (Vec{1, 2, 3}), 0);
  EXPECT_TRUE(is_same_rotation(load4(model.body_iquat.row(1, 4)), load4(model.geom_quat.data()), 0));
}

TEST(BodyInertia, DensityTimesVolumeIsMass) {
  Spec spec;
  const int b = add_body(spec, 0);
  GeomSpec& box = add_geom(spec, b, GeomType::kBox, {0.5, 0.5, 0.5}, 0);
  box.mass.reset();
  box.density = 30;
  EXPECT_DOUBLE_EQ(compile(spec).body_mass[1], 30);
  body_of(spec, b).geoms[0].shellinertia = true;  // six faces of one square metre
  EXPECT_DOUBLE_EQ(compile(spec).body_mass[1], 180);
}

TEST(BodyInertia, AWrittenInertialWinsUnlessGeomsAreToDecide) {
  Spec spec = make_dumbbell();
  set_inertial(spec, 1, 7, {0, 0, 0}, {1, 1, 1});
  EXPECT_DOUBLE_EQ(compile(spec).body_mass[1], 7);
  spec.compiler.inertiafromgeom = Tristate::kTrue;
  EXPECT_DOUBLE_EQ(compile(spec).body_mass[1], 4);
  spec.compiler.inertiafromgeom = Tristate::kFalse;
  EXPECT_DOUBLE_EQ(compile(spec).body_mass[1], 7);
}

TEST(BodyInertia, OnlyGeomsOfTheGroupRangeCount) {
  Spec spec = make_dumbbell();
  body_of(spec, 1).geoms[0].group = 1;
  spec.compiler.inertiagrouprange = {0, 0};
  EXPECT_DOUBLE_EQ(compile(spec).body_mass[1], 3);
}

TEST(BodyInertia, FullInertiaIsKept) {
  Spec spec;
  const int b = add_body(spec, 0);
  set_inertial(spec, b, 1, {0, 0, 0}, {0, 0, 0});
  body_of(spec, b).inertial.fullinertia = Number6{1, 2, 1.5, 0.1, -0.2, 0.3};
  const Mat3<double> expected{1, 0.1, -0.2, 0.1, 2, 0.3, -0.2, 0.3, 1.5};
  EXPECT_NEAR_REL(inertia_in_body(compile(spec), b), expected, kAxes);
}

TEST(BodyInertia, BoundsRaiseWhatIsSmaller) {
  Spec spec;
  set_inertial(spec, add_body(spec, 0), 0.1, {0, 0, 0}, {0.1, 1, 1});
  spec.compiler.boundmass = 2;
  spec.compiler.boundinertia = 0.5;
  const Model model = compile(spec);
  EXPECT_DOUBLE_EQ(model.body_mass[1], 2);
  EXPECT_NEAR_REL(load3(model.body_inertia.row(1, 3)), (Vec{0.5, 1, 1}), 0);
  EXPECT_DOUBLE_EQ(model.body_mass[0], 0);  // the world weighs nothing
}

TEST(BodyInertia, BalanceMakesMomentsEqualWhereTheyBreakTheTriangleRule) {
  Spec spec;
  set_inertial(spec, add_body(spec, 0), 1, {0, 0, 0}, {1, 1, 4});
  spec.compiler.balanceinertia = true;
  EXPECT_NEAR_REL(load3(compile(spec).body_inertia.row(1, 3)), (Vec{2, 2, 2}), 0);
}

TEST(BodyInertia, BoundsComeBeforeTheTriangleRule) {
  Spec spec;
  set_inertial(spec, add_body(spec, 0), 1, {0, 0, 0}, {0.1, 0.1, 1});
  spec.compiler.boundinertia = 0.5;
  EXPECT_NO_THROW(compile(spec));
}

TEST(BodyInertia, TotalMassIsScaledWithInertia) {
  Spec spec = make_dumbbell();
  const Model before = compile(spec);
  set_inertial(spec, add_body(spec, 0), 6, {0, 0, 0}, {1, 1, 1});
  spec.compiler.settotalmass = 100;
  const Model model = compile(spec);
  EXPECT_DOUBLE_EQ(model.body_subtreemass[0], 100);
  EXPECT_NEAR_REL(inertia_in_body(model, 1), inertia_in_body(before, 1) * 10, 1e-14);
}

// A quirk of MuJoCo: ipos of a body without mass is the body's own position, as written.
TEST(BodyInertia, WithoutMassTheInertialFrameIsTheWrittenPose) {
  Spec spec;
  const int b = add_body(spec, 0, {1, 2, 3});
  FrameSpec frame;
  frame.pos = {10, 0, 0};
  spec.bodies[0].frames = {frame};
  body_of(spec, b).frame = 0;
  const Model model = compile(spec);
  EXPECT_NEAR_REL(load3(model.body_ipos.row(1, 3)), (Vec{1, 2, 3}), 0);
  EXPECT_NEAR_REL(load3(model.body_pos.row(1, 3)), (Vec{11, 2, 3}), 0);
}

}  // namespace
}  // namespace torsor
