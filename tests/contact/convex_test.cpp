// The general routine for convex shapes: laws that hold whatever the shapes, and agreement with closed forms.
#include "tests/contact/convexes.hpp"
#include "tests/contact/directions.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

const int kCases = number_of_cases(4'000, 20'000, 100'000);

// The routine stops at a part of the size, which is about 1 here.
constexpr double kDistance = 1e-7;
constexpr double kPlace = 2e-6;  // several points of one contact are less exact: see manifold.cpp

struct Scene {
  Convex a, b;
  double margin;
};

Scene random_scene(Random& random, const PairCase& pair) {
  return {random_convex(random, pair.a, 0.5), random_convex(random, pair.b, 0.8),
          random.chance(0.5) ? random.uniform(0, 0.3) : 0};
}

std::vector<ContactPoint> touch(const Convex& a, const Convex& b, double margin) {
  ContactPoint points[kMaxPoints];
  const int count = convex_convex(a.shape(), b.shape(), margin, points);
  return {points, points + count};
}

class ConvexLaws : public testing::TestWithParam<PairCase> {};

// The depth is that of the direction in which the shapes part soonest; apart, the distance that of the widest gap.
TEST_P(ConvexLaws, TheDistanceIsTheGapAlongTheNormalAndNoDirectionHasALargerOne) {
  int found = 0;
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const std::vector<ContactPoint> points = touch(scene.a, scene.b, scene.margin);
    for (int k = 0; k < 20; ++k) {
      const double other = gap(scene.a, scene.b, random.unit_vec3());
      if (points.empty()) continue;
      EXPECT_LE(other, deepest(points).dist + kDistance);
    }
    if (points.empty()) return random.screen();
    ++found;
    EXPECT_NEAR(norm(points[0].normal_W), 1, 1e-12);
    EXPECT_NEAR(deepest(points).dist, gap(scene.a, scene.b, points[0].normal_W), kDistance);
  });
  EXPECT_GT(found, kCases / 20);
}

// Shapes deep in each other have several ways out that are almost equal: curved ones make a valley of each.
TEST_P(ConvexLaws, NoValleyOfTheDepthIsDeeperThanTheOneThatIsFound) {
  int found = 0;
  for_all(kCases / 4, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const std::vector<ContactPoint> points = touch(scene.a, scene.b, 0);
    if (points.empty() || deepest(points).dist > -0.05) return random.screen();
    const auto depth = [&](const Vec& n) { return -gap(scene.a, scene.b, n); };
    EXPECT_LE(-deepest(points).dist, least_over_directions(depth, 60, 3).value + kDistance);
    ++found;
  });
  EXPECT_GT(found, kCases / 80);
}

TEST_P(ConvexLaws, NothingIsReportedOnlyWhereADirectionSeparatesByTheMargin) {
  for_all(kCases, [&](Random& random) {
    Scene scene = random_scene(random, GetParam());
    const std::vector<ContactPoint> points = touch(scene.a, scene.b, 5);
    ASSERT_FALSE(points.empty());
    const double dist = deepest(points).dist;
    EXPECT_FALSE(touch(scene.a, scene.b, dist + 1e-6).empty());
    EXPECT_TRUE(touch(scene.a, scene.b, dist - 1e-6).empty());
  });
}

TEST_P(ConvexLaws, TheDeepestPointIsFirstAndOthersLieBetweenTheShadows) {
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const std::vector<ContactPoint> points = touch(scene.a, scene.b, scene.margin);
    ASSERT_LE(points.size(), 4u);
    for (const ContactPoint& point : points) {
      EXPECT_LE(points[0].dist, point.dist);
      EXPECT_LE(point.dist, scene.margin);
      const Vec half = point.normal_W * (0.5 * point.dist);
      EXPECT_LE(dot(point.normal_W, point.pos_W - half), scene.a.reach(point.normal_W) + kPlace);
      EXPECT_LE(-dot(point.normal_W, point.pos_W + half), scene.b.reach(-point.normal_W) + kPlace);
      // beside the normal, it is not outside either shape
      for (int k = 0; k < 5; ++k) {
        const Vec d = normalized(cross(point.normal_W, random.unit_vec3()));
        EXPECT_LE(dot(d, point.pos_W), scene.a.reach(d) + 1e-5);
        EXPECT_LE(dot(d, point.pos_W), scene.b.reach(d) + 1e-5);
      }
    }
  });
}

TEST_P(ConvexLaws, SwappedShapesGiveTheMirroredContact) {
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const auto ab = touch(scene.a, scene.b, scene.margin), ba = touch(scene.b, scene.a, scene.margin);
    ASSERT_EQ(ab.size(), ba.size());
    for (size_t i = 0; i < ab.size(); ++i) {
      EXPECT_EQ(ab[i].dist, ba[i].dist);
      EXPECT_EQ(norm(ab[i].normal_W + ba[i].normal_W), 0);
      EXPECT_EQ(norm(ab[i].pos_W - ba[i].pos_W), 0);
    }
  });
}

TEST_P(ConvexLaws, ARigidMotionOfBothMovesThePoints) {
  for_all(kCases, [&](Random& random) {
    Scene scene = random_scene(random, GetParam());
    const Vec p = random.vec3(3);
    const Mat3<double> R = random.rotation();
    const auto here = touch(scene.a, scene.b, scene.margin);
    const double gap_here = gap(scene.a, scene.b, here.empty() ? Vec{1, 0, 0} : here[0].normal_W);
    scene.a.body = moved(scene.a.body, p, R), scene.b.body = moved(scene.b.body, p, R);
    const auto there = touch(scene.a, scene.b, scene.margin);
    if (here.empty() != there.empty()) {
      EXPECT_NEAR(gap_here, scene.margin, kDistance);
      return;
    }
    for (size_t i = 0; i < std::min<size_t>(here.size(), 1); ++i) EXPECT_NEAR(here[i].dist, there[i].dist, kDistance);
  });
}

