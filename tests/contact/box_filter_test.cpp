// Where the quick look at boxes is sure, the test that decides says the same, in every instruction set; and it is sure
// nearly always.
#include "torsor/contact/box_filter.hpp"

#include "tests/contact/shapes.hpp"
#include "torsor/core/isa.hpp"

namespace torsor {
namespace {

const GeomType kTypes[] = {GeomType::kSphere, GeomType::kCapsule, GeomType::kEllipsoid, GeomType::kCylinder,
                           GeomType::kBox};

TEST(BoxFilter, WhatIsBeyondDoubtIsWhatTheOtherTestSaysAndFewPairsAreInDoubt) {
  const std::string before = isa_name(current_isa());
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    int apart = 0, near = 0, clear = 0;
    for_all(number_of_cases(2'000, 20'000, 200'000), [&](Random& random) {
      const auto body = [&](double room) { return random_body(random, kTypes[random.integer(0, 4)], room); };
      const Vec3<double> far = random.vec3(random.chance(0.2) ? 1e6 : 0.1);
      const Body a = moved(body(1.2), far, random.rotation()), b = moved(body(1.2), far, random.rotation());
      const double margin = random.chance(0.5) ? 0 : random.uniform(-0.1, 0.3);
      PlacedBoxes boxes;
      const auto shape_of = [&](int geom) { return geom == 0 ? a.shape() : b.shape(); };
      const BoxGap seen = boxes.compare(0, 1, margin, shape_of);
      const bool decided = are_boxes_apart(a.shape(), b.shape(), margin);
      if (seen != BoxGap::kInDoubt) {
        EXPECT_EQ(seen == BoxGap::kApart, decided);
      }
      EXPECT_EQ(boxes.compare(0, 1, margin, shape_of), seen);  // from the places of the first
      (decided ? apart : near) += 1, clear += seen != BoxGap::kInDoubt;
    });
    EXPECT_GT(apart, 100);
    EXPECT_GT(near, 100);
    EXPECT_GT(clear, 0.99 * (apart + near));
  }
  use_isa(before);
}

TEST(BoxFilter, BoxesThatTouchExactlyAreInDoubt) {
  for_all(2'000, [](Random& random) {
    Body a = random_body(random, GeomType::kBox, 1);
    Body b = a;
    const int axis = random.integer(0, 2);
    const double margin = random.chance(0.5) ? 0 : 0.01;
    b.p += a.R.col(axis) * (2 * a.size[static_cast<size_t>(axis)] + margin);
    PlacedBoxes boxes;
    EXPECT_EQ(boxes.compare(3, 4, margin, [&](int geom) { return geom == 3 ? a.shape() : b.shape(); }),
              BoxGap::kInDoubt);
  });
}

TEST(BoxFilter, GeomsThatShareAPlaceAreLeftToTheOtherTest) {
  Body a{GeomType::kBox, {0.1, 0.1, 0.1}, {0, 0, 0}, Mat3<double>::identity()}, b = a;
  b.p.x = 5;
  PlacedBoxes boxes;
  const auto shape_of = [&](int geom) { return geom == 1 ? a.shape() : b.shape(); };
  EXPECT_EQ(boxes.compare(1, 2, 0, shape_of), BoxGap::kApart);
  EXPECT_EQ(boxes.compare(1, 65, 0, shape_of), BoxGap::kInDoubt);
  EXPECT_EQ(boxes.compare(66, 1, 0, shape_of), BoxGap::kApart);  // 66 takes the place of 2
}

}  // namespace
}  // namespace torsor
