// Where things are: frames are dissolved, and everything ends in the frame of its body.
#include "tests/compile/make_spec.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

OrientationSpec about_z(double degrees) {
  OrientationSpec orientation;
  orientation.form = OrientationSpec::Form::kEuler;
  orientation.euler = {0, 0, degrees};
  return orientation;
}

// A body in a frame of the world, with everything in two nested frames: the outer is at x = 1, turned by 90 degrees
// about z, the inner at x = 1 of it, so that (1, 0, 0) in the inner frame is (1, 2, 0) in the body, and x is y.
Spec make_framed() {
  Spec spec;
  FrameSpec outer;
  outer.pos = {1, 0, 0};
  outer.orientation = about_z(90);
  FrameSpec inner;
  inner.parent_frame = 0;
  inner.pos = {1, 0, 0};
  spec.bodies[0].frames = {outer};
  const int b = add_body(spec, 0, {3, 0, 0});
  body_of(spec, b).frame = 0;
  body_of(spec, b).frames = {outer, inner};
  JointSpec& joint = add_joint(spec, b, JointType::kHinge, {2, 0, 0});
  joint.frame = 1;
  joint.pos = {1, 0, 0};
  add_sphere(spec, b).frame = 1;
  body_of(spec, b).geoms[0].pos = {1, 0, 0};
  SiteSpec& site = body_of(spec, b).sites.emplace_back();
  site.frame = 1;
  site.pos = {1, 0, 0};
  CameraSpec& camera = body_of(spec, b).cameras.emplace_back();
  camera.frame = 1;
  camera.pos = {1, 0, 0};
  LightSpec& light = body_of(spec, b).lights.emplace_back();
  light.frame = 1;
  light.pos = {1, 0, 0};
  light.dir = {5, 0, 0};
  return spec;
}

TEST(Frames, ElementsAreInTheBodyFrame) {
  const Model model = compile(make_framed());
  const Vec expected{1, 2, 0}, y{0, 1, 0};
  EXPECT_NEAR_REL(load3(model.jnt_pos.data()), expected, kRounding);
  EXPECT_NEAR_REL(load3(model.jnt_axis.data()), y, kRounding);
  EXPECT_NEAR_REL(load3(model.geom_pos.data()), expected, kRounding);
  EXPECT_NEAR_REL(load3(model.site_pos.data()), expected, kRounding);
  EXPECT_NEAR_REL(load3(model.cam_pos.data()), expected, kRounding);
  EXPECT_NEAR_REL(load3(model.light_pos.data()), expected, kRounding);
  EXPECT_NEAR_REL(load3(model.light_dir.data()), y, kRounding);
  EXPECT_NEAR_REL(rotate(load4(model.cam_quat.data()), Vec{1, 0, 0}), y, kRounding);
}

TEST(Frames, BodiesAreInTheFrameOfTheirParent) {
  const Model model = compile(make_framed());
  EXPECT_NEAR_REL(load3(model.body_pos.row(1, 3)), (Vec{1, 3, 0}), kRounding);
  EXPECT_NEAR_REL(rotate(load4(model.body_quat.row(1, 4)), Vec{1, 0, 0}), (Vec{0, 1, 0}), kRounding);
}

TEST(Frames, FreeJointsHaveNeitherAnchorNorAxis) {
  Spec spec = make_framed();
  body_of(spec, 1).joints[0].type = JointType::kFree;
  const Model model = compile(spec);
  EXPECT_NEAR_REL(load3(model.jnt_pos.data()), Vec::zero(), 0);
  EXPECT_NEAR_REL(load3(model.jnt_axis.data()), (Vec{0, 0, 1}), 0);
  EXPECT_NEAR_REL(load3(model.qpos0.data()), load3(model.body_pos.row(1, 3)), 0);
}

TEST(Frames, FromtoPointsFromItsEndToItsStart) {
  Spec spec;
  GeomSpec& capsule = add_geom(spec, 0, GeomType::kCapsule, {0.1, 9, 9}, 1);
  capsule.fromto = Number6{1, 2, 3, 1, 2, 7};
  GeomSpec& box = add_geom(spec, 0, GeomType::kBox, {0.1, 9, 9}, 1);
  box.fromto = Number6{0, 0, 0, 6, 0, 0};
  const Model model = compile(spec);
  EXPECT_NEAR_REL(load3(model.geom_pos.row(0, 3)), (Vec{1, 2, 5}), kRounding);
  EXPECT_NEAR_REL(rotate(load4(model.geom_quat.row(0, 4)), Vec{0, 0, 1}), (Vec{0, 0, -1}), kRounding);
  EXPECT_NEAR_REL(load3(model.geom_size.row(0, 3)), (Vec{0.1, 2, 9}), kRounding);
  EXPECT_NEAR_REL(rotate(load4(model.geom_quat.row(1, 4)), Vec{0, 0, 1}), (Vec{-1, 0, 0}), kRounding);
  EXPECT_NEAR_REL(load3(model.geom_size.row(1, 3)), (Vec{0.1, 0.1, 3}), kRounding);
}

TEST(Frames, FramesThatCoincideAreMarked) {
  Spec spec;
  const int b = add_body(spec, 0);
  set_inertial(spec, b, 1, {1, 2, 3}, {1, 1, 1});
  body_of(spec, b).inertial.orientation = about_z(40);
  for (int n = 0; n < 5; ++n) add_sphere(spec, b, 0.1, 0);
  std::vector<GeomSpec>& geoms = body_of(spec, b).geoms;
  geoms[1].pos = {1, 2, 3};
  geoms[1].orientation = about_z(40);
  geoms[2].pos = {1, 2, 3};
  geoms[3].orientation = about_z(40);
  geoms[4].orientation = about_z(10);
  const Model model = compile(spec);
  const SameFrame expected[] = {SameFrame::kBody, SameFrame::kInertia, SameFrame::kBodyRotation,
                                SameFrame::kInertiaRotation, SameFrame::kNone};
  for (int g = 0; g < 5; ++g) EXPECT_EQ(static_cast<SameFrame>(model.geom_sameframe[g]), expected[g]) << g;
}

}  // namespace
}  // namespace torsor
