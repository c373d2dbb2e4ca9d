// The kernels of a device, run on this machine's processor, against the batch in lanes.
#include <set>

#include "tests/gpu/device_worlds.hpp"

namespace torsor::gpu {
namespace {

// The largest difference of the state over some steps, each from equal states.
double compare(const Model& model, Number number, int steps, bool& has_rows) {
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, number, kTested);
  stir_both(model, lanes, *device);
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    lanes.step();
    device->step(1, nullptr);
    for (const char* field : {"qpos", "qvel", "act", "time", "plastic"}) {
      const std::vector<double> expected = get(lanes, field);
      if (expected.empty()) continue;
      worst = worse(worst, difference(get_numbers(*device, field), expected));
      device->set(field, expected.data());
    }
  }
  has_rows = device->contact_capacity() > 0 && device->row_capacity() > 0;
  return worst;
}

TEST(DeviceBatch, EqualsLanesInDoubleOnAllModelsThatTheDeviceCanStep) {
  int models = 0, with_rows = 0;
  for (const std::string& file : feature_files()) {
    const Model model = load_defined(file);
    if (!list_what_device_lacks(model).empty()) continue;
    ++models;
    bool has_rows = false;
    const double apart = compare(model, Number::kDouble, 3, has_rows);
    EXPECT_LE(apart, 1e-9) << file;
    with_rows += has_rows;
    std::printf("%-60s %d %.1e\n", file.substr(file.rfind('/') + 1).c_str(), has_rows, apart);
  }
  EXPECT_GE(models, 174);
  std::printf("%d models, %d with rows\n", models, with_rows);
}

TEST(DeviceBatch, HasEverythingThatStepsWideOnTheProcessor) {
  int wide = 0;
  for_each_feature_variant([&](const Model& model, const std::string& file) {
    const std::vector<BatchPlanRow> plan = Batch(model, 1).plan();
    if (!std::all_of(plan.begin(), plan.end(), [](const BatchPlanRow& row) { return row.is_wide; })) return;
    EXPECT_EQ(list_what_device_lacks(model), std::vector<std::string>())
        << file << ": " << model.opt.solver << model.opt.integrator;
    ++wide;
  });
  EXPECT_GT(wide, 1000);
}

// Results as a step leaves them; those of Runge-Kutta belong to several states.
TEST(DeviceBatch, BoundResultsEqualThoseOfLanes) {
  constexpr const char* kFields[] = {
      "qacc",    "qfrc_constraint",   "qfrc_actuator", "qfrc_passive", "qfrc_bias", "qfrc_smooth", "actuator_force",
      "act_dot", "actuator_velocity", "xpos",          "geom_xpos",    "site_xpos", "subtree_com", "cvel",
      "cdof",    "ten_velocity",      "sensordata"};
  std::set<std::pair<std::string, Integrator>> seen;
  for (const std::string& file : feature_files()) {
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicitFast, Integrator::kRk4}) {
      Model model = load_defined(file);
      model.opt.integrator = static_cast<int>(integrator);
      if (!list_what_device_lacks(model).empty()) continue;
      Batch lanes(model, kUnevenWorlds);
      const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
      stir_both(model, lanes, *device);
      std::vector<std::pair<std::string, const double*>> bound;
      for (const std::string field : kFields) {
        if (lanes.field_size(field) > 0 && message_of([&] { device->bind(field); }).empty())
          bound.emplace_back(field, lanes.bind(field));
      }
      lanes.step(2);
      device->step(2, nullptr);
      for (const auto& [field, values] : bound) {
        const std::vector<double> expected(values, values + kUnevenWorlds * lanes.field_size(field));
        EXPECT_LE(difference(get_numbers(*device, field), expected), 1e-8)
            << file << ": " << field << ", integrator " << model.opt.integrator;
        seen.emplace(field, integrator);
      }
    }
  }
  EXPECT_EQ(seen.size(), 3 * std::size(kFields));
}

TEST(DeviceBatch, FollowsEditsOfTheModel) {
  Model model = load(TORSOR_SOURCE_DIR "/models/features/joint_limits.xml");
  model.opt.disableflags |= kDisableConstraint;
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  stir_both(model, lanes, *device);
  const auto step = [&] {
    lanes.step();
    device->step(1, nullptr);
    return difference(get_numbers(*device, "qvel"), get(lanes, "qvel"));
  };
  EXPECT_LE(step(), 1e-9);
  model.opt.disableflags &= ~kDisableConstraint;  // rows where there were none
  EXPECT_LE(step(), 1e-9);
  for (double& loss : model.dof_frictionloss) loss = 0.3;
  EXPECT_LE(step(), 1e-9);
  model.opt.integrator = static_cast<int>(Integrator::kRk4);
  EXPECT_LE(step(), 1e-9);
}

}  // namespace
}  // namespace torsor::gpu
