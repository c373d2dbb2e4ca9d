// Values of the model per world on a device: worlds with a value move as the processor's worlds with this value.
#include <set>

#include "tests/gpu/device_worlds.hpp"
#include "torsor/gpu/device_values.hpp"
#include "torsor/model/difference.hpp"

namespace torsor::gpu {
namespace {

// What none of the models of features have at work: limits and friction of tendons, bounds of forces, soft springs of
// higher order, geoms of different weight in a mix.
constexpr const char* kScene = R"(<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1" solmix="2" solref="0.03 1"/>
    <body pos="0 0 0.09"><freejoint/><geom type="box" size="0.2 0.1 0.1" gap="0.01"/></body>
    <body pos="0 1 0.5"><joint name="a" axis="0 1 0" stiffness="2" damping="0.1" armature="0.01" springref="40" springyield="3"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body pos="0.3 0 0"><joint name="b" axis="0 1 0" frictionloss="0.1"/><geom size="0.05" pos="0.1 0 0"/>
        <site name="tip" pos="0.1 0 0"/></body></body>
    <body pos="0 2 0.5"><joint name="c" axis="1 0 0" damping="0.2"
      actuatorfrcrange="-0.5 0.5" actuatorfrclimited="true"/><geom size="0.05" pos="0 0.1 0"/></body>
    <site name="hook" pos="0.45 1 0.5"/>
  </worldbody>
  <tendon>
    <fixed name="limited" limited="true" range="-0.01 0.01" margin="0.005" frictionloss="2"><joint joint="a" coef="1"/><joint joint="c" coef="-1"/></fixed>
  </tendon>
  <equality><connect site1="tip" site2="hook"/></equality>
  <actuator><motor joint="a" gear="3" ctrlrange="-1 1" forcerange="-0.4 0.4" forcelimited="true"/>
    <position joint="c" kp="5"/></actuator>
  <sensor><jointvel joint="a" cutoff="0.01"/><framepos objtype="site" objname="tip"/></sensor>
</mujoco>)";

Model load_feature(const std::string& name) {
  Model model = name == "scene" ? load_string(kScene) : load(TORSOR_SOURCE_DIR "/models/features/" + name + ".xml");
  model.opt.tolerance = 0;  // solvers go on until rounding is all that is left
  return model;
}

// Real numbers and options that users may randomise, but for directions and rotations, which must keep their length.
std::vector<std::string> list_numbers(const Model& model) {
  std::vector<std::string> names;
  FieldSlot slots[kModelFieldCount];
  list_fields(const_cast<Model&>(model), slots);
  for (const FieldSlot& slot : slots) {
    const std::string name = slot.info.name;
    if (slot.type == ElementType::kReal && slot.info.access != Access::kStructural && !name.ends_with("quat") &&
        !name.ends_with("axis") && slot.info.rows * slot.info.columns > 0 && may_differ_on_devices(name))
      names.push_back(name);
  }
  for (const char* option : {"opt.gravity", "opt.timestep", "opt.impratio", "opt.density", "opt.viscosity", "opt.wind"})
    names.push_back(option);
  return names;
}

// Where 0 is none, and a small number some.
bool may_be_added(const std::string& field) {
  return std::set<std::string>{"tendon_stiffness", "tendon_damping",    "tendon_margin",   "dof_frictionloss",
                               "dof_armature",     "dof_damping",       "dof_dampingpoly", "jnt_stiffness",
                               "jnt_margin",       "jnt_stiffnesspoly", "geom_margin",     "body_gravcomp"}
      .contains(field);
}

// The same values on both sides; those of worlds differ.
void vary(const std::string& field, Batch& lanes, DeviceBatch& device) {
  const WorldValues::Entry& entry = lanes.values().expand(field);
  const size_t count = entry.bytes / sizeof(double) * static_cast<size_t>(lanes.nworld());
  EXPECT_EQ(read_numbers<double>(device.expand(field), count),
            std::vector<double>(entry.numbers<double>(), entry.numbers<double>() + count))
      << field << ": what the model has";
  vary_both(field, lanes, device, [&](double& value, int w, int i) {
    value = value * (1 + 0.03 * w + 0.002 * w * (i % 7)) + (may_be_added(field) && value == 0 && w > 1 ? 0.01 : 0);
  });
}

// Two steps from the same states, with the same values.
TEST(DeviceValues, WorldsMoveAsThoseOfTheProcessorWithTheseValues) {
  int compared = 0, refused = 0;
  std::set<std::string> seen, with_effect;
  for (const char* name : {"contact_pyramidal",
                           "contact_elliptic",
                           "contact_pair",
                           "actuator_servos",
                           "gravity_compensation",
                           "fluid_ellipsoids",
                           "joint_springs",
                           "friction_loss",
                           "equality_weld",
                           "equality_tendon",
                           "joint_limits",
                           "sites",
                           "scene",
                           "spring_yield",
                           "tendon_fixed",
                           "tendon_limits",
                           "tendon_springs",
                           "geom_types",
                           "sensor_frames",
                           "sensor_joints",
                           "sensor_subtrees",
                           "sensor_cutoff",
                           "sensor_sites",
                           "sensor_drives",
                           "fluid_boxes",
                           "ball_joint",
                           "polynomial_springs",
                           "actuator_tendons",
                           "same_frames"}) {
    Model model = load_feature(name);
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicitFast, Integrator::kRk4}) {
      model.opt.integrator = static_cast<int>(integrator);
      if (!list_what_device_lacks(model).empty()) continue;
      for (const std::string& field : list_numbers(model)) {
        Batch lanes(model, kUnevenWorlds);
        const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
        const auto shared = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
        stir_both(model, lanes, *device);
        stir_both(model, lanes, *shared);
        if (const std::string why = message_of([&] { device->expand(field); }); !why.empty()) {
          EXPECT_TRUE(why.find("cannot differ from world to world") != std::string::npos ||
                      why.find("mocap bodies") != std::string::npos)
              << why;
          ++refused;
          continue;
        }
        vary(field, lanes, *device);
        const bool has_sensors = model.nsensordata > 0 && message_of([&] { device->bind("sensordata"); }).empty();
        if (has_sensors) {
          lanes.bind("sensordata");
          shared->bind("sensordata");
        }
        lanes.step(2);
        device->step(2, nullptr);
        shared->step(2, nullptr);
        seen.insert(field);
        for (const char* state : {"qvel", "sensordata"}) {
          if ((has_sensors || state[0] == 'q') && get_numbers(*device, state) != get_numbers(*shared, state))
            with_effect.insert(field);
        }
        for (const char* state : {"qpos", "qvel", "act"}) {
          EXPECT_LE(difference(get_numbers(*device, state), get(lanes, state)), 1e-9)
              << name << ": " << state << " with " << field << ", integrator " << model.opt.integrator;
        }
        if (has_sensors) {
          const double* const readings = lanes.bind("sensordata");
          const std::vector<double> expected(readings, readings + kUnevenWorlds * model.nsensordata);
          EXPECT_LE(difference(get_numbers(*device, "sensordata"), expected), 1e-9)
              << name << ": sensors with " << field << ", integrator " << model.opt.integrator;
        }
        ++compared;
      }
    }
  }
  std::printf("%d comparisons, %d fields refused\n", compared, refused);
  std::string without_effect;
  for (const std::string& field : seen)
    if (!with_effect.contains(field)) without_effect += field + " ";
  // of muscles, of what is only listed, and of looks before contacts
  EXPECT_EQ(without_effect, "actuator_acc0 geom_aabb geom_gap geom_rbound ");
  EXPECT_GT(compared, 500);
}

