// Searches over hulls, eight corners at a time and by lists of the model, find what a plain look at all corners finds.
#include <cmath>
#include <cstring>
#include <string>

#include "tests/support/property.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/feature.hpp"
#include "torsor/contact/support.hpp"
#include "torsor/core/isa.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/load/load.hpp"
#include "torsor/model/hull_tables.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

const int kDirections = number_of_cases(500, 2'000, 20'000);

// The same hull without what the model lists beside corners and edges.
HullView plain(const HullView& hull) {
  HullView result = hull;
  result.corner_face = nullptr, result.kernels = nullptr, result.position = nullptr;
  result.side = nullptr, result.side_corner = nullptr, result.block = nullptr, result.cell_block = nullptr;
  return result;
}

template <class Law>
void for_all_hulls(const char* name, Law law) {
  const Model model = load(std::string(TORSOR_SOURCE_DIR "/models/") + name);
  Data data(model);
  compute_kinematics(model, data);
  int hulls = 0;
  for (int g = 0; g < model.ngeom; ++g) {
    ShapeParts parts;
    const Shape shape = make_shape(model, data, g, parts);
    if (shape.type != GeomType::kMesh || has_no_hull(shape)) continue;
    ++hulls;
    const HullView without = plain(*shape.hull);
    Shape other = shape;
    other.hull = &without;
    for_all(kDirections / 10, [&](Random& random) { law(random, shape, other); });
  }
  EXPECT_GT(hulls, 0) << name;
}

const char* const kModels[] = {"benchmarks/two_arms.xml", "benchmarks/hull_cube.xml", "features/mesh_builtin.xml",
                               "features/mesh_files.xml"};

// Also along the axes, where corners are equally far.
Vec random_direction(Random& random) {
  if (random.chance(0.7)) return random.unit_vec3();
  const auto whole = [&random] { return double(random.integer(-1, 1)); };
  const Vec d{whole(), whole(), whole()};
  return norm2(d) > 0 ? normalized(d) : Vec{0, 0, 1};
}

TEST(HullWalk, FindsTheFurthestCornerAndOfEqualsTheFirst) {
  for (const char* name : kModels)
    for_all_hulls(name, [](Random& random, const Shape& shape, const Shape& other) {
      ConvexPart listed(shape, Mat3<double>::identity(), Vec::zero()),
          looked(other, Mat3<double>::identity(), Vec::zero());
      for (int k = 0; k < 10; ++k) {
        const Vec d = random_direction(random);
        const int corner = listed.furthest_corner(d);
        ASSERT_EQ(corner, looked.furthest_corner(d));
        const Vec p = load3<double>(shape.hull->corner + 3 * corner), found = core_of(shape).furthest_in_own_frame(d);
        EXPECT_EQ(std::memcmp(&p, &found, sizeof p), 0);
      }
    });
}

TEST(HullWalk, FindsTheSameFacesAndEdgesAsALookAtAllTriangles) {
  int faces = 0;
  for (const char* name : kModels)
    for_all_hulls(name, [&](Random& random, const Shape& shape, const Shape& other) {
      ConvexPart listed(shape, Mat3<double>::identity(), Vec::zero()),
          looked(other, Mat3<double>::identity(), Vec::zero());
      // along a face, or nearly so
      const int* t = shape.hull->face + 3 * random.integer(0, shape.hull->face_count - 1);
      const auto corner = [&](int i) { return load3<double>(shape.hull->corner + 3 * t[i]); };
      const Vec n = cross(corner(1) - corner(0), corner(2) - corner(0));
      if (!(norm(n) > 0)) return random.screen();
      const Vec d = normalized(normalized(n) + random.vec3(random.chance(0.5) ? 0 : 0.1));
      Feature a, b;
      find_feature(listed, d, a);
      find_feature(looked, d, b);
      ASSERT_EQ(a.count, b.count);
      faces += a.count > 2;
      EXPECT_EQ(std::memcmp(a.p, b.p, sizeof(Vec) * static_cast<size_t>(a.count)), 0);
      if (a.count > 2) {
        EXPECT_EQ(std::memcmp(&a.normal, &b.normal, sizeof(Vec)), 0);
      }
    });
  EXPECT_GT(faces, 100);
}

