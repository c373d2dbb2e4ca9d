// Worlds that touch: a batch computes what one world computes, whatever the number of threads.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "torsor/batch/batch.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

constexpr int kWorlds = 5, kSteps = 300;

std::vector<double> positions_after(const Model& model, int threads) {
  Batch batch(model, kWorlds);
  std::vector<double> qvel(static_cast<size_t>(kWorlds * model.nv));
  for (int world = 0; world < kWorlds; ++world) qvel[static_cast<size_t>(world * model.nv)] = 0.1 * world;
  batch.set("qvel", qvel.data());
  batch.step(kSteps, threads);
  std::vector<double> qpos(static_cast<size_t>(kWorlds * model.nq));
  batch.get("qpos", qpos.data());
  return qpos;
}

TEST(BatchContact, WorldsTouchAsOneWorldDoesOnAnyNumberOfThreads) {
  for (const char* name : {"pile", "domino_run", "newtons_cradle"}) {
    const Model model = load(std::string(TORSOR_SOURCE_DIR "/models/scenes/") + name + ".xml");
    const std::vector<double> expected = positions_after(model, 1);
    for (int world = 0; world < kWorlds; ++world) {
      Data data(model);
      data.qvel[0] = 0.1 * world;
      for (int i = 0; i < kSteps; ++i) step(model, data);
      const double* qpos = expected.data() + static_cast<ptrdiff_t>(world) * model.nq;
      EXPECT_EQ(std::memcmp(qpos, data.qpos.data(), sizeof(double) * static_cast<size_t>(model.nq)), 0)
          << name << ", world " << world;
    }
    for (const int threads : {2, 3}) EXPECT_EQ(positions_after(model, threads), expected) << name;
  }
}

}  // namespace
}  // namespace torsor
