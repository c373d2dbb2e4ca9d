// Boxes around convex shapes: a cheap look before the routine that finds the distance.
#pragma once

#include <cmath>

#include <limits>

#include "torsor/contact/box_around.hpp"
#include "torsor/contact/dispatch.hpp"

namespace torsor {

// Whether a face of one of the two boxes parts them by more than the margin.
inline bool are_boxes_apart(const Shape& a, const Shape& b, double margin) {
  const Box box_a = box_around(a), box_b = box_around(b);
  const Mat3<double> R_WA = load9(a.R_WG), R_WB = load9(b.R_WG), R_AB = transposed_mul(R_WA, R_WB);
  const Vec3<double> p_AcBc_A = transposed_mul(R_WA, b.p_WoGo_W - a.p_WoGo_W) + R_AB * box_b.center - box_a.center;
  const Vec3<double> p_AcBc_B = transposed_mul(R_AB, p_AcBc_A);
  for (int i = 0; i < 3; ++i) {
    double reach_a = margin + box_a.half[i], reach_b = margin + box_b.half[i];
    for (int j = 0; j < 3; ++j) {
      reach_a += std::abs(R_AB(i, j)) * box_b.half[j];
      reach_b += std::abs(R_AB(j, i)) * box_a.half[j];
    }
    if (std::abs(p_AcBc_A[i]) > reach_a || std::abs(p_AcBc_B[i]) > reach_b) return true;
  }
  return false;
}

// Boxes of geoms as the kernel reads them, each placed when it is first asked for. Pairs come in the order of their
// bodies, so that few places are enough.
class PlacedBoxes {
 public:
  PlacedBoxes() {
    for (int& geom : geom_) geom = -1;
  }

  // What are_boxes_apart() says, unless rounding could change that.
  BoxGap compare(int geom1, const Shape& a, int geom2, const Shape& b, double margin) {
    if (geom1 % kPlaces == geom2 % kPlaces) return BoxGap::kInDoubt;
    return kernels_.compare(placed(geom1, a), placed(geom2, b), margin);
  }

 private:
  static constexpr int kPlaces = 64;

  const PlacedBox& placed(int geom, const Shape& shape) {
    PlacedBox& box = box_[geom % kPlaces];
    if (geom_[geom % kPlaces] == geom) return box;
    geom_[geom % kPlaces] = geom;
    const Box around = box_around(shape);
    for (int i = 0; i < 9; ++i) box.R_WG[i] = shape.R_WG[i];
    const Vec3<double> p_WoBc_W = shape.p_WoGo_W + load9(shape.R_WG) * around.center;
    store3(box.p_WoBc_W, p_WoBc_W);
    store3(box.half, around.half);
    box.half[3] = std::numeric_limits<double>::infinity();
    const auto size = [](const Vec3<double>& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
    box.slack = 1e-12 * (size(shape.p_WoGo_W) + size(p_WoBc_W) + size(around.center) + size(around.half));
    return box;
  }

  const BoxKernels& kernels_ = box_kernels();
  int geom_[kPlaces];
  PlacedBox box_[kPlaces];
};

}  // namespace torsor
