// Allocators of the program: buffers come from them, go back where they came from, and failures are exceptions.
#include "torsor/core/allocator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "torsor/core/buffer.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

int taken = 0, given_back = 0;
size_t bytes_given_back = 0;

void* take(size_t bytes, size_t alignment) {
  ++taken;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void give_back(void* memory, size_t bytes, size_t) {
  ++given_back;
  bytes_given_back += bytes;
  std::free(memory);
}
void* refuse(size_t, size_t) { return nullptr; }

class AllocatorTest : public testing::Test {
 protected:
  void SetUp() override { taken = given_back = 0, bytes_given_back = 0; }
  void TearDown() override { set_allocator(); }
};

TEST_F(AllocatorTest, BuffersComeFromTheOneThatWasSet) {
  set_allocator({take, give_back});
  {
    const Buffer buffer(100);
    EXPECT_EQ(taken, 1);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % Buffer::kAlignment, 0u);
    for (size_t i = 0; i < 100; ++i) EXPECT_EQ(buffer.data()[i], std::byte{0});
  }
  EXPECT_EQ(given_back, 1);
  EXPECT_EQ(bytes_given_back, 100u);
}

TEST_F(AllocatorTest, MemoryGoesBackToWhereItCameFrom) {
  Buffer of_heap(64);
  set_allocator({take, give_back});
  Buffer of_ours(64);
  std::swap(of_heap, of_ours);
  set_allocator();
  of_heap = Buffer();
  of_ours = Buffer();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(given_back, 1);
}

TEST_F(AllocatorTest, NothingIsTakenForAnEmptyBuffer) {
  set_allocator({take, give_back});
  { const Buffer buffer(0); }
  EXPECT_EQ(taken, 0);
  EXPECT_EQ(given_back, 0);
}

TEST_F(AllocatorTest, WithoutMemoryTheExceptionIsBadAlloc) {
  set_allocator({refuse, give_back});
  EXPECT_THROW(Buffer(10), std::bad_alloc);
  EXPECT_EQ(given_back, 0);
}

TEST_F(AllocatorTest, OneFunctionWithoutTheOtherIsRefused) {
  EXPECT_THROW(set_allocator({take, nullptr}), Error);
  EXPECT_THROW(set_allocator({nullptr, give_back}), Error);
  const Buffer buffer(10);
  EXPECT_EQ(taken, 0);
}

}  // namespace
}  // namespace torsor
