// Converting states takes no memory from the heap once the conversion is built.
#include <gtest/gtest.h>

#include "tests/bridge/scene.hpp"
#include "tests/support/allocations.hpp"
#include "torsor/bridge/state_map.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/format/motion/library.hpp"

namespace torsor {
namespace {

TEST(ConversionAllocations, AStateMapTakesNoMemoryToConvert) {
  const Model model = load_string(kMixedModel);
  Random random(1);
  const auto q = random_qpos(model, random), v = random.numbers(model.nv);
  for (const char* id : {"newton", "sap.internal", "isaaclab3[ball=body]"}) {
    const StateMap map(model, find_convention("mujoco"), find_convention(id));
    std::vector<double> q_out(map.nq_to()), v_out(model.nv);
    EXPECT_EQ(allocations_in([&] {
                map.positions(q.data(), q_out.data());
                map.velocities(q.data(), v.data(), v_out.data());
                map.accelerations(q.data(), v.data(), v.data(), v_out.data());
                map.forces(q.data(), v.data(), v_out.data());
              }),
              0)
        << id;
  }
}

TEST(ConversionAllocations, NorDoesAConversionOfBodies) {
  const BodyConversion conversion(find_convention("mujoco"), find_convention("newton"));
  const double pose[7] = {1, 2, 3, 1, 0, 0, 0}, twist[6] = {1, 2, 3, 4, 5, 6};
  double out[7];
  EXPECT_EQ(allocations_in([&] {
              conversion.poses(pose, out, 1);
              conversion.twists(pose, twist, out, 1);
              conversion.wrenches(pose, twist, out, 1);
            }),
            0);
}

TEST(ConversionAllocations, NorDoesSamplingClips) {
  MotionClip clip;
  clip.fps = 30, clip.dofs = 3;
  set_frames(clip, 10);
  const MotionLibrary<float> single(std::span(&clip, 1));
  const MotionLibrary<double> twice(std::span(&clip, 1));
  const std::int64_t ids[2] = {0, 0};
  const float times[2] = {0.1f, 0.2f};
  const double same_times[2] = {0.1, 0.2};
  float dof[6], quat[8];
  double pos[6];
  EXPECT_EQ(allocations_in([&] {
              single.sample(ids, times, 2, {.root_quat = quat, .dof = dof});
              twice.sample(ids, same_times, 2, {.root_pos = pos}, MotionEnding::kRepeat);
            }),
            0);
}

}  // namespace
}  // namespace torsor
