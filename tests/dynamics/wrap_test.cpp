// Paths around spheres and cylinders against what geometry says in closed form.
#include "torsor/dynamics/wrap.hpp"

#include "tests/support/property.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

struct Case {
  WrapObject object;
  Vec from, to;  // in W
};

// Two points outside of an object somewhere in space.
Case make_case(Random& random, bool is_cylinder) {
  Case made{{random.vec3(), random.rotation(), random.uniform(0.05, 0.5), is_cylinder}, {}, {}};
  const auto outside = [&] {
    Vec p = random.unit_vec3();
    if (is_cylinder) p = normalized(Vec{p.x, p.y, 0}) + Vec{0, 0, random.uniform(-1, 1)};
    const double distance = made.object.radius * random.uniform(1.1, 4);
    return made.object.p_WoGo_W + made.object.R_WG * Vec{p.x * distance, p.y * distance, p.z * distance};
  };
  made.from = outside();
  made.to = outside();
  return made;
}

// The part of a vector that counts for the distance from the middle: all of it, or what is across the axis.
Vec across(const WrapObject& object, const Vec& v_W) {
  const Vec axis = object.R_WG * Vec{0, 0, 1};
  return object.is_cylinder ? v_W - axis * dot(axis, v_W) : v_W;
}

double length_of(const Case& c, const WrapPath& path) {
  return norm(path.first - c.from) + path.arc + norm(c.to - path.second);
}

// Two tangents and what is left of the angle between the points; a cylinder unrolls into a plane.
double shortest_length(const Case& c) {
  const Vec a = across(c.object, c.from - c.object.p_WoGo_W), b = across(c.object, c.to - c.object.p_WoGo_W);
  const double r = c.object.radius, la = norm(a), lb = norm(b);
  const double angle = std::atan2(norm(cross(a, b)), dot(a, b));
  const double left = angle - std::acos(r / la) - std::acos(r / lb);
  const double straight = norm(b - a);
  const double flat = left > 0 ? std::sqrt(la * la - r * r) + std::sqrt(lb * lb - r * r) + r * left : straight;
  const Vec step = c.to - c.from;
  return std::hypot(flat, norm(step - across(c.object, step)));
}

TEST(Wrap, TheLengthIsThatOfTheShortestPath) {
  for (const bool is_cylinder : {false, true}) {
    int touching = 0;
    for_all(5'000, [&](Random& random) {
      const Case c = make_case(random, is_cylinder);
      const WrapPath path = wrap_around(c.object, c.from, c.to, nullptr);
      touching += path.touches;
      const double length = path.touches ? length_of(c, path) : norm(c.to - c.from);
      EXPECT_NEAR(length, shortest_length(c), 1e-9 * length);
    });
    EXPECT_GT(touching, 500);
  }
}

TEST(Wrap, ThePathLeavesTheSurfaceTangentially) {
  for (const bool is_cylinder : {false, true}) {
    for_all(5'000, [&](Random& random) {
      const Case c = make_case(random, is_cylinder);
      const Vec side = c.object.p_WoGo_W + random.unit_vec3() * (10 * c.object.radius);
      const WrapPath path = wrap_around(c.object, c.from, c.to, random.chance(0.5) ? &side : nullptr);
      if (!path.touches) return random.screen();
      for (const auto& [end, point] : {std::pair(c.from, path.first), std::pair(c.to, path.second)}) {
        const Vec radial = across(c.object, point - c.object.p_WoGo_W);
        EXPECT_NEAR(norm(radial), c.object.radius, 1e-12);
        EXPECT_NEAR(dot(radial, end - point), 0, 1e-12);
      }
    });
  }
}

TEST(Wrap, ASideSiteDecidesTheWayAround) {
  const WrapObject drum{{0, 0, 0}, to_mat(Quat<double>::identity()), 0.5, true};
  const Vec from{1, 0.1, 0}, to{-1, 0.1, 0.4}, above{0, 3, 0}, below{0, -3, 0};
  EXPECT_GT(wrap_around(drum, from, to, &above).first.y, 0);
  EXPECT_LT(wrap_around(drum, from, to, &below).first.y, 0);
  EXPECT_GT(wrap_around(drum, from, to, &below).arc, wrap_around(drum, from, to, &above).arc);
  // a path that is free is pulled around only by a site on the other side
  const Vec high_from{1, 0.8, 0}, high_to{-1, 0.8, 0};
  EXPECT_FALSE(wrap_around(drum, high_from, high_to, nullptr).touches);
  EXPECT_FALSE(wrap_around(drum, high_from, high_to, &above).touches);
  EXPECT_TRUE(wrap_around(drum, high_from, high_to, &below).touches);
}

