// The arena: a stack whose pointers never move, with marks, high water and a capacity that is a result, not a crash.
#include "torsor/core/arena.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace torsor {
namespace {

size_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

TEST(Arena, StartsEmptyWithTheCapacityAskedFor) {
  const Arena arena(1 << 20);
  EXPECT_EQ(arena.capacity(), size_t{1} << 20);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.high_water(), 0u);
}

TEST(Arena, BlocksDoNotOverlapAndHoldWhatIsWritten) {
  Arena arena(1 << 20);
  std::vector<unsigned char*> blocks;
  for (int i = 0; i < 50; ++i) {
    blocks.push_back(static_cast<unsigned char*>(arena.push(37 + static_cast<size_t>(i))));
    ASSERT_NE(blocks.back(), nullptr);
    std::memset(blocks.back(), i + 1, 37 + static_cast<size_t>(i));
  }
  for (int i = 0; i < 50; ++i) {
    for (int k = 0; k < 37 + i; ++k) ASSERT_EQ(blocks[static_cast<size_t>(i)][k], i + 1) << "block " << i;
  }
}

TEST(Arena, BlocksHaveTheAlignmentAskedFor) {
  Arena arena(1 << 20);
  for (const size_t alignment : {1, 8, 32, 64, 256, 4096}) {
    ASSERT_NE(arena.push(1, 1), nullptr);  // puts the next block off any alignment
    const void* block = arena.push(10, alignment);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(address(block) % alignment, 0u) << "alignment " << alignment;
  }
}

TEST(Arena, ArraysAreAlignedForVectorsOfTheirElement) {
  Arena arena(1 << 20);
  struct alignas(128) Wide {
    double numbers[16];
  };
  ASSERT_NE(arena.push(1, 1), nullptr);
  EXPECT_EQ(address(arena.push_array<double>(3)) % 32, 0u);
  EXPECT_EQ(address(arena.push_array<Wide>(3)) % 128, 0u);
}

TEST(Arena, ReleaseGivesBackEverythingAfterTheMark) {
  Arena arena(1 << 20);
  ASSERT_NE(arena.push(100), nullptr);
  const size_t mark = arena.mark();
  const void* first = arena.push(1000);
  ASSERT_NE(arena.push(5000), nullptr);
  arena.release(mark);
  EXPECT_EQ(arena.used(), mark);
  EXPECT_EQ(arena.push(1000), first);
}

TEST(Arena, ReleaseLeavesWhatWasPushedBeforeTheMark) {
  Arena arena(1 << 20);
  auto* kept = arena.push_array<double>(4);
  for (int i = 0; i < 4; ++i) kept[i] = i + 0.5;
  const size_t mark = arena.mark();
  auto* dropped = arena.push_array<double>(4);
  for (int i = 0; i < 4; ++i) dropped[i] = -1;
  arena.release(mark);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(kept[i], i + 0.5);
}

TEST(Arena, ScopesNest) {
  Arena arena(1 << 20);
  ASSERT_NE(arena.push(10), nullptr);
  const size_t outside = arena.used();
  {
    const ArenaScope outer(arena);
    ASSERT_NE(arena.push(100), nullptr);
    const size_t between = arena.used();
    {
      const ArenaScope inner(arena);
      ASSERT_NE(arena.push(1000), nullptr);
    }
    EXPECT_EQ(arena.used(), between);
  }
  EXPECT_EQ(arena.used(), outside);
}

TEST(Arena, AMarkFromBeforeAResetGivesNothingBack) {
  Arena arena(1 << 20);
  arena.push(100);
  const size_t mark = arena.mark();
  {
    const ArenaScope scope(arena);
    arena.push(100);
    arena.reset();
    arena.push(10);
  }
  EXPECT_EQ(arena.used(), 10u);
  arena.release(mark);
  EXPECT_EQ(arena.used(), 10u);
  arena.release(0);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(Arena, AScopeReleasesWhenAnExceptionLeavesIt) {
  Arena arena(1 << 20);
  try {
    const ArenaScope scope(arena);
    ASSERT_NE(arena.push(100), nullptr);
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(arena.used(), 0u);
}

TEST(Arena, HighWaterKeepsTheMostThatWasInUse) {
  Arena arena(1 << 20);
  const size_t mark = arena.mark();
  ASSERT_NE(arena.push(9000), nullptr);
  arena.release(mark);
  ASSERT_NE(arena.push(100), nullptr);
  EXPECT_EQ(arena.high_water(), 9000u);
  arena.clear_high_water();
  EXPECT_EQ(arena.high_water(), arena.used());
  ASSERT_NE(arena.push(10'000, 1), nullptr);
  EXPECT_EQ(arena.high_water(), 10'100u);
}

TEST(Arena, ExhaustionIsANullPointerThatChangesNothing) {
  Arena arena(100'000);
  ASSERT_NE(arena.push(60'000), nullptr);
  const size_t used = arena.used();
  EXPECT_EQ(arena.push(60'000), nullptr);
  EXPECT_EQ(arena.used(), used);
  EXPECT_EQ(arena.high_water(), used);
  EXPECT_NE(arena.push(30'000), nullptr) << "a smaller block still fits";
}

TEST(Arena, TheWholeCapacityCanBeUsed) {
  Arena arena(100'000);
  auto* block = static_cast<unsigned char*>(arena.push(100'000));
  ASSERT_NE(block, nullptr);
  std::memset(block, 7, 100'000);
  EXPECT_EQ(block[99'999], 7);
  EXPECT_EQ(arena.push(1, 1), nullptr);
}

TEST(Arena, AbsurdSizesAreRefusedAndDoNotWrapAround) {
  Arena arena(1 << 20);
  ASSERT_NE(arena.push(100), nullptr);
  EXPECT_EQ(arena.push(std::numeric_limits<size_t>::max()), nullptr);
  EXPECT_EQ(arena.push(std::numeric_limits<size_t>::max() - 32), nullptr);
  EXPECT_EQ(arena.push_array<double>((size_t{1} << 61) + 1), nullptr) << "8 bytes, if the product wraps around";
  EXPECT_EQ(arena.used(), 100u);
}

TEST(Arena, AnArenaWithoutCapacityRefusesEveryBlock) {
  Arena arena(0);
  EXPECT_EQ(arena.push(1), nullptr);
}

TEST(Arena, PointersStayWhereTheyAreWhileTheArenaGrows) {
  Arena arena(64 << 20);
  auto* first = arena.push_array<int>(1);
  *first = 42;
  for (int i = 0; i < 60; ++i) ASSERT_NE(arena.push(1 << 20), nullptr);
  EXPECT_EQ(*first, 42);
}

TEST(Arena, MovingAnArenaKeepsItsBlocksInPlace) {
  Arena arena(1 << 20);
  auto* number = arena.push_array<int>(1);
  *number = 42;
  Arena moved(std::move(arena));
  EXPECT_EQ(*number, 42);
  EXPECT_EQ(moved.used(), sizeof(int));
  Arena assigned(1 << 16);
  assigned = std::move(moved);
  EXPECT_EQ(*number, 42);
  EXPECT_EQ(assigned.capacity(), size_t{1} << 20);
}

}  // namespace
}  // namespace torsor
