// Oriented boxes around shapes, and whether two of them are apart.
#pragma once

namespace torsor {

// Axes, centre and half sizes are read four numbers at a time; the fourth half size is infinite.
struct PlacedBox {
  double R_WG[9];  // by rows
  double p_WoBc_W[3];
  double half[4];
  double slack;  // more than rounding can change any of this
};

enum class BoxGap { kApart, kNear, kInDoubt };

struct BoxKernels {
  // Whether a face of one of the boxes parts them by more than the margin: beyond doubt only if that does not change by
  // both slacks. What is decided so does not depend on the instruction set.
  BoxGap (*compare)(const PlacedBox& a, const PlacedBox& b, double margin);
};

}  // namespace torsor
