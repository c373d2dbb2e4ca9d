// The kernels of a step: which of them may run beside each other.
#include "torsor/gpu/step_plan.hpp"

#include "tests/gpu/device_worlds.hpp"

namespace torsor::gpu {
namespace {

// The strand of a stage of the first evaluation; -1 where there is none.
int strand_of(const StepPlan& plan, WideStage stage) {
  for (const StepPart& part : plan.step)
    for (int k = 0; k < part.stages.count; ++k)
      if (part.kind == StepPart::kStages && part.stages.stages[k] == stage) return part.strand;
  return -1;
}

Model make_arm(bool carries) {
  return load_string(std::string(R"(<mujoco><worldbody><body><joint name="a" axis="0 1 0" actuatorgravcomp=")") +
                     (carries ? "true" : "false") + R"("/><geom size="0.1" pos="0.2 0 0"/></body></worldbody>
    <actuator><motor joint="a"/></actuator></mujoco>)");
}

StepPlan plan_of(const Model& model) {
  const FieldList fields(model);
  return StepPlan(model, RowPlan(model), fields, {});
}

// No body has gravity compensation so far. That of a world can have some, so that flg_gravcomp is set there.
TEST(StepPlan, ActuatorsWaitForGravityCompensationThatTheyCarryInSomeWorlds) {
  const Model model = make_arm(true);
  ASSERT_FALSE(model.flg_gravcomp);
  const StepPlan plan = plan_of(model);
  ASSERT_GE(strand_of(plan, WideStage::kPassive), 0);
  EXPECT_EQ(strand_of(plan, WideStage::kJointDrives), strand_of(plan, WideStage::kPassive));
}

TEST(StepPlan, ActuatorsRunBesidePassiveForcesOtherwise) {
  const StepPlan plan = plan_of(make_arm(false));
  ASSERT_GE(strand_of(plan, WideStage::kPassive), 0);
  ASSERT_GE(strand_of(plan, WideStage::kJointDrives), 0);
  EXPECT_NE(strand_of(plan, WideStage::kJointDrives), strand_of(plan, WideStage::kPassive));
}

// Worlds that differ in gravity compensation, where the model has none.
TEST(StepPlan, GravityCompensationOfSomeWorldsIsCarriedByActuators) {
  const Model model = make_arm(true);
  Batch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  vary_both("body_gravcomp", lanes, *device, [](double& value, int world, int body) {
    if (body == 1 && world % 2 == 1) value = 0.5;
  });
  std::vector<int> worlds(kUnevenWorlds);
  for (int w = 0; w < kUnevenWorlds; ++w) worlds[static_cast<size_t>(w)] = w;
  lanes.set_const();
  device->set_const(worlds, 1);
  const double* const expected = lanes.bind("qfrc_actuator");
  device->bind("qfrc_actuator");
  lanes.step(), device->step(1, nullptr);
  const std::vector<double> found = get_numbers(*device, "qfrc_actuator");
  EXPECT_LE(difference(found, std::vector<double>(expected, expected + found.size())), 1e-12);
  EXPECT_EQ(found[0], 0);
  EXPECT_NE(found[1], 0);
}

}  // namespace
}  // namespace torsor::gpu
