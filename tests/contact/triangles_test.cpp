// Meshes that collide as their triangles, against brute force over all triangles, against their hulls and against
// planes.
#include "tests/contact/directions.hpp"
#include "tests/contact/triangle_meshes.hpp"
#include "torsor/contact/triangle_walk.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr int kCases = 400;
constexpr double kExact = 1e-9;

std::vector<ContactPoint> touch(const Shape& a, const Shape& b, double margin) {
  ContactPoint points[kMaxFieldPoints];
  const int count = find_pair_function(a, b)(a, b, margin, points);
  return {points, points + count};
}

double waves(double x, double y) { return 0.3 * std::sin(3 * x) * std::cos(2 * y); }

// Two solids and two shells.
const TriangleMesh& mesh_of(int i) {
  static const TriangleMesh torus = make_torus(1, 0.3, 24, 12), block = make_block({0.5, 0.4, 0.3}, 3),
                            hills = make_sheet(1, 6, waves), sheet = make_sheet(1, 7);
  return *std::array{&torus, &block, &hills, &sheet}[size_t(i)];
}

Body placed(GeomType type, std::array<double, 3> size, const Vec& p, const Mat3<double>& R) {
  return {type, size, p, R};
}
const std::array<double, 3> kNoSize{0, 0, 0};
const Body kAtOrigin = placed(GeomType::kMesh, kNoSize, Vec::zero(), Mat3<double>::identity());

class EveryMesh : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Triangles, EveryMesh, testing::Range(0, 4));

TEST(TriangleTree, KnowsSolidsFromShells) {
  EXPECT_TRUE(mesh_of(0).tree().is_solid);
  EXPECT_TRUE(mesh_of(1).tree().is_solid);
  EXPECT_FALSE(mesh_of(2).tree().is_solid);
  EXPECT_FALSE(mesh_of(3).tree().is_solid);
}

// The nearest point over all triangles, and the side by the winding number.
TEST_P(EveryMesh, MeetsSpheresAsBruteForceSays) {
  const TriangleMesh& mesh = mesh_of(GetParam());
  int found = 0;
  for_all(kCases, [&](Random& random) {
    const double radius = random.uniform(0.02, 0.5), margin = random.chance(0.5) ? 0.2 : 0;
    const Body place = placed(GeomType::kMesh, kNoSize, random.vec3(), random.rotation());
    const Vec c = hadamard(random.vec3(1.5), {1, 1, 0.5});
    const NearestPair expected = nearest_on_all(mesh, c, c);
    const double side = mesh.tree().is_solid && winding(mesh, c) > 0.5 ? -1 : 1;
    const double dist = side * expected.dist - radius;
    const Body ball = placed(GeomType::kSphere, {radius, 0, 0}, place.p + place.R * c, random.rotation());
    const std::vector<ContactPoint> points = touch(ball.shape(), mesh.shape(place), margin);
    ASSERT_EQ(points.empty(), dist > margin);
    if (points.empty()) return random.screen();
    const Vec normal_W = place.R * (c - expected.on_triangle) * (-side / expected.dist);
    EXPECT_NEAR(deepest(points).dist, dist, kExact);
    EXPECT_NEAR(norm(deepest(points).normal_W - normal_W), 0, 1e-8);
    ++found;
  });
  EXPECT_GT(found, kCases / 10);
}

