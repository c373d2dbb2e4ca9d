// Many searches in turn find what one after the other finds, to the bit, whatever the instruction set.
#include <cmath>
#include <cstring>
#include <string>

#include "tests/contact/convexes.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/dispatch.hpp"
#include "torsor/contact/kernels/convex.hpp"
#include "torsor/contact/still_apart.hpp"
#include "torsor/core/isa.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr GeomType kTypes[] = {GeomType::kSphere, GeomType::kCapsule, GeomType::kEllipsoid, GeomType::kCylinder,
                               GeomType::kBox,    GeomType::kCone,    GeomType::kMesh};

bool are_same(const Vec& a, const Vec& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class Law>
void for_each_isa(Law law) {
  const std::string before = isa_name(current_isa());
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    law();
  }
  use_isa(before);
}

// Hulls with the tables of a model, in new poses.
class Hulls {
 public:
  Hulls() : model_(load(TORSOR_SOURCE_DIR "/models/benchmarks/two_arms.xml")), data_(model_) {
    compute_kinematics(model_, data_);
    parts_.resize(size_t(model_.ngeom));
    for (int g = 0; g < model_.ngeom; ++g) {
      const Shape shape = make_shape(model_, data_, g, parts_[size_t(g)]);
      if (shape.type == GeomType::kMesh && shape.hull->cell_block) shapes_.push_back(shape);
    }
  }
  Shape random(Random& random, const Vec& p, const double* R) const {
    Shape shape = shapes_.at(size_t(random.integer(0, int(shapes_.size()) - 1)));
    shape.p_WoGo_W = p, shape.R_WG = R;
    return shape;
  }

 private:
  Model model_;
  Data data_;
  std::vector<ShapeParts> parts_;
  std::vector<Shape> shapes_;
};

// A pair that lives as long as its shapes are needed; half of them are hulls with tables.
struct Pair {
  Convex a, b;
  Shape first, second;
  double margin;

  Pair(Random& random, const Hulls& hulls)
      : a(random_convex(random, kTypes[random.integer(0, 6)], 0.3)),
        b(random_convex(random, kTypes[random.integer(0, 6)], 0.8)),
        first(a.shape()),
        second(b.shape()),
        margin(random.chance(0.3) ? random.uniform(0, 0.1) : 0) {
    if (random.chance(0.5)) first = hulls.random(random, a.body.p * 0.2, a.body.R.m);
    if (random.chance(0.5)) second = hulls.random(random, b.body.p * 0.2, b.body.R.m);
  }
  Pair(const Pair&) = delete;
};

struct Counts {
  int touching = 0, apart = 0, large = 0;
};

// One pair by the headers, which are compiled for any machine here.
ConvexTouch touch_alone(const ConvexTouch& touch, Counts& counts) {
  ConvexTouch result = touch;
  const ConvexMeeting meeting(touch.first, touch.second);
  result.count = meeting.touch_without_search(touch.margin, result.points, result.apart_W);
  if (result.count >= 0) return result;
  ConvexPart a = meeting.part_a(), b = meeting.part_b();
  Nearest nearest;
  Vec apart_F = Vec::zero();
  const auto depth = [&counts](ConvexPart& one, ConvexPart& other, const Simplex& simplex) {
    polytopes::Polytope<48, true> small(one, other, simplex);
    small.run();
    counts.large += small.has_given_up();
    return find_depth(one, other, simplex);
  };
  result.count = 0;
  if (find_nearest(a, b, touch.margin, nearest, touch.wants_direction ? &apart_F : nullptr, depth)) {
    result.count = meeting.write_points(a, b, nearest, touch.margin, result.points);
    ++counts.touching;
  } else {
    result.apart_W = meeting.apart_W(apart_F);
    ++counts.apart;
  }
  return result;
}

