// The choice of four points: the deepest, the broadest support, and nothing that rounding decides.
#include "torsor/contact/spread.hpp"

#include "tests/contact/convexes.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

const int kCases = number_of_cases(2'000, 10'000, 100'000);

// A convex polygon with corners on an ellipse, across z.
std::vector<ManifoldPoint> random_polygon(Random& random, int corners) {
  std::vector<double> angles(static_cast<size_t>(corners));
  for (double& angle : angles) angle = random.uniform(0, 2 * M_PI);
  std::sort(angles.begin(), angles.end());
  const double width = random.uniform(0.2, 1), length = random.uniform(0.2, 1);
  std::vector<ManifoldPoint> polygon;
  for (const double angle : angles)
    polygon.push_back({-0.01, {length * std::cos(angle), width * std::sin(angle), 0.3}});
  return polygon;
}

// Of points in any order.
double area_of(std::vector<ManifoldPoint> points) {
  Vec middle = Vec::zero();
  for (const ManifoldPoint& point : points) middle += point.pos_F * (1.0 / double(points.size()));
  const auto angle = [&](const ManifoldPoint& point) {
    return std::atan2(point.pos_F.y - middle.y, point.pos_F.x - middle.x);
  };
  std::sort(points.begin(), points.end(), [&](const auto& a, const auto& b) { return angle(a) < angle(b); });
  double sum = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec &p = points[i].pos_F, &q = points[(i + 1) % points.size()].pos_F;
    sum += 0.5 * (p.x * q.y - p.y * q.x);
  }
  return sum;
}

std::vector<ManifoldPoint> chosen(const std::vector<ManifoldPoint>& points) {
  ManifoldPoint out[kManifoldPoints];
  const int count = choose_spread(points.data(), int(points.size()), {0, 0, 1}, 1, out);
  return {out, out + count};
}

// Sas 1939: every convex region holds a quadrilateral of 2 / pi of its area.
TEST(Spread, OfEquallyDeepPointsFourSpanTwoOverPiOfTheArea) {
  for_all(kCases, [](Random& random) {
    const std::vector<ManifoldPoint> polygon = random_polygon(random, random.integer(3, 12));
    const double whole = area_of(polygon);
    if (whole < 1e-3) return random.screen();
    EXPECT_GE(area_of(chosen(polygon)), 2 / M_PI * whole - 1e-5);
    if (polygon.size() <= 4) {
      EXPECT_NEAR(area_of(chosen(polygon)), whole, 1e-5);
    }
  });
}

TEST(Spread, TheDeepestIsFirst) {
  for_all(kCases, [](Random& random) {
    std::vector<ManifoldPoint> polygon = random_polygon(random, random.integer(1, 20));
    for (ManifoldPoint& point : polygon) point.dist = random.uniform(-0.1, 0);
    const auto is_deeper = [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.dist < b.dist; };
    EXPECT_NEAR(chosen(polygon)[0].dist, std::min_element(polygon.begin(), polygon.end(), is_deeper)->dist, 1e-6);
  });
}

TEST(Spread, RoundingDoesNotChoose) {
  for_all(kCases, [](Random& random) {
    const int corners = random.integer(4, 12);
    std::vector<ManifoldPoint> exact, rounded;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * M_PI * i / corners;
      exact.push_back({-0.01, {std::cos(angle), std::sin(angle), 0}});
      rounded.push_back({-0.01 + random.uniform(-1, 1) * 1e-14, exact.back().pos_F + random.vec3(1e-14)});
    }
    const auto one = chosen(exact), other = chosen(rounded);
    ASSERT_EQ(one.size(), other.size());
    for (size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(norm(one[i].pos_F - other[i].pos_F), 0, 1e-12);
  });
}

TEST(Spread, PointsThatCoincideAreOne) {
  const ManifoldPoint point{-0.1, {0.2, 0.3, 0}}, near{-0.1, {0.2 + 1e-9, 0.3, 0}}, far{-0.1, {0.7, 0.3, 0}};
  EXPECT_EQ(chosen({point, near, point}).size(), 1u);
  EXPECT_EQ(chosen({point, near, far, far}).size(), 2u);
}

}  // namespace
}  // namespace torsor
