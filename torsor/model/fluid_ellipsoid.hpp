// The ellipsoid that stands for a geom in a medium: its added mass is compiled, its drag computed in each step.
#pragma once

#include "torsor/math/vec3.hpp"
#include "torsor/model/types.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class R>
TORSOR_INLINE Vec3<R> ellipsoid_semi_axes(GeomType type, const Vec3<R>& size) {
  switch (type) {
    case GeomType::kSphere:
      return {size.x, size.x, size.x};
    case GeomType::kCapsule:
      return {size.x, size.x, size.x + size.y};
    case GeomType::kCylinder:
    case GeomType::kCone:
      return {size.x, size.x, size.y};
    default:
      return size;
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
