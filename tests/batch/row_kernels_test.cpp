// Shapes in lanes touch as the shapes of one world do.
#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/batch/row_plan.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/frame.hpp"
#include "torsor/core/buffer.hpp"
#include "torsor/core/isa.hpp"
#include "torsor/load/load.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {
namespace {

// Two geoms, which the tests place themselves.
Model make_pair(const std::string& first, const std::string& second) {
  const auto body = [](const std::string& geom) {
    return geom.find("plane") != std::string::npos ? "<geom " + geom + "/>"
                                                   : "<body><freejoint/><geom " + geom + "/></body>";
  };
  return load_string("<mujoco><worldbody>" + body(first) + body(second) + "</worldbody></mujoco>");
}

// Poses of both geoms of all lanes: turned at random, or along each other, and near enough to touch often.
template <class S>
struct Poses {
  Buffer positions, rotations;  // aligned for packs
  S *xpos, *xmat;

  Poses(const Model& model, int lanes, unsigned seed)
      : positions(sizeof(S) * static_cast<size_t>(3 * model.ngeom * lanes)),
        rotations(sizeof(S) * static_cast<size_t>(9 * model.ngeom * lanes)),
        xpos(reinterpret_cast<S*>(positions.data())),
        xmat(reinterpret_cast<S*>(rotations.data())) {
    Random random(seed);
    const auto uniform = [&random] { return random.uniform(-0.5, 0.5); };
    for (int lane = 0; lane < lanes; ++lane) {
      const bool is_turned = uniform() < 0.25;
      for (int geom = 0; geom < model.ngeom; ++geom) {
        double R[9];
        const Quat<double> q =
            is_turned ? normalized(Quat<double>{uniform(), uniform(), uniform(), uniform()}) : Quat<double>::identity();
        store9(R, to_mat(q));
        for (int i = 0; i < 3; ++i) xpos[(3 * geom + i) * lanes + lane] = static_cast<S>(uniform());
        for (int i = 0; i < 9; ++i) xmat[(9 * geom + i) * lanes + lane] = static_cast<S>(R[i]);
      }
    }
  }
};

// Of shapes that are round: how far from a point or line inside their surface is.
double radius_of(const Shape& shape) {
  const bool is_round =
      shape.type == GeomType::kSphere || shape.type == GeomType::kCapsule || shape.type == GeomType::kCylinder;
  return is_round ? shape.size[0] : 0;
}

struct Tally {
  int wide = 0, left = 0, points = 0;
};

// The points of each lane from the kernel, against those of PairPlan::function at the same poses.
template <class S>
void compare(const Model& model, unsigned seed, double tolerance, Tally& tally) {
  const RowPlan plan(model);
  ASSERT_EQ(plan.pairs.size(), 1u);
  const PairPlan& pair = plan.pairs[0];
  const RowKernels<S>& kernels = row_kernels<S>();
  const int lanes = kernels.lanes;
  const Poses<S> poses(model, lanes, seed);
  RowState<S> state{};
  state.geom_xpos = poses.xpos;
  state.geom_xmat = poses.xmat;
  PackContact<S> contacts[kMaxPoints];
  unsigned left = 0;
  const int count = kernels.touch(pair, state, (1u << lanes) - 1, contacts, left);
  for (int lane = 0; lane < lanes; ++lane) {
    if (left >> lane & 1) {
      ++tally.left;
      continue;
    }
    ++tally.wide;
    double p[2][3], R[2][9];
    const int geoms[2] = {pair.pair.geom1, pair.pair.geom2};
    ShapeParts parts[2];
    Shape shapes[2];
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 3; ++i) p[k][i] = poses.xpos[(3 * geoms[k] + i) * lanes + lane];
      for (int i = 0; i < 9; ++i) R[k][i] = poses.xmat[(9 * geoms[k] + i) * lanes + lane];
      shapes[k] = make_shape(model, geoms[k], p[k], R[k], parts[k]);
    }
    ContactPoint expected[kMaxFieldPoints];
    const int found = pair.function(shapes[0], shapes[1], pair.range.detection, expected);
    int next = 0;
    for (int i = 0; i < count; ++i) {
      if (!(contacts[i].lanes >> lane & 1)) continue;
      const auto number = [&](int k) { return contacts[i].numbers[k * lanes + lane]; };
      ASSERT_LT(next, found) << "more points than one world finds, lane " << lane << ", seed " << seed;
      double frame[9];
      store_frame(expected[next], frame);
      EXPECT_NEAR(number(0), expected[next].dist, tolerance);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(number(1 + k), expected[next].pos_W[k], tolerance);
      // the direction between two points is as good as their positions are, compared with their distance
      const double apart = pair.has_plane ? 1 : expected[next].dist + radius_of(shapes[0]) + radius_of(shapes[1]);
      for (int k = 0; k < 9; ++k) EXPECT_NEAR(number(4 + k), frame[k], tolerance / apart) << "seed " << seed;
      ++next;
      ++tally.points;
    }
    if (sizeof(S) == 8) {
      EXPECT_EQ(next, found) << "lane " << lane << ", seed " << seed;
    }
  }
}

struct Case {
  const char *first, *second;
};
constexpr Case kCases[] = {
    {"type='plane' size='1 1 1'", "type='sphere' size='.3'"},
    {"type='plane' size='1 1 1'", "type='capsule' size='.1 .3'"},
    {"type='plane' size='1 1 1'", "type='ellipsoid' size='.1 .2 .3'"},
    {"type='plane' size='1 1 1'", "type='cylinder' size='.2 .3'"},
    {"type='plane' size='1 1 1'", "type='box' size='.1 .2 .3'"},
    {"type='sphere' size='.3'", "type='sphere' size='.2'"},
    {"type='sphere' size='.2'", "type='capsule' size='.1 .3'"},
    {"type='sphere' size='.2'", "type='cylinder' size='.2 .3'"},
    {"type='sphere' size='.2'", "type='box' size='.1 .2 .3'"},
    {"type='capsule' size='.1 .3'", "type='capsule' size='.15 .2'"},
};

TEST(RowKernels, PairsInLanesTouchAsInOneWorld) {
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    for (const Case& pair : kCases) {
      const Model model = make_pair(pair.first, pair.second);
      Tally of_double, of_float;
      for (unsigned seed = 0; seed < 200; ++seed) {
        compare<double>(model, seed, 1e-12, of_double);
        compare<float>(model, seed, 3e-6, of_float);
      }
      const std::string what = std::string(pair.first) + " and " + pair.second;
      for (const Tally& tally : {of_double, of_float}) {
        EXPECT_GT(tally.points, 50) << what;
        EXPECT_GT(tally.wide, 2 * tally.left) << what;
      }
    }
  }
}

}  // namespace
}  // namespace torsor
