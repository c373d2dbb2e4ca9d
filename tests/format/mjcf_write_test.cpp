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

TEST(MjcfWrite, WhatNoFileCanSayIsAnError) {
  Spec spec = read_mjcf_string(
      "<mujoco><default><geom mass='2'/></default><worldbody><geom name='ball' size='1'/></worldbody></mujoco>");
  spec.bodies[0].geoms[0].mass.reset();
  try {
    write_mjcf_string(spec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("geom 'ball'"), std::string::npos) << error.what();
  }
}

TEST(MjcfWrite, UnwritableFilesAreErrors) { EXPECT_THROW(write_mjcf_file(Spec(), "/no such folder/model.xml"), Error); }

}  // namespace
}  // namespace torsor
