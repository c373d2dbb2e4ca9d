// Worlds that touch: a batch computes what one world computes, whatever the number of threads.
#include <vector>

#include "tests/batch/worlds.hpp"

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

// Over one step each, because scenes of many contacts are chaotic.
TEST(BatchContact, WorldsTouchAsOneWorldDoes) {
  for (const char* name : {"pile", "domino_run", "newtons_cradle"}) {
    Model model = load(std::string(TORSOR_SOURCE_DIR "/models/scenes/") + name + ".xml");
    model.opt.tolerance = 0;  // until rounding is all that is left
    Batch batch(model, kWorlds);
    std::vector<Data> worlds(kWorlds, Data(model));
    for (int world = 0; world < kWorlds; ++world)
      worlds[static_cast<size_t>(world)].qvel[0] = world % 2 ? -world : world;
    int rows = 0;
    for (int k = 0; k < kSteps; ++k) {
      for (const char* field : {"qpos", "qvel", "qacc_warmstart"}) batch.set(field, gather(worlds, field).data());
      batch.step(1);
      for (Data& world : worlds) step(model, world);
      for (const char* field : {"qpos", "qvel"})
        ASSERT_LT(difference(get(batch, field), gather(worlds, field)), 1e-9)
            << name << ": " << field << ", step " << k;
      for (const Data& world : worlds) rows += world.nefc;
    }
    EXPECT_GT(rows, 100) << name;
  }
}

TEST(BatchContact, ResultsDoNotDependOnTheNumberOfThreads) {
  for (const char* name : {"pile", "domino_run", "newtons_cradle"}) {
    const Model model = load(std::string(TORSOR_SOURCE_DIR "/models/scenes/") + name + ".xml");
    const std::vector<double> expected = positions_after(model, 1);
    for (const int threads : {2, 3}) EXPECT_EQ(positions_after(model, threads), expected) << name;
  }
}

}  // namespace
}  // namespace torsor
