// Triangles that share edges cover every sample exactly once, in every instruction set.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "torsor/core/isa.hpp"
#include "torsor/render/screen.hpp"

namespace torsor::render {
namespace {

constexpr int kSide = 96;

Projection view(bool is_orthographic) {
  Projection view;
  view.p_WC = {0, 0, 0};
  view.R_WC = Mat3<double>::identity();
  view.is_orthographic = is_orthographic;
  view.left = view.bottom = -1, view.right = view.top = 1;
  view.near = 0.1, view.far = 100;
  return view;
}

// A wall of random triangles across the whole view, with points on pixel boundaries and elsewhere.
Surface make_wall(std::mt19937& random, int cells) {
  std::uniform_real_distribution<float> shift(-0.3f, 0.3f);
  std::bernoulli_distribution coin(0.5);
  Surface surface;
  for (int r = 0; r <= cells; ++r) {
    for (int c = 0; c <= cells; ++c) {
      const float step = 2.4f / static_cast<float>(cells);
      const bool is_inside = r > 0 && c > 0 && r < cells && c < cells && coin(random);
      surface.point.push_back({-1.2f + step * (static_cast<float>(c) + (is_inside ? shift(random) : 0)),
                               -1.2f + step * (static_cast<float>(r) + (is_inside ? shift(random) : 0)), 0});
      surface.normal.push_back({0, 0, 1});
    }
  }
  for (int r = 0; r < cells; ++r) {
    for (int c = 0; c < cells; ++c) {
      const int a = r * (cells + 1) + c, b = a + 1, d = a + cells + 1, e = d + 1;
      const bool is_other = coin(random);
      surface.corner.push_back(is_other ? std::array{a, b, d} : std::array{a, b, e});
      surface.corner.push_back(is_other ? std::array{b, e, d} : std::array{a, e, d});
    }
  }
  return surface;
}

std::vector<int> count_hits(const ScreenTriangles& triangles) {
  constexpr float kMiddle[1][2] = {{0, 0}};
  std::vector<int> hits(kSide * kSide, 0);
  for (int t = 0; t < static_cast<int>(triangles.triangle.size()); ++t) {
    std::vector<float> key(kSide * kSide, -1e30f);
    std::vector<int> id(kSide * kSide, -1);
    const Band band{0, kSide, kSide, kSide, 1, key.data(), id.data(), kMiddle, 1e30f};
    raster_kernels().cover(band, triangles.triangle.data(), &t, 1);
    for (size_t i = 0; i < hits.size(); ++i) hits[i] += id[i] == t;
  }
  return hits;
}

TEST(Raster, EverySampleOfAWallBelongsToExactlyOneTriangle) {
  const Isa before = current_isa();
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    std::mt19937 random(7);
    for (const bool is_orthographic : {false, true}) {
      for (int trial = 0; trial < 20; ++trial) {
        Instance wall{.shape = GeomType::kMesh, .object = ObjectType::kGeom, .id = 0};
        wall.p_WS = {0, 0, -1};
        wall.R_WS = Mat3<double>::identity();
        ScreenTriangles triangles;
        triangles.clear();
        triangles.add(wall, make_wall(random, 3 + trial), Screen(view(is_orthographic), kSide, kSide), false);
        for (const int hits : count_hits(triangles)) ASSERT_EQ(hits, 1) << isa_name(isa) << ", trial " << trial;
      }
    }
  }
  use_isa(isa_name(before));
}

TEST(Raster, ATriangleThatReachesBehindTheCameraIsCutAtTheNearPlane) {
  Surface floor;  // one metre below the camera, from far ahead to far behind it
  for (const auto& [x, y] : {std::array{-50.0f, -50.0f}, {50.0f, -50.0f}, {0.0f, 80.0f}}) {
    floor.point.push_back({x, y, 0});
    floor.normal.push_back({0, 0, 1});
  }
  floor.corner = {{0, 1, 2}};
  Instance instance{.shape = GeomType::kMesh, .object = ObjectType::kGeom, .id = 0};
  instance.p_WS = {0, -1, 0};
  instance.R_WS = mat_from_cols(Vec3<double>{1, 0, 0}, Vec3<double>{0, 0, -1}, Vec3<double>{0, 1, 0});
  ScreenTriangles triangles;
  triangles.clear();
  const Screen screen(view(false), kSide, kSide);
  triangles.add(instance, floor, screen, false);
  ASSERT_EQ(triangles.triangle.size(), 1u);
  const std::vector<int> hits = count_hits(triangles);
  for (int y = 0; y < kSide; ++y) {
    const bool is_floor = y > kSide / 2;  // below the horizon; the middle column sees it up to 80 m
    EXPECT_EQ(hits[static_cast<size_t>(y * kSide + kSide / 2)], is_floor ? 1 : 0) << y;
    const double slope = (y + 0.5 - kSide / 2.0) / (kSide / 2.0), depth = 1 / slope;
    if (!is_floor) continue;
    const Triangle& t = triangles.triangle[0];
    const float key = t.key_x * (kSide / 2 + 0.5f) + t.key_y * (static_cast<float>(y) + 0.5f) + t.key_0;
    EXPECT_NEAR(screen.depth(key), depth, 1e-4 * depth);
  }
}

}  // namespace
}  // namespace torsor::render