TEST(ConvexTouches, ManyPairsTouchAsEachAloneToTheBit) {
  const Hulls hulls;
  Counts counts;
  for_each_isa([&] {
    for_all(number_of_cases(500, 1'000, 5'000), [&](Random& random) {
      std::vector<std::unique_ptr<Pair>> pairs;
      std::vector<ConvexTouch> touches;
      std::vector<ConvexTouch*> pointers;
      for (int i = random.integer(1, 40); i > 0; --i) {
        pairs.push_back(std::make_unique<Pair>(random, hulls));
        const Pair& pair = *pairs.back();
        touches.push_back({pair.first, pair.second, pair.margin, random.chance(0.7), 0, {}, {}});
      }
      for (ConvexTouch& touch : touches) pointers.push_back(&touch);
      touch_convexes(pointers.data(), int(pointers.size()));
      for (const ConvexTouch& touch : touches) {
        const ConvexTouch alone = touch_alone(touch, counts);
        ASSERT_EQ(touch.count, alone.count);
        for (int i = 0; i < touch.count; ++i) {
          EXPECT_EQ(std::memcmp(&touch.points[i].dist, &alone.points[i].dist, sizeof(double)), 0);
          EXPECT_TRUE(are_same(touch.points[i].pos_W, alone.points[i].pos_W));
          EXPECT_TRUE(are_same(touch.points[i].normal_W, alone.points[i].normal_W));
        }
        if (touch.count == 0 && touch.wants_direction) {
          EXPECT_TRUE(are_same(touch.apart_W, alone.apart_W));
        }
      }
    });
  });
  EXPECT_GT(counts.touching, 500);
  EXPECT_GT(counts.apart, 500);
  EXPECT_GT(counts.large, 5);  // polytopes that had no room in the small one
}

TEST(ConvexTouches, ReachesAreThoseOfEachPairAlone) {
  const Hulls hulls;
  for_each_isa([&] {
    for_all(number_of_cases(50, 200, 2'000), [&](Random& random) {
      std::vector<std::unique_ptr<Pair>> pairs;
      std::vector<ReachJob> jobs;
      for (int i = random.integer(1, 40); i > 0; --i) {
        pairs.push_back(std::make_unique<Pair>(random, hulls));
        jobs.push_back({&pairs.back()->first, &pairs.back()->second, random.unit_vec3(), {}, 0});
      }
      nearest_kernels().find_reaches(jobs.data(), int(jobs.size()));
      for (const ReachJob& job : jobs) {
        const FacingReach alone = find_facing_reach(*job.a, *job.b, job.normal_A);
        EXPECT_EQ(job.reach, alone.reach);
        EXPECT_TRUE(are_same(job.normal_B, alone.normal_B));
      }
    });
  });
}

TEST(ConvexTouches, CornersAreThoseOfEachHullAlone) {
  const Hulls hulls;
  for_each_isa([&] {
    for_all(number_of_cases(50, 200, 2'000), [&](Random& random) {
      const Mat3<double> R = Mat3<double>::identity();
      std::vector<Convex> solids;
      std::vector<CornerJob> jobs;
      for (int i = random.integer(1, 40); i > 0; --i) {
        solids.push_back(random_convex(random, GeomType::kMesh, 1));
        const HullView* hull =
            random.chance(0.7) ? hulls.random(random, Vec::zero(), R.m).hull : solids.back().solid->view();
        jobs.push_back({hull, random.unit_vec3(), -1});
      }
      nearest_kernels().find_corners(jobs.data(), int(jobs.size()));
      for (const CornerJob& job : jobs) EXPECT_EQ(job.corner, supports::FurthestCorner(*job.hull, job.d_G).index);
    });
  });
}

// As a loop finds it.
int first_least(const std::vector<double>& x, int count) {
  int best = -1;
  for (int i = 0; i < count; ++i)
    if (x[size_t(i)] < (best < 0 ? INFINITY : x[size_t(best)])) best = i;
  return best;
}

TEST(ConvexTouches, TheLeastNumberIsTheFirstOfEquals) {
  for_all(number_of_cases(500, 2'000, 20'000), [](Random& random) {
    const int count = random.integer(0, 40), kinds = random.integer(1, 8);  // few: many are equal
    std::vector<double> x(size_t(count + 7) / 8 * 8 + 8, INFINITY);
    for (int i = 0; i < count; ++i) {
      x[size_t(i)] = random.chance(0.2)   ? INFINITY
                     : random.chance(0.5) ? random.integer(0, kinds)
                                          : random.uniform(0, 9);
      if (random.chance(0.02)) x[size_t(i)] = NAN;
    }
    EXPECT_EQ(find_least(x.data(), count), first_least(x, count));
  });
}

}  // namespace
}  // namespace torsor
