// Placing a list of fields in one buffer.
#include "torsor/core/layout.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace torsor {
namespace {

// A list with elements of every size that models have, and row counts that leave every alignment off by something.
struct List {
  explicit List(int count) : rows(count) {}

  int rows;
  Field<double> numbers;
  Field<char> text;
  Field<int> ids;
  Field<uint8_t> flags;
  Field<float> colors;
  Field<double> empty;
  Field<double> last;

  template <class F>
  void for_each_field(F&& f) {
    const auto info = [](const char* name, int height, int width) {
      return FieldInfo{name, height, width, Stage::kModel, Access::kFree, "", ""};
    };
    f(info("numbers", rows, 3), numbers);
    f(info("text", rows, 1), text);
    f(info("ids", rows, 1), ids);
    f(info("flags", rows, 7), flags);
    f(info("colors", rows, 4), colors);
    f(info("empty", 0, 5), empty);
    f(info("last", rows, 1), last);
  }
};

struct Extent {
  std::string name;
  uintptr_t begin, end;
  size_t element;
};

std::vector<Extent> extents_of(List& list) {
  std::vector<Extent> extents;
  list.for_each_field([&](const FieldInfo& info, auto& field) {
    const auto begin = reinterpret_cast<uintptr_t>(field.data());
    const size_t element = sizeof(field[0]);
    extents.push_back({info.name, begin, begin + element * static_cast<size_t>(field.size()), element});
  });
  return extents;
}

TEST(PlaceFields, EveryFieldHasTheLengthOfItsRow) {
  List list(5);
  const Buffer buffer = place_fields(list);
  EXPECT_EQ(list.numbers.size(), 15);
  EXPECT_EQ(list.text.size(), 5);
  EXPECT_EQ(list.flags.size(), 35);
  EXPECT_EQ(list.empty.size(), 0);
}

TEST(PlaceFields, FieldsLieInTheBufferAndDoNotOverlap) {
  for (int rows = 0; rows < 100; ++rows) {
    List list(rows);
    const Buffer buffer = place_fields(list);
    const auto base = reinterpret_cast<uintptr_t>(buffer.data());
    uintptr_t free_from = base;
    for (const Extent& extent : extents_of(list)) {
      EXPECT_GE(extent.begin, free_from) << extent.name << " with " << rows << " rows";
      EXPECT_LE(extent.end, base + buffer.size()) << extent.name << " with " << rows << " rows";
      free_from = extent.end;
    }
  }
}

TEST(PlaceFields, FieldsAreAlignedForTheirElementAndLargeOnesForVectors) {
  for (int rows = 1; rows < 100; ++rows) {
    List list(rows);
    const Buffer buffer = place_fields(list);
    for (const Extent& extent : extents_of(list)) {
      EXPECT_EQ(extent.begin % extent.element, 0u) << extent.name << " with " << rows << " rows";
      if (extent.end - extent.begin >= 64) {
        EXPECT_EQ(extent.begin % 32, 0u) << extent.name << " with " << rows << " rows";
      }
    }
  }
}

TEST(PlaceFields, TheBufferIsZeroed) {
  List list(17);
  const Buffer buffer = place_fields(list);
  for (size_t i = 0; i < buffer.size(); ++i) ASSERT_EQ(buffer.data()[i], std::byte{0}) << "byte " << i;
}

TEST(PlaceFields, AnEmptyListTakesNoMemory) {
  List list(0);
  EXPECT_EQ(place_fields(list).size(), 0u);
}

TEST(Buffer, MovingTakesTheBlockAlong) {
  Buffer first(100);
  const std::byte* block = first.data();
  Buffer second(std::move(first));
  EXPECT_EQ(second.data(), block);
  EXPECT_EQ(second.size(), 100u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % Buffer::kAlignment, 0u);
}

}  // namespace
}  // namespace torsor
