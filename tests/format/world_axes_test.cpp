// Worlds with other axes: gravity follows the up axis, and a model turned as a whole moves as it did.
#include "torsor/format/world_axes.hpp"

#include <gtest/gtest.h>

#include "torsor/convention/rows.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/mjcf/mjcf.hpp"

namespace torsor {
namespace {

using rows::words::kUnity;
using rows::words::kYUp;

TEST(WorldAxes, GravityFollowsTheUpAxisOfASpec) {
  Spec spec;
  set_up_axis(spec, kYUp);
  EXPECT_EQ(spec.option.gravity[0], 0);
  EXPECT_EQ(spec.option.gravity[1], -9.81);
  EXPECT_EQ(spec.option.gravity[2], 0);
  set_up_axis(spec, Axes{{3, 2, -1}});  // x up
  EXPECT_EQ(spec.option.gravity[0], -9.81);
  EXPECT_EQ(spec.option.gravity[1], 0);
  set_up_axis(spec, rows::words::kDown);
  EXPECT_EQ(spec.option.gravity[2], 9.81);
}

TEST(WorldAxes, MirroredAxesTurnTheWindingOfTriangles) {
  std::vector<float> vertices{1, 2, 3};
  std::vector<int> triangles{0, 1, 2};
  convert_vertices(kOurAxes, kUnity, vertices);
  convert_winding(kOurAxes, kUnity, triangles);
  EXPECT_EQ(vertices, (std::vector<float>{-2, 3, 1}));
  EXPECT_EQ(triangles, (std::vector<int>{0, 2, 1}));
  convert_vertices(kUnity, kYUp, vertices);
  EXPECT_EQ(vertices, (std::vector<float>{1, 3, -2}));
}

TEST(WorldAxes, ATetrahedronKeepsItsVolumeAndItsOutside) {
  const std::vector<float> vertices{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::vector<int> triangles{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const auto volume = [](const std::vector<float>& v, const std::vector<int>& t) {
    double sum = 0;
    for (size_t i = 0; i < t.size(); i += 3) {
      const auto at = [&](size_t k) { return Vec3<double>{v[3 * t[i + k]], v[3 * t[i + k] + 1], v[3 * t[i + k] + 2]}; };
      sum += dot(at(0), cross(at(1), at(2))) / 6;
    }
    return sum;
  };
  for (const Axes& axes : {kYUp, kUnity, rows::words::kUnreal, rows::words::kGltf, rows::words::kDown}) {
    std::vector<float> v = vertices;
    std::vector<int> t = triangles;
    convert_vertices(kOurAxes, axes, v);
    convert_winding(kOurAxes, axes, t);
    // the same sum in mirrored axes has the other sign for the same outside, which the turned winding restores
    EXPECT_NEAR(volume(v, t), 1.0 / 6, 1e-12);
  }
}

TEST(WorldAxes, LeftHandedWorldsAreRefused) {
  Spec spec;
  EXPECT_THROW(turn_world(spec, kOurAxes, kUnity), Error);
}

}  // namespace
}  // namespace torsor
