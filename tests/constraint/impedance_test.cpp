// The impedance of a row: its range, its slope, its corners.
#include "torsor/constraint/impedance.hpp"

#include <gtest/gtest.h>

namespace torsor {
namespace {

TEST(Impedance, RisesFromItsLeastToItsMostOverTheWidth) {
  const double solimp[5] = {0.3, 0.9, 0.2, 0.4, 3};
  EXPECT_DOUBLE_EQ(impedance_at(solimp, 0).value, 0.3);
  EXPECT_DOUBLE_EQ(impedance_at(solimp, 0.2).value, 0.9);
  EXPECT_DOUBLE_EQ(impedance_at(solimp, -7).value, 0.9);
  EXPECT_DOUBLE_EQ(impedance_at(solimp, 0.2 * 0.4).value, 0.3 + 0.4 * 0.6);  // the middle maps to itself
  double last = 0.3;
  for (double x = 0.001; x < 0.2; x += 0.001) {
    const double value = impedance_at(solimp, x).value;
    EXPECT_GT(value, last);
    EXPECT_EQ(value, impedance_at(solimp, -x).value);
    last = value;
  }
}

TEST(Impedance, TheSlopeIsTheDerivative) {
  constexpr double kStep = 1e-7;
  for (const double power : {1., 1.5, 2., 5.}) {
    const double solimp[5] = {0.2, 0.95, 0.5, 0.6, power};
    for (const double x : {-0.45, -0.2, 0.01, 0.1, 0.29, 0.31, 0.49}) {
      const double difference =
          (impedance_at(solimp, x + kStep).value - impedance_at(solimp, x - kStep).value) / (2 * kStep);
      EXPECT_NEAR(impedance_at(solimp, x).slope, difference, 1e-6) << "power " << power << " at " << x;
    }
  }
}

TEST(Impedance, NeverReachesZeroOrOne) {
  const double solimp[5] = {0, 1, 0.1, 0.5, 2};
  EXPECT_DOUBLE_EQ(impedance_at(solimp, 0).value, 0.0001);
  EXPECT_DOUBLE_EQ(impedance_at(solimp, 1).value, 0.9999);
  const double flat[5] = {0.5, 0.7, 0, 0.5, 2};
  EXPECT_DOUBLE_EQ(impedance_at(flat, 0.3).value, 0.6);
}

}  // namespace
}  // namespace torsor
