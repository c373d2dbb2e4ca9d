// Frames have the poses, tendons, islands and contacts of a Data.
#include "torsor/view/frame.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/view/reading.hpp"
#include "torsor/load/load.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::view {
namespace {

constexpr const char* kScene = R"(<mujoco>
  <option timestep=".005"/>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <site name="hook" pos="0 0 2"/>
    <body name="ball" pos="0 0 .1"><freejoint/><geom size=".1" mass="2"/><site name="top" pos="0 0 .1"/></body>
    <body name="high" pos="1 0 5" euler="30 40 50"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
  </worldbody>
  <tendon><spatial><site site="hook"/><site site="top"/><pulley divisor="2"/><site site="hook"/><site site="top"/></spatial></tendon>
  <actuator><motor tendon="tendon_0" /></actuator>
</mujoco>)";

struct World {
  World() : model(load_string(text())), data(model) { forward(model, data); }
  static std::string text() {
    std::string scene = kScene;
    scene.replace(scene.find("<spatial>"), 9, "<spatial name=\"tendon_0\">");
    return scene;
  }
  std::string frame(bool with_signals = false) {
    FrameWriter writer(model, with_signals);
    writer.begin(data.time, 1);
    writer.add(model, data);
    return writer.bytes();
  }
  Model model;
  Data data;
};

TEST(Frame, HasThePosesOfMovingBodies) {
  World world;
  for (int i = 0; i < 100; ++i) step(world.model, world.data);
  forward(world.model, world.data);
  const std::string bytes = world.frame();
  ByteReader reader(bytes);
  EXPECT_DOUBLE_EQ(reader.take<double>(), world.data.time);
  EXPECT_EQ(reader.take<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.take<std::uint32_t>(), 0u);
  for (int i = 0; i < 4; ++i) reader.take<float>();  // energy, contacts, iterations
  for (const int b : moving_bodies(world.model)) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(reader.take<float>(), static_cast<float>(world.data.xpos.row(b, 3)[i]));
    Quat<double> q{0, 0, 0, 0};
    for (double* part : {&q.w, &q.x, &q.y, &q.z}) *part = reader.take<std::int16_t>() / 32767.0;
    const double* exact = world.data.xquat.row(b, 4);
    const Quat<double> error = conj(normalized(q)) * Quat<double>{exact[0], exact[1], exact[2], exact[3]};
    // the bound that the header promises
    EXPECT_LE(2 * std::sqrt(error.x * error.x + error.y * error.y + error.z * error.z), 5e-5);
  }
}

TEST(Frame, HasTendonsIslandsAndContacts) {
  World world;
  for (int i = 0; i < 140; ++i) step(world.model, world.data);
  forward(world.model, world.data);
  ASSERT_EQ(world.data.ncon, 1);
  ByteReader reader(world.frame(true));
  reader.take<double>();
  for (int i = 0; i < 4; ++i) reader.take<std::uint32_t>();  // worlds, bits, energy
  EXPECT_EQ(reader.take<std::uint32_t>(), 1u);               // contacts
  reader.take<std::uint32_t>();
  for (size_t i = 0; i < 20 / 4 * moving_bodies(world.model).size(); ++i) reader.take<float>();
  // two branches of a pulley, with a break between them
  ASSERT_EQ(reader.take<std::uint32_t>(), 5u);
  std::vector<float> path;
  for (int i = 0; i < 15; ++i) path.push_back(reader.take<float>());
  EXPECT_FLOAT_EQ(path[2], 2);
  EXPECT_TRUE(std::isnan(path[6]));
  EXPECT_FLOAT_EQ(path[11], 2);
  // the ball rests on the floor, the box still falls
  EXPECT_EQ(reader.take<std::int16_t>(), 0);
  EXPECT_EQ(reader.take<std::int16_t>(), -1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(reader.take<float>(), static_cast<float>(world.data.contact[0].pos[i]));
  EXPECT_EQ(reader.take<std::int16_t>(), 0);
  EXPECT_EQ(reader.take<std::int16_t>(), 0);
  EXPECT_EQ(reader.take<std::int16_t>(), 32767);
  EXPECT_EQ(reader.take<std::int16_t>(), 1);
  EXPECT_NEAR(reader.take<float>(), 0, 1e-3);
  EXPECT_NEAR(reader.take<float>(), 0, 1e-3);
  EXPECT_NEAR(reader.take<float>(), 2 * 9.81, 0.2);  // carries the ball
  for (int i = 0; i < world.model.nq + world.model.nu + world.model.nsensordata; ++i) reader.take<float>();
  EXPECT_TRUE(reader.is_at_end());
}

TEST(Frame, TreesThatDoNotTouchAreInDifferentIslands) {
  const Model model = load_string(R"(<mujoco><worldbody><geom type="plane" size="9 9 1"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1"/></body> <body pos="0 0 5"><freejoint/><geom size=".1"/></body>
    <body pos="3 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)");
  Data data(model);
  for (int i = 0; i < 20; ++i) step(model, data);
  forward(model, data);
  FrameWriter writer(model);
  writer.begin(0, 1);
  writer.add(model, data);
  ByteReader reader(writer.bytes());
  for (int i = 0; i < 8 + 3 * 5; ++i) reader.take<std::uint32_t>();
  EXPECT_EQ(reader.take<std::int16_t>(), 0);
  EXPECT_EQ(reader.take<std::int16_t>(), -1);
  EXPECT_EQ(reader.take<std::int16_t>(), 1);
}

TEST(Frame, BadNumbersStayNumbers) {
  World world;
  world.data.xquat[5] = std::nan("");
  const std::string bytes = world.frame();
  EXPECT_EQ(bytes.size() % 4, 0u);
}

}  // namespace
}  // namespace torsor::view
