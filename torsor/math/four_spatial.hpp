// Twists and inertias of four things of one world.
#pragma once

#include "torsor/math/four.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

TORSOR_INLINE Mat3<Four> load9(const FourRows<const double>& from) {
  Mat3<Four> a;
  for (int k = 0; k < 8; k += 2) load_columns(from, k, a.m[k], a.m[k + 1]);
  a.m[8] = load_column(from, 8);
  return a;
}
TORSOR_INLINE Twist<Four> load6(const FourRows<const double>& from) {
  Twist<Four> V;
  load_columns(from, 0, V.w.x, V.w.y);
  load_columns(from, 2, V.w.z, V.v.x);
  load_columns(from, 4, V.v.y, V.v.z);
  return V;
}
TORSOR_INLINE SpatialInertia<Four> load10(const FourRows<const double>& from) {
  SpatialInertia<Four> a;
  load_columns(from, 0, a.I.xx, a.I.yy);
  load_columns(from, 2, a.I.zz, a.I.xy);
  load_columns(from, 4, a.I.xz, a.I.yz);
  load_columns(from, 6, a.h.x, a.h.y);
  load_columns(from, 8, a.h.z, a.m);
  return a;
}
TORSOR_INLINE void store10(const FourRows<double>& to, const SpatialInertia<Four>& a) {
  store_columns(to, 0, a.I.xx, a.I.yy, a.I.zz, a.I.xy);
  store_columns(to, 4, a.I.xz, a.I.yz, a.h.x, a.h.y);
  store_columns(to, 8, a.h.z, a.m);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
