// A live simulation does what pages ask for, and survives what they should not ask for.
#include "torsor/view/live.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <nlohmann/json.hpp>

#include "torsor/core/error.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/view/bytes.hpp"

namespace torsor::view {
namespace {

using Json = nlohmann::json;

constexpr const char* kScene = R"(<mujoco model="first">
  <option timestep=".002" gravity="0 0 0"/>
  <worldbody>
    <body name="ball"><freejoint/><geom size=".1" mass="3"/></body>
    <body name="arm" pos="1 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="elbow"/></actuator>
  <keyframe><key name="bent" qpos="0 0 0 1 0 0 0 .5"/></keyframe>
</mujoco>)";

class LiveTest : public testing::Test {
 protected:
  // What a page gets back.
  std::vector<std::string> send(const Json& message) { return live_.handle(message.dump()); }
  bool is_refused(const Json& message) {
    const auto answers = send(message);
    return answers.size() == 1 && Json::parse(answers[0])["type"] == "error";
  }
  Json status() { return Json::parse(live_.status()); }

  Live live_{load_string(kScene), {}};
};

TEST_F(LiveTest, RunsAsFastAsTheClockTimesTheSpeed) {
  live_.advance(0.05);
  EXPECT_NEAR(live_.data().time, 0.05, 0.0021);
  send({{"type", "speed"}, {"value", 0.5}});
  live_.advance(0.05);
  EXPECT_NEAR(live_.data().time, 0.075, 0.0021);
  send({{"type", "pause"}});
  const double paused = live_.data().time;
  live_.advance(0.05);
  EXPECT_EQ(live_.data().time, paused);
}

TEST_F(LiveTest, AStallIsNotMadeUpFor) {
  live_.advance(1000);
  EXPECT_LT(live_.data().time, 0.2);
  live_.advance(1, 3);  // at most three steps
  EXPECT_LT(live_.data().time, 0.2);
}

TEST_F(LiveTest, SteppingBackRestoresTheStateToTheBit) {
  live_.data().qvel[0] = 0.3;
  live_.data().qvel[6] = 1;
  live_.restart();
  std::vector<std::vector<double>> states;
  for (int i = 0; i < 20; ++i) {
    states.emplace_back(live_.data().qpos.begin(), live_.data().qpos.end());
    send({{"type", "step"}, {"n", 1}});
  }
  for (int i = 19; i >= 0; --i) {
    send({{"type", "step"}, {"n", -1}});
    EXPECT_EQ(std::vector<double>(live_.data().qpos.begin(), live_.data().qpos.end()), states[size_t(i)]);
  }
  send({{"type", "step"}, {"n", 5}});  // forward again: what was simulated is still there
  EXPECT_EQ(std::vector<double>(live_.data().qpos.begin(), live_.data().qpos.end()), states[5]);
  EXPECT_NEAR(status()["end"], 0.04, 1e-9);
  send({{"type", "seek"}, {"time", 0.0101}});
  EXPECT_NEAR(live_.data().time, 0.010, 1e-9);
  send({{"type", "seek"}, {"time", -5}});
  EXPECT_EQ(live_.data().time, 0);
}

TEST(LiveRing, IsBounded) {
  // a state of 50 kB
  Live live(load_string("<mujoco><worldbody><replicate count='200' offset='1 0 0'><body><freejoint/><geom size='.1'/>"
                        "</body></replicate></worldbody></mujoco>"),
            {});
  live.handle(R"({"type": "step", "n": 2000})");
  const Json now = Json::parse(live.status());
  EXPECT_NEAR(now["end"], 4, 1e-6);
  EXPECT_GT(now["start"], 0.5);
}

TEST_F(LiveTest, ANewFutureReplacesTheOldOne) {
  send({{"type", "step"}, {"n", 50}});
  send({{"type", "step"}, {"n", -30}});
  send({{"type", "ctrl"}, {"id", 0}, {"value", 1}});
  send({{"type", "play"}});
  live_.advance(0.002);
  EXPECT_NEAR(live_.data().time, 0.042, 1e-9);
  EXPECT_NEAR(status()["end"], 0.042, 1e-9);
  send({{"type", "step"}, {"n", -1}});
  EXPECT_NEAR(live_.data().time, 0.040, 1e-9);
}

TEST_F(LiveTest, ADragPullsThePointToItsTarget) {
  send({{"type", "drag"}, {"body", 1}, {"point", {0, 0, 0}}, {"target", {0, 0, 0.5}}});
  for (int i = 0; i < 100; ++i) live_.advance(0.02);
  EXPECT_NEAR(live_.data().qpos[2], 0.5, 0.01);
  send({{"type", "release"}});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(live_.data().xfrc_applied.row(1, 6)[i], 0);
  send({{"type", "drag"}, {"body", 1}, {"point", {0.1, 0, 0}}, {"target", {0.1, 0.3, 0.5}}, {"torque", true}});
  live_.advance(0.02);
  const double* load = live_.data().xfrc_applied.row(1, 6);
  EXPECT_EQ(load[0] * load[0] + load[1] * load[1] + load[2] * load[2], 0);
  EXPECT_GT(load[5], 0);
}

TEST_F(LiveTest, KeyframesControlsJointsAndOptions) {
  send({{"type", "key"}, {"id", 0}});
  EXPECT_EQ(live_.data().qpos[7], 0.5);
  send({{"type", "qpos"}, {"id", 1}, {"value", -0.25}});
  EXPECT_EQ(live_.data().qpos[7], -0.25);
  send({{"type", "ctrl"}, {"id", 0}, {"value", 2}});
  EXPECT_EQ(live_.data().ctrl[0], 2);
  send({{"type", "option"}, {"name", "gravity"}, {"value", {0, 0, -3}}});
  EXPECT_EQ(live_.model().opt.gravity[2], -3);
  send({{"type", "friction"}, {"geom", 0}, {"value", 0.3}});
  EXPECT_EQ(live_.model().geom_friction[0], 0.3);
}

TEST_F(LiveTest, RefusesNonsenseAndStaysAsItWas) {
  const Json nonsense[] = {{{"type", "option"}, {"name", "timestep"}, {"value", 0}},
                           {{"type", "option"}, {"name", "timestep"}, {"value", "fast"}},
                           {{"type", "option"}, {"name", "integrator"}, {"value", 77}},
                           {{"type", "option"}, {"name", "secret"}, {"value", 1}},
                           {{"type", "key"}, {"id", 1}},
                           {{"type", "key"}, {"id", -1}},
                           {{"type", "ctrl"}, {"id", 0.5}, {"value", 1}},
                           {{"type", "ctrl"}, {"id", 1e300}, {"value", 1}},
                           {{"type", "qpos"}, {"id", 0}, {"value", 1}},
                           {{"type", "friction"}, {"geom", 0}, {"value", -1}},
                           {{"type", "drag"}, {"body", 0}, {"point", {0, 0, 0}}, {"target", {0, 0, 0}}},
                           {{"type", "drag"}, {"body", 1}, {"point", {0, 0}}, {"target", {0, 0, 0}}},
                           {{"type", "select"}, {"body", 99}},
                           {{"type", 5}},
                           Json::array(),
                           Json::object()};
  const Option before = live_.model().opt;
  for (const Json& message : nonsense) EXPECT_TRUE(is_refused(message)) << message;
  EXPECT_EQ(live_.handle("{").size(), 1u);
  EXPECT_EQ(live_.handle(std::string(100000, '[')).size(), 1u);
  EXPECT_EQ(live_.model().opt.timestep, before.timestep);
  EXPECT_EQ(live_.model().opt.integrator, before.integrator);
  live_.advance(0.01);
  EXPECT_GT(live_.data().time, 0);
}

TEST_F(LiveTest, SelectionIsInTheConventionsThatWerePicked) {
  send({{"type", "select"}, {"body", 2}, {"first", "mujoco"}, {"second", "newton"}});
  const Json selection = status()["selection"];
  EXPECT_EQ(selection["first"]["pose"], Json({1, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(selection["second"]["pose"], Json({1, 0, 0, 0, 0, 0, 1}));
  EXPECT_FALSE(selection["differences"].empty());
  send({{"type", "select"}, {"body", 2}, {"first", "klingon"}});
  EXPECT_TRUE(status()["selection"]["first"].contains("error"));
}

Json file(const std::string& name, const std::string& text) { return {{"name", name}, {"base64", to_base64(text)}}; }

TEST_F(LiveTest, LoadsDroppedFilesAndNothingElse) {
  const int before = live_.generation();
  const std::string part = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>";
  EXPECT_TRUE(
      send({{"type", "load"},
            {"files", {file("a.xml", "<mujoco model='second'><include file='b.xml'/></mujoco>"), file("b.xml", part)}}})
          .empty());
  EXPECT_EQ(live_.model().name(), "second");
  EXPECT_EQ(live_.model().njnt, 1);
  EXPECT_GT(live_.generation(), before);
  // the old model stays after each of these
  EXPECT_TRUE(is_refused({{"type", "load"}, {"files", Json::array()}}));
  EXPECT_TRUE(is_refused({{"type", "load"}, {"files", {file("x.txt", "hello")}}}));
  EXPECT_TRUE(is_refused({{"type", "load"}, {"files", {{{"name", "a.xml"}, {"base64", "***"}}}}}));
  EXPECT_TRUE(is_refused(
      {{"type", "load"},
       {"files", {file("a.xml", "<mujoco><include file='" TORSOR_SOURCE_DIR "/models/demo.xml'/></mujoco>")}}}));
  const auto answers =
      send({{"type", "load"},
            {"files", {file("bad.xml", "<mujoco>\n<worldbody>\n<geom sizes='1'/></worldbody></mujoco>")}}});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_NE(Json::parse(answers[0])["text"].get<std::string>().find("bad.xml:3"), std::string::npos);
  EXPECT_EQ(live_.model().name(), "second");
}

TEST(LiveProblems, AreTold) {
  Live live(load_string("<mujoco><option><flag autoreset='disable'/></option><worldbody><body><freejoint/>"
                        "<geom size='.1'/></body></worldbody></mujoco>"),
            {});
  live.data().qpos[0] = std::numeric_limits<double>::quiet_NaN();
  live.advance(0.01);
  EXPECT_FALSE(live.is_playing());
  EXPECT_NE(Json::parse(live.status())["problem"], "");
  live.frame();  // still shows something
}

TEST(LivePassive, LeavesSteppingToTheCaller) {
  Model model = load_string(kScene);
  Data data(model);
  Live live(model, data, {}, true);
  for (const char* type : {"play", "step", "seek", "reset"})
    EXPECT_EQ(live.handle(Json{{"type", type}, {"n", 1}, {"time", 0}}.dump()).size(), 1u) << type;
  live.advance(1);
  EXPECT_EQ(data.time, 0);
  EXPECT_EQ(live.handle(R"({"type": "load", "files": []})").size(), 1u);
  live.handle(R"({"type": "drag", "body": 1, "point": [0, 0, 0], "target": [0, 0, 1]})");
  live.apply_drag();
  EXPECT_GT(data.xfrc_applied.row(1, 6)[2], 0);
}

}  // namespace
}  // namespace torsor::view
