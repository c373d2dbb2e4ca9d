// The proof that convex shapes are still apart: it holds only where the search finds nothing, and what is kept for it
// changes no bit of any result.
#include "torsor/contact/still_apart.hpp"

#include <cstring>
#include <limits>

#include "tests/contact/convexes.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

const int kCases = number_of_cases(1'000, 5'000, 50'000);

// Two shapes with the boxes of hulls.
struct Pair {
  Convex a, b;
  std::array<double, 6> bounds_a{}, bounds_b{};

  Shape shape_a() const { return with_bounds(a, bounds_a); }
  Shape shape_b() const { return with_bounds(b, bounds_b); }
  double extent() const {
    const Vec p = b.body.p - a.body.p;
    return std::abs(p.x) + std::abs(p.y) + std::abs(p.z) + radius(a) + radius(b);
  }
  void measure() { bounds_a = bounds_of(a), bounds_b = bounds_of(b); }

 private:
  static Shape with_bounds(const Convex& convex, const std::array<double, 6>& bounds) {
    Shape shape = convex.shape();
    shape.bounds = bounds.data();
    return shape;
  }
  static double radius(const Convex& convex) {
    if (!convex.solid) return convex.body.size[0] + convex.body.size[1] + convex.body.size[2];
    double furthest = 0;
    for (int i = 0; i < convex.solid->count(); ++i) furthest = std::max(furthest, norm(convex.solid->at(i)));
    return furthest;
  }
  static std::array<double, 6> bounds_of(const Convex& convex) {
    if (!convex.solid) return {};
    Vec low = convex.solid->at(0), high = low;
    for (int i = 1; i < convex.solid->count(); ++i)
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], convex.solid->at(i)[k]), high[k] = std::max(high[k], convex.solid->at(i)[k]);
      }
    const Vec center = (low + high) * 0.5, half = (high - low) * 0.5;
    return {center.x, center.y, center.z, half.x, half.y, half.z};
  }
};

// Ordinary shapes, and every other time some that are flat, tiny, long, or turned alike.
Pair random_pair(Random& random, const PairCase& types) {
  Pair pair{random_convex(random, types.a, 0.5), random_convex(random, types.b, 1.5)};
  if (random.chance(0.5)) {
    if (random.chance(0.5)) pair.b.body.R = pair.a.body.R;
    if (random.chance(0.2)) pair.a.body.size = {1e-9, 1e-9, 1e-9};
    if (random.chance(0.3)) pair.b.body.size[random.integer(0, 2)] *= random.chance(0.5) ? 1e-6 : 1e3;
    if (pair.b.solid && random.chance(0.3)) pair.b.solid->stretch(diag(Vec{1, 1, random.chance(0.5) ? 0 : 1e-7}));
    if (pair.a.solid && random.chance(0.3)) pair.a.solid->stretch(diag(Vec{1e-8, 1, 1}));
    if (random.chance(0.3)) pair.b.body.p = pair.a.body.p + Vec{0, 0, random.uniform(0, 3)};
  }
  pair.measure();
  return pair;
}

std::vector<ContactPoint> search(const Pair& pair, double margin) {
  ContactPoint points[kMaxPoints];
  return {points, points + convex_convex(pair.shape_a(), pair.shape_b(), margin, points)};
}

Separation along(const Convex& a, const Vec& normal_W) {
  const Vec normal_A = transposed_mul(a.body.R, normal_W);
  return {1, 2, {float(normal_A.x), float(normal_A.y), float(normal_A.z)}};
}

struct Verdict {
  int proofs = 0, contradictions = 0;
};

// Margins around the distance, in units of the slack: the proof claims that there are no points, the search judges.
Verdict judge(Random& random, const PairCase& types, double planted) {
  Verdict verdict;
  const Pair pair = random_pair(random, types);
  const std::vector<ContactPoint> nearest = search(pair, 1e3);
  if (nearest.empty() || !(nearest[0].dist > 0)) {
    random.screen();
    return verdict;
  }
  const Shape a = pair.shape_a(), b = pair.shape_b();
  const double slack = kProofSlack * pair.extent();
  for (const double part : {-0.5, 0.0, 1e-6, 0.01, 0.5, 0.999, 1.001, 1.5, 10.0}) {
    const double margin = nearest[0].dist - part * slack;
    const Vec near = normalized(nearest[0].normal_W + random.vec3(random.chance(0.5) ? 0 : 1e-4));
    Separation kept = along(pair.a, near);
    if (!are_still_apart({a, b, 1, 2, planted * pair.extent()}, margin, kept)) continue;
    ++verdict.proofs;
    verdict.contradictions += !search(pair, margin).empty();
  }
  return verdict;
}

class StillApart : public testing::TestWithParam<PairCase> {};

