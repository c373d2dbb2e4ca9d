// The box around a convex shape.
#pragma once

#include "torsor/contact/shape.hpp"

namespace torsor {

// In the frame G of the shape.
struct Box {
  Vec3<double> center, half;
};

TORSOR_HD inline Box box_around(const Shape& shape) {
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

}  // namespace torsor
