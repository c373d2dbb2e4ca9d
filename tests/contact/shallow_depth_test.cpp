// Short ways to the depth of ellipsoids: as smaller cores with a radius, and at the sides and edges of boxes.
#include "tests/contact/convexes.hpp"
#include "tests/contact/directions.hpp"
#include "torsor/contact/epa.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

const int kCases = number_of_cases(1'000, 4'000, 40'000);
const int kSlowCases = number_of_cases(100, 400, 10'000);  // those with brute force

// The world is the frame of both parts.
ConvexPart part_of(const Convex& convex) { return {convex.shape(), convex.body.R, convex.body.p}; }

TEST(ShrunkEllipsoid, ReachesWithItsRadiusAsFarAsBefore) {
  for_all(kCases, [](Random& random) {
    const Convex ellipsoid = random_convex(random, GeomType::kEllipsoid, 1);
    ConvexPart part = part_of(ellipsoid);
    part.shrink();
    EXPECT_GT(part.radius, 0);
    for (int k = 0; k < 10; ++k) {
      const Vec n = random.unit_vec3();
      EXPECT_NEAR(dot(n, part.furthest(n * random.uniform(0.1, 10))) + part.radius, ellipsoid.reach(n), 1e-12);
    }
  });
}

// Were the core not convex, points of it would lie beyond its supports.
TEST(ShrunkEllipsoid, IsConvex) {
  for_all(kCases, [](Random& random) {
    const Convex ellipsoid = random_convex(random, GeomType::kEllipsoid, 1);
    ConvexPart part = part_of(ellipsoid);
    part.shrink();
    const Vec n = random.unit_vec3(), m = random.unit_vec3();
    EXPECT_LE(dot(n, part.furthest(m)), dot(n, part.furthest(n)) + 1e-12);
  });
}

// With cores that stay apart there is no EPA, so the two ways share little.
TEST(ShrunkEllipsoid, HasTheDepthThatEpaFinds) {
  int shallow = 0;
  for_all(kCases, [&](Random& random) {
    const Convex a = random_convex(random, GeomType::kEllipsoid, 0);
    Convex b = random_convex(random, GeomType::kEllipsoid, 0);
    const Vec n = random.unit_vec3();
    b.body.p = part_of(a).furthest(n) - part_of(b).furthest(-n) - n * 0.001;
    ConvexPart whole_a = part_of(a), whole_b = part_of(b), core_a = part_of(a), core_b = part_of(b);
    core_a.shrink(), core_b.shrink();
    Nearest by_epa, by_cores, unused;
    Simplex simplex;
    if (!find_nearest(whole_a, whole_b, 0, by_epa)) return random.screen();
    ASSERT_TRUE(find_nearest(core_a, core_b, 0, by_cores));
    shallow += find_distance(core_a, core_b, core_a.radius + core_b.radius, simplex, unused) == Distance::kApart;
    const double size = norm(b.body.p) + 2;  // of A - B, or more
    EXPECT_NEAR(by_cores.dist, by_epa.dist, 2 * polytopes::kDepthTolerance * size);
    EXPECT_NEAR(by_cores.dist, gap(a, b, by_cores.normal_F), 2 * simplices::kDistanceTolerance * size);
  });
  EXPECT_GT(shallow, kCases / 4);
}

struct AtBox {
  Convex ellipsoid, box;

  // The ellipsoid touches a side, an edge or a corner of the box from outside, and goes in a little.
  explicit AtBox(Random& random) {
    box = random_convex(random, GeomType::kBox, 0.3);
    ellipsoid = random_convex(random, GeomType::kEllipsoid, 0);
    Vec at, n = Vec::zero();
    const int clamped = random.integer(1, 3);
    for (int i = 0; i < 3; ++i) {
      const double side = random.chance(0.5) ? 1 : -1;
      at[i] = i < clamped ? side * box.body.size[i] : random.uniform(-0.9, 0.9) * box.body.size[i];
      if (i < clamped) n[i] = side * random.uniform(0.01, 1);
    }
    n = box.body.R * normalized(n);
    ConvexPart part = part_of(ellipsoid);
    ellipsoid.body.p = box.body.p + box.body.R * at - part.furthest(-n) - n * random.uniform(1e-4, 1e-2);
  }
  double depth(const Vec& n) const { return -gap(ellipsoid, box, n); }
};

// Where the descent says that it has arrived, every direction nearby has more depth; and it arrives most of the time.
TEST(EllipsoidAtBox, TheDescentEndsAtAMinimum) {
  int settled = 0;
  for_all(kSlowCases, [&](Random& random) {
    const AtBox scene(random);
    ConvexPart a = part_of(scene.ellipsoid), b = part_of(scene.box);
    const LeastAlong least = least_over_directions([&](const Vec& n) { return scene.depth(n); }, 200, 2);
    const Nearest start = depth_along(a, b, normalized(least.direction + random.unit_vec3() * 0.02));
    const Descent descent = descend_on_box(a, b, start, 1);
    if (!descent.settled) return;
    ++settled;
    const Nearest& end = descent.end;
    EXPECT_NEAR(norm(end.normal_F), 1, 1e-12);
    EXPECT_NEAR(-end.dist, scene.depth(end.normal_F), 1e-12);
    EXPECT_NEAR(dot(end.on_a - end.on_b, end.normal_F), -end.dist, 1e-12);
    for (int k = 0; k < 50; ++k) {
      const Vec n = normalized(end.normal_F + random.unit_vec3() * random.uniform(1e-5, 1e-2));
      EXPECT_GE(scene.depth(n), -end.dist - 1e-9);
    }
  });
  EXPECT_GT(settled, kSlowCases / 2);
}

// The theorem that makes one minimum enough.
TEST(EllipsoidAtBox, NoWayOutIsShorterThanAMinimumWithinTheSharpestRadius) {
  int shallow = 0;
  for_all(kSlowCases, [&](Random& random) {
    const AtBox scene(random);
    ContactPoint point[kMaxPoints];
    ASSERT_EQ(convex_convex(scene.ellipsoid.shape(), scene.box.shape(), 0, point), 1);
    const double found = -point[0].dist;
    shallow += found <= supports::sharpest_radius(scene.ellipsoid.body.size.data());
    EXPECT_LE(found, least_over_directions([&](const Vec& n) { return scene.depth(n); }, 400, 4).value + 1e-7);
    EXPECT_NEAR(found, scene.depth(point[0].normal_W), 1e-7);
  });
  EXPECT_GT(shallow, kSlowCases / 2);
}

}  // namespace
}  // namespace torsor