// As long as the axis of the capsule does not pass through the surface. Its middle is within reach of some triangle, so
// that all that are left touch.
TEST_P(EveryMesh, MeetsCapsulesAsBruteForceSays) {
  const TriangleMesh& mesh = mesh_of(GetParam());
  int found = 0;
  for_all(kCases, [&](Random& random) {
    const double radius = random.uniform(0.02, 0.3), half = random.uniform(0.05, 0.6);
    const Body place = placed(GeomType::kMesh, kNoSize, random.vec3(), random.rotation());
    const int face = random.integer(0, mesh.face_count() - 1);
    const Vec on_face = (mesh.corner(face, 0) + mesh.corner(face, 1) + mesh.corner(face, 2)) * (1.0 / 3);
    const Vec c = on_face + random.unit_vec3() * random.uniform(0, radius + 0.1);
    const Mat3<double> R = random.rotation();
    const NearestPair expected = nearest_on_all(mesh, c - R.col(2) * half, c + R.col(2) * half);
    if (expected.dist < 1e-6 || (mesh.tree().is_solid && winding(mesh, c) > 0.5)) return random.screen();
    const Body capsule = placed(GeomType::kCapsule, {radius, half, 0}, place.p + place.R * c, place.R * R);
    const std::vector<ContactPoint> points = touch(capsule.shape(), mesh.shape(place), 0.1);
    ASSERT_FALSE(points.empty());
    const Vec normal_W = place.R * (expected.on_triangle - expected.on_segment) * (1 / expected.dist);
    EXPECT_NEAR(deepest(points).dist, expected.dist - radius, kExact);
    EXPECT_NEAR(norm(deepest(points).normal_W - normal_W), 0, 1e-5);
    ++found;
  });
  EXPECT_GT(found, kCases / 10);
}

TEST_P(EveryMesh, StandsOnPlanesWithItsLowestVertex) {
  const TriangleMesh& mesh = mesh_of(GetParam());
  for_all(kCases, [&](Random& random) {
    const Body place = placed(GeomType::kMesh, kNoSize, random.vec3(), random.rotation());
    const Body plane = placed(GeomType::kPlane, kNoSize, place.p + random.vec3(), random.rotation());
    double lowest = INFINITY;
    for (int i = 0; i < mesh.vertex_count(); ++i)
      lowest = std::min(lowest, dot(plane.R.col(2), place.p + place.R * mesh.vertex(i) - plane.p));
    const std::vector<ContactPoint> points = touch(plane.shape(), mesh.shape(place), 0.01);
    ASSERT_EQ(points.empty(), lowest > 0.01);
    if (points.empty()) return random.screen();
    EXPECT_LE(points.size(), 4u);
    EXPECT_NEAR(deepest(points).dist, lowest, 1e-12);
    EXPECT_NEAR(norm(deepest(points).normal_W - plane.R.col(2)), 0, 1e-12);
  });
}

// Corners that touch, not those above them that are within the margin too: a block that stood on one lower and one
// upper corner would rock.
TEST(Triangles, WithAWideMarginABlockStandsOnWhatTouches) {
  const TriangleMesh& block = mesh_of(1);
  const Body ground = placed(GeomType::kPlane, kNoSize, Vec::zero(), Mat3<double>::identity());
  for_all(kCases, [&](Random& random) {
    const Vec tilt = random.vec3(1e-3);
    Body body = placed(GeomType::kMesh, kNoSize, {random.uniform(-1, 1), random.uniform(-1, 1), 0.3},
                       to_mat(normalized(Quat<double>{1, tilt.x, tilt.y, random.uniform(-1, 1)})));
    body.p.z -= deepest(touch(ground.shape(), block.shape(body), 10)).dist + random.uniform(0, 1e-3);
    const std::vector<ContactPoint> points = touch(ground.shape(), block.shape(body), 10);
    ASSERT_EQ(points.size(), 4u);
    for (const ContactPoint& point : points) {
      const Vec corner = transposed_mul(body.R, point.pos_W - body.p);
      EXPECT_NEAR(std::abs(corner.x), 0.5, 1e-3);
      EXPECT_NEAR(std::abs(corner.y), 0.4, 1e-3);
      EXPECT_NEAR(corner.z, -0.3, 2e-3);
    }
  });
}

constexpr GeomType kConvex[] = {GeomType::kSphere,   GeomType::kCapsule, GeomType::kEllipsoid,
                                GeomType::kCylinder, GeomType::kBox,     GeomType::kCone};

