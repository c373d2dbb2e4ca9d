// The same bits in contact: over runs, threads and copies, after saving and restoring, and from a second forward().
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/sim/scenes.hpp"
#include "torsor/core/parallel.hpp"

namespace torsor {
namespace {

Model make_pile() { return load(TORSOR_SOURCE_DIR "/models/scenes/pile.xml"); }

// FNV-1a over the bytes.
uint64_t hash_of(const std::vector<double>& numbers) {
  uint64_t hash = 14695981039346656037u;
  const auto* bytes = reinterpret_cast<const unsigned char*>(numbers.data());
  for (size_t i = 0; i < numbers.size() * sizeof(double); ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

uint64_t hash_of(const Model& model, const Data& data) { return hash_of(state_of(model, data)); }

void run(const Model& model, Data& data, int steps) {
  for (int i = 0; i < steps; ++i) step(model, data);
}

TEST(ContactDeterminism, APileEndsInTheSameBitsOverRunsThreadsAndCopies) {
  const Model model = make_pile();
  Data data(model);
  run(model, data, 1000);
  ASSERT_GT(data.ncon, 10);
  Data copy(data), assigned(model);
  run(model, assigned, 100);  // other contents before
  assigned = data;
  run(model, data, 1000);
  run(model, copy, 1000);
  run(model, assigned, 1000);
  const uint64_t expected = hash_of(model, data);
  EXPECT_EQ(hash_of(model, copy), expected) << "a copy goes on differently";
  EXPECT_EQ(hash_of(model, assigned), expected) << "an assigned Data goes on differently";
  for (const int threads : {1, 2, 3}) {
    uint64_t hashes[3] = {};
    parallel_for(3, threads, [&](int i, int) {
      Data world(model);
      run(model, world, 2000);
      hashes[i] = hash_of(model, world);
    });
    for (const uint64_t hash : hashes) EXPECT_EQ(hash, expected) << threads << " threads";
  }
}

TEST(ContactDeterminism, ASimulationGoesOnFromASavedStateInContactWithTheSameBits) {
  for (const int solver : {0, 1, 2}) {
    for (const int cone : {0, 1}) {
      Model model = make_pile();
      model.opt.solver = solver;
      model.opt.cone = cone;
      Data data(model), other(model);
      run(model, data, 400);
      const std::vector<double> saved = state_of(model, data);
      run(model, data, 50);
      run(model, other, 30);
      set_state(model, other, saved.data(), kStateIntegration);
      run(model, other, 50);
      EXPECT_TRUE(same_bits(state_of(model, data), state_of(model, other))) << "solver " << solver << ", cone " << cone;
    }
  }
}

TEST(ContactDeterminism, ForwardTwiceInContactGivesTheSameBits) {
  const Model model = make_pile();
  Data data(model);
  run(model, data, 500);
  forward(model, data);
  const std::vector<double> qacc(data.qacc.begin(), data.qacc.end());
  const std::vector<double> force(data.efc_force.begin(), data.efc_force.end());
  ASSERT_GT(force.size(), 20u);
  forward(model, data);
  EXPECT_TRUE(same_bits(qacc, {data.qacc.begin(), data.qacc.end()}));
  EXPECT_TRUE(same_bits(force, {data.efc_force.begin(), data.efc_force.end()}));
}

TEST(ContactDeterminism, AFreshDataAtTheSameStateHasTheSameBits) {
  const Model model = make_pile();
  Data data(model), fresh(model);
  run(model, data, 500);
  set_state(model, fresh, state_of(model, data).data(), kStateIntegration);
  forward(model, data);
  forward(model, fresh);
  EXPECT_TRUE(same_bits({data.qacc.begin(), data.qacc.end()}, {fresh.qacc.begin(), fresh.qacc.end()}));
}

TEST(ContactDeterminism, TheHalvesOfAStepAreTheWholeInContact) {
  const Model model = make_pile();
  Data whole(model), halves(model);
  for (int i = 0; i < 500; ++i) {
    step(model, whole);
    step1(model, halves);
    step2(model, halves);
  }
  EXPECT_TRUE(same_bits(state_of(model, whole), state_of(model, halves)));
}

}  // namespace
}  // namespace torsor
