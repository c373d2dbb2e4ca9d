// Forces of contacts and equalities on a device, and the sensors that read them: beside batches in lanes.
#include <set>

#include <fmt/format.h>

#include "tests/batch/sensor_robot.hpp"
#include "tests/gpu/device_worlds.hpp"

namespace torsor::gpu {
namespace {

constexpr const char* kReadings[] = {"sensordata", "cfrc_ext", "cfrc_int", "cacc"};

// Readings of both, after a step or forward dynamics.
double differ(const Batch& lanes, const std::vector<const double*>& bound, DeviceBatch& device) {
  double worst = 0;
  for (size_t k = 0; k < std::size(kReadings); ++k) {
    const std::vector<double> found = get_numbers(device, kReadings[k]);
    if (found.empty()) continue;
    const std::vector<double> expected(bound[k], bound[k] + found.size());
    worst = worse(worst, difference(found, expected));
  }
  EXPECT_EQ(lanes.nworld(), device.nworld());
  return worst;
}

// The largest difference of readings over some steps, each from equal states.
double compare(const Model& model, Batch& lanes, DeviceBatch& device, int steps = 3) {
  std::vector<const double*> bound;
  for (const char* field : kReadings) {
    bound.push_back(lanes.bind(field));
    device.bind(field);
  }
  stir_both(model, lanes, device);
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    lanes.step();
    device.step(1, nullptr);
    worst = worse(worst, differ(lanes, bound, device));
    for (const char* field : {"qpos", "qvel", "act", "qacc_warmstart"})
      if (const std::vector<double> values = get(lanes, field); !values.empty()) device.set(field, values.data());
    lanes.forward(BatchCall{});
    device.forward(nullptr);
    worst = worse(worst, differ(lanes, bound, device));
  }
  return worst;
}
double compare(const Model& model, Number number = Number::kDouble) {
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, number, kTested);
  return compare(model, lanes, *device);
}

TEST(DeviceForces, OfARobotEqualThoseOfLanes) {
  for (const bool is_elliptic : {false, true}) {
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicitFast, Integrator::kRk4}) {
      Model model = make_robot(is_elliptic, false);
      model.opt.integrator = static_cast<int>(integrator);
      EXPECT_LE(compare(model), 1e-10) << is_elliptic << " " << static_cast<int>(integrator);
      EXPECT_LE(compare(model, Number::kFloat), 1e-4) << is_elliptic << " " << static_cast<int>(integrator);
    }
  }
}

// The comparison above would be empty if no sensor felt anything. Nothing touches the end of the leg, since the toe is
// around it.
TEST(DeviceForces, SensorsOfForcesFeelSomethingInSomeWorld) {
  const Model model = make_robot(true, false);
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  compare(model, lanes, *device);
  const std::vector<double> found = get_numbers(*device, "sensordata");
  int feeling = 0, numb = 0;
  for (int id = 0; id < model.nsensor; ++id) {
    const auto type = static_cast<SensorType>(model.sensor_type[id]);
    if (type != SensorType::kTouch && type != SensorType::kContact && type != SensorType::kForce) continue;
    double largest = 0;
    for (int w = 0; w < kUnevenWorlds; ++w)
      for (int k = 0; k < model.sensor_dim[id]; ++k)
        largest =
            std::max(largest, std::abs(found[static_cast<size_t>(w * model.nsensordata + model.sensor_adr[id] + k)]));
    (largest > 0 ? feeling : numb) += 1;
  }
  EXPECT_EQ(feeling, 7);
  EXPECT_EQ(numb, 1);
}

TEST(DeviceForces, ContactsInTheGapAreCounted) {
  Model model = make_robot(false, false);
  for (double& gap : model.geom_gap) gap = 0.2;
  EXPECT_LE(compare(model), 1e-10);
}

// Many islands, rows of all kinds in each, points of searches among those of closed forms.
Model make_heap(const char* options) {
  std::string bodies, sensors;
  for (int k = 0; k < 6; ++k) {
    const char* const shapes[] = {
        R"(type="sphere" size="0.1" condim="1")", R"(type="box" size="0.1 0.08 0.06" condim="3")",
        R"(type="capsule" size="0.05 0.1" condim="4")", R"(type="cylinder" size="0.08 0.05" condim="6")"};
    bodies += fmt::format(R"(<body name="b{0}" pos="{1} {2} 0.08"><freejoint/><geom {3}/><site name="s{0}" size="0.2"/>
        <body pos="0 0.05 0.1"><joint axis="1 0 0" range="-5 5" limited="true" frictionloss="0.2"/>
        <geom {4}/></body></body>)",
                          k, 0.25 * k, 0.05 * (k % 2), shapes[k % 4], shapes[(k + 1) % 4]);
    sensors += fmt::format(R"(<touch site="s{0}"/><force site="s{0}"/><torque site="s{0}"/>
        <contact subtree1="b{0}" data="found force dist" reduce="netforce"/>)",
                           k);
  }
  return load_string(fmt::format(
      R"(<mujoco><option tolerance="0" iterations="300"><flag {}/></option><default><geom friction="0.5" solref="0.1 1"/></default><worldbody><geom type="plane" size="5 5 1"/>{}</worldbody>
         <equality><connect body1="b0" body2="b1" anchor="0.08 0 0"/><weld body1="b2" body2="b3"/><weld body1="b4" active="false"/></equality>
         <sensor>{}</sensor></mujoco>)",
      options, bodies, sensors));
}

