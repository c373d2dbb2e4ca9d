// Controls step by step, records after each step, steps of some worlds, and single worlds of a device.
#include <fmt/format.h>

#include "tests/gpu/device_worlds.hpp"

namespace torsor::gpu {
namespace {

constexpr int kSteps = 7;

Model load_feature(const std::string& name) { return load(TORSOR_SOURCE_DIR "/models/features/" + name + ".xml"); }

std::vector<double> random_numbers(int count, double size) {
  Random random(11);
  std::vector<double> numbers(static_cast<size_t>(count));
  for (double& number : numbers) number = random.uniform(-size, size);
  return numbers;
}

// Fields of a call with controls and records, on both sides.
struct Sides {
  explicit Sides(const Model& m)
      : model(m), lanes(m, kUnevenWorlds), device(DeviceBatch::make(m, kUnevenWorlds, Number::kDouble, kTested)) {
    stir_both(model, lanes, *device);
  }
  void control(const char* field, std::vector<double>& values) {
    const int size = lanes.field_size(field);
    controls.push_back({lanes.find_field(field), values.data(), static_cast<size_t>(size)});
    arrays.push_back(to_device(values));
    call.controls.push_back({field, arrays.back().get(), size});
  }
  void record(const char* field, int rows) {
    const int size = lanes.field_size(field);
    for (auto* const side : {&expected, &found}) side->emplace_back(static_cast<size_t>(rows * kSteps * size));
    records.push_back({lanes.find_field(field), nullptr, static_cast<size_t>(size)});
    call.records.push_back({field, nullptr, size});
  }
  // With the same worlds, or all.
  void run(const std::vector<int>& worlds = {}) {
    BatchSteps steps;
    steps.steps = call.steps = call.total = kSteps;
    std::vector<int> rows(kUnevenWorlds, -1);
    for (size_t i = 0; i < worlds.size(); ++i) rows[static_cast<size_t>(worlds[i])] = static_cast<int>(i);
    if (!worlds.empty()) {
      steps.worlds = worlds.data();
      steps.count = static_cast<int>(worlds.size());
      chosen_rows = to_device(rows);
      call.rows = chosen_rows.get();
    }
    for (size_t k = 0; k < records.size(); ++k) {
      records[k].values = expected[k].data();
      arrays.push_back(to_device(found[k]));
      call.records[k].values = arrays.back().get();
    }
    steps.controls = controls.data(), steps.ncontrols = static_cast<int>(controls.size());
    steps.records = records.data(), steps.nrecords = static_cast<int>(records.size());
    lanes.step(steps);
    device->step(call);
    for (size_t k = 0; k < records.size(); ++k)
      found[k] = read_numbers<double>(call.records[k].values, found[k].size());
  }
  void expect_equal() {
    for (const char* field : {"qpos", "qvel", "ctrl", "qfrc_applied", "time"})
      EXPECT_LE(difference(get_numbers(*device, field), get(lanes, field)), 1e-9) << field;
    for (size_t k = 0; k < records.size(); ++k)
      EXPECT_LE(difference(found[k], expected[k]), 1e-9) << call.records[k].field;
  }

  const Model& model;
  Batch lanes;
  std::unique_ptr<DeviceBatch> device;
  DeviceSteps call;
  std::vector<FieldSeries> controls, records;
  std::vector<std::vector<double>> expected, found;
  std::vector<std::shared_ptr<double>> arrays;  // on the device
  std::shared_ptr<int> chosen_rows;
};

TEST(DeviceSeries, ControlsAndRecordsAreThoseOfTheProcessor) {
  for (const char* name : {"actuator_servos", "contact_pyramidal", "joint_limits"}) {
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4}) {
      Model model = load_feature(name);
      model.opt.integrator = static_cast<int>(integrator);
      Sides sides(model);
      std::vector<double> ctrl = random_numbers(kUnevenWorlds * kSteps * model.nu, 1);
      std::vector<double> force = random_numbers(kUnevenWorlds * kSteps * model.nv, 2);
      if (model.nu > 0) sides.control("ctrl", ctrl);
      sides.control("qfrc_applied", force);
      for (const char* field : {"qpos", "qvel", "time", "xpos"}) sides.record(field, kUnevenWorlds);
      sides.run();
      sides.expect_equal();
      EXPECT_NE(sides.found[0].front(), sides.found[0][static_cast<size_t>(model.nq)]) << "steps differ";
    }
  }
}

