// Twists, wrenches and spatial inertia: numbers only; the name of the variable says which point and which axes.
// [Featherstone 2008, chapter 2], with every quantity taken about a point that the caller chooses.
#pragma once

#include "torsor/math/mat3.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
struct Twist {  // angular w, and linear v of ONE point of the body
  Vec3<T> w, v;

  static TORSOR_INLINE Twist zero() { return {Vec3<T>::zero(), Vec3<T>::zero()}; }
  TORSOR_INLINE Twist at(const Vec3<T>& p_pq) const { return {w, v + cross(w, p_pq)}; }  // the same motion, read at q
  TORSOR_INLINE Twist operator-() const { return {-w, -v}; }
  TORSOR_INLINE Twist& operator+=(const Twist& b) { return *this = {w + b.w, v + b.v}; }
  TORSOR_INLINE Twist& operator-=(const Twist& b) { return *this = {w - b.w, v - b.v}; }
  friend TORSOR_INLINE Twist operator+(const Twist& a, const Twist& b) { return {a.w + b.w, a.v + b.v}; }
  friend TORSOR_INLINE Twist operator-(const Twist& a, const Twist& b) { return {a.w - b.w, a.v - b.v}; }
  friend TORSOR_INLINE Twist operator*(const Twist& a, T s) { return {a.w * s, a.v * s}; }
  friend TORSOR_INLINE Twist operator*(T s, const Twist& a) { return a * s; }
};

template <class T>
struct Wrench {  // torque t about one point, and force f
  Vec3<T> t, f;

  static TORSOR_INLINE Wrench zero() { return {Vec3<T>::zero(), Vec3<T>::zero()}; }
  TORSOR_INLINE Wrench at(const Vec3<T>& p_pq) const { return {t - cross(p_pq, f), f}; }  // the same load, about q
  TORSOR_INLINE Wrench operator-() const { return {-t, -f}; }
  TORSOR_INLINE Wrench& operator+=(const Wrench& b) { return *this = {t + b.t, f + b.f}; }
  TORSOR_INLINE Wrench& operator-=(const Wrench& b) { return *this = {t - b.t, f - b.f}; }
  friend TORSOR_INLINE Wrench operator+(const Wrench& a, const Wrench& b) { return {a.t + b.t, a.f + b.f}; }
  friend TORSOR_INLINE Wrench operator-(const Wrench& a, const Wrench& b) { return {a.t - b.t, a.f - b.f}; }
  friend TORSOR_INLINE Wrench operator*(const Wrench& a, T s) { return {a.t * s, a.f * s}; }
  friend TORSOR_INLINE Wrench operator*(T s, const Wrench& a) { return a * s; }
};

template <class T>
TORSOR_INLINE T power(const Wrench<T>& F, const Twist<T>& V) {
  return dot(F.t, V.w) + dot(F.f, V.v);
}
// rate of change of the twist b when it is carried along by the motion a; both at one point
template <class T>
TORSOR_INLINE Twist<T> cross(const Twist<T>& a, const Twist<T>& b) {
  return {cross(a.w, b.w), cross(a.w, b.v) + cross(a.v, b.w)};
}
// the same for a wrench F
template <class T>
TORSOR_INLINE Wrench<T> cross_force(const Twist<T>& a, const Wrench<T>& F) {
  return {cross(a.w, F.t) + cross(a.v, F.f), cross(a.w, F.f)};
}

// The inertia of a body or of several about one reference point p: rotational inertia I about p, h = m c with c from p
// to the centre of mass, mass m. Inertias about the same point and in the same axes add up.
template <class T>
struct SpatialInertia {
  Sym3<T> I;
  Vec3<T> h;
  T m;

  static TORSOR_INLINE SpatialInertia zero() { return {Sym3<T>::zero(), Vec3<T>::zero(), T(0)}; }
  TORSOR_INLINE SpatialInertia& operator+=(const SpatialInertia& b) { return *this = {I + b.I, h + b.h, m + b.m}; }
  friend TORSOR_INLINE SpatialInertia operator+(const SpatialInertia& a, const SpatialInertia& b) {
    return {a.I + b.I, a.h + b.h, a.m + b.m};
  }
  // momentum of a twist, force of an acceleration
  friend TORSOR_INLINE Wrench<T> operator*(const SpatialInertia& a, const Twist<T>& V) {
    return {a.I * V.w + cross(a.h, V.v), V.v * a.m - cross(a.h, V.w)};
  }
  // The same bodies about q. From I = I_cm + m (c c 1 - c c') with c replaced by c - p_pq.
  TORSOR_INLINE SpatialInertia shifted(const Vec3<T>& p_pq) const {
    const Vec3<T> mr = p_pq * m, h_q = h - mr, g = h + h_q, r = p_pq;
    const T xx = g.x * r.x, yy = g.y * r.y, zz = g.z * r.z;
    const T xy = h.x * r.y + r.x * h_q.y, xz = h.x * r.z + r.x * h_q.z, yz = h.y * r.z + r.y * h_q.z;
    return {{I.xx - yy - zz, I.yy - xx - zz, I.zz - xx - yy, I.xy + xy, I.xz + xz, I.yz + yz}, h_q, m};
  }
};

// A body of given mass and principal moments about its COM, R from principal axes to the axes of the result, c from the
// reference point to the COM.
template <class T>
TORSOR_INLINE SpatialInertia<T> make_inertia(std::type_identity_t<T> mass, const Vec3<T>& moments, const Mat3<T>& R,
                                             const Vec3<T>& c) {
  const Sym3<T> I_cm = rotate_diagonal(R, moments);
  const Vec3<T> h = c * mass;
  const T xx = h.x * c.x, yy = h.y * c.y, zz = h.z * c.z;
  const Sym3<T> offset{yy + zz, xx + zz, xx + yy, -h.x * c.y, -h.x * c.z, -h.y * c.z};
  return {I_cm + offset, h, mass};
}

// Six numbers, angular before linear.
template <class T = void, class Pointer>
TORSOR_INLINE Twist<LoadedAs<T, ElementOf<Pointer>>> load6(Pointer p) {
  return {load3<T>(p), load3<T>(p + 3)};
}
template <class T = void, class Pointer>
TORSOR_INLINE Wrench<LoadedAs<T, ElementOf<Pointer>>> load6_wrench(Pointer p) {
  return {load3<T>(p), load3<T>(p + 3)};
}
template <class Pointer>
TORSOR_INLINE void store6(Pointer p, const Twist<ElementOf<Pointer>>& V) {
  store3(p, V.w);
  store3(p + 3, V.v);
}
template <class Pointer>
TORSOR_INLINE void store6(Pointer p, const Wrench<ElementOf<Pointer>>& F) {
  store3(p, F.t);
  store3(p + 3, F.f);
}

// Ten numbers: xx yy zz xy xz yz of I, then h, then m.
template <class T = void, class Pointer>
TORSOR_INLINE SpatialInertia<LoadedAs<T, ElementOf<Pointer>>> load10(Pointer p) {
  using R = LoadedAs<T, ElementOf<Pointer>>;
  return {{R(p[0]), R(p[1]), R(p[2]), R(p[3]), R(p[4]), R(p[5])}, load3<T>(p + 6), R(p[9])};
}
template <class Pointer>
TORSOR_INLINE void store10(Pointer p, const SpatialInertia<ElementOf<Pointer>>& a) {
  p[0] = a.I.xx, p[1] = a.I.yy, p[2] = a.I.zz, p[3] = a.I.xy, p[4] = a.I.xz, p[5] = a.I.yz;
  store3(p + 6, a.h);
  p[9] = a.m;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
