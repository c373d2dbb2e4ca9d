// What shapes weigh does not depend on whose words describe them; cones against integrals over their discs.
#include "torsor/bridge/shape_mass.hpp"

#include <gtest/gtest.h>

#include "../convention/shapes_support.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

PlacedShape read(const std::string& system, ShapeKind kind, const ShapeParameters& parameters) {
  return read_shape(find_shape_row(system, kind), parameters);
}

// R I R'
Sym3<double> turned(const Quat<double>& q, const Sym3<double>& inertia) {
  const Mat3<double> R = to_mat(q), I = R * to_mat(inertia) * transpose(R);
  return {I.m[0], I.m[4], I.m[8], I.m[1], I.m[2], I.m[5]};
}

TEST(ShapeMass, AConversionKeepsVolumeCentreAndInertia) {
  for_all(20, [](Random& random) {
    for (const ShapeKind kind : kAllKinds) {
      if (kind == ShapeKind::kPlane || kind == ShapeKind::kMesh) continue;
      for (const std::string& source : owners(kind)) {
        for (const std::string& target : owners(kind)) {
          const ShapeParameters start =
              write_shape(find_shape_row(source, kind), random_shape(random, kind), random_axis(random)).parameters;
          const ConvertedShape converted = convert_shape(kind, start, source, target, random_axis(random));
          const ShapeMass a = shape_mass(read(source, kind, start)),
                          b = shape_mass(read(target, kind, converted.parameters));
          EXPECT_NEAR_REL(a.volume, b.volume, 1e-14);
          EXPECT_NEAR_REL(a.p_SoScm_S, apply(converted.X_ST, b.p_SoScm_S), 1e-14);
          EXPECT_NEAR_REL(a.I_SScm_S, turned(converted.X_ST.q, b.I_SScm_S), 1e-14);
        }
      }
    }
  });
}

// A disc of radius r at height z has the area pi r^2, a quarter of that times r^2 about a diameter, half about the
// axis.
TEST(ShapeMass, AConeIsTheSumOfItsDiscs) {
  const double radius = 0.3, half = 0.7;
  constexpr int kDiscs = 200'000;
  double volume = 0, first = 0, along = 0, across = 0;  // about the origin
  for (int i = 0; i < kDiscs; ++i) {
    const double z = -half + 2 * half * (i + 0.5) / kDiscs, r = radius * (half - z) / (2 * half);
    const double slice = M_PI * r * r * 2 * half / kDiscs;
    volume += slice;
    first += slice * z;
    along += slice * r * r / 2;
    across += slice * (r * r / 4 + z * z);
  }
  const double com = first / volume;
  const ShapeMass cone = shape_mass(read("newton", ShapeKind::kCone, {{"radius", radius}, {"half_height", half}}));
  EXPECT_NEAR_REL(cone.volume, volume, 1e-9);
  EXPECT_NEAR(com, -half / 2, 1e-9);
  EXPECT_NEAR_REL(cone.p_SoScm_S, (Vec3<double>{0, 0, -half / 2}), 1e-15);
  EXPECT_NEAR_REL(cone.I_SScm_S.zz, along, 1e-9);
  EXPECT_NEAR_REL(cone.I_SScm_S.xx, across - volume * com * com, 1e-9);
  EXPECT_NEAR_REL(cone.I_SScm_S.yy, across - volume * com * com, 1e-9);
}

// USD's along x: the centre is half of the half height towards the base, at -x
TEST(ShapeMass, TheCentreOfAConeFollowsItsAxis) {
  const ShapeMass cone =
      shape_mass(read("usd.geom", ShapeKind::kCone, {{"radius", 0.3}, {"height", 1.4}, {"axis", std::string("X")}}));
  EXPECT_NEAR_REL(cone.p_SoScm_S, (Vec3<double>{-0.35, 0, 0}), 1e-15);
  const double mass = M_PI * 0.09 * 1.4 / 3;
  EXPECT_NEAR_REL(cone.I_SScm_S.xx, mass * 0.3 * 0.09, 1e-15);                     // 3/10 m r^2 about the axis
  EXPECT_NEAR_REL(cone.I_SScm_S.yy, mass * (0.15 * 0.09 + 0.0375 * 1.96), 1e-15);  // 3/20 m r^2 + 3/80 m H^2
}

TEST(ShapeMass, PlanesAndMeshesAreRefused) {
  EXPECT_THROW(shape_mass(read("drake", ShapeKind::kPlane, {})), Error);
  EXPECT_THROW(shape_mass(read("drake", ShapeKind::kMesh, {})), Error);
}

}  // namespace
}  // namespace torsor
