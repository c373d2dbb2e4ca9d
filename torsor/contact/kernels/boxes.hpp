// Oriented boxes around shapes, and whether two of them are clearly apart.
#pragma once

namespace torsor {

// Axes, centre and half sizes are read four numbers at a time; the fourth half size is infinite.
struct PlacedBox {
  double R_WG[9];  // by rows
  double p_WoBc_W[3];
  double half[4];
  double slack;  // more than rounding can change any of this
};

struct BoxKernels {
  // Whether a face of one of the boxes parts them by more than the margin and both slacks. With this much room, the
  // answer does not depend on the instruction set where anything else does.
  bool (*are_clearly_apart)(const PlacedBox& a, const PlacedBox& b, double margin);
};

}  // namespace torsor