// Triangles that only make up a flat side leave no trace: whatever lies on it, anywhere, touches as on a plane.
TEST(Triangles, AFlatSheetIsAPlaneForEveryShape) {
  const TriangleMesh sheet = make_sheet(2, 20);
  for (const GeomType type : kConvex) {
    for_all(kCases, [&](Random& random) {
      Body body = placed(type, {random.uniform(0.1, 0.3), random.uniform(0.1, 0.3), random.uniform(0.1, 0.3)},
                         {random.uniform(-1, 1), random.uniform(-1, 1), 0.2}, random.rotation());
      // any way, flat, or almost flat
      const double tilt = random.chance(0.5) ? 0 : random.uniform(-0.01, 0.01);
      const bool is_upright = random.chance(0.7);
      if (is_upright) body.R = to_mat(normalized(Quat<double>{1, tilt, 0.5 * tilt, random.uniform(-1, 1)}));
      const Body ground = placed(GeomType::kPlane, kNoSize, Vec::zero(), Mat3<double>::identity());
      const std::vector<ContactPoint> above = touch(ground.shape(), body.shape(), 10);
      body.p.z -= deepest(above).dist + random.uniform(1e-6, 3e-3);
      const std::vector<ContactPoint> expected = touch(ground.shape(), body.shape(), 0);
      const Shape as_mesh = sheet.shape(kAtOrigin);
      const bool mesh_first = type == GeomType::kCone;
      const std::vector<ContactPoint> points =
          mesh_first ? touch(as_mesh, body.shape(), 0) : touch(body.shape(), as_mesh, 0);
      ASSERT_FALSE(points.empty()) << int(type);
      EXPECT_LE(points.size(), type == GeomType::kBox ? expected.size() : 4u);  // corners, nothing between them
      EXPECT_NEAR(deepest(points).dist, deepest(expected).dist, kExact) << int(type);
      for (const ContactPoint& point : points) {
        EXPECT_NEAR(norm(point.normal_W - Vec{0, 0, mesh_first ? 1.0 : -1.0}), 0, kExact) << int(type);
        EXPECT_GE(point.dist, deepest(expected).dist - kExact);
      }
      if (!is_upright || (type != GeomType::kCylinder && type != GeomType::kCone)) return;
      ASSERT_EQ(points.size(), expected.size())
          << int(type) << ": a base stands on the points of its rim that a plane has";
      for (const ContactPoint& there : expected) {
        const auto is_there = [&](const ContactPoint& point) { return norm(point.pos_W - there.pos_W) < kExact; };
        EXPECT_TRUE(std::any_of(points.begin(), points.end(), is_there)) << int(type);
      }
    });
  }
}

// Near the surface of a convex solid, its triangles and its hull are the same, however fine the triangles.
TEST(Triangles, AConvexMeshTouchesAsItsHull) {
  const Vec half{0.5, 0.4, 0.3};
  for (const int cells : {1, 4}) {
    const TriangleMesh block = make_block(half, cells);
    for (const GeomType type : {GeomType::kSphere, GeomType::kCapsule, GeomType::kEllipsoid, GeomType::kCylinder}) {
      for_all(kCases / 2, [&](Random& random) {
        const Body box = placed(GeomType::kBox, {half.x, half.y, half.z}, random.vec3(), random.rotation());
        Body body = placed(type, {random.uniform(0.1, 0.3), random.uniform(0.1, 0.3), random.uniform(0.1, 0.3)}, box.p,
                           random.rotation());
        const Vec away = random.unit_vec3();
        body.p += away * 1.5;
        for (int i = 0; i < 60; ++i) {
          const std::vector<ContactPoint> points = touch(body.shape(), box.shape(), 2);
          body.p += away * (points.empty() ? -0.2 : -0.5 * deepest(points).dist);
        }
        body.p += away * random.uniform(-2e-3, 2e-3);
        const std::vector<ContactPoint> expected = touch(body.shape(), box.shape(), 0.01),
                                        points = touch(body.shape(), block.shape(box), 0.01);
        ASSERT_FALSE(points.empty());
        EXPECT_NEAR(deepest(points).dist, deepest(expected).dist, 1e-6) << int(type);
        EXPECT_NEAR(norm(deepest(points).normal_W - deepest(expected).normal_W), 0, 2e-3) << int(type);
      });
    }
  }
}

