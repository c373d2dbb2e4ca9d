// Boxes that are clearly apart are apart by the test that decides, in every instruction set; and the quick look sees
// nearly all of them.
#include "torsor/contact/box_filter.hpp"

#include "tests/contact/shapes.hpp"
#include "torsor/core/isa.hpp"

namespace torsor {
namespace {

const GeomType kTypes[] = {GeomType::kSphere, GeomType::kCapsule, GeomType::kEllipsoid, GeomType::kCylinder,
                           GeomType::kBox};

TEST(BoxFilter, WhatIsClearlyApartIsApartAndFewPairsAreInBetween) {
  const std::string before = isa_name(current_isa());
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    int apart = 0, clearly = 0;
    for_all(number_of_cases(2'000, 20'000, 200'000), [&](Random& random) {
      const auto body = [&](double room) { return random_body(random, kTypes[random.integer(0, 4)], room); };
      const Vec3<double> far = random.vec3(random.chance(0.2) ? 1e6 : 0.1);
      const Body a = moved(body(1.2), far, random.rotation()), b = moved(body(1.2), far, random.rotation());
      const double margin = random.chance(0.5) ? 0 : random.uniform(-0.1, 0.3);
      PlacedBoxes boxes;
      const bool seen = boxes.are_clearly_apart(0, a.shape(), 1, b.shape(), margin);
      const bool decided = are_boxes_apart(a.shape(), b.shape(), margin);
      if (seen) {
        EXPECT_TRUE(decided);
      }
      EXPECT_EQ(boxes.are_clearly_apart(0, a.shape(), 1, b.shape(), margin), seen);  // from the places of the first
      apart += decided, clearly += seen;
    });
    EXPECT_GT(clearly, 0.99 * apart);
  }
  use_isa(before);
}

// The quick look must not reject what touches exactly.
TEST(BoxFilter, BoxesThatTouchExactlyAreNotClearlyApart) {
  for_all(2'000, [](Random& random) {
    Body a = random_body(random, GeomType::kBox, 1);
    Body b = a;
    const int axis = random.integer(0, 2);
    const double margin = random.chance(0.5) ? 0 : 0.01;
    b.p += a.R.col(axis) * (2 * a.size[static_cast<size_t>(axis)] + margin);
    PlacedBoxes boxes;
    EXPECT_FALSE(boxes.are_clearly_apart(3, a.shape(), 4, b.shape(), margin));
  });
}

TEST(BoxFilter, GeomsThatShareAPlaceAreLeftToTheOtherTest) {
  Body a{GeomType::kBox, {0.1, 0.1, 0.1}, {0, 0, 0}, Mat3<double>::identity()}, b = a;
  b.p.x = 5;
  PlacedBoxes boxes;
  EXPECT_TRUE(boxes.are_clearly_apart(1, a.shape(), 2, b.shape(), 0));
  EXPECT_FALSE(boxes.are_clearly_apart(1, a.shape(), 65, b.shape(), 0));
  EXPECT_TRUE(boxes.are_clearly_apart(66, b.shape(), 1, a.shape(), 0));  // 66 takes the place of 2
}

}  // namespace
}  // namespace torsor