// A hull of many corners: a globe of points.
Model load_globe() {
  std::string vertices;
  for (int i = 0; i < 600; ++i) {
    const double z = 1 - (2 * i + 1) / 600.0, across = std::sqrt(1 - z * z), angle = i * 2.399963;
    vertices += std::to_string(across * std::cos(angle)) + " " + std::to_string(0.7 * across * std::sin(angle)) + " " +
                std::to_string(0.4 * z) + " ";
  }
  return load_string("<mujoco><asset><mesh name='globe' vertex='" + vertices +
                     "'/></asset><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 2'><freejoint/>"
                     "<geom type='mesh' mesh='globe'/></body></worldbody></mujoco>");
}

TEST(HullWalk, ListsFindTheHighestCornerOfALargeHullInEveryInstructionSet) {
  const Model model = load_globe();
  ASSERT_GE(model.mesh_hullvertnum[0], HullTables::kListFrom);
  Data data(model);
  compute_kinematics(model, data);
  const std::string before = isa_name(current_isa());
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    ShapeParts parts;
    const Shape shape = make_shape(model, data, 1, parts);
    ASSERT_NE(shape.hull->cell_block, nullptr);
    for_all(kDirections, [&](Random& random) {
      const Vec d = random_direction(random) * std::exp(random.uniform(-20, 20));
      const auto height = [&](int i) { return dot(d, load3<double>(shape.hull->corner + 3 * i)); };
      int highest = 0;
      for (int i = 1; i < shape.hull->count; ++i)
        if (height(i) > height(highest)) highest = i;
      EXPECT_EQ(ConvexPart(shape, Mat3<double>::identity(), Vec::zero()).furthest_corner(d), highest);
    });
    for (const Vec& d : {Vec{0, 0, 0}, Vec{NAN, 1, 2}, Vec{INFINITY, 1, 2}}) {
      const int some = ConvexPart(shape, Mat3<double>::identity(), Vec::zero()).furthest_corner(d);
      EXPECT_GE(some, 0);
      EXPECT_LT(some, shape.hull->count);
    }
  }
  use_isa(before);
}

TEST(HullTables, AreSharedByCopiesAndMadeForModelsFromBytes) {
  const Model model = load_globe();
  ASSERT_NE(model.hulls(), nullptr);
  EXPECT_EQ(Model(model).hulls(), model.hulls());
  EXPECT_EQ(model.with_options(model.opt).hulls(), model.hulls());
  EXPECT_EQ(load_string("<mujoco/>").hulls(), nullptr);
  const Model read = from_bytes(to_bytes(model));  // bytes do not have them
  ASSERT_NE(read.hulls(), nullptr);
  EXPECT_EQ(read.hulls()->position, model.hulls()->position);
  EXPECT_EQ(read.hulls()->corner, model.hulls()->corner);
  EXPECT_EQ(read.hulls()->cell_block, model.hulls()->cell_block);
}

TEST(HullWalk, EveryTriangleIsListedAtItsCorners) {
  const Model model = load(TORSOR_SOURCE_DIR "/models/benchmarks/two_arms.xml");
  for (int m = 0; m < model.nmesh; ++m)
    for (int f = 0; f < model.mesh_hullfacenum[m]; ++f)
      for (int c = 0; c < 3; ++c) {
        const int corner = model.mesh_hullvertadr[m] + model.mesh_hullface[3 * (model.mesh_hullfaceadr[m] + f) + c];
        const int* listed = model.mesh_hulledgeface.data() + model.mesh_hulledgeadr[corner];
        EXPECT_NE(std::find(listed, listed + model.mesh_hulledgenum[corner], f),
                  listed + model.mesh_hulledgenum[corner]);
      }
}

}  // namespace
}  // namespace torsor