// How far a shape reaches along a unit vector, by its definition.
double reach(const Body& body, const Vec& d_W) {
  const Vec d = transposed_mul(body.R, d_W);
  const double *s = body.size.data(), middle = dot(d_W, body.p);
  if (body.type == GeomType::kBox) return middle + s[0] * std::abs(d.x) + s[1] * std::abs(d.y) + s[2] * std::abs(d.z);
  if (body.type == GeomType::kCylinder) return middle + s[0] * std::hypot(d.x, d.y) + s[1] * std::abs(d.z);
  return middle + std::hypot(s[0] * d.x, s[1] * d.y, s[2] * d.z);
}

bool is_inside(const Body& body, const Vec& p_W) {
  const Vec p = transposed_mul(body.R, p_W - body.p);
  const double* s = body.size.data();
  if (body.type == GeomType::kBox) return std::abs(p.x) < s[0] && std::abs(p.y) < s[1] && std::abs(p.z) < s[2];
  if (body.type == GeomType::kCylinder) return std::hypot(p.x, p.y) < s[0] && std::abs(p.z) < s[1];
  return std::hypot(p.x / s[0], p.y / s[1], p.z / s[2]) < 1;
}

// Deeper, single triangles know less than the solid does; together they know as much.
TEST(Triangles, DeepInAConvexMeshTheDepthIsThatOfItsHull) {
  const Vec half{0.5, 0.4, 0.3};
  const TriangleMesh block = make_block(half, 4);
  for (const GeomType type : {GeomType::kEllipsoid, GeomType::kCylinder, GeomType::kBox}) {
    for_all(5 * kCases, [&](Random& random) {
      const Body box = placed(GeomType::kBox, {half.x, half.y, half.z}, random.vec3(), random.rotation());
      Body body = random_body(random, type, 0);
      for (double& size : body.size) size = random.uniform(0.1, 0.3);
      const Vec away = random.unit_vec3();
      const auto depth = [&](const Vec& n) { return reach(box, n) + reach(body, -n); };
      const auto by_hull = [&](double margin) {
        ContactPoint points[kMaxPoints];
        return convex_convex(body.shape(), box.shape(), margin, points) > 0 ? points[0]
                                                                            : ContactPoint{INFINITY, {}, {}, {}};
      };
      body.p = box.p + away * 1.5;
      for (int i = 0; i < 60; ++i) body.p -= away * (0.5 * by_hull(2).dist);
      body.p -= away * random.uniform(0.001, 0.02);
      const std::vector<ContactPoint> points = touch(body.shape(), block.shape(box), 0);
      ASSERT_FALSE(points.empty());
      const ContactPoint expected = by_hull(0);
      EXPECT_NEAR(deepest(points).dist, expected.dist, 1e-6) << int(type);
      // the same way, or another that is as short; within five degrees a side gives its own normal (kNear)
      const auto is_right = [&](const ContactPoint& point) {
        return std::abs(point.dist - expected.dist) < 1e-6 &&
               (dot(point.normal_W, expected.normal_W) > 0.996 || std::abs(point.dist + depth(-point.normal_W)) < 1e-6);
      };
      EXPECT_TRUE(std::any_of(points.begin(), points.end(), is_right)) << int(type);
    });
  }
}

// One triangle, and how far a shape has to move along a unit vector to be clear of it.
struct LoneTriangle {
  TriangleMesh mesh;
  Vec p[3];

