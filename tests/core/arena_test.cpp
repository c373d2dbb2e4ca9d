// The arena: a stack whose pointers never move, with marks, high water and a capacity that is a result, not a crash.
#include "torsor/core/arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
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

TEST(Arena, NothingIsReservedBeforeItIsNeededAndLittleThen) {
  Arena arena;
  EXPECT_EQ(arena.reserved(), 0u);
  ASSERT_NE(arena.push(1000), nullptr);
  EXPECT_LT(arena.reserved(), size_t{1} << 20);
  EXPECT_EQ(arena.growths(), 1);
  ASSERT_NE(arena.push(40 << 20), nullptr);
  EXPECT_LE(arena.reserved(), size_t{65} << 20) << "no more than 64 MiB before more is needed";
}

TEST(Arena, StartsInTheMemoryOfTheCaller) {
  alignas(64) std::byte memory[4096];
  Arena arena(Arena::kUnlimited, memory, sizeof(memory));
  auto* block = static_cast<std::byte*>(arena.push(3000));
  EXPECT_EQ(block, memory);
  EXPECT_EQ(arena.growths(), 0);
  auto* beyond = static_cast<std::byte*>(arena.push(3000));
  ASSERT_NE(beyond, nullptr);
  EXPECT_TRUE(beyond < memory || beyond >= memory + sizeof(memory));
  EXPECT_EQ(arena.growths(), 1);
  EXPECT_EQ(arena.used(), 3008u + 3000u) << "positions do not tell where regions end";
}

