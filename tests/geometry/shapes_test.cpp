// Shapes against integrals of their profiles, against scaling laws, and against numbers of MuJoCo 3.12.
#include "torsor/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "../support/property.hpp"

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

// Gauss-Legendre with two points in each of many strips.
double integral(double from, double to, const std::function<double(double)>& f) {
  constexpr int kStrips = 4000;
  const double width = (to - from) / kStrips, offset = width / 2 / std::sqrt(3.0);
  double sum = 0;
  for (int i = 0; i < kStrips; ++i) {
    const double middle = from + (i + 0.5) * width;
    sum += (f(middle - offset) + f(middle + offset)) * width / 2;
  }
  return sum;
}

// A curve (radius, height) over u in [0, 1] from the bottom of the axis to its top, that turns about z.
using Profile = std::function<Vec3<double>(double)>;  // x is the radius, z the height

// Mass, centre and moments of the surface that a smooth piece of profile sweeps, or of the volume inside.
struct Swept {
  double mass = 0, mz = 0, across = 0, along = 0;  // moments about the origin

  void add(const Profile& piece, bool shell) {
    constexpr double kStep = 1e-6;
    const auto slope = [&](double u) { return (piece(u + kStep) - piece(u - kStep)) / (2 * kStep); };
    const auto weigh = [&](const std::function<double(double, double)>& of) {
      return integral(0, 1, [&](double u) {
        const auto p = piece(u);
        return shell ? 2 * kPi * p.x * norm(slope(u)) * of(p.x, p.z) : kPi * p.x * p.x * slope(u).z * of(p.x, p.z);
      });
    };
    const double spread = shell ? 1 : 2;  // mean of r^2 on a ring, and on a disc
    mass += weigh([](double, double) { return 1; });
    mz += weigh([](double, double z) { return z; });
    along += weigh([&](double r, double) { return r * r / spread; });
    across += weigh([&](double r, double z) { return r * r / spread / 2 + z * z; });
  }

  void expect_equals(const MassProperties& p) const {
    const double z = mz / mass;
    EXPECT_NEAR(p.mass, mass, 1e-7 * mass);
    EXPECT_NEAR(p.p_SoScm_S.z, z, 1e-7);
    EXPECT_EQ(p.p_SoScm_S.x, 0);
    EXPECT_EQ(p.p_SoScm_S.y, 0);
    EXPECT_NEAR(p.moments.z, along, 1e-7 * along);
    for (const double moment : {p.moments.x, p.moments.y}) EXPECT_NEAR(moment, across - mass * z * z, 1e-7 * across);
  }
};

struct Revolved {
  GeomType shape;
  Vec3<double> size;
  std::vector<Profile> pieces;
};

Profile line(double r0, double z0, double r1, double z1) {
  return [=](double u) { return Vec3<double>{r0 + u * (r1 - r0), 0, z0 + u * (z1 - z0)}; };
}
Profile arc(double radius, double middle, double from, double to) {
  return [=](double u) {
    const double angle = from + u * (to - from);
    return Vec3<double>{radius * std::cos(angle), 0, middle + radius * std::sin(angle)};
  };
}

std::vector<Revolved> revolved_shapes() {
  const double r = 0.3, h = 0.7;
  return {{GeomType::kSphere, {r, 0, 0}, {arc(r, 0, -kPi / 2, kPi / 2)}},
          {GeomType::kCapsule, {r, h, 0}, {arc(r, -h, -kPi / 2, 0), line(r, -h, r, h), arc(r, h, 0, kPi / 2)}},
          {GeomType::kCylinder, {r, h, 0}, {line(0, -h, r, -h), line(r, -h, r, h), line(r, h, 0, h)}},
          {GeomType::kCone, {r, h, 0}, {line(0, -h, r, -h), line(r, -h, 0, h)}}};
}

TEST(Shapes, SolidsOfRevolutionWeighWhatTheirProfileSweeps) {
  for (const Revolved& r : revolved_shapes()) {
    SCOPED_TRACE(int(r.shape));
    Swept swept;
    for (const Profile& piece : r.pieces) swept.add(piece, false);
    swept.expect_equals(solid_properties(r.shape, r.size));
  }
}

TEST(Shapes, ShellsOfRevolutionWeighWhatTheirProfileSweeps) {
  for (const Revolved& r : revolved_shapes()) {
    SCOPED_TRACE(int(r.shape));
    Swept swept;
    for (const Profile& piece : r.pieces) swept.add(piece, true);
    swept.expect_equals(shell_properties(r.shape, r.size));
  }
}