constexpr int kWorlds = 5;

std::unique_ptr<DeviceBatch> make_batch(const Model& model, Number number = Number::kDouble) {
  return DeviceBatch::make(model, kWorlds, number, kTested);
}

// The kernels of worlds with values of their own are those of all others: where worlds have what the model has, they
// compute the same bits.
TEST(DeviceValues, ValuesOfTheModelChangeNoBit) {
  int models = 0;
  for (const std::string& file : feature_files()) {
    const Model model = load_defined(file);
    if (!list_what_device_lacks(model).empty()) continue;
    const auto shared = make_batch(model), own = make_batch(model);
    for (const char* field : {"body_mass", "geom_friction", "geom_size", "geom_rbound", "jnt_range", "jnt_stiffness",
                              "eq_data", "opt.gravity"})
      own->expand(field);
    std::vector<double> velocities(static_cast<size_t>(kWorlds * model.nv));
    Random random(3);
    for (double& v : velocities) v = random.uniform(-1, 1);
    for (DeviceBatch* const batch : {shared.get(), own.get()}) {
      batch->set("qvel", velocities.data());
      batch->step(5, nullptr);
    }
    for (const char* field : {"qpos", "qvel"})
      EXPECT_EQ(get_numbers(*own, field), get_numbers(*shared, field)) << file << ": " << field;
    ++models;
  }
  EXPECT_GE(models, 125);
}

