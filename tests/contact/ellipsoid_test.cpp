// Ellipsoids beside points, segments and boxes: conditions that only the nearest points, and the least depth, fulfil.
#include "torsor/contact/ellipsoid.hpp"

#include "tests/contact/shapes.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

const int kCases = number_of_cases(4'000, 20'000, 100'000);

struct Segment {
  Vec center, half;
  bool has_length;
};

Segment random_segment(Random& random) {
  const bool has_length = random.chance(0.7);
  return {random.vec3(1), has_length ? random.vec3(0.5) : Vec::zero(), has_length};
}

// Nearest points of convex sets: one is on the surface, its normal leads to the other, and the other cannot come
// nearer.
TEST(Ellipsoid, NormalsLeadToTheNearestPointOfASegment) {
  int found = 0, ends = 0, middles = 0;
  for_all(kCases, [&](Random& random) {
    const Segment segment = random_segment(random);
    const Vec radii = load3(random_body(random, GeomType::kEllipsoid, 1).size.data());
    const auto touch = segment_beside_ellipsoid(segment.center, segment.half, segment.has_length, &radii.x, 10.0);
    if (touch.left) return random.screen();
    ASSERT_TRUE(touch.near);
    ++found;
    const Vec on_ellipsoid = touch.on_other - touch.normal * touch.dist;
    const Vec scaled{on_ellipsoid.x / radii.x, on_ellipsoid.y / radii.y, on_ellipsoid.z / radii.z};
    EXPECT_NEAR(norm(scaled), 1, 1e-11);
    const Vec gradient = normalized(Vec{scaled.x / radii.x, scaled.y / radii.y, scaled.z / radii.z});
    EXPECT_NEAR(dot(gradient, touch.normal), 1, 1e-11);
    EXPECT_NEAR(norm(touch.normal), 1, 1e-14);
    if (!segment.has_length) return;
    const double s = dot(touch.on_other - segment.center, segment.half) / norm2(segment.half);
    EXPECT_NEAR(norm(segment.center + segment.half * s - touch.on_other), 0, 1e-14);
    EXPECT_LE(std::abs(s), 1 + 1e-14);
    const double approach = -dot(touch.normal, segment.half);  // along the segment
    if (std::abs(s) < 1 - 1e-12) {
      EXPECT_NEAR(approach, 0, 1e-10 * norm(segment.half));
      ++middles;
    } else {
      EXPECT_GE(approach * s, -1e-12);
      ++ends;
    }
  });
  EXPECT_GT(found, kCases / 2);
  EXPECT_GT(middles, kCases / 20);
  EXPECT_GT(ends, kCases / 20);
}

// Whether a segment is within reach follows from where it is nearest.
TEST(Ellipsoid, OnlySegmentsWithinReachAreNear) {
  int near = 0, far = 0;
  for_all(kCases, [&](Random& random) {
    const Segment segment = random_segment(random);
    const Vec radii = load3(random_body(random, GeomType::kEllipsoid, 1).size.data());
    const auto at = [&](double reach) {
      return segment_beside_ellipsoid(segment.center, segment.half, segment.has_length, &radii.x, reach);
    };
    const auto nearest = at(10);
    if (nearest.left) return random.screen();
    const double reach = random.uniform(0, 0.6);
    if (std::abs(reach - nearest.dist) < 1e-9) return random.screen();
    EXPECT_FALSE(at(reach).left);
    EXPECT_EQ(at(reach).near, nearest.dist < reach);
    ++(nearest.dist < reach ? near : far);
  });
  EXPECT_GT(near, kCases / 10);
  EXPECT_GT(far, kCases / 10);
}

// How far box and ellipsoid overlap along u.
double overlap(const Body& ellipsoid, const Body& box, const Vec& u) {
  const Vec of_box = hadamard(load3(box.size.data()), transposed_mul(box.R, u));
  const Vec of_ellipsoid = hadamard(load3(ellipsoid.size.data()), transposed_mul(ellipsoid.R, u));
  return std::abs(of_box.x) + std::abs(of_box.y) + std::abs(of_box.z) + norm(of_ellipsoid) -
         dot(u, box.p - ellipsoid.p);
}

TEST(Ellipsoid, NoWayOutOfABoxIsShorterThanThatThroughItsFace) {
  int deep = 0, apart = 0;
  for_all(kCases, [&](Random& random) {
    const Body box = random_body(random, GeomType::kBox, 0.2), ellipsoid = random_body(random, GeomType::kEllipsoid, 1);
    const auto touch = ellipsoid_on_box(transposed_mul(box.R, ellipsoid.p - box.p), transposed_mul(box.R, ellipsoid.R),
                                        ellipsoid.size.data(), box.size.data(), 0.1);
    if (touch.left || !touch.near) return random.screen();
    const Vec normal_W = box.R * touch.normal, on_box = box.p + box.R * touch.on_other;
    EXPECT_NEAR(overlap(ellipsoid, box, normal_W), -touch.dist, 1e-12);
    EXPECT_NEAR(signed_distance(box, on_box), 0, 1e-12);
    EXPECT_NEAR(signed_distance(ellipsoid, on_box - normal_W * touch.dist), 0, 1e-11);
    ++(touch.dist < 0 ? deep : apart);
    for (int k = 0; touch.dist < 0 && k < 200; ++k) {
      // anywhere, and near the normal
      const Vec u = k % 2 ? random.unit_vec3() : normalized(normal_W + random.vec3(0.3));
      EXPECT_GE(overlap(ellipsoid, box, u), -touch.dist - 1e-12);
    }
  });
  EXPECT_GT(deep, kCases / 50);
  EXPECT_GT(apart, kCases / 100);
}

// Far by a face means far; what is left is searched, so that swapped shapes, too, give mirrored contacts.
TEST(Ellipsoid, PairsGiveMirroredContactsWhenTheyAreSwapped) {
  int found = 0;
  for_all(kCases, [&](Random& random) {
    const GeomType others[] = {GeomType::kSphere, GeomType::kCapsule, GeomType::kBox};
    const Body other = random_body(random, others[random.integer(0, 2)], 0.5),
               ellipsoid = random_body(random, GeomType::kEllipsoid, 0.8);
    ContactPoint one[kMaxPoints], two[kMaxPoints];
    const int count = convex_convex(other.shape(), ellipsoid.shape(), 0.05, one);
    ASSERT_EQ(count, convex_convex(ellipsoid.shape(), other.shape(), 0.05, two));
    for (int i = 0; i < count; ++i, ++found) {
      EXPECT_EQ(one[i].dist, two[i].dist);
      EXPECT_EQ(norm(one[i].pos_W - two[i].pos_W), 0);
      EXPECT_EQ(norm(one[i].normal_W + two[i].normal_W), 0);
      EXPECT_GT(dot(one[i].normal_W, ellipsoid.p - other.p), -0.9 * norm(ellipsoid.p - other.p));
    }
  });
  EXPECT_GT(found, kCases / 10);
}

}  // namespace
}  // namespace torsor