TEST(DeviceSeries, SomeWorldsTakeStepsAndTheOthersStay) {
  const Model model = load_feature("actuator_servos");
  Sides sides(model);
  const std::vector<double> before = get_numbers(*sides.device, "qpos");
  std::vector<double> ctrl = random_numbers(3 * kSteps * model.nu, 1);
  sides.control("ctrl", ctrl);
  sides.record("qvel", 3);
  sides.run({8, 1, 4});
  sides.expect_equal();
  const std::vector<double> after = get_numbers(*sides.device, "qpos");
  for (int w = 0; w < kUnevenWorlds; ++w) {
    const bool moves = w == 8 || w == 1 || w == 4;
    EXPECT_EQ(steps_of(*sides.device, w), moves ? kSteps : 0);
    EXPECT_EQ(before[static_cast<size_t>(w * model.nq)] != after[static_cast<size_t>(w * model.nq)], moves) << w;
  }
  sides.device->step(1, nullptr);  // all again
  EXPECT_EQ(steps_of(*sides.device, 0), 1);
}

// Worlds that wait for room begin their step with the same controls again.
TEST(DeviceSeries, WorldsThatWaitForRoomKeepTheirPlace) {
  constexpr int kCapsules = 8;
  std::string xml = R"(<mujoco><worldbody><geom type="plane" size="5 5 1" margin="0.03"/>)";
  for (int k = 0; k < kCapsules; ++k)
    xml += fmt::format(
        R"(<body pos="{} 0.03 {}" euler="0 {} 0"><freejoint/><geom type="capsule" size="0.1 0.3" margin="0.03"/></body>)",
        0.72 * k, 0.14 + 0.003 * k, 88 + 0.3 * k);
  Model model = load_string(xml + "</worldbody></mujoco>");
  model.opt.tolerance = 0;
  Sides sides(model);
  sides.lanes.reset();
  for (const char* field : {"qpos", "qvel", "time", "qfrc_applied", "xfrc_applied"})
    sides.device->set(field, get(sides.lanes, field).data());
  std::vector<double> force(static_cast<size_t>(kUnevenWorlds * kSteps * model.nv), 0.0);
  for (int w = 0; w < kUnevenWorlds; ++w)  // down, into contacts, each world faster than the one before
    for (int k = 0; k < kSteps; ++k)
      for (int body = 0; body < kCapsules; ++body)
        force[static_cast<size_t>(((w * kSteps) + k) * model.nv + 6 * body + 2)] = -300.0 * w - 100 * k;
  sides.control("qfrc_applied", force);
  sides.record("qvel", kUnevenWorlds);
  sides.run();
  sides.expect_equal();
  EXPECT_GT(sides.device->growths(), 0);
}

// A call in parts is the call.
TEST(DeviceSeries, PartsOfACallFollowEachOther) {
  const Model model = load_feature("actuator_servos");
  Sides sides(model);
  std::vector<double> ctrl = random_numbers(kUnevenWorlds * kSteps * model.nu, 1);
  sides.control("ctrl", ctrl);
  sides.record("qpos", kUnevenWorlds);
  const auto whole = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  stir_both(model, sides.lanes, *whole);
  sides.run();
  const std::shared_ptr<double> parts = to_device(std::vector<double>(sides.found[0].size()));
  DeviceSteps call = sides.call;
  call.records[0].values = parts.get();
  for (int first = 0; first < kSteps; first += 3) {
    call.first = first;
    call.steps = std::min(3, kSteps - first);
    whole->step(call);
  }
  EXPECT_EQ(read_numbers<double>(parts.get(), sides.found[0].size()), sides.found[0]);
}

