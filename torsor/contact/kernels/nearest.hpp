// Many searches for nearest points and depths, a step of each in turn: the processor waits for the corners of one while
// it works on the next.
#pragma once

#include "torsor/contact/gjk.hpp"

namespace torsor {

// Two convex shapes. F is the frame of the first.
struct NearestJob {
  const Shape *a, *b;
  double margin;
  bool wants_direction;
  // As find_nearest() of epa.hpp returns it, to the bit.
  bool touches;
  Nearest nearest;
  Vec3<double> apart_F;
};

// How far the cores of two shapes reach towards each other, see FacingReach.
struct ReachJob {
  const Shape *a, *b;
  Vec3<double> normal_A;
  Vec3<double> normal_B;
  double reach;
};

// The furthest corner of a hull.
struct CornerJob {
  const HullView* hull;
  Vec3<double> d_G;
  int corner;
};

// Compiled without contraction: the numbers are the same in every instruction set.
struct NearestKernels {
  void (*find)(NearestJob* jobs, int count);
  void (*find_reaches)(ReachJob* jobs, int count);
  void (*find_corners)(CornerJob* jobs, int count);
};

}  // namespace torsor
