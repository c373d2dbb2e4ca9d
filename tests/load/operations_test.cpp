// Operations on a Spec: what is gone, what stays, and that the masses are the same.
#include "torsor/load/operations.hpp"

#include "tests/load/load_support.hpp"

namespace torsor {
namespace {

constexpr const char* kArm = R"(<mujoco><worldbody><body name="a"><joint/><geom name="g" size="0.1" mass="1"/>
  <body name="b" pos="1 0 0"><frame name="f" pos="0 0 1"><geom name="h" size="0.2" mass="2"/></frame>
    <body name="c" pos="0 1 0"><joint/><geom size="0.1"/></body>
    <inertial pos="0 0 1" mass="3" diaginertia="1 1 1"/></body>
  <body name="d" pos="0 0 2"><joint/><geom size="0.1"/></body></body></worldbody></mujoco>)";

std::vector<std::string> names_of(const auto& elements) {
  std::vector<std::string> names;
  for (const auto& each : elements) names.push_back(each.name);
  return names;
}

TEST(Operations, AFusedBodyBecomesAFrameOfItsParent) {
  Spec spec = read_mjcf_string(kArm);
  const Model before = load_spec(spec);
  EXPECT_EQ(fuse_static(spec), 1);
  EXPECT_EQ(names_of(spec.bodies), (std::vector<std::string>{"world", "a", "c", "d"}));
  const BodySpec& a = spec.bodies[1];
  EXPECT_EQ(names_of(a.frames), (std::vector<std::string>{"", "f"}));
  EXPECT_EQ(a.frames[0].pos, (Number3{1, 0, 0}));
  EXPECT_EQ(a.frames[1].parent_frame, 0);
  EXPECT_EQ(a.geoms[1].frame, 1);
  EXPECT_EQ(spec.bodies[2].frame, 0);
  EXPECT_EQ(spec.bodies[3].frame, -1);
  EXPECT_EQ(a.inertial.mass, 4);  // explicit, since that of b was
  const Model after = load_spec(spec);
  EXPECT_NEAR(after.body_subtreemass[0], before.body_subtreemass[0], 1e-12);
  EXPECT_EQ(fuse_static(spec), 0);
}

TEST(Operations, ABodyThatAsksForItStays) {
  std::string text = kArm;
  text.replace(text.find("name=\"b\""), 8, "name=\"b\" fuse=\"false\"");
  Spec spec = read_mjcf_string(text);
  EXPECT_EQ(fuse_static(spec), 0);
  EXPECT_EQ(spec.bodies.size(), 5u);
}

TEST(Operations, DiscardedGeomsLeaveTheirMass) {
  Spec spec = read_mjcf_string(R"(<mujoco><asset><material name="m"/></asset><worldbody><body><joint/>
    <geom size="0.1" mass="1" material="m"/><geom size="0.2" mass="2" contype="0" conaffinity="0"/></body></worldbody></mujoco>)");
  EXPECT_EQ(discard_visual(spec), 2);
  EXPECT_EQ(spec.bodies[1].geoms.size(), 1u);
  EXPECT_EQ(spec.bodies[1].geoms[0].material, "");
  EXPECT_EQ(load_spec(spec).body_mass[1], 3);
}

TEST(Operations, EqualMeshesBecomeOne) {
  Spec spec = read_mjcf_string(R"(<mujoco><asset><mesh name="a" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <mesh name="b" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="c" vertex="0 0 0 2 0 0 0 1 0 0 0 1"/></asset>
    <worldbody><geom type="mesh" mesh="b"/></worldbody></mujoco>)");
  EXPECT_EQ(dedup_assets(spec), 1);
  EXPECT_EQ(names_of(spec.meshes), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(spec.bodies[0].geoms[0].mesh, "a");
}

TEST(Operations, AnAdoptedInertiaNoLongerFollowsTheGeoms) {
  Spec spec = read_mjcf_string(kArm);
  adopt_inertial(spec, 1);
  adopt_inertial(spec, 2);  // explicit already
  EXPECT_EQ(spec.bodies[2].inertial.mass, 3);
  spec.bodies[1].geoms[0].mass = 10;
  EXPECT_EQ(load_spec(spec).body_mass[1], 1);
  EXPECT_THROW(adopt_inertial(spec, 9), Error);
}

}  // namespace
}  // namespace torsor
