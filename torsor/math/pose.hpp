// Pose: position and orientation of a frame. X_AB holds p_AoBo_A and q_AB; X_AC = X_AB * X_BC.
#pragma once

#include "torsor/math/quat.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
struct Pose {
  Vec3<T> p;
  Quat<T> q;

  static TORSOR_INLINE Pose identity() { return {Vec3<T>::zero(), Quat<T>::identity()}; }
};

// p_AoP_A from p_BoP_B
template <class T>
TORSOR_INLINE Vec3<T> apply(const Pose<T>& X_AB, const Vec3<T>& p_BoP_B) {
  return X_AB.p + rotate(X_AB.q, p_BoP_B);
}
template <class T>
TORSOR_INLINE Pose<T> operator*(const Pose<T>& X_AB, const Pose<T>& X_BC) {
  return {apply(X_AB, X_BC.p), X_AB.q * X_BC.q};
}
template <class T>
TORSOR_INLINE Pose<T> inverse(const Pose<T>& X_AB) {
  const Quat<T> q_BA = conj(X_AB.q);
  return {-rotate(q_BA, X_AB.p), q_BA};
}

}  // namespace TORSOR_ISA
}  // namespace torsor