  explicit LoneTriangle(Random& random)
      : mesh({random.vec3(), random.vec3(), random.vec3()}, {0, 1, 2}),
        p{mesh.vertex(0), mesh.vertex(1), mesh.vertex(2)} {}
  double depth(const Body& body, const Vec& n) const {
    return std::max({dot(n, p[0]), dot(n, p[1]), dot(n, p[2])}) + reach(body, -n);
  }
  // Normals of the sides of both, and across an edge of each: the least depth of a box is among them.
  std::vector<Vec> directions_for(const Body& box) const {
    std::vector<Vec> axes = {normal_to(box.p)};
    for (int i = 0; i < 3; ++i) {
      axes.push_back(box.R.col(i));
      for (int j = 0; j < 3; ++j) axes.push_back(normalized(cross(box.R.col(i), p[(j + 1) % 3] - p[j])));
    }
    for (size_t i = 0, count = axes.size(); i < count; ++i) axes.push_back(-axes[i]);
    return axes;
  }
  Vec random_point(Random& random) const {
    const double a = random.uniform(0, 1), b = random.uniform(0, 1 - a);
    return p[0] + (p[1] - p[0]) * a + (p[2] - p[0]) * b;
  }
  // Unit, to the side on which a point is.
  Vec normal_to(const Vec& q) const {
    const Vec n = normalized(cross(p[1] - p[0], p[2] - p[0]));
    return dot(n, q - p[0]) < 0 ? -n : n;
  }
};

// A shape that overlaps a triangle leaves it by the shortest way that does not lead to the other side of it than that
// of its middle. (At the border it may take a still shorter one, past the border and to the other side.)
TEST(Triangles, AShapeLeavesASingleTriangleByTheShortestOfAllWays) {
  for (const GeomType type : {GeomType::kBox, GeomType::kCylinder, GeomType::kEllipsoid}) {
    int found = 0;
    for_all(5 * kCases, [&](Random& random) {
      const LoneTriangle triangle(random);
      const Body body = random_body(random, type, 0.7);
      const std::vector<ContactPoint> points = touch(body.shape(), triangle.mesh.shape(kAtOrigin), 0);
      const auto depth = [&](const Vec& n) { return triangle.depth(body, n); };
      if (points.empty()) {
        for (int k = 0; k < 100; ++k) EXPECT_FALSE(is_inside(body, triangle.random_point(random))) << int(type);
        return;
      }
      ++found;
      const double ours = -deepest(points).dist;
      EXPECT_NEAR(ours, depth(-deepest(points).normal_W), 1e-7) << int(type);
      const Vec front = triangle.normal_to(body.p);
      const auto depth_to_front = [&](const Vec& n) { return dot(n, front) < 0 ? INFINITY : depth(n); };
      double least = least_over_directions(depth_to_front, 200, 4).value;
      if (type == GeomType::kBox)
        for (const Vec& n : triangle.directions_for(body)) least = std::min(least, depth_to_front(n));
      EXPECT_LE(ours, least + 1e-7) << int(type);
    });
    EXPECT_GT(found, kCases) << int(type);
  }
}

struct MeshScene {
  Body a, b;
};
MeshScene near_scene(Random& random) {
  const Body a = placed(GeomType::kMesh, kNoSize, random.vec3(), random.rotation());
  return {a, placed(GeomType::kMesh, kNoSize, a.p + random.vec3(1.2), random.rotation())};
}

TEST(Triangles, SwappedMeshesGiveTheMirroredContacts) {
  int found = 0;
  for_all(kCases, [&](Random& random) {
    const TriangleMesh &a = mesh_of(random.integer(0, 3)), &b = mesh_of(random.integer(0, 3));
    const MeshScene scene = near_scene(random);
    const std::vector<ContactPoint> one = touch(a.shape(scene.a), b.shape(scene.b), 0.01),
                                    two = touch(b.shape(scene.b), a.shape(scene.a), 0.01);
    ASSERT_EQ(one.size(), two.size());
    for (size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].dist, two[i].dist);
      EXPECT_EQ(norm(one[i].normal_W + two[i].normal_W), 0);
      EXPECT_EQ(norm(one[i].pos_W - two[i].pos_W), 0);
      ++found;
    }
  });
  EXPECT_GT(found, kCases / 4);
}

