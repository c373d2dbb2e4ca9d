// The guard: once its threads and their memory are there, a batch takes nothing from the heap.
#include "tests/batch/worlds.hpp"
#include "tests/support/allocations.hpp"

namespace torsor {
namespace {

// In lanes without constraints, with contacts, with rows that are made lane by lane, with bound results, on two
// threads.
TEST(BatchAllocation, AStepTakesNothingFromTheHeap) {
  for (const char* name : {"features/hinge_chain", "features/contact_pyramidal", "features/contact_elliptic",
                           "features/equality_weld", "features/actuator_muscles", "features/sensor_sites"}) {
    for (const bool has_results : {false, true}) {
      Model model = load(std::string(TORSOR_SOURCE_DIR "/models/") + name + ".xml");
      // muscles run lane by lane, in the Datas of each thread's lanes, whose arenas grow where they meet rows
      const bool is_wide = std::string(name) != "features/actuator_muscles";
      for (const int threads : {1, is_wide && !has_results ? 2 : 1}) {
        Batch batch(model, kUnevenWorlds);
        if (has_results) batch.bind("xpos"), batch.bind("sensordata");
        const auto run = [&] {
          for (int k = 0; k < 20; ++k) batch.step(1, threads);
          batch.step(5, threads);
        };
        make_worlds(model, batch);
        run();  // the same steps before: until the rows of all of them were there once
        make_worlds(model, batch);
        EXPECT_EQ(allocations_in(run), 0) << name << (has_results ? ", bound results" : "") << ", threads " << threads;
      }
    }
  }
}

TEST(BatchAllocation, NorDoStepsOfWorldsWithValuesOfTheirOwn) {
  const Model model = load(TORSOR_SOURCE_DIR "/models/features/contact_pyramidal.xml");
  Batch batch(model, kUnevenWorlds);
  batch.values().expand("body_mass");
  make_worlds(model, batch);
  batch.step(20);
  make_worlds(model, batch);
  EXPECT_EQ(allocations_in([&] { batch.step(20); }), 0);
}

// A model that was edited is noticed, and its program made anew, once.
TEST(BatchAllocation, OnlyTheFirstStepAfterAnEditTakesMemory) {
  Model model = load(TORSOR_SOURCE_DIR "/models/features/contact_pyramidal.xml");
  Batch batch(model, kUnevenWorlds);
  batch.step(50);
  model.opt.integrator = static_cast<int>(Integrator::kImplicitFast);
  EXPECT_GT(allocations_in([&] { batch.step(1); }), 0);
  batch.step(20);
  EXPECT_EQ(allocations_in([&] { batch.step(1); }), 0);
}

}  // namespace
}  // namespace torsor
