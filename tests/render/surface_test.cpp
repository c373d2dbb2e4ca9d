// Surfaces are closed and face outwards.
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "torsor/load/load.hpp"
#include "torsor/render/surface.hpp"

namespace torsor::render {
namespace {

using Place = std::array<long, 4>;  // of a point, to a millionth; the end of a capsule makes two points of one place

Place place_of(const Surface& surface, int corner) {
  const auto i = static_cast<size_t>(corner);
  const Vec3f& p = surface.point[i];
  const float end = surface.end.empty() ? 0 : surface.end[i];
  return {std::lround(p.x * 1e6f), std::lround(p.y * 1e6f), std::lround(p.z * 1e6f), std::lround(end)};
}

// Each edge between two different places is passed once in each direction.
void expect_closed(const Surface& surface) {
  std::map<std::pair<Place, Place>, int> passed;
  for (const auto& corner : surface.corner) {
    for (size_t k = 0; k < 3; ++k) {
      const Place from = place_of(surface, corner[k]), to = place_of(surface, corner[(k + 1) % 3]);
      if (from != to) ++passed[{from, to}];
    }
  }
  for (const auto& [edge, count] : passed) {
    const auto back = passed.find({edge.second, edge.first});
    EXPECT_TRUE(back != passed.end() && back->second == count);
  }
}

void expect_outward(const Surface& surface) {
  for (const auto& corner : surface.corner) {
    const auto at = [&](size_t k) { return surface.point[static_cast<size_t>(corner[k])]; };
    const Vec3f face = cross(at(1) - at(0), at(2) - at(0));
    if (norm(face) < 1e-7f) continue;  // at a pole
    for (size_t k = 0; k < 3; ++k) EXPECT_GT(dot(face, surface.normal[static_cast<size_t>(corner[k])]), 0);
  }
}

TEST(Surface, UnitShapesAreClosedAndFaceOutwards) {
  for (const int slices : {8, 12, 33}) {
    for (const Surface& surface :
         {make_sphere(slices), make_capsule(slices), make_cylinder(slices), make_cone(slices)}) {
      expect_closed(surface);
      expect_outward(surface);
    }
  }
  expect_closed(make_box());
  expect_outward(make_box());
  expect_outward(make_square());
}

TEST(Surface, NormalsHaveUnitLengthAndPointsTextureCoordinates) {
  for (const Surface& surface : {make_sphere(20), make_capsule(20), make_cylinder(20), make_cone(20), make_box()}) {
    for (const Vec3f& normal : surface.normal) EXPECT_NEAR(norm(normal), 1, 1e-5);
    EXPECT_EQ(surface.uv.size(), surface.point.size());
    EXPECT_EQ(surface.end.size(), surface.point.size());
  }
}

TEST(Surface, AHeightFieldHasItsElevationsAndFacesOutwards) {
  const Model model = load_string(R"(<mujoco>
    <asset><hfield name="h" nrow="3" ncol="4" size="2 1 .5 .1" elevation="0 0 1 0  0 .5 0 0  0 0 0 .2"/></asset>
    <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>)");
  const Surface surface = make_height_field(model, 0);
  expect_outward(surface);
  float top = 0;
  for (const Vec3f& point : surface.point) top = std::max(top, point.z);
  EXPECT_FLOAT_EQ(top, 0.5f);
  EXPECT_FLOAT_EQ(surface.point[2].x, -2 + 2 * 4.0f / 3);
}

}  // namespace
}  // namespace torsor::render
