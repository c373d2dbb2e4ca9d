// Solids of revolution about nearly one axis: their depth is almost the same in all directions around it.
#include "tests/contact/convexes.hpp"
#include "tests/contact/directions.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

const int kCases = number_of_cases(300, 1'000, 20'000);

double power_of_ten(Random& random, double low, double high) { return std::pow(10.0, random.uniform(low, high)); }

// b, and a nearly round shape whose axis is nearly that of b.
struct Coaxial {
  Convex a, b;

  Coaxial(Random& random, GeomType type_a, GeomType type_b) {
    b = random_convex(random, type_b, 0.3);
    a = random_convex(random, type_a, 0);
    if (type_a == GeomType::kEllipsoid)
      a.body.size[1] = a.body.size[0] * (1 + power_of_ten(random, -5, -1) * random.uniform(-1, 1));
    const Vec z = normalized(b.body.R.col(2) + random.unit_vec3() * power_of_ten(random, -5, -0.5));
    const Vec x = normalized(cross(z, random.unit_vec3()));
    a.body.R = mat_from_cols(x, cross(z, x), z);
    a.body.p = b.body.p + random.unit_vec3() * power_of_ten(random, -5, -1) + z * random.uniform(-0.2, 0.2);
  }
};

class Valleys : public testing::TestWithParam<PairCase> {};

TEST_P(Valleys, TheDepthIsThatOfTheShallowestPlaceAroundTheAxis) {
  for_all(kCases, [&](Random& random) {
    const Coaxial pair(random, GetParam().a, GetParam().b);
    ContactPoint points[kMaxPoints];
    const int count = convex_convex(pair.a.shape(), pair.b.shape(), 0, points);
    if (count == 0) return random.screen();
    const auto depth = [&](const Vec& n) { return -gap(pair.a, pair.b, n); };
    const double found = -deepest({points, points + count}).dist;
    EXPECT_LE(found, least_over_directions(depth, 400, 6).value + 1e-6);
    EXPECT_NEAR(found, depth(points[0].normal_W), 1e-7);
  });
}

std::string name_of(const testing::TestParamInfo<PairCase>& pair) { return pair.param.name; }

INSTANTIATE_TEST_SUITE_P(Contact, Valleys,
                         testing::Values(PairCase{GeomType::kEllipsoid, GeomType::kCylinder, "EllipsoidCylinder"},
                                         PairCase{GeomType::kCylinder, GeomType::kCylinder, "CylinderCylinder"},
                                         PairCase{GeomType::kEllipsoid, GeomType::kEllipsoid, "EllipsoidEllipsoid"},
                                         PairCase{GeomType::kCapsule, GeomType::kEllipsoid, "CapsuleEllipsoid"},
                                         PairCase{GeomType::kCapsule, GeomType::kCylinder, "CapsuleCylinder"}),
                         name_of);

}  // namespace
}  // namespace torsor
