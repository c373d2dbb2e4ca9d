// Worlds that wait for room, and batches for which there is no memory.
#include <fmt/format.h>

#include "tests/gpu/device_worlds.hpp"
#include "torsor/gpu/solve.hpp"

namespace torsor::gpu {
namespace {

constexpr int kBoxes = 6;

// Boxes just above the ground, and a lever with a slow motor. With a margin of 0 they touch the ground while they fall.
Model make_boxes() {
  std::string bodies;
  for (int k = 0; k < kBoxes; ++k)
    bodies +=
        fmt::format(R"(<body pos="{} 0 0.101"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>)", 0.5 * k);
  Model model = load_string(fmt::format(
      R"(<mujoco><option timestep="0.01" integrator="RK4" tolerance="0" iterations="300"/>
         <default><geom solref="0.1 1"/></default><worldbody><geom type="plane" size="5 5 1"/>{}
         <body pos="0 3 1"><joint name="lever" axis="0 1 0" damping="0.1"/><geom size="0.1" pos="0.2 0 0"/></body></worldbody>
         <actuator><general joint="lever" dyntype="filter" dynprm="0.05"/></actuator></mujoco>)",
      bodies));
  return model;
}

// The bodies of world w fall at such a speed that they touch the ground in one evaluation or another.
template <class Worlds>
void drop(const Model& model, Worlds& worlds, int count) {
  std::vector<double> qvel(static_cast<size_t>(count * model.nv)), act(static_cast<size_t>(count), 0.3),
      ctrl(static_cast<size_t>(count), 0.8);
  for (int w = 0; w < count; ++w) {
    for (int k = 0; k < kBoxes; ++k) qvel[static_cast<size_t>(w * model.nv + 6 * k + 2)] = -0.04 * w;
    qvel[static_cast<size_t>((w + 1) * model.nv - 1)] = 0.1 * w;
  }
  worlds.set("qvel", qvel.data()), worlds.set("act", act.data()), worlds.set("ctrl", ctrl.data());
}

TEST(DeviceRoom, AWorldThatWaitsInALaterEvaluationBeginsItsStepAgain) {
  const Model model = make_boxes();
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  drop(model, lanes, kUnevenWorlds), drop(model, *device, kUnevenWorlds);
  lanes.step();
  device->step(1, nullptr);
  EXPECT_GT(device->growths(), 0);
  for (const char* field : {"time", "qpos", "qvel", "act"})
    EXPECT_LE(difference(get_numbers(*device, field), get(lanes, field)), 1e-10) << field;
  // forward dynamics of the state before find nothing that touches: later evaluations did
  const auto before = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  drop(model, *before, kUnevenWorlds);
  before->forward(nullptr);
  EXPECT_EQ(before->growths(), 0);
  for (int k = 0; k < 20; ++k) lanes.step(), device->step(1, nullptr);
  for (const char* field : {"time", "qpos", "qvel", "act"})
    EXPECT_LE(difference(get_numbers(*device, field), get(lanes, field)), 1e-8) << field;
}

// A batch that has just been made, and as much memory as it needs for a step without contacts: too little for more.
struct ScarceBatch {
  explicit ScarceBatch(const Model& model) {
    std::string message;
    for (std::size_t left = 100; left > 50 && message.empty(); left -= 2) {
      device.reset();
      host_device().bytes = std::size_t{1} << 40;
      const std::size_t before = host_device().used;
      device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
      drop(model, *device, kUnevenWorlds);
      host_device().bytes = before + (host_device().used - before) * left / 100;
      message = message_of([&] { device->step(9, nullptr); });
    }
    EXPECT_NE(message.find("the device has no"), std::string::npos) << message;
  }
  const ChangedHost host{[](HostDevice&) {}};
  std::unique_ptr<DeviceBatch> device;
};

// A call for which there is no memory leaves the batch as it was, and usable.
TEST(RoomOnTheHost, ACallWithoutMemoryTakesNoSteps) {
  Model model = make_boxes();
  model.opt.integrator = static_cast<int>(Integrator::kEuler);
  const auto other = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  drop(model, *other, kUnevenWorlds);
  std::unique_ptr<DeviceBatch> device;
  {
    ScarceBatch scarce(model);
    device = std::move(scarce.device);
    for (int k = 0; k < 2; ++k) {
      EXPECT_NE(message_of([&] { device->step(9, nullptr); }).find("the device has no"), std::string::npos);
      EXPECT_EQ(get_numbers(*device, "qpos"), get_numbers(*other, "qpos"));
      EXPECT_EQ(get_numbers(*device, "time"), get_numbers(*other, "time"));
      for (int w = 0; w < kUnevenWorlds; ++w) EXPECT_EQ(steps_of(*device, w), 0);
    }
    device->reset(nullptr, -1, nullptr);  // nothing touches
    device->step(1, nullptr);
    for (int w = 0; w < kUnevenWorlds; ++w) EXPECT_EQ(steps_of(*device, w), 1);
    device->reset(nullptr, -1, nullptr);
  }
  drop(model, *device, kUnevenWorlds);
  device->step(9, nullptr), other->step(9, nullptr);
  EXPECT_GT(device->growths(), 0);
  for (const char* field : {"qpos", "qvel"})
    EXPECT_EQ(get_numbers(*device, field), get_numbers(*other, field)) << field;
}

// The second of three islands has no room for its rows. Where those of the third one are, nobody knows: it was not
// found.
TEST(DeviceRoom, ForcesAreFoundAfterForwardDynamicsWithoutRoom) {
  std::string tendons;
  for (int k = 0; k < 120; ++k)
    tendons += R"(<fixed limited="true" range="-0.1 0.1" margin="10"><joint joint="t" coef="1"/></fixed>)";
  Model model = load_string(fmt::format(
      R"(<mujoco><worldbody><geom type="plane" size="5 5 1" condim="1"/>
         <body pos="0 0 0.09"><freejoint/><geom size="0.1" condim="3"/></body>
         <body pos="1 0 2"><joint name="t" type="slide"/><geom size="0.1"/></body>
         <body pos="2 0 0.09"><joint name="b" type="slide"/><geom size="0.1" condim="1"/></body>
         <body pos="4 0 0.09"><site name="s" size="0.2"/><joint type="slide"/><geom size="0.1" condim="1"/></body></worldbody>
         <tendon>{}<fixed limited="true" range="-0.1 0.1" margin="10"><joint joint="b" coef="1"/></fixed></tendon>
         <sensor><touch site="s"/></sensor></mujoco>)",
      tendons));
  const ChangedHost guarded([](HostDevice& host) { host.has_guards = true; });
  const auto device = DeviceBatch::make(model, 3, Number::kDouble, kTested);
  device->bind("sensordata");
  device->bind("cfrc_ext");
  device->forward(nullptr);
  EXPECT_GT(device->growths(), 0);
  Data world(model);
  forward(model, world);
  EXPECT_GT(world.sensordata[0], 1);
  for (const double force : get_numbers(*device, "sensordata")) EXPECT_NEAR(force, world.sensordata[0], 1e-6);
}