TEST_P(StillApart, WhereThereIsAProofTheSearchFindsNothing) {
  int proofs = 0;
  for_all(kCases, [&](Random& random) {
    const Verdict verdict = judge(random, GetParam(), 1);
    EXPECT_EQ(verdict.contradictions, 0);
    proofs += verdict.proofs;
  });
  EXPECT_GT(proofs, kCases / 4);
}

// The law above would see a bound that is too small, be it by a hundredth of the slack.
TEST_P(StillApart, AWrongBoundIsCaught) {
  for (const double planted : {-0.01, -1.0}) {
    int contradictions = 0;
    for_all(kCases, [&](Random& random) { contradictions += judge(random, GetParam(), planted).contradictions; });
    EXPECT_GT(contradictions, kCases / 100) << "slack times " << planted;
  }
}

bool same_bits(const ContactPoint* a, const ContactPoint* b, int count) {
  return std::memcmp(a, b, sizeof(ContactPoint) * static_cast<size_t>(count)) == 0;
}

Separation random_separation(Random& random) {
  const auto number = [&random] {
    return random.chance(0.1) ? std::numeric_limits<float>::quiet_NaN() : float(random.uniform(-1, 1));
  };
  return {1, 2, {number(), number(), number()}};
}

// A shape drifts past another, with what is kept from step to step, nothing, or anything at all.
TEST_P(StillApart, PointsAreTheSameBitsWhateverIsKept) {
  int apart = 0, touching = 0;
  for_all(kCases / 10, [&](Random& random) {
    Pair pair = random_pair(random, GetParam());
    const Vec v = random.vec3(0.02), w = random.vec3(0.02);
    const double margin = random.chance(0.3) ? random.uniform(-0.05, 0.3) : 0;
    Separation kept{};
    for (int step = 0; step < 60; ++step) {
      pair.b.body.p += v, pair.b.body.R = to_mat(quat_from_rotation_vector(w * double(step)));
      const Shape a = pair.shape_a(), b = pair.shape_b();
      ContactPoint expected[kMaxPoints], found[kMaxPoints];
      const int count = convex_convex(a, b, margin, expected);
      Separation nothing{}, anything = random_separation(random);
      for (Separation* known : {&kept, &nothing, &anything}) {
        ASSERT_EQ(touch_convex({a, b, 1, 2, pair.extent()}, margin, *known, found), count) << "step " << step;
        EXPECT_TRUE(same_bits(expected, found, count)) << "step " << step;
      }
      ++(count == 0 ? apart : touching);
    }
  });
  EXPECT_GT(apart, kCases / 10);
  EXPECT_GT(touching, kCases / 10);
}

std::string name_of(const testing::TestParamInfo<PairCase>& pair) { return pair.param.name; }

std::vector<PairCase> pairs_with_hulls_and_others() {
  return {{GeomType::kSphere, GeomType::kMesh, "SphereMesh"},
          {GeomType::kCapsule, GeomType::kCylinder, "CapsuleCylinder"},
          {GeomType::kCapsule, GeomType::kMesh, "CapsuleMesh"},
          {GeomType::kEllipsoid, GeomType::kEllipsoid, "EllipsoidEllipsoid"},
          {GeomType::kCylinder, GeomType::kCylinder, "CylinderCylinder"},
          {GeomType::kCylinder, GeomType::kBox, "CylinderBox"},
          {GeomType::kBox, GeomType::kMesh, "BoxMesh"},
          {GeomType::kMesh, GeomType::kMesh, "MeshMesh"},
          {GeomType::kMesh, GeomType::kCone, "MeshCone"}};
}
INSTANTIATE_TEST_SUITE_P(Contact, StillApart, testing::ValuesIn(pairs_with_hulls_and_others()), name_of);

TEST(SeparationTable, HasAPlaceForEveryPairAndNoneWithoutShapes) {
  EXPECT_EQ(SeparationTable().find(1, 2), nullptr);
  EXPECT_EQ(SeparationTable(0).bytes(), 0u);
  const SeparationTable table(30);
  EXPECT_GE(table.bytes(), 240 * sizeof(Separation));
  EXPECT_FALSE(table.find(0, 1)->is_of(0, 1));
  for (int i = 0; i < 1000; ++i) {
    Separation* place = table.find(i, 7 * i + 1);
    ASSERT_GE(place, table.begin());
    ASSERT_LT(place, table.begin() + table.bytes() / sizeof(Separation));
    *place = {i, 7 * i + 1, {}};
    EXPECT_TRUE(table.find(i, 7 * i + 1)->is_of(i, 7 * i + 1));
  }
  EXPECT_LT(SeparationTable(1 << 30).bytes(), size_t{4} << 20);
}

}  // namespace
}  // namespace torsor
