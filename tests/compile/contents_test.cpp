// What a model carries besides its tree: names, keyframes, custom data, cameras, user numbers, its signature.
#include <cmath>

#include "tests/compile/make_spec.hpp"

namespace torsor {
namespace {

std::vector<double> numbers(const double* row, int count) { return {row, row + count}; }

Spec make_free_and_hinge() {
  Spec spec;
  const int hinge = add_body(spec, 0), free = add_body(spec, 0, {1, 2, 3}), mocap = add_body(spec, 0, {4, 5, 6});
  add_joint(spec, hinge, JointType::kHinge).name = "knee";
  add_joint(spec, free, JointType::kFree);
  add_sphere(spec, hinge).name = "ball";
  add_sphere(spec, free);
  body_of(spec, mocap).mocap = true;
  return spec;
}

TEST(Names, AreFoundByTypeAndId) {
  const Model model = compile(make_free_and_hinge());
  EXPECT_EQ(model.name(), "MuJoCo Model");
  EXPECT_EQ(model.name(ObjectType::kJoint, 0), "knee");
  EXPECT_EQ(model.name(ObjectType::kJoint, 1), "");
  EXPECT_EQ(model.find(ObjectType::kGeom, "ball"), 0);
  EXPECT_EQ(model.find(ObjectType::kJoint, "ball"), -1);
}

TEST(Names, TakeNoMoreSpaceThanTheyNeed) {
  EXPECT_EQ(compile(Spec()).nnames, static_cast<int>(sizeof("MuJoCo Model") + sizeof("world")));
}

TEST(Keys, LeaveOpenWhatTheReferencePoseSays) {
  Spec spec = make_free_and_hinge();
  spec.keys.emplace_back().time = 7;
  const Model model = compile(spec);
  EXPECT_EQ(model.key_time[0], 7);
  EXPECT_EQ(numbers(model.key_qpos.data(), 8), (std::vector<double>{0, 1, 2, 3, 1, 0, 0, 0}));
  EXPECT_EQ(numbers(model.key_mpos.data(), 3), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(numbers(model.key_mquat.data(), 4), (std::vector<double>{1, 0, 0, 0}));
}

TEST(Keys, HaveUnitQuaternions) {
  Spec spec = make_free_and_hinge();
  KeySpec& key = spec.keys.emplace_back();
  key.qpos = std::vector<double>{9, 1, 2, 3, 0, 0, 4, 3};
  key.mquat = std::vector<double>{0, 5, 0, 0};
  const Model model = compile(spec);
  EXPECT_NEAR_REL(numbers(model.key_qpos.data(), 8), (std::vector<double>{9, 1, 2, 3, 0, 0, 0.8, 0.6}), kRounding);
  EXPECT_EQ(numbers(model.key_mquat.data(), 4), (std::vector<double>{0, 1, 0, 0}));
}

TEST(Keys, TooFewNumbersAreAWarningTooManyAnError) {
  Spec spec = make_free_and_hinge();
  spec.keys.emplace_back().qpos = std::vector<double>{0.5};
  const Model model = compile(spec);
  EXPECT_EQ(numbers(model.key_qpos.data(), 3), (std::vector<double>{0.5, 1, 2}));
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_NE(model.warnings[0].message.find("qpos has 1 numbers"), std::string::npos);
  spec.keys[0].qvel = std::vector<double>(8, 0.0);
  expect_error(spec, {"qvel has 8 numbers; the model needs 7"});
}

TEST(Keys, ThereAreAsManyAsTheAuthorReserves) {
  Spec spec = make_free_and_hinge();
  spec.keys.emplace_back();
  spec.size.nkey = 3;
  EXPECT_EQ(compile(spec).nkey, 3);
}

TEST(Custom, NumbersTextsAndTuplesAreKept) {
  Spec spec = make_free_and_hinge();
  spec.numerics.resize(2);
  spec.numerics[0].data = {1, 2};
  spec.numerics[0].size = 3;
  spec.numerics[1].data = {5};
  TextSpec& text = spec.texts.emplace_back();
  text.data = "hello";
  TupleSpec& tuple = spec.tuples.emplace_back();
  tuple.name = "both";
  tuple.entries = {{"geom", "ball", 2.5}, {"body", "body2", 0}};
  const Model model = compile(spec);
  EXPECT_EQ(numbers(model.numeric_data.data(), 4), (std::vector<double>{1, 2, 0, 5}));
  EXPECT_EQ(model.numeric_adr[1], 3);
  EXPECT_EQ(std::string(model.text_data.data()), "hello");
  EXPECT_EQ(model.tuple_objid[0], 0);
  EXPECT_EQ(model.tuple_objprm[0], 2.5);
  EXPECT_EQ(model.tuple_objtype[1], static_cast<int>(ObjectType::kBody));
  EXPECT_EQ(model.tuple_objid[1], 2);
}

TEST(User, NumbersAreAsManyAsTheLongestListOrAsAskedFor) {
  Spec spec = make_free_and_hinge();
  body_of(spec, 1).geoms[0].user = {1, 2};
  Model model = compile(spec);
  EXPECT_EQ(model.nuser_geom, 2);
  EXPECT_EQ(numbers(model.geom_user.data(), 4), (std::vector<double>{1, 2, 0, 0}));
  spec.size.nuser_geom = 3;
  model = compile(spec);
  EXPECT_EQ(numbers(model.geom_user.data(), 3), (std::vector<double>{1, 2, 0}));
}

TEST(Cameras, AFieldOfViewFollowsFromSensorAndFocalLength) {
  Spec spec;
  CameraSpec& camera = spec.bodies[0].cameras.emplace_back();
  camera.sensorsize = {0.04f, 0.02f};
  camera.focal_length = {0.01f, 0.01f};
  camera.resolution = {400, 100};
  camera.principal_pixel = {40, 10};
  const Model model = compile(spec);
  EXPECT_NEAR(model.cam_fovy[0], 90, 1e-5);  // half of the sensor is as high as the lens is far
  EXPECT_NEAR(model.cam_intrinsic[2], 0.004, 1e-9);
  EXPECT_NEAR(model.cam_intrinsic[3], 0.002, 1e-9);
}

TEST(Cameras, TheNearPlaneStandsForAMissingSensor) {
  Spec spec;
  spec.bodies[0].cameras.emplace_back();
  spec.visual.map.znear = 0.25f;
  EXPECT_EQ(compile(spec).cam_intrinsic[0], 0.25f);
}

TEST(Signature, DependsOnStructureAndNotOnValues) {
  Spec spec = make_free_and_hinge();
  const uint64_t signature = compile(spec).signature;
  body_of(spec, 1).geoms[0].mass = 17;
  EXPECT_EQ(compile(spec).signature, signature);
  spec.keys.emplace_back();
  EXPECT_NE(compile(spec).signature, signature);
  spec.keys.clear();
  body_of(spec, 1).joints[0].type = JointType::kSlide;
  EXPECT_NE(compile(spec).signature, signature);
}

TEST(Settings, AreCopied) {
  Spec spec;
  spec.option.timestep = 0.01;
  spec.visual.map.znear = 0.5f;
  spec.size.memory = 12345;
  spec.warnings.push_back({Severity::kWarning, {}, "left out", {}});
  const Model model = compile(spec);
  EXPECT_EQ(model.opt.timestep, 0.01);
  EXPECT_EQ(model.vis.map.znear, 0.5f);
  EXPECT_EQ(model.memory, 12345);
  EXPECT_EQ(model.warnings.size(), 1u);
}

}  // namespace
}  // namespace torsor
