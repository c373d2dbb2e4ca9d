// sincos and atan2: as accurate as their number type allows, everywhere.
#include "torsor/math/trig.hpp"

#include <cmath>
#include <limits>

#include "tests/support/property.hpp"
#include "torsor/math/pack.hpp"

namespace torsor {
namespace {

template <class T>
class Trig : public testing::Test {};
using Types = testing::Types<double, float, NativePack<double>, NativePack<float>>;
TYPED_TEST_SUITE(Trig, Types);

// the distance from one number of type S to the next, at x
template <class S>
double ulp(long double x) {
  const S size = S(std::abs(x));
  return double(size) - double(std::nextafter(size, S(0))) + double(std::numeric_limits<S>::denorm_min());
}

template <class T>
void expect_accurate_sincos(const T& x) {
  const double max_ulps = 1.5;
  using S = ScalarOf<T>;
  T s, c;
  sincos(x, s, c);
  for (int i = 0; i < kLanes<T>; ++i) {
    const long double angle = lane(x, i), sine = std::sin(angle), cosine = std::cos(angle);
    EXPECT_LE(double(std::abs(lane(s, i) - sine)), max_ulps * ulp<S>(sine)) << "sin " << double(angle);
    EXPECT_LE(double(std::abs(lane(c, i) - cosine)), max_ulps * ulp<S>(cosine)) << "cos " << double(angle);
    EXPECT_LT(double(std::abs(lane(s, i) - sine)), std::numeric_limits<S>::epsilon());
  }
}

TYPED_TEST(Trig, SincosIsWithinOneAndAHalfUlpOfTheTruthInsideItsRange) {
  const double limit = kSincosLimit<TypeParam>;
  for_all(20'000, [&](Random& random) {
    TypeParam x = TypeParam(0);
    for (int i = 0; i < kLanes<TypeParam>; ++i) {
      const double angle = random.chance(0.5) ? random.uniform(-limit, limit) : random.magnitude(1e-12, limit);
      set_lane(x, i, ScalarOf<TypeParam>(angle));
    }
    expect_accurate_sincos(x);
  });
}

TYPED_TEST(Trig, SincosKeepsItsRelativeAccuracyNextToMultiplesOfAQuarterTurn) {
  using S = ScalarOf<TypeParam>;
  for (int k = -4000; k <= 4000; ++k) {
    const S nearest = S(k * M_PI / 2);
    expect_accurate_sincos(TypeParam(nearest));
    expect_accurate_sincos(TypeParam(std::nextafter(nearest, S(1e9))));
  }
}

TYPED_TEST(Trig, SincosIsAccurateBeyondItsRangeWithoutTouchingOtherLanes) {
  using S = ScalarOf<TypeParam>;
  for_all(2000, [](Random& random) {
    TypeParam x = TypeParam(0);
    for (int i = 0; i < kLanes<TypeParam>; ++i) {
      set_lane(x, i, S(random.chance(0.5) ? random.magnitude(1e5, 1e30) : random.uniform(-10, 10)));
    }
    expect_accurate_sincos(x);
  });
}

TYPED_TEST(Trig, SincosOfWhatIsNotFiniteIsNotANumber) {
  for (const double bad : {double(NAN), double(INFINITY), -double(INFINITY)}) {
    for (int i = 0; i < kLanes<TypeParam>; ++i) {
      TypeParam x = TypeParam(1), s, c;
      set_lane(x, i, ScalarOf<TypeParam>(bad));
      sincos(x, s, c);
      for (int j = 0; j < kLanes<TypeParam>; ++j) {
        EXPECT_EQ(std::isnan(lane(s, j)), i == j);
        EXPECT_EQ(std::isnan(lane(c, j)), i == j);
      }
    }
  }
}

TYPED_TEST(Trig, SincosOfZeroIsExact) {
  TypeParam s, c;
  sincos(TypeParam(0), s, c);
  EXPECT_TRUE(all(s == TypeParam(0)));
  EXPECT_TRUE(all(c == TypeParam(1)));
}

TYPED_TEST(Trig, Atan2IsWithinTwoUlpInEveryDirectionAndOfEverySize) {
  using S = ScalarOf<TypeParam>;
  const double largest = std::numeric_limits<S>::max(), smallest = std::numeric_limits<S>::min();
  for_all(20'000, [&](Random& random) {
    TypeParam x = TypeParam(0), y = x;
    for (int i = 0; i < kLanes<TypeParam>; ++i) {
      const double size = random.chance(0.7) ? 1 : std::abs(random.magnitude(smallest, largest));
      const double angle = random.uniform(-M_PI, M_PI);
      const bool on_ray = random.chance(0.2);  // near an axis or a diagonal, where one formula ends and the next begins
      const double ray = on_ray ? random.integer(-8, 8) * M_PI / 8 + random.magnitude(1e-18, 1e-2) : angle;
      set_lane(x, i, S(size * std::cos(ray)));
      set_lane(y, i, S(size * std::sin(ray)));
    }
    const TypeParam angle = atan2(y, x);
    for (int i = 0; i < kLanes<TypeParam>; ++i) {
      const long double truth = std::atan2((long double)lane(y, i), (long double)lane(x, i));
      EXPECT_LE(double(std::abs(lane(angle, i) - truth)), 2 * ulp<S>(truth)) << lane(y, i) << ", " << lane(x, i);
    }
  });
}

TYPED_TEST(Trig, Atan2OfZerosAxesAndInfinitiesIsTheLibrarys) {
  using S = ScalarOf<TypeParam>;
  const S infinity = std::numeric_limits<S>::infinity(), largest = std::numeric_limits<S>::max();
  const S tiny = std::numeric_limits<S>::denorm_min();
  const S values[] = {0, S(-0.0), 1, -1, infinity, -infinity, largest, -largest, tiny, -tiny};
  for (const S y : values) {
    for (const S x : values) {
      const S expected = S(std::atan2((long double)y, (long double)x));
      const S angle = lane(atan2(TypeParam(y), TypeParam(x)), 0);
      EXPECT_NEAR(angle, expected, 2 * ulp<S>(expected)) << y << ", " << x;
      EXPECT_EQ(std::signbit(angle), std::signbit(expected)) << y << ", " << x;
      EXPECT_EQ(angle == 0, expected == 0) << y << ", " << x;
    }
  }
}

TYPED_TEST(Trig, Atan2OfNaNIsNaN) {
  const TypeParam nan = TypeParam(NAN);
  for (const double other : {0.0, 1.0, -3.0, double(INFINITY), double(NAN)}) {
    EXPECT_TRUE(std::isnan(lane(atan2(nan, TypeParam(other)), 0))) << other;
    EXPECT_TRUE(std::isnan(lane(atan2(TypeParam(other), nan), 0))) << other;
  }
}

}  // namespace
}  // namespace torsor
