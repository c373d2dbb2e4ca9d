// A hull on a plane stands on the corners of the flat side that it turns to the plane.
#include "tests/contact/convexes.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr double kDeg = M_PI / 180;

Mat3<double> turned_about_x(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return mat_from_cols(Vec{1, 0, 0}, Vec{0, c, s}, Vec{0, -s, c});
}

std::vector<ContactPoint> touch_ground(const Solid& solid, const Vec& p, const Mat3<double>& R, double margin = 0) {
  const Body plane{GeomType::kPlane, {0, 0, 0}, Vec::zero(), Mat3<double>::identity()};
  const Body mesh{GeomType::kMesh, {1, 1, 1}, p, R};
  Shape shape = mesh.shape();
  shape.hull = solid.view();
  ContactPoint points[kMaxPoints];
  const int count = plane_mesh(plane.shape(), shape, margin, points);
  return {points, points + count};
}

// A prism with a regular polygon as base, of radius 1, from z = -1 to 1.
Solid prism(int sides) {
  std::vector<Vec> corners;
  std::vector<int> faces;
  for (int i = 0; i < sides; ++i)
    for (const double z : {-1.0, 1.0})
      corners.push_back({std::cos(2 * M_PI * i / sides), std::sin(2 * M_PI * i / sides), z});
  for (int i = 0; i < sides; ++i) {
    const int low = 2 * i, high = low + 1, next = 2 * ((i + 1) % sides);
    faces.insert(faces.end(), {low, next, high, high, next, next + 1});
    if (i > 0 && i + 1 < sides) faces.insert(faces.end(), {0, next, low, 1, high, next + 1});
  }
  return Solid(corners, faces);
}

TEST(PlaneMesh, ACubeStandsOnFourCornersAlsoIfItIsTilted) {
  const Solid cube = Solid::cube();
  for (const double angle : {0.0, 1e-9, 0.3 * kDeg, 5 * kDeg, 25 * kDeg}) {
    const auto points = touch_ground(cube, {0, 0, 0.3}, turned_about_x(angle));
    ASSERT_EQ(points.size(), 4u) << angle;
    for (const ContactPoint& point : points) EXPECT_GE(point.dist, points[0].dist - 1e-6);
  }
}

TEST(PlaneMesh, CornersBeyondTheMarginDoNotCount) {
  const Solid cube = Solid::cube();
  const Mat3<double> tilted = turned_about_x(10 * kDeg);
  EXPECT_EQ(touch_ground(cube, {0, 0, 1.1}, tilted).size(), 2u);
  EXPECT_EQ(touch_ground(cube, {0, 0, 1.1}, tilted, 0.5).size(), 4u);
  EXPECT_EQ(touch_ground(cube, {0, 0, 1.5}, tilted).size(), 0u);
}

TEST(PlaneMesh, APrismOfManySidesStandsOnFourCornersFarApart) {
  for (const int sides : {3, 4, 5, 6, 8, 11, 12}) {
    const auto points = touch_ground(prism(sides), {0, 0, 0.99}, Mat3<double>::identity());
    ASSERT_EQ(points.size(), size_t(std::min(sides, 4))) << sides;
    double area = 0;
    for (size_t i = 2; i < points.size(); ++i)
      area += 0.5 * norm(cross(points[1].pos_W - points[0].pos_W, points[i].pos_W - points[0].pos_W));
    const double whole = 0.5 * sides * std::sin(2 * M_PI / sides);
    EXPECT_GE(area, 2 / M_PI * whole) << sides;
  }
}

// The lowest corner is found by a look at all of them; a corner and its side must not change it.
TEST(PlaneMesh, TheLowestCornerIsAlwaysAContact) {
  for_all(number_of_cases(500, 2'000, 20'000), [](Random& random) {
    Convex mesh = random_convex(random, GeomType::kMesh, 0);
    const auto points = touch_ground(*mesh.solid, {0, 0, 0.02}, mesh.body.R);
    mesh.body.p = {0, 0, 0.02};
    ASSERT_FALSE(points.empty());
    ASSERT_LE(points.size(), 4u);
    EXPECT_NEAR(points[0].dist, -mesh.reach({0, 0, -1}), 2e-6);
  });
}

}  // namespace
}  // namespace torsor