TEST_P(EveryMesh, DistancesDoNotDependOnWhereTheWorldIs) {
  const TriangleMesh& mesh = mesh_of(GetParam());
  for (const GeomType type : kConvex) {
    for_all(kCases / 4, [&](Random& random) {
      const Body body = placed(type, {0.2, 0.15, 0.1}, hadamard(random.vec3(1.4), {1, 1, 0.4}), random.rotation());
      const Vec p = random.vec3(3);
      const Mat3<double> R = random.rotation();
      const bool mesh_first = type == GeomType::kCone;
      const auto all = [&](const Body& m, const Body& b) {
        return mesh_first ? touch(mesh.shape(m), b.shape(), 0.05) : touch(b.shape(), mesh.shape(m), 0.05);
      };
      const std::vector<ContactPoint> here = all(kAtOrigin, body),
                                      there = all(moved(kAtOrigin, p, R), moved(body, p, R));
      ASSERT_EQ(here.empty(), there.empty());
      if (!here.empty()) {
        EXPECT_NEAR(deepest(here).dist, deepest(there).dist, 2e-6);
      }
      for (const ContactPoint& point : there) {
        EXPECT_NEAR(norm(point.normal_W), 1, kExact);
        EXPECT_LE(point.dist, 0.05);
        EXPECT_TRUE(std::isfinite(norm(point.pos_W)));
      }
    });
  }
}

// Facet against facet: two blocks touch where two boxes do, and as deep, however they are cut into triangles. Corners
// are rounded to floats, and depths that differ by a millionth of the size count as equal.
TEST(Triangles, TwoBlocksTouchAsTwoBoxes) {
  constexpr double kEqual = 1e-6;
  const Vec half_a{0.5, 0.4, 0.3}, half_b{0.25, 0.2, 0.3};
  for (const int cells : {1, 4}) {
    const TriangleMesh a = make_block(half_a, cells), b = make_block(half_b, (cells + 1) / 2);
    int found = 0;
    for_all(10 * kCases, [&](Random& random) {
      const Body place = placed(GeomType::kBox, {half_a.x, half_a.y, half_a.z}, random.vec3(), random.rotation());
      Body other = placed(GeomType::kBox, {half_b.x, half_b.y, half_b.z}, place.p, random.rotation());
      const auto distance = [&] {
        ContactPoint points[kMaxPoints];
        return convex_convex(place.shape(), other.shape(), 2, points) > 0 ? points[0].dist : INFINITY;
      };
      const Vec away = random.unit_vec3();
      other.p += away * 1.5;
      for (int i = 0; i < 60; ++i) other.p -= away * (0.5 * distance());
      other.p += away * random.uniform(-5e-3, 2e-3);
      Body mesh_a = place, mesh_b = other;
      mesh_a.type = mesh_b.type = GeomType::kMesh;
      const std::vector<ContactPoint> points = touch(a.shape(mesh_a), b.shape(mesh_b), 0);
      const double expected = distance();
      if (std::abs(expected) < kEqual) return random.screen();
      ASSERT_EQ(points.empty(), expected > 0);
      if (points.empty()) return random.screen();
      ++found;
      EXPECT_NEAR(deepest(points).dist, expected, kEqual);
    });
    EXPECT_GT(found, kCases);
  }
}