TEST_P(ConvexLaws, DegenerateShapesGiveFinitePoints) {
  for_all(2000, [&](Random& random) {
    Scene scene = random_scene(random, GetParam());
    if (random.chance(0.3)) scene.b.body.p = scene.a.body.p;
    if (random.chance(0.5)) scene.b.body.R = scene.a.body.R;
    if (random.chance(0.3)) scene.a.body.size = {1e-12, 1e-12, 1e-12};
    if (random.chance(0.3)) scene.b.body.size = {1e6, 1e-6, 1e6};
    if (random.chance(0.1)) scene.b.body.size = {1e-12, 0, 0};
    if (scene.b.solid && random.chance(0.3)) scene.b.solid->stretch(diag(Vec{1, 1, 0}));
    for (const ContactPoint& point : touch(scene.a, scene.b, 0.1)) {
      EXPECT_TRUE(std::isfinite(point.dist) && std::isfinite(norm(point.pos_W)));
      EXPECT_NEAR(norm(point.normal_W), 1, 1e-12);
    }
  });
}

std::string name_of(const testing::TestParamInfo<PairCase>& pair) { return pair.param.name; }

std::vector<PairCase> convex_pairs() {
  static const char* const kNames[] = {"Sphere", "Capsule", "Ellipsoid", "Cylinder", "Box", "Mesh", "Cone"};
  const auto type = [](int i) { return i == 6 ? GeomType::kCone : static_cast<GeomType>(i + 2); };
  std::vector<PairCase> pairs;
  for (int i = 0; i < 7; ++i)
    for (int j = std::max(i, 2); j < 7; ++j) pairs.push_back({type(i), type(j), std::string(kNames[i]) + kNames[j]});
  return pairs;
}
INSTANTIATE_TEST_SUITE_P(Contact, ConvexLaws, testing::ValuesIn(convex_pairs()), name_of);

class ClosedForms : public testing::TestWithParam<PairCase> {};

TEST_P(ClosedForms, AgreeWithTheGeneralRoutine) {
  for_all(kCases, [&](Random& random) {
    Scene scene = random_scene(random, GetParam());
    // boxes apart are known by the axis that separates them, which is not the distance
    if (GetParam().a == GeomType::kBox) scene.margin = 0;
    const auto closed = touch(scene.a.body, scene.b.body, scene.margin),
               general = touch(scene.a, scene.b, scene.margin);
    if (closed.empty() != general.empty()) {
      EXPECT_NEAR(deepest(closed.empty() ? general : closed).dist, scene.margin, kDistance);
      return;
    }
    if (closed.empty()) return random.screen();
    // overlapping boxes prefer faces to edges that are a little less deep
    const double preference = GetParam().a == GeomType::kBox ? 0.05 * -general[0].dist : 0;
    EXPECT_LE(deepest(closed).dist, general[0].dist + kDistance);
    EXPECT_GE(deepest(closed).dist, general[0].dist - preference - kDistance);
  });
}

std::vector<PairCase> closed_pairs() {
  std::vector<PairCase> pairs = kAnalyticPairs;
  std::erase_if(pairs, [](const PairCase& pair) { return pair.a == GeomType::kPlane; });
  return pairs;
}
INSTANTIATE_TEST_SUITE_P(Contact, ClosedForms, testing::ValuesIn(closed_pairs()), name_of);

TEST(Manifold, ABoxMeshOnABoxStandsOnItsFourCorners) {
  Convex box{{GeomType::kBox, {1, 1, 1}, {0, 0, 0}, Mat3<double>::identity()}, nullptr};
  Convex mesh{{GeomType::kMesh, {1, 1, 1}, {0, 0, 1.49}, Mat3<double>::identity()},
              std::make_shared<Solid>(Solid::cube())};
  mesh.solid->stretch(diag(Vec{0.5, 0.5, 0.5}));
  const auto points = touch(box, mesh, 0);
  ASSERT_EQ(points.size(), 4u);
  Vec sum = Vec::zero();
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.dist, -0.01, 1e-12);
    EXPECT_NEAR(std::abs(point.pos_W.x), 0.5, 1e-9);
    EXPECT_NEAR(std::abs(point.pos_W.y), 0.5, 1e-9);
    sum += point.pos_W;
  }
  EXPECT_NEAR(std::hypot(sum.x, sum.y), 0, 1e-9);
}

TEST(Manifold, ACylinderOnItsSideTouchesAtBothEnds) {
  const Convex box{{GeomType::kBox, {1, 1, 1}, {0, 0, 0}, Mat3<double>::identity()}, nullptr};
  const Mat3<double> lying = mat_from_cols(Vec{0, 0, -1}, Vec{0, 1, 0}, Vec{1, 0, 0});
  const Convex cylinder{{GeomType::kCylinder, {0.2, 0.5, 0}, {0.1, 0, 1.195}, lying}, nullptr};
  const auto points = touch(cylinder, box, 0);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NEAR(std::abs(points[0].pos_W.x - points[1].pos_W.x), 1, 1e-9);
  for (const ContactPoint& point : points) EXPECT_NEAR(point.dist, -0.005, 1e-7);
}

}  // namespace
}  // namespace torsor
