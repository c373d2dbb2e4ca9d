// Laws that every pair of shapes obeys, whatever its formula.
#include "tests/contact/shapes.hpp"

namespace torsor {
namespace {

const int kCases = number_of_cases(4'000, 20'000, 100'000);

struct Scene {
  Body a, b;
  double margin;
};

Scene random_scene(Random& random, const PairCase& pair) {
  Scene scene{random_body(random, pair.a, 0.5), random_body(random, pair.b, 0.8), 0};
  if (random.uniform(0, 1) < 0.5) scene.margin = random.uniform(0, 0.3);
  return scene;
}

class PairLaws : public testing::TestWithParam<PairCase> {};

TEST_P(PairLaws, PointsAreFiniteWithinTheMarginAndNormalsAreUnit) {
  int found = 0;
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    for (const ContactPoint& point : touch(scene.a, scene.b, scene.margin)) {
      EXPECT_LE(point.dist, scene.margin);
      EXPECT_NEAR(norm(point.normal_W), 1, kRounding);
      EXPECT_TRUE(std::isfinite(norm(point.pos_W)));
      ++found;
    }
  });
  EXPECT_GT(found, kCases / 20);
}

// Of boxes apart, the axis that separates them is known, not the nearest points.
bool are_boxes_apart(const Scene& scene, const ContactPoint& point) {
  return scene.a.type == GeomType::kBox && point.dist > 0;
}

// The points that a contact stands for lie on both surfaces, half the distance before and behind it.
TEST_P(PairLaws, HalfTheDistanceAlongTheNormalLeadsToBothSurfaces) {
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const std::vector<ContactPoint> points = touch(scene.a, scene.b, scene.margin);
    if (points.empty()) return random.screen();
    const ContactPoint& point = deepest(points);
    if (are_boxes_apart(scene, point)) return random.screen();
    EXPECT_NEAR(signed_distance(scene.a, point.pos_W - point.normal_W * (0.5 * point.dist)), 0, 1e-9);
    EXPECT_NEAR(signed_distance(scene.b, point.pos_W + point.normal_W * (0.5 * point.dist)), 0, 1e-9);
  });
}

TEST_P(PairLaws, MovingApartByTheDepthLeavesShapesTouching) {
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const std::vector<ContactPoint> points = touch(scene.a, scene.b, 0);
    if (points.empty()) return random.screen();
    const ContactPoint& point = deepest(points);
    Body apart = scene.b;
    apart.p += point.normal_W * -point.dist;
    const std::vector<ContactPoint> after = touch(scene.a, apart, 1e-6);
    ASSERT_FALSE(after.empty());
    EXPECT_NEAR(deepest(after).dist, 0, 1e-9);
  });
}

// Whatever the depth: the plane across the normal, once the shapes are moved apart by it, has one of them on each side.
TEST_P(PairLaws, TheNormalSeparatesWhatTheDepthMovesApart) {
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const std::vector<ContactPoint> points = touch(scene.a, scene.b, scene.margin);
    if (points.empty()) return random.screen();
    const ContactPoint& point = deepest(points);
    if (are_boxes_apart(scene, point)) return random.screen();
    const Vec3<double> on_a = point.pos_W - point.normal_W * (0.5 * point.dist);
    const Vec3<double> on_b = point.pos_W + point.normal_W * (0.5 * point.dist);
    for (int k = 0; k < 3; ++k) {
      EXPECT_LE(dot(point.normal_W, random_point(random, scene.a) - on_a), 1e-9);
      EXPECT_GE(dot(point.normal_W, random_point(random, scene.b) - on_b), -1e-9);
    }
  });
}

TEST_P(PairLaws, ARigidMotionOfBothMovesThePoints) {
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const Vec3<double> p = random.vec3(3);
    const Mat3<double> R = random.rotation();
    const std::vector<ContactPoint> here = touch(scene.a, scene.b, scene.margin);
    const std::vector<ContactPoint> there = touch(moved(scene.a, p, R), moved(scene.b, p, R), scene.margin);
    // choices between equals may fall differently: those cases are tested elsewhere
    if (here.size() != there.size() || here.empty()) return random.screen();
    if (norm(R * here[0].normal_W - there[0].normal_W) > 1e-3) return random.screen();
    EXPECT_NEAR(deepest(here).dist, deepest(there).dist, 1e-9);
    EXPECT_NEAR_REL(p + R * deepest(here).pos_W, deepest(there).pos_W, 1e-5);
  });
}

class SameShapeLaws : public testing::TestWithParam<PairCase> {};

TEST_P(SameShapeLaws, SwappedShapesGiveTheMirroredContact) {
  for_all(kCases, [&](Random& random) {
    const Scene scene = random_scene(random, GetParam());
    const std::vector<ContactPoint> ab = touch(scene.a, scene.b, 0), ba = touch(scene.b, scene.a, 0);
    ASSERT_EQ(ab.size(), ba.size());
    if (ab.empty()) return random.screen();
    EXPECT_NEAR(deepest(ab).dist, deepest(ba).dist, 1e-9);
    EXPECT_NEAR_REL(deepest(ab).normal_W, -deepest(ba).normal_W, 1e-6);
  });
}

// Shapes on top of each other, as thin as a hair, a million times larger than the other, standing exactly upright.
TEST_P(PairLaws, DegenerateShapesGiveFinitePoints) {
  for_all(2000, [&](Random& random) {
    Scene scene = random_scene(random, GetParam());
    const double kind = random.uniform(0, 1);
    if (kind < 0.25) scene.b.p = scene.a.p;
    if (kind > 0.5) scene.b.R = scene.a.R;
    if (random.uniform(0, 1) < 0.3) scene.a.size = {1e-12, 1e-12, 1e-12};
    if (random.uniform(0, 1) < 0.3) scene.b.size = {1e6, 1e-6, 1e6};
    if (random.uniform(0, 1) < 0.1) scene.b.size = {1e-12, 0, 0};
    for (const ContactPoint& point : touch(scene.a, scene.b, 0.1)) {
      EXPECT_TRUE(std::isfinite(point.dist) && std::isfinite(norm(point.pos_W)));
      EXPECT_NEAR(norm(point.normal_W), 1, 1e-12);
      double frame[9];
      store_frame(point, frame);
      const Mat3<double> axes = load9(frame);
      EXPECT_NEAR_REL(axes * transpose(axes), Mat3<double>::identity(), 1e-12);
      EXPECT_NEAR(det(axes), 1, 1e-12);
    }
  });
}

std::string name_of(const testing::TestParamInfo<PairCase>& pair) { return pair.param.name; }

std::vector<PairCase> same_shapes() {
  std::vector<PairCase> pairs = kAnalyticPairs;
  std::erase_if(pairs, [](const PairCase& pair) { return pair.a != pair.b; });
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Contact, PairLaws, testing::ValuesIn(kAnalyticPairs), name_of);
INSTANTIATE_TEST_SUITE_P(Contact, SameShapeLaws, testing::ValuesIn(same_shapes()), name_of);

}  // namespace
}  // namespace torsor
