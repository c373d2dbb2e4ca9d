// Numbers and packs: elementary functions agree with the C library, lane by lane.
#include "torsor/math/pack.hpp"

#include <cmath>
#include <limits>

#include "tests/support/property.hpp"

namespace torsor {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const double kSpecial[] = {0.0,         -0.0,         1.0,   -1.0,   0.5,     -0.5,    1.5,   2.5,
                           -2.5,        kInf,         -kInf, 1e-310, -1e-310, 1.7e308, 3e15,  4e15,
                           0x1p51 + .5, -0x1p51 - .5, 1e15,  4.5e15, 1e16,    -1e16,   1e300, 0.49999999999999994};

template <class S>
bool same_bits(S a, S b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T>
class Elementary : public testing::Test {};
using Widths = testing::Types<Pack<double, 2>, NativePack<double>, Pack<float, 4>, NativePack<float>, double, float>;
TYPED_TEST_SUITE(Elementary, Widths);

// numbers in every lane, special ones often
template <class T>
T random_lanes(Random& random) {
  T x = T(0);
  for (int i = 0; i < kLanes<T>; ++i) {
    const bool special = random.chance(0.3);
    const double value = special ? kSpecial[random.integer(0, std::size(kSpecial) - 1)] : random.magnitude(1e-6, 1e17);
    set_lane(x, i, ScalarOf<T>(value));
  }
  return x;
}

// op(packs) is op(numbers) in every lane, bit for bit
template <class T, class Op>
void expect_lanewise(Op op) {
  for_all(2000, [&](Random& random) {
    const T a = random_lanes<T>(random), b = random_lanes<T>(random), result = op(a, b);
    for (int i = 0; i < kLanes<T>; ++i) {
      const auto expected = op(lane(a, i), lane(b, i));
      EXPECT_TRUE(same_bits(lane(result, i), expected))
          << lane(result, i) << " is not " << expected << " for " << lane(a, i) << ", " << lane(b, i);
    }
  });
}

// op(x) is library(x) in every lane, bit for bit
template <class T, class Op, class Library>
void expect_as_library(Op op, Library library) {
  for_all(2000, [&](Random& random) {
    const T a = random_lanes<T>(random), b = random_lanes<T>(random), result = op(a, b);
    for (int i = 0; i < kLanes<T>; ++i) {
      const ScalarOf<T> expected = library(lane(a, i), lane(b, i));
      EXPECT_TRUE(same_bits(lane(result, i), expected))
          << lane(result, i) << " is not " << expected << " for " << lane(a, i) << ", " << lane(b, i);
    }
  });
}

TYPED_TEST(Elementary, SquareRootIsCorrectlyRounded) {
  expect_as_library<TypeParam>([](auto a, auto) { return sqrt(a); }, [](auto a, auto) { return std::sqrt(a); });
}

TYPED_TEST(Elementary, SignFunctionsTouchOnlyTheSign) {
  expect_as_library<TypeParam>([](auto a, auto) { return abs(a); }, [](auto a, auto) { return std::abs(a); });
  expect_as_library<TypeParam>([](auto a, auto b) { return copysign(a, b); },
                               [](auto a, auto b) { return std::copysign(a, b); });
}

TYPED_TEST(Elementary, MinAndMaxReturnTheSecondArgumentForNaN) {
  expect_as_library<TypeParam>([](auto a, auto b) { return min(a, b); }, [](auto a, auto b) { return a < b ? a : b; });
  expect_as_library<TypeParam>([](auto a, auto b) { return max(a, b); }, [](auto a, auto b) { return a > b ? a : b; });
  const TypeParam nan = TypeParam(kNaN);
  EXPECT_TRUE(all(min(nan, TypeParam(1)) == TypeParam(1)));
  EXPECT_TRUE(all(max(nan, TypeParam(1)) == TypeParam(1)));
}

TYPED_TEST(Elementary, RoundingAgreesWithTheLibraryForEveryMagnitude) {
  const auto unsigned_zero = [](auto x) { return x + decltype(x)(0); };
  expect_as_library<TypeParam>([&](auto a, auto) { return unsigned_zero(round_nearest(a)); },
                               [&](auto a, auto) { return unsigned_zero(std::nearbyint(a)); });
  expect_as_library<TypeParam>([&](auto a, auto) { return unsigned_zero(floor(a)); },
                               [&](auto a, auto) { return unsigned_zero(std::floor(a)); });
}

TYPED_TEST(Elementary, FusedMultiplyAddIsAsGoodAsTwoRoundings) {
  for_all(1000, [](Random& random) {
    TypeParam a = TypeParam(0), b = a, c = a;
    for (int i = 0; i < kLanes<TypeParam>; ++i) {
      set_lane(a, i, random.uniform(-1, 1)), set_lane(b, i, random.uniform(-1, 1)),
          set_lane(c, i, random.uniform(-1, 1));
    }
    const TypeParam result = fma(a, b, c);
    const double epsilon = std::numeric_limits<ScalarOf<TypeParam>>::epsilon();
    for (int i = 0; i < kLanes<TypeParam>; ++i) {
      EXPECT_NEAR(lane(result, i), std::fma(double(lane(a, i)), double(lane(b, i)), double(lane(c, i))), epsilon);
    }
  });
}

TYPED_TEST(Elementary, BadMeansNaNInfiniteOrBeyondTheLimit) {
  EXPECT_TRUE(all(is_bad(TypeParam(kNaN), 1e10)));
  EXPECT_TRUE(all(is_bad(TypeParam(-kInf), 1e10)));
  EXPECT_TRUE(all(is_bad(TypeParam(-2e10), 1e10)));
  EXPECT_FALSE(any(is_bad(TypeParam(1e10), 1e10)));
  EXPECT_FALSE(any(is_bad(TypeParam(0), 1e10)));
}

template <class P>
class Packs : public testing::Test {};
using PackWidths = testing::Types<Pack<double, 2>, NativePack<double>, Pack<float, 4>, NativePack<float>>;
TYPED_TEST_SUITE(Packs, PackWidths);

TYPED_TEST(Packs, ArithmeticActsOnEachLaneAlone) {
  expect_lanewise<TypeParam>([](auto a, auto b) { return a + b; });
  expect_lanewise<TypeParam>([](auto a, auto b) { return a - b; });
  expect_lanewise<TypeParam>([](auto a, auto b) { return a * b; });
  expect_lanewise<TypeParam>([](auto a, auto b) { return a / b; });
  expect_lanewise<TypeParam>([](auto a, auto) { return -a; });
  expect_lanewise<TypeParam>([](auto a, auto b) { return a += b, a -= b, a *= b, a /= b; });
}

TYPED_TEST(Packs, NumbersMixWithPacks) {
  using S = ScalarOf<TypeParam>;
  expect_lanewise<TypeParam>([](auto a, auto) { return S(2) * a + S(1) - a / S(3); });
  expect_lanewise<TypeParam>([](auto a, auto) { return decltype(a)(2 * a + 1); });
  expect_lanewise<TypeParam>([](auto a, auto b) { return select(a < b, a, S(7)) + min(a, S(3)) + max(b, S(-3)); });
}

TYPED_TEST(Packs, ComparisonsSelectLaneByLane) {
  using S = ScalarOf<TypeParam>;
  const auto number = [](auto mask, auto like) { return select(mask, like * S(0) + S(1), S(0)); };
  expect_lanewise<TypeParam>([&](auto a, auto b) { return number(a < b, a); });
  expect_lanewise<TypeParam>([&](auto a, auto b) { return number(a <= b, a); });
  expect_lanewise<TypeParam>([&](auto a, auto b) { return number(a > b, a); });
  expect_lanewise<TypeParam>([&](auto a, auto b) { return number(a >= b, a); });
  expect_lanewise<TypeParam>([&](auto a, auto b) { return number(a == b, a); });
  expect_lanewise<TypeParam>([&](auto a, auto b) { return number(a != b, a); });
  expect_lanewise<TypeParam>([&](auto a, auto b) { return number((b > S(1)) | !((a < b) & (a < S(0))), a); });
}

TYPED_TEST(Packs, AnySeesOneLaneAndAllMissesNone) {
  for (int i = 0; i < kLanes<TypeParam>; ++i) {
    TypeParam x = TypeParam(0);
    set_lane(x, i, 1);
    EXPECT_TRUE(any(x > TypeParam(0)));
    EXPECT_FALSE(all(x == TypeParam(0)));
    EXPECT_FALSE(all(x > TypeParam(0)));
  }
  EXPECT_FALSE(any(TypeParam(0) > TypeParam(0)));
  EXPECT_TRUE(all(TypeParam(0) == TypeParam(0)));
  EXPECT_TRUE(all(MaskOf<TypeParam>(true)));
  EXPECT_FALSE(any(MaskOf<TypeParam>(false)));
}

TYPED_TEST(Packs, BitsAreLanes) {
  for (int i = 0; i < kLanes<TypeParam>; ++i) {
    TypeParam x = TypeParam(0);
    set_lane(x, i, 1);
    EXPECT_EQ(bits(x > TypeParam(0)), 1u << i);
    EXPECT_EQ(bits(x == TypeParam(0)), (1u << kLanes<TypeParam>)-1 - (1u << i));
  }
}

TYPED_TEST(Packs, LoadAndStoreKeepTheOrderAtAnyAddress) {
  using S = ScalarOf<TypeParam>;
  constexpr int kCount = kLanes<TypeParam>;
  S in[kCount + 1], out[kCount + 1] = {};
  for (int i = 0; i <= kCount; ++i) in[i] = S(i + 1);
  for (int offset = 0; offset < 2; ++offset) {
    const TypeParam x = TypeParam::load(in + offset);
    x.store(out + offset);
    for (int i = 0; i < kCount; ++i) {
      EXPECT_EQ(lane(x, i), S(i + 1 + offset));
      EXPECT_EQ(out[i + offset], in[i + offset]);
    }
  }
}

TYPED_TEST(Packs, HorizontalSumAddsEveryLane) {
  TypeParam x = TypeParam(0);
  for (int i = 0; i < kLanes<TypeParam>; ++i) set_lane(x, i, 1 << i);
  EXPECT_EQ(horizontal_sum(x), (1 << kLanes<TypeParam>)-1);
}

TYPED_TEST(Packs, OneTruthValueSelectsAllLanes) {
  EXPECT_TRUE(all(select(true, TypeParam(1), TypeParam(2)) == TypeParam(1)));
  EXPECT_TRUE(all(select(false, TypeParam(1), TypeParam(2)) == TypeParam(2)));
}

}  // namespace
}  // namespace torsor