// Equalities that hold in some steps and not in others; what is recorded is one or zero.
TEST(DeviceSeries, EqualitiesAreSwitchedStepByStep) {
  for (const char* name : {"equality_weld", "equality_connect", "equality_joint"}) {
    const Model model = load_feature(name);
    Sides sides(model), always(model);
    std::vector<double> switches = random_numbers(kUnevenWorlds * kSteps * model.neq, 1);
    for (double& each : switches) each = each < 0 ? 0 : each < 0.5 ? 1 : 3;
    sides.control("eq_active", switches);
    for (const char* field : {"eq_active", "qvel"}) sides.record(field, kUnevenWorlds);
    always.record("qvel", kUnevenWorlds);
    sides.run();
    always.run();
    sides.expect_equal();
    for (size_t i = 0; i < switches.size(); ++i) EXPECT_EQ(sides.found[0][i], switches[i] != 0);
    EXPECT_EQ(get_numbers(*sides.device, "eq_active"), get(sides.lanes, "eq_active"));
    EXPECT_NE(sides.found[1], always.found[0]) << name << ": the switches do nothing";
  }
}

// A world that is reset because of a bad number loses the controls of that step, as on the processor.
TEST(DeviceSeries, AWorldThatIsResetLosesItsControls) {
  const Model model = load_feature("actuator_servos");
  Sides sides(model);
  std::vector<double> ctrl = random_numbers(kUnevenWorlds * kSteps * model.nu, 1);
  std::vector<double> force(static_cast<size_t>(kUnevenWorlds * kSteps * model.nv), 0.0);
  force[static_cast<size_t>((2 * kSteps + 3) * model.nv)] = 1e30;          // a bad acceleration
  force[static_cast<size_t>((5 * kSteps + 2) * model.nv)] = std::nan("");  //
  sides.control("ctrl", ctrl);
  sides.control("qfrc_applied", force);
  sides.record("qpos", kUnevenWorlds);
  sides.record("ctrl", kUnevenWorlds);
  sides.run();
  sides.expect_equal();
  EXPECT_EQ(sides.device->resets(), sides.lanes.resets());
  EXPECT_GE(sides.device->resets(), 2);
}

TEST(DeviceSeries, WhatCannotBeDoneIsSaidBeforeAnyWorldMoves) {
  const Model model = load_feature("actuator_servos");
  const auto batch = DeviceBatch::make(model, 3, Number::kDouble, kTested);
  double numbers[64] = {};
  DeviceSteps call;
  const auto expect_error = [&](const std::string& text) {
    try {
      batch->step(call);
      ADD_FAILURE() << "no error: " << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
    call = {};
  };
  call.controls = {{"xpos", numbers, 1}};
  expect_error("'xpos' is a result");
  call.records = {{"xposs", numbers, 1}};
  expect_error("is not a field of Data");
  call.steps = -1;
  expect_error("no way back");
  EXPECT_EQ(get_numbers(*batch, "time"), std::vector<double>(3, 0.0));
}

TEST(DeviceSeries, AWorldGoesToADataAndBack) {
  for (const char* name : {"mocap", "equality_weld", "actuator_servos"}) {
    const Model model = load_feature(name);
    if (!list_what_device_lacks(model).empty()) continue;
    Sides sides(model);
    Data expected(model), found(model);
    sides.lanes.get_world(4, expected);
    sides.device->get_world(4, found);
    step(model, found);
    step(model, expected);
    EXPECT_EQ(std::vector<double>(found.qpos.begin(), found.qpos.end()),
              std::vector<double>(expected.qpos.begin(), expected.qpos.end()));
    sides.device->set_world(7, found);
    sides.lanes.set_world(7, expected);
    for (const char* field : {"time", "qpos", "qvel", "mocap_pos", "eq_active"}) {
      if (sides.lanes.field_size(field) > 0) {
        EXPECT_EQ(get_numbers(*sides.device, field), get(sides.lanes, field)) << field;
      }
    }
  }
}

}  // namespace
}  // namespace torsor::gpu
