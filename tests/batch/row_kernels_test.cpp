// Shapes in lanes touch as the shapes of one world do.
#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/batch/row_plan.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/frame.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/still_apart.hpp"
#include "torsor/core/buffer.hpp"
#include "torsor/core/isa.hpp"
#include "torsor/load/load.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {
namespace {

// Two geoms, which the tests place themselves.
Model make_pair(const std::string& first, const std::string& second, const std::string& asset = {}) {
  const auto body = [](const std::string& geom) {
    return geom.find("plane") != std::string::npos ? "<geom " + geom + "/>"
                                                   : "<body><freejoint/><geom " + geom + "/></body>";
  };
  return load_string("<mujoco>" + asset + "<worldbody>" + body(first) + body(second) + "</worldbody></mujoco>");
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

// The shapes of one lane.
template <class S>
struct PlacedPair {
  double p[2][3], R[2][9];
  ShapeParts parts[2];
  Shape shapes[2];

  PlacedPair(const Model& model, const PairPlan& pair, const Poses<S>& poses, int lanes, int lane) {
    const int geoms[2] = {pair.pair.geom1, pair.pair.geom2};
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 3; ++i) p[k][i] = poses.xpos[(3 * geoms[k] + i) * lanes + lane];
      for (int i = 0; i < 9; ++i) R[k][i] = poses.xmat[(9 * geoms[k] + i) * lanes + lane];
      shapes[k] = make_shape(model, geoms[k], p[k], R[k], parts[k]);
    }
  }
};

struct Tally {
  int wide = 0, left = 0, points = 0;
  int dismissed = 0;  // lanes whose bounding spheres meet, by a closer look
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
  PackSeparation<S> kept;
  std::fill(std::begin(kept.reach), std::end(kept.reach), std::numeric_limits<S>::infinity());
  const int count = kernels.touch(pair, state, (1u << lanes) - 1, &kept, contacts, left);
  NearPair near[2] = {};
  kernels.find_near(plan.reaches.data(), 1, state, (1u << lanes) - 1, near);
  for (int lane = 0; lane < lanes; ++lane) {
    if (left >> lane & 1) {
      ++tally.left;
      continue;
    }
    ++tally.wide;
    const PlacedPair<S> placed(model, pair, poses, lanes, lane);
    const Shape(&shapes)[2] = placed.shapes;
    ContactPoint expected[kMaxFieldPoints];
    const int found = pair.function(shapes[0], shapes[1], pair.range.detection, expected);
    const bool is_near = (near[0].lanes >> lane & 1) != 0;
    EXPECT_TRUE(is_near || found == 0) << "lane " << lane << ", seed " << seed;
    tally.dismissed += !is_near && norm(shapes[1].p_WoGo_W - shapes[0].p_WoGo_W) < pair.reach;
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
      const bool has_curvature = pair.kind == PackPair::kEllipsoidBox || pair.kind == PackPair::kSphereEllipsoid ||
                                 pair.kind == PackPair::kCapsuleEllipsoid;
      const double apart = pair.has_plane  ? 1
                           : has_curvature ? 0.03  // the least radius of curvature
                                           : expected[next].dist + radius_of(shapes[0]) + radius_of(shapes[1]);
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
    {"type='sphere' size='.2'", "type='ellipsoid' size='.1 .2 .3'"},
    {"type='capsule' size='.2 .3'", "type='ellipsoid' size='.1 .2 .3'"},
    {"type='ellipsoid' size='.1 .2 .15'", "type='box' size='.45 .5 .2'"},
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
        if (what.find("plane") == std::string::npos && what.find("capsule") != std::string::npos &&
            what.find("ellipsoid") == std::string::npos) {
          EXPECT_GT(tally.dismissed, 20) << what;
        }
      }
    }
  }
}

// --- what is kept of pairs that are apart ---