// Deeper than its middle, but not through: a solid drives it back where it came from.
TEST(Triangles, ASolidPushesOutWhatIsMostlyInside) {
  const TriangleMesh block = make_block({2, 2, 0.5}, 6);
  for (const GeomType type : kConvex) {
    for_all(kCases / 4, [&](Random& random) {
      const Body body =
          placed(type, {0.1, 0.1, 0.1}, {random.uniform(-1, 1), random.uniform(-1, 1), 0}, random.rotation());
      for (const double z : {0.52, 0.48, 0.35, 0.2, -0.2, -0.48}) {
        Body sunk = body;
        sunk.p.z = z;
        const bool mesh_first = type == GeomType::kCone;
        const std::vector<ContactPoint> points = mesh_first ? touch(block.shape(kAtOrigin), sunk.shape(), 0)
                                                            : touch(sunk.shape(), block.shape(kAtOrigin), 0);
        ASSERT_FALSE(points.empty()) << int(type) << " at " << z;
        for (const ContactPoint& point : points) {
          EXPECT_NEAR(point.normal_W.z * (mesh_first ? 1 : -1), z > 0 ? 1 : -1, 1e-6) << int(type) << " at " << z;
          EXPECT_LT(point.dist, 0);
        }
      }
    });
  }
}

TEST(Triangles, ABoxWithItsMiddleInsideLeavesOnAllItsCorners) {
  const TriangleMesh block = make_block({2, 2, 0.5}, 6);
  const Body box = placed(GeomType::kBox, {0.3, 0.3, 0.05}, {0.1, 0.2, 0.49}, Mat3<double>::identity());
  const std::vector<ContactPoint> points = touch(box.shape(), block.shape(kAtOrigin), 0);
  EXPECT_EQ(points.size(), 4u);
  for (const ContactPoint& point : points) EXPECT_NEAR(point.dist, -0.06, kExact);
}

// A sphere meets a shell from the side on which its centre is.
TEST(Triangles, AShellPushesToEitherSide) {
  const Shape sheet = mesh_of(3).shape(kAtOrigin);
  for (const double side : {1.0, -1.0}) {
    const Body ball = placed(GeomType::kSphere, {0.2, 0, 0}, {0.1, 0.15, 0.05 * side}, Mat3<double>::identity());
    const std::vector<ContactPoint> points = touch(ball.shape(), sheet, 0);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].dist, -0.15, kExact);
    EXPECT_NEAR(points[0].normal_W.z, -side, kExact);
  }
}

// A thin plate that comes from above, passes the border of the sheet and ends under it touches nothing.
TEST(Triangles, AShellDoesNotFeelWhatPassesItsBorder) {
  const TriangleMesh sheet = make_sheet(1, 1);
  const double slope = std::atan(0.3);
  const Mat3<double> R = to_mat(Quat<double>{std::cos(slope / 2), 0, -std::sin(slope / 2), 0});
  Body plate = placed(GeomType::kBox, {0.6, 0.1, 0.005}, {1.2, -0.3, 0.045}, R);
  EXPECT_TRUE(touch(plate.shape(), sheet.shape(kAtOrigin), 0).empty());
  plate.p.x -= 0.1;
  EXPECT_FALSE(touch(plate.shape(), sheet.shape(kAtOrigin), 0).empty()) << "moved into the border";
}

TEST(Triangles, MeshesStandOnFlatHeightFieldsWithTheirLowestVertex) {
  const std::vector<float> flat(81, 0.0f);
  const double size[4] = {1, 1, 0.1, 0.5};
  const HeightFieldView view{9, 9, size, flat.data()};
  for (const int cells : {1, 3}) {
    const TriangleMesh block = make_block({0.3, 0.2, 0.1}, cells);
    for_all(kCases, [&](Random& random) {
      Body place = placed(GeomType::kMesh, kNoSize, random.vec3(0.4), random.rotation());
      place.p.z = 0;
      double lowest = INFINITY;
      for (int i = 0; i < block.vertex_count(); ++i) lowest = std::min(lowest, (place.R * block.vertex(i)).z);
      place.p.z = random.uniform(-0.01, 0.01) - lowest;
      lowest += place.p.z;
      const Body ground = placed(GeomType::kHfield, kNoSize, Vec::zero(), Mat3<double>::identity());
      Shape field = ground.shape();
      field.field = &view;
      const std::vector<ContactPoint> points = touch(field, block.shape(place), 0);
      ASSERT_EQ(points.empty(), lowest > 0);
      if (points.empty()) return random.screen();
      EXPECT_NEAR(deepest(points).dist, lowest, kExact);
      EXPECT_NEAR(deepest(points).normal_W.z, 1, kExact);
    });
  }
}

