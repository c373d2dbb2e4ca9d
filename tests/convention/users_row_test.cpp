// The C++ of docs/adding_a_convention.md, line by line: tests/python/test_convention_pages.py compares the two.
#include <gtest/gtest.h>

#include <cmath>

#include "torsor/convention/convert.hpp"

namespace torsor {
namespace {

TEST(AddingAConvention, TheExampleOfThePageGivesTheNumbersWorkedByHand) {
  add_conventions_from_json(R"({"id": "mylab", "from": "mujoco", "quat": "xyzw", "twist.linear": "body",
                                "twist.order": "angular first", "source": "lab wiki, Frames"})");
  const BodyConversion to_mylab(find_convention("mujoco"), find_convention("mylab"));
  const double half = std::sqrt(0.5);
  const double pose[7] = {3, 1, 2, half, 0, 0, half}, twist[6] = {4, 5, 6, 2, -1, 3};
  double mylab_twist[6];
  to_mylab.twists(pose, twist, mylab_twist, 1);  // 2 -1 3 5 -4 6
  const double by_hand[6] = {2, -1, 3, 5, -4, 6};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(mylab_twist[i], by_hand[i], 1e-14) << i;
}

}  // namespace
}  // namespace torsor