TEST(Shapes, ASolidEllipsoidIsAStretchedSphere) {
  const Vec3<double> radii{0.2, 0.3, 0.5};
  const MassProperties unit = solid_properties(GeomType::kSphere, {1, 0, 0});
  const MassProperties p = solid_properties(GeomType::kEllipsoid, radii);
  const double mean_square = unit.moments.x / unit.mass / 2;  // of each coordinate in the unit sphere
  EXPECT_NEAR(p.mass, unit.mass * 0.2 * 0.3 * 0.5, 1e-15);
  EXPECT_NEAR(p.moments.x, p.mass * mean_square * (0.09 + 0.25), 1e-15);
  EXPECT_NEAR(p.moments.y, p.mass * mean_square * (0.04 + 0.25), 1e-15);
  EXPECT_NEAR(p.moments.z, p.mass * mean_square * (0.04 + 0.09), 1e-15);
}

TEST(Shapes, AShellIsTheGrowthOfItsSolid) {
  const double step = 1e-5;
  for (const auto& [shape, size] : {std::pair(GeomType::kBox, Vec3<double>{0.2, 0.3, 0.5}),
                                    std::pair(GeomType::kSphere, Vec3<double>{0.4, 0, 0})}) {
    const Vec3<double> grown{step, step, step};
    const MassProperties shell = shell_properties(shape, size), inner = solid_properties(shape, size - grown),
                         outer = solid_properties(shape, size + grown);
    EXPECT_NEAR_REL(shell.mass, (outer.mass - inner.mass) / (2 * step), 1e-8);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR_REL(shell.moments[i], (outer.moments[i] - inner.moments[i]) / (2 * step), 1e-8);
  }
}

TEST(Shapes, ShellEllipsoidsAreThoseOfMujoco) {
  const MassProperties p = shell_properties(GeomType::kEllipsoid, {0.2, 0.3, 0.5});
  EXPECT_NEAR_REL(p.mass, 1.348149867941625, 1e-12);
  EXPECT_NEAR_REL(p.moments.x, 0.1334236971433711, 1e-10);
  EXPECT_NEAR_REL(p.moments.y, 0.11472351672091463, 1e-10);
  EXPECT_NEAR_REL(p.moments.z, 0.061145357462464744, 1e-10);
  const MassProperties ball = shell_properties(GeomType::kEllipsoid, {0.3, 0.3, 0.3});
  EXPECT_NEAR_REL(ball.moments.z, 0.06785862751348759, 1e-10);  // not 0.06785840131753952, a true sphere's
}

TEST(Shapes, TheBoxHoldsTheShapeAndTheSphereHoldsTheBoxsFarthestPoint) {
  const Vec3<double> size{0.3, 0.7, 0.5};
  const double cone = std::sqrt(0.3 * 0.3 + 0.7 * 0.7);
  EXPECT_EQ(bounding_radius(GeomType::kSphere, size), 0.3);
  EXPECT_EQ(bounding_radius(GeomType::kCapsule, size), 1.0);
  EXPECT_EQ(bounding_radius(GeomType::kEllipsoid, size), 0.7);
  EXPECT_NEAR(bounding_radius(GeomType::kCylinder, size), cone, 1e-15);
  EXPECT_NEAR(bounding_radius(GeomType::kCone, size), cone, 1e-15);
  EXPECT_NEAR(bounding_radius(GeomType::kBox, size), norm(size), 1e-15);
  EXPECT_EQ(bounding_radius(GeomType::kPlane, size), 0);
  EXPECT_EQ(bounding_box(GeomType::kCapsule, size).half.z, 1.0);
  EXPECT_EQ(bounding_box(GeomType::kCone, size).half.x, 0.3);
  EXPECT_EQ(bounding_box(GeomType::kBox, size).half.y, 0.7);
}

TEST(Shapes, APlaneIsEndlessDownwards) {
  const Aabb box = bounding_box(GeomType::kPlane, {1, 1, 1});
  EXPECT_EQ(box.center.z + box.half.z, 0);
  EXPECT_EQ(box.center.z - box.half.z, -1e10);
  EXPECT_EQ(box.half.x, 1e10);
}

TEST(Shapes, PlanesHeightFieldsAndMeshesHaveNoMassOfTheirOwn) {
  for (const GeomType shape : {GeomType::kPlane, GeomType::kHfield, GeomType::kMesh, GeomType::kSdf}) {
    EXPECT_EQ(solid_properties(shape, {1, 1, 1}).mass, 0);
    EXPECT_EQ(shell_properties(shape, {1, 1, 1}).mass, 0);
    EXPECT_EQ(size_count(shape), 0);
  }
}

}  // namespace
}  // namespace torsor