// In float, a step differs from that of the processor in double by what rounding of floats explains.
TEST(DeviceValues, WorldsInFloatHaveTheSameValues) {
  for (const char* field : {"body_mass", "geom_friction", "geom_size", "dof_damping", "opt.gravity", "opt.timestep"}) {
    const Model model = load_feature("contact_pyramidal");
    Batch lanes(model, kWorlds);
    const auto device = make_batch(model, Number::kFloat);
    vary_both(field, lanes, *device, [](double& value, int world, int) { value *= 1 + 0.1 * world; });
    lanes.step();
    device->step(1, nullptr);
    EXPECT_LE(difference(get_numbers(*device, "qvel"), get(lanes, "qvel")), 1e-4) << field;
  }
}

TEST(DeviceValues, DerivedConstantsFollow) {
  for (const char* name : {"contact_pyramidal", "scene", "gravity_compensation"}) {
    const Model model = load_feature(name);
    Batch lanes(model, kWorlds);
    const auto device = make_batch(model);
    for (const char* field : {"body_mass", "body_ipos", "geom_size", "body_gravcomp"})
      vary_both(field, lanes, *device, [](double& value, int world, int) { value *= 1 + 0.1 * world; });
    lanes.set_const();
    device->set_const({0, 1, 2, 3, 4}, 2);
    for (const char* field : {"body_invweight0", "dof_invweight0", "body_subtreemass", "geom_rbound"}) {
      const WorldValues::Entry* const entry = lanes.values().find(field);
      std::vector<double> found(static_cast<size_t>(device->count_values(field) * kWorlds));
      ASSERT_TRUE(entry && device->get_values(field, found.data())) << field;
      EXPECT_EQ(found, std::vector<double>(entry->numbers<double>(), entry->numbers<double>() + found.size())) << field;
    }
    const auto expect_equal = [&] {
      for (int k = 0; k < 20; ++k) lanes.step(), device->step(1, nullptr);
      EXPECT_LE(difference(get_numbers(*device, "qvel"), get(lanes, "qvel")), 1e-9) << name;
    };
    expect_equal();
    vary_both("body_mass", lanes, *device, [](double& value, int w, int i) {  // once more, of one world
      if (w == 2 && i == 1) value *= 1.5;
    });
    const int world = 2;
    lanes.set_const({&world, 1});
    device->set_const({world}, 1);
    expect_equal();
    EXPECT_EQ(find_difference(device->make_model(3), lanes.make_model(3)), "");
  }
}

TEST(DeviceValues, NumbersThatNoModelCanHaveStopTheCallBeforeAnyWorldMoves) {
  const Model model = load_feature("contact_pyramidal");
  for (const Number number : {Number::kDouble, Number::kFloat}) {
    const auto batch = make_batch(model, number);
    const auto write = [&](const char* field, int at, double value) {
      void* const values = batch->expand(field);
      if (number == Number::kDouble)
        write_numbers(static_cast<double*>(values) + at, std::vector<double>{value});
      else
        write_numbers(static_cast<float*>(values) + at, std::vector<float>{static_cast<float>(value)});
    };
    const auto fault = [&](const char* field, int at, double value, double sound) {
      write(field, at, value);
      const std::string text = message_of([&] { batch->step(3, nullptr); });
      EXPECT_EQ(get_numbers(*batch, "time"), std::vector<double>(kWorlds, 0.0)) << field;
      write(field, at, sound);
      return text;
    };
    EXPECT_EQ(fault("body_mass", 3 * model.nbody + 1, -1, 1),
              "world 3: body_mass[1] is -1, but a mass must not be negative");
    EXPECT_EQ(fault("opt.timestep", 2, 0, 0.002), "world 2: opt.timestep is 0, but a time step must be positive");
    EXPECT_EQ(fault("geom_friction", 3 * model.ngeom + 4, std::nan(""), 1),
              "world 1: geom_friction[1, 1] is nan, but must be a finite number");
    EXPECT_EQ(message_of([&] { batch->step(1, nullptr); }), "");
  }
}

