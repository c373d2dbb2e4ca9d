// Height fields: normalising, order of rows, bounds, refusals.
#include "torsor/geometry/hfield.hpp"

#include <cmath>

#include "mesh_support.hpp"

namespace torsor {
namespace {

constexpr HfieldSize kSize{1, 2, 3, 0.5};

TEST(Hfield, ElevationsBecomeZeroToOne) {
  ElevationGrid grid{2, 3, {1, 2, 3, 4, 5, 7}};
  prepare_hfield(grid, kSize, "h");
  const std::vector<float> expected{0, 1.f / 6, 2.f / 6, 0.5f, 4.f / 6, 1};
  for (int i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(grid.elevations[i], expected[i]);
}

TEST(Hfield, AFlatOrUnwrittenFieldIsZero) {
  ElevationGrid flat{2, 2, {-3, -3, -3, -3}}, unwritten{2, 2, {}};
  prepare_hfield(flat, kSize, "h");
  prepare_hfield(unwritten, kSize, "h");
  EXPECT_EQ(flat.elevations, std::vector<float>(4, 0));
  EXPECT_EQ(unwritten.elevations, std::vector<float>(4, 0));
}

TEST(Hfield, FlippingRowsTwiceChangesNothing) {
  const ElevationGrid written{3, 2, {1, 2, 3, 4, 5, 6}};
  ElevationGrid grid = written;
  flip_rows(grid.rows, grid.columns, grid.elevations);
  EXPECT_EQ(grid.elevations, (std::vector<float>{5, 6, 3, 4, 1, 2}));
  flip_rows(grid.rows, grid.columns, grid.elevations);
  EXPECT_EQ(grid.elevations, written.elevations);
}

TEST(Hfield, BoundsReachFromTheBaseToElevationOne) {
  const Aabb box = bounding_box(kSize);
  expect_near(box.center - box.half, {-1, -2, -0.5}, 1e-15);
  expect_near(box.center + box.half, {1, 2, 3}, 1e-15);
  EXPECT_NEAR(bounding_radius(kSize), std::sqrt(1 + 4 + 9), 1e-15);
  expect_near(hfield_extent(kSize), {1, 2, 1}, 1e-15);
}

TEST(Hfield, WrongGridsAndSizesAreRefusedByName) {
  const std::tuple<ElevationGrid, HfieldSize, const char*> refused[] = {
      {{2, 2, {}}, {1, 1, 1, 0}, "positive"},
      {{2, 2, {}}, {-1, 1, 1, 1}, "positive"},
      {{2, 2, {}}, {1, NAN, 1, 1}, "positive"},
      {{0, 2, {}}, kSize, "nrow and ncol"},
      {{2, -2, {}}, kSize, "nrow and ncol"},
      {{100'000, 100'000, {}}, kSize, "too many"},
      {{2, 2, {1, 2, 3}}, kSize, "there are 3 elevations"},
      {{1, 2, {1, 2}}, kSize, "at least two rows"},
      {{2, 2, {1, NAN, 1, 1}}, kSize, "elevation 1 is not finite"},
  };
  for (auto [grid, size, part] : refused) {
    const std::string message = error_of([&] { prepare_hfield(grid, size, "hill"); });
    expect_contains(message, "hfield 'hill'");
    expect_contains(message, part);
  }
}

}  // namespace
}  // namespace torsor
