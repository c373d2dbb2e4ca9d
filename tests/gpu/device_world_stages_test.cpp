// Stages that batches on the processor run lane by lane, by one thread for each world on a device: beside those
// batches.
#include <set>

#include "tests/gpu/device_worlds.hpp"

namespace torsor::gpu {
namespace {

Model load_feature(const std::string& name) { return load(TORSOR_SOURCE_DIR "/models/features/" + name + ".xml"); }

// Fields of both after each of three steps from equal states; adds those with numbers to `seen`.
double compare(const Model& model, Number number, const std::vector<std::string>& fields, std::set<std::string>& seen,
               const std::vector<std::string>& own = {}) {
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, number, kTested);
  for (const std::string& name : own) {
    vary_both(name, lanes, *device, [](double& value, int world, int) { value *= 1 + 0.01 * world; });
  }
  for (const std::string& field : fields) lanes.bind(field), device->bind(field);
  stir_both(model, lanes, *device);
  double worst = 0;
  for (int k = 0; k < 3; ++k) {
    lanes.step();
    device->step(1, nullptr);
    for (const std::string& field : fields) {
      const std::vector<double> found = get_numbers(*device, field);
      if (found.empty()) continue;
      const double* const values = lanes.bind(field);
      const std::vector<double> expected(values, values + found.size());
      worst = worse(worst, difference(found, expected));
      if (std::any_of(expected.begin(), expected.end(), [](double x) { return x != 0; })) seen.insert(field);
    }
    for (const char* field : {"qpos", "qvel", "act", "qacc_warmstart", "plastic"})
      if (const std::vector<double> values = get(lanes, field); !values.empty()) device->set(field, values.data());
  }
  return worst;
}

bool runs_lane_by_lane(const Model& model, const std::string& stage) {
  const Batch batch(model, 1);
  for (const BatchPlanRow& row : batch.plan())
    if (row.stage == stage) return !row.is_wide;
  return false;
}

TEST(DeviceWorldStages, PathsOfTendonsAreThoseOfLanes) {
  const std::vector<std::string> fields{"ten_length", "ten_J", "wrap_xpos", "ten_velocity", "qvel"};
  std::set<std::string> seen;
  for (const char* name : {"tendon_around_cylinder", "tendon_around_sphere", "tendon_inside", "tendon_pulleys",
                           "tendon_side_sites", "tendon_spatial", "tendon_straight", "tendon_rebuilt_tree",
                           "tendon_limits", "tendon_springs", "tendon_dampers", "constraint_friction"}) {
    Model model = load_feature(name);
    model.opt.tolerance = 0;
    ASSERT_TRUE(runs_lane_by_lane(model, "tendon lengths")) << name;
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicitFast, Integrator::kRk4}) {
      model.opt.integrator = static_cast<int>(integrator);
      EXPECT_LE(compare(model, Number::kDouble, fields, seen), 1e-10) << name;
      EXPECT_LE(compare(model, Number::kFloat, fields, seen), 1e-4) << name;
    }
  }
  EXPECT_EQ(seen.size(), fields.size());
}

TEST(DeviceWorldStages, PathsFollowValuesPerWorld) {
  std::set<std::string> seen;
  for (const char* name : {"tendon_around_cylinder", "tendon_inside"})
    EXPECT_LE(compare(load_feature(name), Number::kDouble, {"ten_length", "ten_J", "qvel"}, seen,
                      {"geom_size", "site_pos", "body_pos", "body_mass"}),
              1e-9)
        << name;
}

