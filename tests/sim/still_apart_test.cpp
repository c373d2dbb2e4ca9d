// What a Data keeps about pairs that were apart changes no bit of a simulation: cleared before every step, filled with
// nonsense, copied, restored, or used by several threads.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/sim/scenes.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/distance.hpp"
#include "torsor/contact/still_apart.hpp"
#include "torsor/core/parallel.hpp"

namespace torsor {
namespace {

const char* const kModels[] = {"benchmarks/two_arms.xml",      "benchmarks/hull_cube.xml", "features/mesh_builtin.xml",
                               "features/mesh_inline.xml",     "features/mesh_files.xml",  "features/geom_types.xml",
                               "features/sensor_nearness.xml", "scenes/pile.xml"};

Model load_model(const std::string& name) { return load(TORSOR_SOURCE_DIR "/models/" + name); }

// Controls that move everything, and a push.
void drive(const Model& model, Data& data, int step) {
  if (step == 0 && model.nkey > 0) reset_to_key(model, data, 0);
  if (step == 0)
    for (int i = 0; i < model.nv; ++i) data.qvel[i] += 0.4 * std::sin(3.0 * i + 1);
  for (int i = 0; i < model.nu; ++i) data.ctrl[i] = 0.5 * std::sin(0.02 * step + i);
}

// Every place holds some pair of geoms and a direction that need not be one.
void fill_with_nonsense(const Model& model, Data& data, unsigned seed) {
  std::mt19937 bits(seed);
  if (data.separations.bytes() == 0) return;
  for (int g = 0; g < model.ngeom; ++g)
    for (int h = 0; h < model.ngeom; ++h) {
      if (g == h || bits() % 3 == 0) continue;
      Separation& place = *data.separations.find(g, h);
      place = {g, h, {}};
      for (float& x : place.normal_A) x = float(bits()) / float(1u << 31) - 1;
      if (bits() % 20 == 0) place.normal_A[0] = NAN;
    }
}

std::vector<double> contacts_of(const Data& data) {
  std::vector<double> numbers;
  for (int c = 0; c < data.ncon; ++c) {
    const Contact& contact = data.contact[c];
    numbers.insert(numbers.end(), {double(contact.geom[0]), double(contact.geom[1]), contact.dist});
    numbers.insert(numbers.end(), contact.pos, contact.pos + 3);
    numbers.insert(numbers.end(), contact.frame, contact.frame + 9);
  }
  numbers.insert(numbers.end(), data.sensordata.begin(), data.sensordata.end());
  return numbers;
}

// How many of the pairs in the table are apart by what is kept about them.
struct Kept {
  int pairs = 0, proven = 0;
};
Kept look_at_table(const Model& model, const Data& data) {
  Kept result;
  for (int g = 0; g < model.ngeom; ++g)
    for (int h = 0; h < model.ngeom; ++h) {
      const Separation* place = data.separations.find(g, h);
      if (!place || g == h || !place->is_of(g, h)) continue;
      ShapeParts parts_a, parts_b;
      const Shape a = make_shape(model, data, g, parts_a), b = make_shape(model, data, h, parts_b);
      Separation copy = *place;
      const double extent = norm(b.p_WoGo_W - a.p_WoGo_W) * 2 + model.geom_rbound[g] + model.geom_rbound[h];
      ++result.pairs;
      result.proven += are_still_apart({a, b, g, h, extent}, model.geom_margin[g] + model.geom_margin[h], copy);
    }
  return result;
}

class StillApartRuns : public testing::TestWithParam<const char*> {};

TEST_P(StillApartRuns, ContactsAndStatesAreTheSameBitsWhateverTheTableHolds) {
  const Model model = load_model(GetParam());
  Data kept(model), cleared(model), nonsense(model);
  for (int i = 0; i < 400; ++i) {
    cleared.separations.clear();
    fill_with_nonsense(model, nonsense, unsigned(i));
    for (Data* data : {&kept, &cleared, &nonsense}) {
      drive(model, *data, i);
      step(model, *data);
    }
    for (const Data* other : {&cleared, &nonsense}) {
      ASSERT_TRUE(same_bits(contacts_of(kept), contacts_of(*other))) << "step " << i;
      ASSERT_TRUE(same_bits(state_of(model, kept), state_of(model, *other))) << "step " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sim, StillApartRuns, testing::ValuesIn(kModels), [](const auto& name) {
  std::string text = name.param;
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
});

TEST(StillApart, MarginsAndGapsChangeNothing) {
  for (const double margin : {0.0, 0.002, 0.05}) {
    Model model = load_model("benchmarks/two_arms.xml");
    for (int g = 0; g < model.ngeom; ++g) model.geom_margin[g] = margin, model.geom_gap[g] = 0.5 * margin;
    Data kept(model), cleared(model);
    for (int i = 0; i < 150; ++i) {
      cleared.separations.clear();
      for (Data* data : {&kept, &cleared}) {
        drive(model, *data, i);
        // margins that change between steps make what was proven before worth nothing
        for (int g = 0; g < model.ngeom; ++g) model.geom_margin[g] = margin * (i % 3);
        step(model, *data);
      }
      ASSERT_TRUE(same_bits(contacts_of(kept), contacts_of(cleared))) << "step " << i << ", margin " << margin;
    }
  }
}

// Without this, all other tests would pass with a table that is never used.
TEST(StillApart, TheTableKnowsMostPairsThatAreNear) {
  const Model model = load_model("benchmarks/two_arms.xml");
  Data data(model);
  for (int i = 0; i < 200; ++i) {
    drive(model, data, i);
    step(model, data);
  }
  forward(model, data);
  const Kept kept = look_at_table(model, data);
  EXPECT_GT(kept.pairs, 4);
  EXPECT_GT(kept.proven, kept.pairs / 2);
}

TEST(StillApart, CopiesAndRestoredStatesGoOnWithTheSameBits) {
  const Model model = load_model("benchmarks/two_arms.xml");
  Data data(model);
  for (int i = 0; i < 100; ++i) drive(model, data, i), step(model, data);
  Data copy(data), assigned(model), restored(model);
  EXPECT_EQ(copy.separations.bytes(), data.separations.bytes());
  for (int i = 0; i < 30; ++i) drive(model, assigned, i), step(model, assigned);
  assigned = data;
  set_state(model, restored, state_of(model, data).data(), kStateIntegration);
  for (int i = 100; i < 200; ++i)
    for (Data* one : {&data, &copy, &assigned, &restored}) drive(model, *one, i), step(model, *one);
  for (const Data* other : {&copy, &assigned, &restored})
    EXPECT_TRUE(same_bits(state_of(model, data), state_of(model, *other)));
}

TEST(StillApart, ThreadsWithOneModelMakeTheSameBits) {
  const Model model = load_model("benchmarks/hull_cube.xml");
  std::vector<std::vector<double>> states(4);
  parallel_for(4, 4, [&](int i, int) {
    Data data(model);
    for (int k = 0; k < 200; ++k) drive(model, data, k), step(model, data);
    states[size_t(i)] = state_of(model, data);
  });
  for (const auto& state : states) EXPECT_TRUE(same_bits(state, states[0]));
}

TEST(StillApart, DistancesDoNotDependOnTheTable) {
  const Model model = load_model("benchmarks/two_arms.xml");
  Data data(model);
  for (int i = 0; i < 50; ++i) drive(model, data, i), step(model, data);
  forward(model, data);
  Data nonsense(data);
  fill_with_nonsense(model, nonsense, 7);
  for (int g = 0; g < model.ngeom; ++g)
    for (int h = g + 1; h < model.ngeom; ++h)
      EXPECT_EQ(geom_distance(model, data, g, h, 1).distance, geom_distance(model, nonsense, g, h, 1).distance);
}

TEST(StillApart, TheTableCountsAsMemory) {
  const Model model = load_model("benchmarks/two_arms.xml");
  const Data data(model);
  EXPECT_GT(data.separations.bytes(), 0u);
  EXPECT_GT(data.bytes(), data.separations.bytes());
  const Model balls = load_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  EXPECT_EQ(Data(balls).separations.bytes(), 0u);
}

}  // namespace
}  // namespace torsor
