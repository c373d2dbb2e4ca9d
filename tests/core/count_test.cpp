// Counts do not wrap around.
#include "torsor/core/count.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace torsor {
namespace {

TEST(Count, SumsAndProductsAreThoseOfNumbersBelowTheCeiling) {
  EXPECT_EQ((Count(3) * Count(5) + Count(2)).value(), 17);
  EXPECT_EQ((Count(2) * Count(std::numeric_limits<int>::max()) + Count(2)).value(), 4294967296LL);
}

TEST(Count, SumsAndProductsStopAtTheCeiling) {
  const Count huge = std::numeric_limits<long long>::max();
  EXPECT_EQ(huge.value(), Count::kCeiling);
  EXPECT_EQ((huge + huge).value(), Count::kCeiling);
  EXPECT_EQ((huge * huge).value(), Count::kCeiling);
  EXPECT_EQ((Count(1LL << 31) * Count(1LL << 31) * Count(8)).value(), Count::kCeiling);
  EXPECT_EQ(Count(std::numeric_limits<unsigned long long>::max()).value(), Count::kCeiling);
}

TEST(Count, NothingTimesAnythingIsNothing) {
  EXPECT_EQ((Count(0) * Count(Count::kCeiling)).value(), 0);
  EXPECT_EQ((Count(Count::kCeiling) * Count(0)).value(), 0);
}

TEST(Count, ANegativeNumberOfThingsIsNone) {
  EXPECT_EQ(Count(-1).value(), 0);
  EXPECT_EQ(Count(std::numeric_limits<long long>::min()).value(), 0);
}

}  // namespace
}  // namespace torsor