TEST(DeviceWorldStages, ActuatorsOfAnyKindAreThoseOfLanes) {
  const std::vector<std::string> fields{"actuator_force", "qfrc_actuator", "act", "qvel"};
  std::set<std::string> seen;
  int compared = 0;
  for (const char* name :
       {"actuator_muscles", "actuator_pid", "actuator_circles", "actuator_orientation", "actuator_orientation_of_site",
        "actuator_motors", "actuator_sites", "actuator_limits", "actuator_groups", "sensor_drives"}) {
    Model model = load_feature(name);
    ASSERT_TRUE(runs_lane_by_lane(model, "actuators")) << name;
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4}) {
      model.opt.integrator = static_cast<int>(integrator);
      ASSERT_TRUE(list_what_device_lacks(model).empty()) << name << " " << list_what_device_lacks(model).front();
      EXPECT_LE(compare(model, Number::kDouble, fields, seen), 1e-10) << name;
      EXPECT_LE(compare(model, Number::kFloat, fields, seen), 1e-4) << name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 20);
  EXPECT_EQ(seen.size(), fields.size());
  EXPECT_LE(compare(load_feature("actuator_muscles"), Number::kDouble, fields, seen,
                    {"actuator_gainprm", "actuator_gear", "actuator_acc0"}),
            1e-9);
}

// The sum of the forces on a tendon reaches its bound in some worlds.
TEST(DeviceWorldStages, BoundsOfTendonsHoldForActuatorsOfAnyKind) {
  const char* const scene =
      R"(<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size="0.1" pos="0.1 0 0"/></body></worldbody>
    <tendon><fixed name="t" actuatorfrclimited="true" actuatorfrcrange="-0.2 0.2"><joint joint="a" coef="0.7"/></fixed></tendon>
    <actuator><general tendon="t" dyntype="muscle" dynprm="0.01 0.04 0" gainprm="3"/><motor tendon="t" gear="2"/></actuator></mujoco>)";
  const Model model = load_string(scene);
  ASSERT_TRUE(runs_lane_by_lane(model, "actuators"));
  std::set<std::string> seen;
  EXPECT_LE(compare(model, Number::kDouble, {"actuator_force", "qfrc_actuator", "act"}, seen), 1e-10);
  Model free = model;
  free.tendon_actfrclimited[0] = false;
  Batch bounded(model, kUnevenWorlds), unbounded(free, kUnevenWorlds);
  make_worlds(model, bounded);
  make_worlds(free, unbounded);
  bounded.step();
  unbounded.step();
  EXPECT_NE(get(bounded, "qvel"), get(unbounded, "qvel"));
}

TEST(DeviceWorldStages, TransmissionsOfAnyKindAreThoseOfLanes) {
  const std::vector<std::string> fields{"actuator_length", "actuator_moment", "actuator_velocity", "qfrc_actuator"};
  std::set<std::string> seen;
  const char* const scene = R"(<mujoco><worldbody><site name="wall" pos="0.3 0.1 0.2" euler="20 0 10"/>
      <body name="a" pos="0 0 1"><joint axis="0 1 0"/><joint type="slide" axis="1 0 0"/><geom size="0.1"/><site name="s" pos="0.1 0 0" euler="0 40 0"/>
        <body name="b" pos="0.2 0 0"><joint name="ball" type="ball"/><geom size="0.1" pos="0.1 0 0"/><site name="t" pos="0.2 0.1 0"/></body></body>
      <body pos="0 1 1"><freejoint/><geom size="0.1"/><site name="r" pos="0 0 0.1"/></body></worldbody>
    <actuator><motor site="s" gear="1 0.5 0 0 0.3 0.2"/><motor site="t" refsite="s" gear="1 0 2 0 0 0"/>
      <motor site="t" refsite="r" gear="0 0 0 0.5 1 0"/><general cranksite="t" slidersite="wall" cranklength="0.7" gainprm="2"/>
      <motor joint="ball" gear="1 2 3"/></actuator></mujoco>)";
  Model model = load_string(scene);
  ASSERT_TRUE(runs_lane_by_lane(model, "transmission"));
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4}) {
    model.opt.integrator = static_cast<int>(integrator);
    EXPECT_LE(compare(model, Number::kDouble, fields, seen), 1e-10);
    EXPECT_LE(compare(model, Number::kFloat, fields, seen), 1e-4);
  }
  EXPECT_LE(compare(model, Number::kDouble, fields, seen, {"actuator_gear", "site_pos", "body_mass"}), 1e-9);
  EXPECT_EQ(seen.size(), fields.size());
}

}  // namespace
}  // namespace torsor::gpu
