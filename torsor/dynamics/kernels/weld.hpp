// The rotation rows of a weld.
#pragma once

#include "torsor/math/quat.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// The torque in W that forces of the three rotation rows exert on the first object: the rows are the vector part of
// 1/2 conj(q2) (0, w1 - w2) q1, times the torque scale.
template <class T>
TORSOR_INLINE Vec3<T> weld_torque(const Quat<T>& q1, const Quat<T>& q2, const T& scale, const Vec3<T>& force) {
  Vec3<T> torque;
  for (int axis = 0; axis < 3; ++axis) {
    const Quat<T> unit{T(0), T(axis == 0), T(axis == 1), T(axis == 2)};
    torque[axis] = dot((conj(q2) * unit * q1).vec(), force) * (scale * T(0.5));
  }
  return torque;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
