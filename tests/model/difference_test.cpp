// Differences of models: found in every kind of field, with the place of the largest.
#include "torsor/model/difference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace torsor {
namespace {

ModelSizes some_sizes() {
  ModelSizes sizes;
  sizes.nbody = 4, sizes.nq = 3, sizes.nv = 3, sizes.njnt = 3, sizes.ngeom = 2;
  return sizes;
}

TEST(Difference, CopiesDoNotDifferNotEvenInNan) {
  Model model(some_sizes());
  model.body_mass[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(find_differences(model, Model(model)).empty());
}

TEST(Difference, TheLargestComesFirstWithItsPlace) {
  const Model a(some_sizes());
  Model b(a);
  b.body_mass[2] = 0.5;
  b.body_mass[3] = 0.25;
  b.body_pos[3 * 2 + 1] = 0.75;
  b.opt.timestep += 1e-4;
  const auto found = find_differences(a, b);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "body_pos");
  EXPECT_EQ(to_string(found[0]), "body_pos[2, 1]: 0 0.75");
  EXPECT_EQ(to_string(found[1]), "body_mass[2]: 0 0.5 (2 numbers differ)");
  EXPECT_EQ(found[2].name, "opt.timestep");
  EXPECT_EQ(found[2].index, -1);
}

TEST(Difference, EveryArrayAndSettingIsCompared) {
  const Model a(some_sizes());
  Model b(a);
  int arrays = 0;
  b.for_each_field([&](const FieldInfo&, auto& field) {
    if (field.size() == 0) return;
    using T = std::remove_reference_t<decltype(field[0])>;
    field[field.size() - 1] = static_cast<T>(1);
    ++arrays;
  });
  EXPECT_EQ(find_differences(a, b).size(), static_cast<size_t>(arrays));
  Model c(a);
  c.stat.extent = 9, c.vis.global.fovy = 1, c.vis.rgba.haze[2] = 0.5f, c.opt.gravity[1] = 1, c.memory = 5;
  EXPECT_EQ(find_differences(a, c).size(), 5u);
}

TEST(Difference, ScalesWithTheNumbersAndIsInfiniteForNan) {
  const Model a(some_sizes());
  Model b(a), c(a);
  b.body_mass[1] = 2e6;
  EXPECT_EQ(find_differences(a, b)[0].difference, 1);
  c.body_mass[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf(find_differences(a, c)[0].difference));
}

TEST(Difference, ModelsOfOtherSizesDifferInSizesAndLengths) {
  ModelSizes larger = some_sizes();
  larger.nbody = 5;
  const auto found = find_differences(Model(some_sizes()), Model(larger));
  ASSERT_FALSE(found.empty());
  bool size = false, length = false;
  for (const FieldDifference& difference : found) {
    size |= difference.name == "nbody" && difference.a == 4 && difference.b == 5;
    length |= to_string(difference) == "body_pos: 12 numbers, 15 numbers";
  }
  EXPECT_TRUE(size);
  EXPECT_TRUE(length);
}

}  // namespace
}  // namespace torsor
