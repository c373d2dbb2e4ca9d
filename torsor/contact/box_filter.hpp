// Boxes around convex shapes: a cheap look before the routine that finds the distance.
#pragma once

#include <cmath>

#include "torsor/contact/shape.hpp"

namespace torsor {

// In the frame G of the shape.
struct Box {
  Vec3<double> center, half;
};

inline Box box_around(const Shape& shape) {
  const double* size = shape.size;
  const Vec3<double> zero = Vec3<double>::zero();
  switch (shape.type) {
    case GeomType::kSphere:
      return {zero, {size[0], size[0], size[0]}};
    case GeomType::kCapsule:
      return {zero, {size[0], size[0], size[0] + size[1]}};
    case GeomType::kCylinder:
    case GeomType::kCone:
      return {zero, {size[0], size[0], size[1]}};
    case GeomType::kMesh:
      return {load3(shape.bounds), load3(shape.bounds + 3)};
    default:
      return {zero, load3(size)};
  }
}

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

}  // namespace torsor
