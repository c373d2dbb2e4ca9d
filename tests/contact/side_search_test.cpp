// Sides over deepest corners: the depth is that of EPA, from fewer corners.
#include "torsor/contact/side_search.hpp"

#include <cmath>

#include "tests/contact/convexes.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/epa.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// A hull with the tables of a model: a cube with chamfers, or the links of arms.
class Hulls {
 public:
  explicit Hulls(const char* scene) : model_(load(std::string(TORSOR_SOURCE_DIR "/models/benchmarks/") + scene)) {
    Data data(model_);
    compute_kinematics(model_, data);
    parts_.resize(size_t(model_.ngeom));
    for (int g = 0; g < model_.ngeom; ++g) {
      const Shape shape = make_shape(model_, data, g, parts_[size_t(g)]);
      if (shape.type == GeomType::kMesh && shape.hull->side) shapes_.push_back(shape);
    }
  }
  Shape random(Random& random) const { return shapes_.at(size_t(random.integer(0, int(shapes_.size()) - 1))); }

 private:
  Model model_;
  std::vector<ShapeParts> parts_;
  std::vector<Shape> shapes_;
};

// Two shapes with their poses: the first as it is, the second above it, turned by at most `tilt`.
struct Stack {
  Mat3<double> R[2];
  Shape shape[2];

  Stack(Random& random, const Shape& below, const Shape& above, double size, double tilt) {
    R[0] = random.rotation();
    const Vec axis = normalized(random.vec3(1));
    R[1] = R[0] * to_mat(from_axis_angle(axis, random.uniform(0, tilt)));
    shape[0] = below, shape[1] = above;
    for (int i = 0; i < 2; ++i) shape[i].R_WG = R[i].m;
    shape[0].p_WoGo_W = random.vec3(1);
    const Vec offset{random.uniform(-0.5, 0.5) * size, random.uniform(-0.5, 0.5) * size, 1.97 * size};
    shape[1].p_WoGo_W = shape[0].p_WoGo_W + R[0] * offset;
  }
};

// Whether a side gives the depth; then EPA finds no other.
bool is_as_deep_as_by_epa(const Shape& a, const Shape& b) {
  ConvexPart part_a = first_part(a, b), part_b = second_part(a, b);
  Nearest by_side, by_epa;
  if (!find_depth_of_side(part_a, part_b, by_side)) return false;
  Simplex simplex;
  EXPECT_EQ(find_distance(part_a, part_b, 0, simplex, by_epa), Distance::kOverlap);
  by_epa = find_depth(part_a, part_b, simplex);
  const double size = norm(part_b.p_FoGo_F);
  EXPECT_NEAR(by_side.dist, by_epa.dist, 3e-7 * size);
  EXPECT_NEAR(dot(by_side.on_a - by_side.on_b, by_side.normal_F), -by_side.dist, 1e-12 * size);
  EXPECT_NEAR(norm(by_side.normal_F), 1, 1e-12);
  // the depth is that of the two shapes along the normal, whatever found it
  const double reach = dot(part_a.furthest(by_side.normal_F) - part_b.furthest(-by_side.normal_F), by_side.normal_F);
  EXPECT_NEAR(reach, -by_side.dist, 3e-7 * size);
  return true;
}

TEST(SideSearch, CubesOnEachOtherAreAsDeepAsByEpa) {
  const Hulls hulls("hull_cube.xml");
  int found = 0;
  for_all(2000, [&](Random& random) {
    const Stack stack(random, hulls.random(random), hulls.random(random), 0.00998, 0.05);
    found += is_as_deep_as_by_epa(stack.shape[0], stack.shape[1]);
  });
  EXPECT_GT(found, 300);
}

TEST(SideSearch, BoxesAndHullsAreAsDeepAsByEpa) {
  const Hulls hulls("two_arms.xml");
  const double size[3] = {0.3, 0.2, 0.1};
  int found = 0;
  for_all(3000, [&](Random& random) {
    const Shape box{GeomType::kBox, size, Vec::zero(), nullptr};
    const Stack stack(random, box, hulls.random(random), 0.07, 3);
    for (const bool swapped : {false, true}) found += is_as_deep_as_by_epa(stack.shape[swapped], stack.shape[!swapped]);
  });
  EXPECT_GT(found, 100);
}

TEST(SideSearch, IsNotForShapesWithoutSides) {
  const Hulls hulls("hull_cube.xml");
  Random random(1);
  const Shape hull = hulls.random(random);
  const double size[3] = {0.1, 0.1, 0.1};
  const Mat3<double> R = Mat3<double>::identity();
  for (const GeomType type : {GeomType::kSphere, GeomType::kCapsule, GeomType::kCylinder, GeomType::kCone}) {
    const Shape round{type, size, Vec::zero(), R.m};
    const ConvexPart part = first_part(round, hull), other = second_part(round, hull);
    EXPECT_FALSE(SideSearch::is_for(part, other));
    EXPECT_TRUE(SideSearch::is_for(other, other));
  }
}

}  // namespace
}  // namespace torsor
