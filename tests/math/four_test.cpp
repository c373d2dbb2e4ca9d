// Four things of one world side by side: the same numbers as one after the other, and nothing beyond their rows.
#include "torsor/math/four_spatial.hpp"

#include <gtest/gtest.h>

namespace torsor {
namespace {

constexpr int kColumns = 10, kPitch = 13;  // rows with a gap between them
constexpr double kUntouched = -1;

// Row r, column c holds 100 r + c; rows are out of order in memory.
struct Rows {
  double numbers[4 * kPitch];
  static constexpr int kPlace[4] = {2, 0, 3, 1};

  double* row(int r) { return numbers + kPitch * kPlace[r]; }
  FourRows<const double> from() { return {{row(0), row(1), row(2), row(3)}}; }
  FourRows<double> to() { return {{row(0), row(1), row(2), row(3)}}; }
  explicit Rows(bool filled) {
    for (double& number : numbers) number = kUntouched;
    for (int r = 0; filled && r < 4; ++r)
      for (int c = 0; c < kColumns; ++c) row(r)[c] = 100 * r + c;
  }
};

void expect_column(const Four& numbers, int c) {
  for (int r = 0; r < 4; ++r) EXPECT_EQ(lane(numbers, r), 100 * r + c) << "row " << r << " column " << c;
}

void expect_written(Rows& rows, int columns) {
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < columns; ++c) EXPECT_EQ(rows.row(r)[c], 100 * r + c) << "row " << r << " column " << c;
  int untouched = 0;
  for (const double number : rows.numbers) untouched += number == kUntouched;
  EXPECT_EQ(untouched, 4 * (kPitch - columns));
}

TEST(Four, LoadsPutColumnsSideBySide) {
  Rows rows(true);
  const Vec3<Four> v = load3(rows.from());
  expect_column(v.x, 0), expect_column(v.y, 1), expect_column(v.z, 2);
  const Quat<Four> q = load4(rows.from());
  expect_column(q.w, 0), expect_column(q.x, 1), expect_column(q.y, 2), expect_column(q.z, 3);
  const Twist<Four> V = load6(rows.from());
  expect_column(V.w.x, 0), expect_column(V.w.z, 2), expect_column(V.v.x, 3), expect_column(V.v.z, 5);
  const Mat3<Four> R = load9(rows.from());
  for (int k = 0; k < 9; ++k) expect_column(R.m[k], k);
}

TEST(Four, StoresUndoLoadsAndLeaveTheRestAlone) {
  Rows from(true), mat(false), inertia(false), both(false);
  store9(mat.to(), load9(from.from()));
  expect_written(mat, 9);
  store10(inertia.to(), load10(from.from()));
  expect_written(inertia, 10);
  store_columns(both.to(), 0, load_column(from.from(), 0), load_column(from.from(), 1));
  expect_written(both, 2);
}

TEST(Four, InertiasAreReadInTheOrderOfOne) {
  Rows rows(true);
  const SpatialInertia<Four> four = load10(rows.from());
  for (int r = 0; r < 4; ++r) {
    const SpatialInertia<double> one = load10(static_cast<const double*>(rows.row(r)));
    EXPECT_EQ(lane(four.I.xy, r), one.I.xy);
    EXPECT_EQ(lane(four.I.yz, r), one.I.yz);
    EXPECT_EQ(lane(four.h.x, r), one.h.x);
    EXPECT_EQ(lane(four.m, r), one.m);
  }
}

TEST(Four, ThreeLanesComputeAsAVector) {
  const Lanes3 a(1, 2, 3), b(10, 20, 30);
  double result[4] = {0, 0, 0, kUntouched};
  store3(result, (a + b) * 2 - b);
  EXPECT_EQ(result[0], 12);
  EXPECT_EQ(result[1], 24);
  EXPECT_EQ(result[2], 36);
  EXPECT_EQ(result[3], kUntouched);
}

}  // namespace
}  // namespace torsor