// Directions of any kind, with what the shapes reach along them in other poses: where the kernel says that a lane is
// apart, its function finds no points.
template <class S>
void look_for_gaps(const Model& model, unsigned seed, int& proven, int& touching) {
  const RowPlan plan(model);
  ASSERT_EQ(plan.pairs.size(), 1u);
  const PairPlan& pair = plan.pairs[0];
  ASSERT_TRUE(pair.keeps_separation);
  const RowKernels<S>& kernels = row_kernels<S>();
  const int lanes = kernels.lanes;
  const Poses<S> poses(model, lanes, seed);
  RowState<S> state{};
  state.geom_xpos = poses.xpos;
  state.geom_xmat = poses.xmat;
  PackSeparation<S> kept;
  std::fill(std::begin(kept.reach), std::end(kept.reach), std::numeric_limits<S>::infinity());
  PackContact<S> contacts[kMaxPoints];
  unsigned left = 0, left_with_kept = 0;
  kernels.touch(pair, state, (1u << lanes) - 1, &kept, contacts, left);
  Random random(seed + 1000);
  for (int lane = 0; lane < lanes; ++lane) {
    const PlacedPair<S> placed(model, pair, poses, lanes, lane);
    const Shape &a = placed.shapes[0], &b = placed.shapes[1];
    Shape turned = b;
    double R[9];
    const double angle = random.chance(0.5) ? 0 : random.magnitude(1e-4, 0.5);
    const Vec3<double> axis = random.unit_vec3() * std::sin(0.5 * angle);
    store9(R, to_mat(normalized(Quat<double>{std::cos(0.5 * angle), axis.x, axis.y, axis.z})) * load9(b.R_WG));
    turned.R_WG = R;
    ContactPoint unused[kMaxFieldPoints];
    Vec3<double> apart_W = Vec3<double>::zero();  // as the search has it, or about from centre to centre
    if (!pair.has_plane && random.chance(0.7)) touch_convex(a, b, pair.range.detection, unused, &apart_W);
    const Vec3<double> wish_W = normalized(norm2(apart_W) > 0 ? apart_W + random.vec3(random.magnitude(1e-4, 0.3))
                                                              : b.p_WoGo_W - a.p_WoGo_W + random.vec3(0.2));
    const Vec3<double> normal_A = pair.has_plane ? Vec3<double>{0, 0, 1} : transposed_mul(load9(a.R_WG), wish_W);
    const FacingReach facing = find_facing_reach(a, turned, normal_A);
    for (int i = 0; i < 3; ++i) {
      kept.normal_A[i * lanes + lane] = static_cast<S>(facing.normal_A[i]);
      kept.normal_B[i * lanes + lane] = static_cast<S>(facing.normal_B[i]);
    }
    kept.reach[lane] = static_cast<S>(facing.reach);
  }
  kernels.touch(pair, state, (1u << lanes) - 1, &kept, contacts, left_with_kept);
  EXPECT_EQ(left_with_kept & ~left, 0u);
  for (int lane = 0; lane < lanes; ++lane) {
    if ((left >> lane & 1) == 0) continue;
    const PlacedPair<S> placed(model, pair, poses, lanes, lane);
    ContactPoint points[kMaxFieldPoints];
    const int found = pair.function(placed.shapes[0], placed.shapes[1], pair.range.detection, points);
    touching += found > 0;
    if ((left_with_kept >> lane & 1) != 0) continue;
    ++proven;
    EXPECT_EQ(found, 0) << "seed " << seed << ", lane " << lane;
  }
}

TEST(RowKernels, PairsWithAGapAlongAKeptDirectionDoNotTouch) {
  const char* const mesh = "type='mesh' mesh='m'";
  const Case cases[] = {{"type='capsule' size='.1 .2'", "type='box' size='.1 .2 .15'"},
                        {"type='box' size='.2 .1 .1'", "type='box' size='.1 .2 .15'"},
                        {"type='cylinder' size='.1 .2'", "type='box' size='.1 .2 .15'"},
                        {"type='sphere' size='.1'", mesh},
                        {"type='capsule' size='.1 .2' margin='.05'", mesh},
                        {"type='plane' size='1 1 1'", mesh},
                        {mesh, mesh}};
  const std::string asset =
      "<asset><mesh name='m' vertex='0 0 .3 .2 .1 0 -.2 .1 .05 .1 -.2 0 -.1 -.15 -.1 .05 .1 -.2'/></asset>";
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    for (const Case& pair : cases) {
      const Model model = make_pair(pair.first, pair.second, asset);
      int proven[2] = {0, 0}, touching[2] = {0, 0};
      constexpr unsigned kPoses = 6000;
      for (unsigned seed = 0; seed * row_kernels<double>().lanes < kPoses; ++seed)
        look_for_gaps<double>(model, seed, proven[0], touching[0]);
      for (unsigned seed = 0; seed * row_kernels<float>().lanes < kPoses; ++seed)
        look_for_gaps<float>(model, seed, proven[1], touching[1]);
      for (int k = 0; k < 2; ++k) {
        EXPECT_GT(proven[k], 5) << pair.first << " and " << pair.second;
        EXPECT_GT(touching[k], 50) << pair.first << " and " << pair.second;
      }
    }
  }
}

}  // namespace
}  // namespace torsor
