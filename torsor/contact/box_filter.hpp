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
  // `make_shape(geom)` is called for those that are not placed yet.
  template <class F>
  BoxGap compare(int geom1, int geom2, double margin, F&& make_shape) {
    if (place_of(geom1) == place_of(geom2)) return BoxGap::kInDoubt;
    return kernels_.compare(placed(geom1, make_shape), placed(geom2, make_shape), margin);
  }

 private:
  static constexpr unsigned kPlaces = 64;

  static unsigned place_of(int geom) { return static_cast<unsigned>(geom) % kPlaces; }

  template <class F>
  const PlacedBox& placed(int geom, F&& make_shape) {
    PlacedBox& box = box_[place_of(geom)];
    if (geom_[place_of(geom)] == geom) return box;
    geom_[place_of(geom)] = geom;
    place(make_shape(geom), box);
    return box;
  }
  static void place(const Shape& shape, PlacedBox& box) {
    const Box around = box_around(shape);
    for (int i = 0; i < 9; ++i) box.R_WG[i] = shape.R_WG[i];
    const Vec3<double> p_WoBc_W = shape.p_WoGo_W + load9(shape.R_WG) * around.center;
    store3(box.p_WoBc_W, p_WoBc_W);
    store3(box.half, around.half);
    box.half[3] = std::numeric_limits<double>::infinity();
    const auto size = [](const Vec3<double>& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
    box.slack = 1e-12 * (size(shape.p_WoGo_W) + size(p_WoBc_W) + size(around.center) + size(around.half));
  }

  const BoxKernels& kernels_ = box_kernels();
  int geom_[kPlaces];
  PlacedBox box_[kPlaces];
};

}  // namespace torsor