TEST(DeviceRoom, SolversHaveFewerGroupsWhereMemoryIsScarce) {
  EXPECT_EQ(solver_scratch_groups(100000, 1 << 10, std::size_t{1} << 40), 4096);
  EXPECT_EQ(solver_scratch_groups(100, 1 << 10, std::size_t{1} << 40), 100);
  EXPECT_EQ(solver_scratch_groups(100000, 1 << 20, std::size_t{1} << 40), 2048);
  EXPECT_EQ(solver_scratch_groups(100000, 1 << 20, std::size_t{100} << 20), 50);
  EXPECT_EQ(solver_scratch_groups(100000, 1 << 20, 0), 1);
}

TEST(RoomOnTheHost, SolversWorkWithTheMemoryThatIsFree) {
  constexpr int kWorlds = 200;
  Model model = make_boxes();
  model.opt.integrator = static_cast<int>(Integrator::kEuler);
  for (const SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kSap, SolverType::kNewton}) {
    model.opt.solver = static_cast<int>(solver);
    std::size_t bytes = 0;
    std::vector<double> found[2];
    for (const bool is_scarce : {false, true}) {
      const ChangedHost host([&](HostDevice& h) { h.bytes = is_scarce ? h.used + bytes : h.bytes; });
      const std::size_t before = host_device().used;
      const auto device = DeviceBatch::make(model, kWorlds, Number::kFloat, kTested);
      drop(model, *device, kWorlds);
      device->step(3, nullptr);
      found[is_scarce] = get_numbers(*device, "qpos");
      if (!is_scarce) bytes = (host_device().used - before) * 9 / 10;
    }
    EXPECT_EQ(found[0], found[1]) << static_cast<int>(solver);
  }
}

TEST(DeviceRoom, ADifferenceThatIsNoNumberStaysTheWorst) {
  const std::vector<double> sound{1, 2, 3}, bad{1, std::nan(""), 3};
  double worst = 0;
  for (const auto* found : {&sound, &bad, &sound}) worst = worse(worst, difference(*found, sound));
  EXPECT_FALSE(worst <= 1e-9);
  EXPECT_EQ(worse(worse(0, 0.5), 0.25), 0.5);
  EXPECT_EQ(worse(0.25, 0.5), 0.5);
  EXPECT_FALSE(worse(worse(0, std::numeric_limits<double>::infinity()), 0.1) <= 1e9);
}

}  // namespace
}  // namespace torsor::gpu
