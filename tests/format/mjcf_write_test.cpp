// Writing: the tables lead both ways.
#include <gtest/gtest.h>

#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/format/mjcf/schema.hpp"

namespace torsor {
namespace {

TEST(MjcfWrite, EveryAttributeThatIsReadHasAWayBack) {
  for (const SchemaElement& element : mjcf_schema()) {
    for (const SchemaAttribute& attribute : element.attributes) {
      EXPECT_TRUE(attribute.writable) << element.path << " " << attribute.name;
    }
  }
}

std::string rewritten(const std::string& text) { return write_mjcf_string(read_mjcf_string(text)); }

TEST(MjcfWrite, WhatEqualsTheDefaultClassIsLeftOut) {
  const std::string text = R"(<mujoco model="arm">
  <default>
    <geom size="0.1 0 0" />
    <default class="thin">
      <geom size="0.01 0 0" />
    </default>
  </default>
  <worldbody>
    <body childclass="thin">
      <geom />
      <geom class="main" size="0.3 0 0" />
    </body>
  </worldbody>
</mujoco>
)";
  EXPECT_EQ(rewritten(text), text);
}

TEST(MjcfWrite, NumbersAreShortestAndComeBackToTheBit) {
  const std::string text = rewritten("<mujoco><option timestep='0.1' gravity='0 -0 0.30000000000000004'/></mujoco>");
  EXPECT_NE(text.find("timestep=\"0.1\" gravity=\"0 -0 0.30000000000000004\""), std::string::npos) << text;
}

TEST(MjcfWrite, OrderOfElementsInFramesIsKept) {
  const std::string text = R"(<mujoco>
  <worldbody>
    <geom name="a" size="1 0 0" />
    <frame pos="1 0 0">
      <geom name="b" size="1 0 0" />
      <frame euler="90 0 0">
        <geom name="c" size="1 0 0" />
        <body name="first" />
      </frame>
      <geom name="d" size="1 0 0" />
    </frame>
    <geom name="e" size="1 0 0" />
    <body name="second" />
  </worldbody>
</mujoco>
)";
  EXPECT_EQ(rewritten(text), text);
}

TEST(MjcfWrite, FramesThatAnEditInterleavesAreRepeated) {
  Spec spec = read_mjcf_string(R"(<mujoco><worldbody><frame name="f" pos="1 0 0"><geom name="a" size="1"/>
    <geom name="b" size="1"/><geom name="c" size="1"/></frame></worldbody></mujoco>)");
  spec.bodies[0].geoms[1].frame = -1;
  const Spec again = read_mjcf_string(write_mjcf_string(spec));
  ASSERT_EQ(again.bodies[0].geoms.size(), 3u);
  EXPECT_EQ(again.bodies[0].geoms[1].name, "b");
  EXPECT_EQ(again.bodies[0].geoms[1].frame, -1);
  ASSERT_GE(again.bodies[0].geoms[2].frame, 0);
  EXPECT_EQ(again.bodies[0].frames[static_cast<size_t>(again.bodies[0].geoms[2].frame)].pos, (Number3{1, 0, 0}));
}

TEST(MjcfWrite, AClassWithAValueThatTheElementLacksIsReplacedByTheOneAroundIt) {
  Spec spec = read_mjcf_string(R"(<mujoco><default><geom density="500"/><default class="outer"><geom group="2"/>
    <default class="inner"><geom mass="2" condim="4" material="paint" user="1 2"/></default></default></default>
    <asset><material name="paint"/></asset>
    <worldbody><body childclass="inner"><geom name="ball" size="1"/></body></worldbody></mujoco>)");
  GeomSpec& ball = spec.bodies[1].geoms[0];
  for (int change = 0; change < 3; ++change) {
    if (change == 0) ball.mass.reset();
    if (change == 1) ball.material.clear();
    if (change == 2) ball.user.clear();
    const std::string text = write_mjcf_string(spec);
    EXPECT_NE(text.find("<geom name=\"ball\" class=\"outer\""), std::string::npos) << text;
    const GeomSpec again = read_mjcf_string(text).bodies[1].geoms[0];
    EXPECT_EQ(again.mass, ball.mass);
    EXPECT_EQ(again.material, ball.material);
    EXPECT_EQ(again.user, ball.user);
    EXPECT_EQ(again.condim, 4);
    EXPECT_EQ(again.group, 2);
    EXPECT_EQ(again.density, 500);
  }
}

TEST(MjcfWrite, AnOrientationInTheOutermostClassIsOverriddenByAQuaternion) {
  Spec spec = read_mjcf_string(
      "<mujoco><default><site euler='10 20 30'/></default><worldbody><site name='s'/></worldbody></mujoco>");
  spec.bodies[0].sites[0].orientation = {};
  spec.bodies[0].sites[0].orientation.quat = {0, 0, 0, 1};  // half a turn about z
  const OrientationSpec again = read_mjcf_string(write_mjcf_string(spec)).bodies[0].sites[0].orientation;
  ASSERT_EQ(again.form, OrientationSpec::Form::kQuat);
  EXPECT_EQ(again.quat, (Number4{0, 0, 0, 1}));
}

TEST(MjcfWrite, ServosWithInheritedRangesKeepThem) {
  const std::string text = rewritten(R"(<mujoco><worldbody><body><joint name="j" range="-1 1"/><geom size="1"/></body>
    </worldbody><actuator><position joint="j" kp="5" dampratio="0.7" timeconst="0.1" inheritrange="0.9"/></actuator>
    </mujoco>)");
  const ActuatorSpec servo = read_mjcf_string(text).actuators[0];
  EXPECT_EQ(servo.inheritrange, 0.9);
  EXPECT_EQ(servo.gainprm[0], 5);
  EXPECT_EQ(servo.biasprm, (Number10{0, -5, 0.7}));
  EXPECT_EQ(servo.dyntype, ActuatorDynamics::kFilterExact);
  EXPECT_EQ(servo.dynprm[0], 0.1);
}

TEST(MjcfWrite, MotorsSayHowManyActivationsTheyHave) {
  const std::string text = rewritten(R"(<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><dcmotor joint="j" motorconst="0.1" resistance="2" inductance="0.01" thermal="1 2"/></actuator>
    </mujoco>)");
  EXPECT_NE(text.find("actdim=\"2\""), std::string::npos) << text;  // current and temperature
}

TEST(MjcfWrite, ContentsOfAFileAreNotWrittenBesideItsName) {
  Spec spec = read_mjcf_string("<mujoco><asset><mesh file='a.obj' scale='2 2 2'/></asset></mujoco>");
  spec.meshes[0].vertex = {0, 0, 0, 1, 0, 0};
  spec.meshes[0].from_file.vertex = true;
  const std::string text = write_mjcf_string(spec);
  EXPECT_EQ(text.find("vertex"), std::string::npos) << text;
  EXPECT_NE(text.find("file=\"a.obj\""), std::string::npos) << text;
}

TEST(MjcfWrite, WhatNoFileCanSayIsAnError) {
  Spec spec = read_mjcf_string(
      "<mujoco><default><geom mass='2'/></default><worldbody><geom name='ball' size='1'/></worldbody></mujoco>");
  spec.bodies[0].geoms[0].mass.reset();
  try {
    write_mjcf_string(spec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("geom 'ball' cannot be written"), std::string::npos) << error.what();
  }
}

TEST(MjcfWrite, UnwritableFilesAreErrors) { EXPECT_THROW(write_mjcf_file(Spec(), "/no such folder/model.xml"), Error); }

}  // namespace
}  // namespace torsor
