// The kernels of a device, run on this machine's processor, against the batch in lanes.
#include "tests/gpu/device_worlds.hpp"

namespace torsor::gpu {
namespace {

// The largest difference of the state over some steps, each from equal states.
double compare(const Model& model, Number number, int steps, bool& has_rows) {
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, number, kHost);
  stir_both(model, lanes, *device);
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    lanes.step();
    device->step(1, nullptr);
    for (const char* field : {"qpos", "qvel", "act", "time", "plastic"}) {
      const std::vector<double> expected = get(lanes, field);
      if (expected.empty()) continue;
      const double apart = difference(get_numbers(*device, field), expected);
      if (!(apart <= worst)) worst = apart;
      device->set(field, expected.data());
    }
  }
  has_rows = device->contact_capacity() > 0 && device->row_capacity() > 0;
  return worst;
}

TEST(DeviceBatch, EqualsLanesInDoubleOnAllModelsThatTheDeviceCanStep) {
  int models = 0, with_rows = 0;
  for (const std::string& file : feature_files()) {
    const Model model = load(file);
    if (!list_what_device_lacks(model).empty()) continue;
    ++models;
    bool has_rows = false;
    const double apart = compare(model, Number::kDouble, 3, has_rows);
    EXPECT_LE(apart, 1e-9) << file;
    with_rows += has_rows;
    std::printf("%-60s %d %.1e\n", file.substr(file.rfind('/') + 1).c_str(), has_rows, apart);
  }
  EXPECT_GE(models, 125);
  std::printf("%d models, %d with rows\n", models, with_rows);
}

TEST(DeviceBatch, FollowsEditsOfTheModel) {
  Model model = load(TORSOR_SOURCE_DIR "/models/features/joint_limits.xml");
  model.opt.disableflags |= kDisableConstraint;
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kHost);
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