TEST(Wrap, APathInsideTouchesOnceAndIsReflected) {
  for (const bool is_cylinder : {false, true}) {
    int reflected = 0;
    for_all(5'000, [&](Random& random) {
      const Case c = make_case(random, is_cylinder);
      const Vec inside = c.object.p_WoGo_W + random.unit_vec3() * (0.5 * c.object.radius);
      const WrapPath path = wrap_around(c.object, c.from, c.to, &inside);
      if (!path.touches) return random.screen();
      EXPECT_EQ(path.arc, 0);
      EXPECT_NEAR(norm(path.first - path.second), 0, 1e-15);
      const Vec radial = across(c.object, path.first - c.object.p_WoGo_W);
      EXPECT_NEAR(norm(radial), c.object.radius, 1e-12);
      const Vec normal = normalized(radial);
      const double in = dot(normalized(across(c.object, c.from - path.first)), normal);
      const double out = dot(normalized(across(c.object, c.to - path.first)), normal);
      if (in <= 0.05 || out <= 0.05) return;  // hardly bent: the point is a guess
      reflected += std::fabs(in - out) < 1e-4;
    });
    EXPECT_GT(reflected, 500);
  }
}

TEST(Wrap, NothingIsTouchedFromWithinOrWithoutASize) {
  const Mat3<double> unturned = to_mat(Quat<double>::identity());
  const Vec from{1, 0, 0}, within{-0.2, 0, 0}, to{-1, 0, 0};
  EXPECT_FALSE(wrap_around({{0, 0, 0}, unturned, 0.5, false}, from, within, nullptr).touches);
  EXPECT_FALSE(wrap_around({{0, 0, 0}, unturned, 0.5, true}, within, to, nullptr).touches);
  EXPECT_FALSE(wrap_around({{0, 0, 0}, unturned, 0, false}, from, to, nullptr).touches);
  EXPECT_FALSE(wrap_around({from, unturned, 0.5, false}, from, to, nullptr).touches);
  EXPECT_TRUE(wrap_around({{0, 0, 0}, unturned, 0.5, false}, from, to, nullptr).touches);
}

// With a side site the path has the winding angle of the polyline through it, which may be more than half a turn.
TEST(Wrap, ThePathWindsAsThePolylineThroughTheSideSiteDoes) {
  for (const bool is_cylinder : {false, true}) {
    int long_ways = 0, straight = 0;
    for_all(5'000, [&](Random& random) {
      const Case c = make_case(random, is_cylinder);
      const Vec p_GoS_W = random.unit_vec3() * (10 * c.object.radius), side = c.object.p_WoGo_W + p_GoS_W;
      const Vec a = across(c.object, c.from - c.object.p_WoGo_W), b = across(c.object, c.to - c.object.p_WoGo_W);
      const Vec normal = is_cylinder ? c.object.R_WG * Vec{0, 0, 1} : normalized(cross(a, b));
      const Vec s = p_GoS_W - normal * dot(normal, p_GoS_W);
      const auto angle = [&](const Vec& u, const Vec& v) { return std::atan2(dot(cross(u, v), normal), dot(u, v)); };
      const double winding = std::fabs(angle(a, s) + angle(s, b)), r = c.object.radius;
      const double left = winding - std::acos(r / norm(a)) - std::acos(r / norm(b));
      if (std::fabs(left) < 1e-9) return random.screen();
      const WrapPath path = wrap_around(c.object, c.from, c.to, &side);
      ASSERT_EQ(path.touches, left > 0);
      long_ways += winding > 3.2;
      straight += !path.touches;
      if (!path.touches) return;
      const double rise = norm(path.second - path.first - across(c.object, path.second - path.first));
      EXPECT_NEAR(path.arc, std::hypot(r * left, rise), 1e-9);
    });
    EXPECT_GT(long_ways, 500);
    EXPECT_GT(straight, 500);
  }
}

}  // namespace
}  // namespace torsor