// The first round adds regions, later ones find everything in one of them.
TEST(Arena, RoundsThatNeedTheSameAddNoRegions) {
  Arena arena;
  const auto round = [&arena] {
    const ArenaScope scope(arena);
    for (int i = 0; i < 100; ++i) ASSERT_NE(arena.push(100'000), nullptr);
  };
  round();
  const int growths = arena.growths();
  EXPECT_GT(growths, 1);
  std::byte* last = nullptr;
  for (int i = 0; i < 10; ++i) {
    round();
    const ArenaScope scope(arena);
    auto* first = static_cast<std::byte*>(arena.push(100));
    EXPECT_TRUE(!last || first == last);
    last = first;
  }
  EXPECT_EQ(arena.growths(), growths);
}

TEST(Arena, MemoryThatWasGivenBackStaysReadable) {
  Arena arena;
  std::vector<const volatile unsigned char*> stale;
  for (size_t bytes = 1000; bytes < 50'000'000; bytes *= 3) {
    const ArenaScope scope(arena);
    auto* block = static_cast<unsigned char*>(arena.push(bytes));
    ASSERT_NE(block, nullptr);
    block[0] = block[bytes - 1] = 1;
    stale.push_back(block);
    stale.push_back(block + bytes - 1);
  }
  unsigned sum = 0;
  for (const volatile unsigned char* place : stale) sum += *place;
  EXPECT_LE(sum, 255u * stale.size());
}

// A copy of a Data that lives for the time of a call costs no call of the system.
TEST(Arena, StartsWhereTheOneBeforeItEnded) {
  const void* before = nullptr;
  for (int round = 0; round < 3; ++round) {
    Arena arena;
    void* block = arena.push(100);
    ASSERT_NE(block, nullptr);
    std::memset(block, 1, 100);
    if (before) {
      EXPECT_EQ(block, before);
      EXPECT_NE(*static_cast<unsigned char*>(block), 0) << "memory that the system has cleared";
    }
    Arena other;  // not while it is in use
    void* apart = other.push(100);
    ASSERT_NE(apart, nullptr);
    before = apart;  // this arena ends first
    EXPECT_TRUE(address(apart) >= address(block) + 100 || address(apart) + 100 <= address(block));
    void* larger = other.push(size_t{1} << 20);  // of another size
    ASSERT_NE(larger, nullptr);
    std::memset(larger, 2, size_t{1} << 20);
  }
}

TEST(Arena, AnExtendedBlockKeepsItsPositionAndItsContents) {
  Arena arena;
  ASSERT_NE(arena.push(100'000), nullptr);
  size_t count = 1000;
  auto* numbers = arena.push_array<int>(count);
  const size_t position = arena.used() - count * sizeof(int);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<int>(i);
  while (count < 1'000'000) {
    const size_t mark = arena.used();
    numbers = static_cast<int*>(arena.extend(numbers, count * sizeof(int), count * sizeof(int)));
    ASSERT_NE(numbers, nullptr);
    EXPECT_EQ(arena.used(), mark + count * sizeof(int));
    for (size_t i = count; i < 2 * count; ++i) numbers[i] = static_cast<int>(i);
    count *= 2;
  }
  for (size_t i = 0; i < count; ++i) ASSERT_EQ(numbers[i], static_cast<int>(i));
  EXPECT_EQ(arena.used(), position + count * sizeof(int));
  EXPECT_GT(arena.growths(), 1);
}

TEST(Arena, WhatIsGatheredIsInOnePiece) {
  Arena arena;
  auto* first = arena.push_array<int>(1000);
  for (int i = 0; i < 1000; ++i) first[i] = i;
  ASSERT_TRUE(arena.gather(10'000'000));
  const int* moved = reinterpret_cast<const int*>(arena.base());
  EXPECT_NE(moved, first);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(moved[i], i);
  const auto* next = static_cast<std::byte*>(arena.push(9'000'000));
  EXPECT_EQ(next, arena.base() + 4032);
}

TEST(Arena, OneThatMeasuresGivesMoreThanItsCapacityAndNotesIt) {
  Arena arena(100'000);
  arena.measure();
  ASSERT_NE(arena.push(60'000), nullptr);
  EXPECT_EQ(arena.needed(), 0u);
  const size_t mark = arena.mark();
  ASSERT_NE(arena.push(1'000'000), nullptr);
  EXPECT_EQ(arena.needed(), 1'060'032u);
  arena.release(mark);
  EXPECT_EQ(arena.needed(), 1'060'032u) << "until it is cleared";
  arena.clear_needed();
  ASSERT_NE(arena.push(30'000), nullptr);
  EXPECT_EQ(arena.needed(), 0u);
}

// Against a stack in one piece: the same positions, contents kept, whatever is pushed, extended and released.
TEST(Arena, IsAStackHoweverItIsSpreadOverRegions) {
  struct Block {
    unsigned char* memory;
    size_t bytes, mark;
    unsigned char content;
  };
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::minstd_rand random(seed);
    alignas(64) std::byte first[2048];
    Arena arena(Arena::kUnlimited, first, sizeof(first));
    std::vector<Block> blocks;
    size_t position = 0, highest = 0;
    for (int i = 0; i < 3000; ++i) {
      const unsigned what = static_cast<unsigned>(random() % 10);
      const size_t bytes = size_t{1} + random() % (random() % 50 == 0 ? 3'000'000 : 20'000);
      if (what < 5 || blocks.empty()) {
        Block block{nullptr, bytes, arena.mark(), static_cast<unsigned char>(i)};
        ASSERT_EQ(block.mark, position);
        block.memory = static_cast<unsigned char*>(arena.push(bytes, 64));
        ASSERT_EQ(address(block.memory) % 64, 0u);
        position = (position + 63) / 64 * 64 + bytes;
        std::memset(block.memory, block.content, bytes);
        blocks.push_back(block);
      } else if (what < 7) {
        Block& last = blocks.back();
        last.memory = static_cast<unsigned char*>(arena.extend(last.memory, last.bytes, bytes));
        std::memset(last.memory + last.bytes, last.content, bytes);
        last.bytes += bytes;
        position += bytes;
      } else {
        const size_t kept = random() % 20 == 0 ? 0 : random() % blocks.size();
        arena.release(position = blocks[kept].mark);
        blocks.resize(kept);
      }
      highest = std::max(highest, position);
      ASSERT_EQ(arena.used(), position);
      ASSERT_EQ(arena.high_water(), highest);
      for (const Block& block : blocks) {
        ASSERT_EQ(block.memory[0], block.content) << "seed " << seed;
        ASSERT_EQ(block.memory[block.bytes - 1], block.content) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace torsor