TEST(Triangles, AHeightFieldPushesUpWhatIsBelowItsSurface) {
  const std::vector<float> flat(81, 0.0f);
  const double size[4] = {1, 1, 0.1, 0.5};
  const HeightFieldView view{9, 9, size, flat.data()};
  const TriangleMesh block = make_block({0.1, 0.1, 0.05}, 2);
  const Body ground = placed(GeomType::kHfield, kNoSize, Vec::zero(), Mat3<double>::identity());
  Shape field = ground.shape();
  field.field = &view;
  const Body place = placed(GeomType::kMesh, kNoSize, {0.03, 0.04, -0.1}, Mat3<double>::identity());
  const std::vector<ContactPoint> points = touch(field, block.shape(place), 0);
  ASSERT_FALSE(points.empty());
  EXPECT_NEAR(deepest(points).dist, -0.15, 1e-7);
  for (const ContactPoint& point : points) EXPECT_NEAR(point.normal_W.z, 1, kExact);
}

// Triangles without area, repeated ones, and a mesh of nothing else.
TEST(Triangles, BadTrianglesAreLeftOut) {
  const std::vector<Vec> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0, 0}, {0, 0, 0}};
  const TriangleMesh mesh(square, {0, 1, 2, 0, 2, 3, 0, 1, 4, 0, 0, 1, 5, 1, 2, 2, 1, 0, 0, 5, 2});
  EXPECT_EQ(mesh.tree().skipped, 5);
  EXPECT_EQ(mesh.view().count, 2);
  EXPECT_EQ(mesh.tree().neighbors[0] + mesh.tree().neighbors[1] + mesh.tree().neighbors[2],
            -1);  // one, and two borders
  for (const Vec& p : {Vec{0, 0, 0}, Vec{0.5, 0.5, 0}, Vec{0.5, 0, 0.1}, Vec{1, 1, -0.1}}) {
    for (const GeomType type : {GeomType::kSphere, GeomType::kCapsule, GeomType::kEllipsoid, GeomType::kBox}) {
      const Body body = placed(type, {0.2, 0.2, 0.2}, p, Mat3<double>::identity());
      const std::vector<ContactPoint> points = touch(body.shape(), mesh.shape(kAtOrigin), 0);
      EXPECT_FALSE(points.empty());
      for (const ContactPoint& point : points) {
        EXPECT_TRUE(std::isfinite(point.dist) && std::isfinite(norm(point.pos_W)));
        EXPECT_NEAR(norm(point.normal_W), 1, kExact);
      }
    }
  }
  const TriangleMesh nothing(square, {0, 1, 4, 0, 0, 1});
  EXPECT_EQ(nothing.view().count, 0);
  EXPECT_TRUE(touch(placed(GeomType::kSphere, {1, 0, 0}, Vec::zero(), Mat3<double>::identity()).shape(),
                    nothing.shape(kAtOrigin), 0)
                  .empty());
}

// Ten times the triangles, the same neighbourhood: few more are looked at.
TEST(Triangles, TheTreeVisitsFewTriangles) {
  for (const int cells : {22, 71, 224}) {  // 1 thousand, 10 thousand, 100 thousand triangles
    const TriangleMesh sheet = make_sheet(0.01 * cells, cells);
    int visited = 0, nodes = 0;
    const Bounds3 bounds{{-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01}};
    walk_triangles(
        sheet.view(), [&](const float* box) { return ++nodes, bounds.meets(box); }, [&](int) { ++visited; });
    EXPECT_LE(visited, 40) << cells;
    EXPECT_LE(nodes, 40 * std::log2(2.0 * cells * cells)) << cells;
  }
}

}  // namespace
}  // namespace torsor