TEST(DeviceValues, FieldsThatCannotDifferAreRefused) {
  const Model model = load_feature("contact_pyramidal");
  const auto batch = make_batch(model);
  EXPECT_NE(message_of([&] { batch->expand("body_masss"); }).find("is not a field of Model"), std::string::npos);
  EXPECT_NE(message_of([&] { batch->expand("body_parentid"); }).find("structure"), std::string::npos);
  EXPECT_NE(message_of([&] { batch->expand("mesh_pos"); }).find("structure"), std::string::npos);
  EXPECT_EQ(message_of([&] { batch->expand("geom_condim"); }),
            "values of 'geom_condim' per world are not supported on devices");
  EXPECT_EQ(message_of([&] { batch->expand("body_sameframe"); }),  // no real numbers
            "values of 'body_sameframe' per world are not supported on devices");
  EXPECT_FALSE(batch->has_values());
  batch->step(2, nullptr);
}

// As many as there are, and the derived constants that follow.
TEST(DeviceValues, AllFieldsMayDifferInOneBatch) {
  const Model model = load_feature("scene");
  Batch lanes(model, kWorlds);
  const auto device = make_batch(model);
  std::vector<std::string> names{"opt.gravity",   "opt.timestep", "opt.impratio", "opt.density",
                                 "opt.viscosity", "opt.wind",     "opt.magnetic"};
  FieldSlot slots[kModelFieldCount];
  list_fields(const_cast<Model&>(model), slots);
  for (const FieldSlot& slot : slots)
    if (slot.type == ElementType::kReal && may_differ_on_devices(slot.info.name)) names.push_back(slot.info.name);
  for (const std::string& name : names) EXPECT_EQ(message_of([&] { device->expand(name); }), "") << name;
  EXPECT_GT(names.size(), 70u);
  vary_both("body_mass", lanes, *device, [](double& value, int world, int) { value *= 1 + 0.1 * world; });
  vary_both("body_gravcomp", lanes, *device, [](double& value, int world, int) { value = 0.1 * (world % 2); });
  lanes.set_const();
  device->set_const({0, 1, 2, 3, 4}, 1);
  EXPECT_GT(device->value_names().size(), names.size());
  for (int k = 0; k < 3; ++k) lanes.step(), device->step(1, nullptr);
  EXPECT_LE(difference(get_numbers(*device, "qvel"), get(lanes, "qvel")), 1e-9);
}

TEST(DeviceValues, CheckedValuesAreTakenOrNothingChanges) {
  const Model model = load_feature("contact_pyramidal");
  const auto batch = make_batch(model);
  const int n = model.nbody, worlds[] = {1, 4};
  std::vector<double> masses(static_cast<size_t>(2 * n), 2.0), found(static_cast<size_t>(kWorlds * n));
  masses[static_cast<size_t>(n + 1)] = -1;
  EXPECT_NE(message_of([&] { batch->set_values("body_mass", worlds, 2, masses.data()); }).find("world 4"),
            std::string::npos);
  EXPECT_FALSE(batch->get_values("body_mass", found.data()));
  masses[static_cast<size_t>(n + 1)] = 3;
  batch->set_values("body_mass", worlds, 2, masses.data());
  ASSERT_TRUE(batch->get_values("body_mass", found.data()));
  const std::vector<double> live = read_numbers<double>(batch->expand("body_mass"), found.size());
  for (int w = 0; w < kWorlds; ++w) {
    const double expected = w == 4 ? 3 : w == 1 ? 2 : model.body_mass[1];
    EXPECT_EQ(found[static_cast<size_t>(w * n + 1)], expected);
    EXPECT_EQ(live[static_cast<size_t>(w * n + 1)], expected);
  }
}

// Worlds that grow together with values, and edits of the model that all share.
TEST(DeviceValues, OutliveEditsOfTheModelAndRoomForMoreContacts) {
  Model model = load_string(R"(<mujoco><default><geom size="0.1 0.1 0.1"/></default><worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.3"><freejoint/><geom type="box"/></body><body pos="0.3 0 0.3"><freejoint/><geom type="box"/></body>
    <body pos="0 0.3 0.3"><freejoint/><geom type="box"/></body><body pos="0.3 0.3 0.3"><freejoint/><geom type="box"/></body>
  </worldbody></mujoco>)");
  model.opt.tolerance = 0;
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  vary("geom_friction", lanes, *device);
  vary("dof_frictionloss", lanes, *device);
  const auto step = [&] {
    lanes.step();
    device->step(1, nullptr);
    return difference(get_numbers(*device, "qvel"), get(lanes, "qvel"));
  };
  EXPECT_LE(step(), 1e-9);
  for (double& margin : model.geom_margin) margin = 0.5;  // many more contacts
  for (double& mass : model.body_mass) mass *= 1.5;
  EXPECT_LE(step(), 1e-9);
  EXPECT_GT(device->growths(), 0);
}

}  // namespace
}  // namespace torsor::gpu