TEST(DeviceForces, OfManyIslandsEqualThoseOfLanes) {
  for (const char* options : {"", R"(island="disable")"}) {
    Model model = make_heap(options);
    for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      model.opt.cone = static_cast<int>(cone);
      Batch lanes(model, kUnevenWorlds);
      const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
      EXPECT_LE(compare(model, lanes, *device), 1e-9) << options << static_cast<int>(cone);
      EXPECT_GT(device->growths(), 0) << "the first results came from worlds that waited for room";
    }
  }
}

TEST(ForcesOnTheHost, ThreadsOfAGroupWorkTogether) {
  for (const HostDevice::Threads order : kOrders) {
    const InGroups groups(order, {HostDevice::kRows, HostDevice::kIslands, HostDevice::kTrees, HostDevice::kForces});
    const Model model = make_heap("");
    Batch lanes(model, kUnevenWorlds);
    const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
    EXPECT_LE(compare(model, lanes, *device, 1), 1e-9);
  }
}

TEST(DeviceForces, FollowValuesPerWorld) {
  for (const char* field : {"geom_friction", "eq_data", "body_mass", "geom_size", "sensor_cutoff"}) {
    const Model model = make_robot(true, false);
    Batch lanes(model, kUnevenWorlds);
    const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
    vary_both(field, lanes, *device, [](double& value, int world, int) { value *= 1 + 0.02 * world; });
    EXPECT_LE(compare(model, lanes, *device), 1e-9) << field;
  }
}

// Without sensors, on request.
TEST(DeviceForces, OnBodiesAreReportedOnRequest) {
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4}) {
    Model model = make_robot(true, false);
    model.opt.disableflags |= kDisableSensor;
    model.opt.integrator = static_cast<int>(integrator);
    Batch lanes(model, kUnevenWorlds);
    const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
    device->bind("cfrc_int");
    device->step(1, nullptr);
    for (const double force : get_numbers(*device, "cfrc_int")) EXPECT_EQ(force, 0);
    lanes.report_body_forces(true);
    device->report_body_forces(true);
    EXPECT_LE(compare(model, lanes, *device), 1e-10);
    const std::vector<double> forces = get_numbers(*device, "cfrc_ext");
    EXPECT_GT(*std::max_element(forces.begin(), forces.end()), 10);
    device->report_body_forces(false);
    device->step(1, nullptr);
  }
}

// Forward dynamics of some worlds; the others keep their results.
TEST(DeviceForces, OfSomeWorldsLeaveTheOthersAlone) {
  const Model model = make_heap("");
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  std::vector<const double*> bound;
  for (const char* field : kReadings) {
    bound.push_back(lanes.bind(field));
    device->bind(field);
  }
  stir_both(model, lanes, *device);
  const std::vector<int> chosen{7, 2, 9};
  std::vector<int> rows(kUnevenWorlds, -1);
  for (size_t i = 0; i < chosen.size(); ++i) rows[static_cast<size_t>(chosen[i])] = static_cast<int>(i);
  const std::shared_ptr<int> chosen_rows = to_device(rows);
  BatchCall call;
  call.worlds = chosen.data();
  call.count = static_cast<int>(chosen.size());
  lanes.forward(call);
  device->forward(chosen_rows.get(), nullptr);
  EXPECT_GT(device->growths(), 0) << "worlds waited for room";
  EXPECT_LE(differ(lanes, bound, *device), 1e-9);
  EXPECT_EQ(get_numbers(*device, "cacc")[0], 0);
  EXPECT_NE(get_numbers(*device, "cacc")[static_cast<size_t>(2 * 6 * model.nbody + 5)], 0);
  for (int w = 0; w < kUnevenWorlds; ++w) EXPECT_EQ(steps_of(*device, w), 0);
  lanes.step();
  device->step(1, nullptr);
  EXPECT_LE(differ(lanes, bound, *device), 1e-9);
  for (int w = 0; w < kUnevenWorlds; ++w) EXPECT_EQ(steps_of(*device, w), 1);
  const double* const xpos = lanes.bind("xpos");  // of which the others have none so far
  device->bind("xpos");
  lanes.forward(call);
  device->forward(chosen_rows.get(), nullptr);
  const std::vector<double> found = get_numbers(*device, "xpos");
  EXPECT_LE(difference(found, std::vector<double>(xpos, xpos + found.size())), 1e-12);
}

// Where constraints are switched off, nothing touches.
TEST(DeviceForces, AreZeroWithoutConstraints) {
  Model model = make_robot(false, false);
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  EXPECT_LE(compare(model, lanes, *device), 1e-10);
  model.opt.disableflags |= kDisableConstraint;
  EXPECT_LE(compare(model, lanes, *device), 1e-10);
  model.opt.disableflags &= ~kDisableConstraint;
  EXPECT_LE(compare(model, lanes, *device), 1e-10);
}

// Readings of all models of features that the device can step and read.
TEST(DeviceForces, ReadingsOfAllFeatureModelsEqualThoseOfLanes) {
  std::set<std::string> read;
  for (const std::string& file : feature_files()) {
    Model model = load(file);
    if (model.nv == 0 || model.nsensor == 0 || !list_what_device_lacks(model).empty()) continue;
    model.opt.tolerance = 0;
    Batch lanes(model, kUnevenWorlds);
    const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
    try {
      device->bind("sensordata");
    } catch (const Error&) {
      continue;
    }
    EXPECT_LE(compare(model, lanes, *device), 1e-9) << file;
    read.insert(file.substr(file.rfind('/') + 1));
  }
  EXPECT_TRUE(read.contains("sensor_sites.xml"));
  EXPECT_GE(read.size(), 5u);
}

}  // namespace
}  // namespace torsor::gpu
