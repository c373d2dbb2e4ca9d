// Every island is taken by one group, however few groups there are.
#include "torsor/gpu/kernels/island_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <vector>

#include "tests/support/property.hpp"

namespace torsor::gpu {
namespace {

// How often each island is taken when groups of a launch run one after the other, in any order.
std::vector<int> visits(int launched, int most, int count, bool has_counter, Random& random) {
  std::vector<int> found(static_cast<std::size_t>(count)), groups(static_cast<std::size_t>(launched));
  std::iota(groups.begin(), groups.end(), 0);
  for (std::size_t k = groups.size(); k > 1; --k)
    std::swap(groups[k - 1], groups[static_cast<std::size_t>(random.integer(0, static_cast<int>(k) - 1))]);
  int taken = 0;
  const IslandOrder order(launched, most, has_counter ? &taken : nullptr);
  for (const int group : groups)
    order.for_each(Group<1>(), group, count, [&](int k) { ++found.at(static_cast<std::size_t>(k)); });
  return found;
}

TEST(IslandOrder, EveryIslandIsTakenOnce) {
  for_all(300, [](Random& random) {
    const int launched = random.integer(1, 40), most = random.chance(0.2) ? INT_MAX : random.integer(1, 100);
    const int count = random.integer(0, 200);
    for (const bool has_counter : {true, false})
      EXPECT_EQ(visits(launched, most, count, has_counter, random),
                std::vector<int>(static_cast<std::size_t>(count), 1))
          << launched << " groups, scratch memory of " << most << ", " << count << " islands";
  });
}

// As on an H200, whose multiprocessors hold 1,056 warps of the solver of large islands.
TEST(IslandOrder, GroupsTakeAllIslandsWhereMoreHaveMemoryThanRun) {
  Random random(1);
  EXPECT_EQ(visits(1056, 4096, 6000, true, random), std::vector<int>(6000, 1));
}

TEST(IslandOrder, GroupsWithoutMemoryTakeNone) {
  int taken = 0;
  IslandOrder(8, 3, &taken).for_each(Group<1>(), 3, 100, [](int) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace torsor::gpu
