// Quat: a rotation as a unit quaternion, w first (Hamilton). q_AB turns vectors in B's axes into A's; q_AC = q_AB *
// q_BC.
#pragma once

#include "torsor/math/mat3.hpp"
#include "torsor/math/trig.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
struct Quat {
  T w, x, y, z;

  static TORSOR_INLINE Quat identity() { return {T(1), T(0), T(0), T(0)}; }
  TORSOR_INLINE Vec3<T> vec() const { return {x, y, z}; }
};

template <class T>
TORSOR_INLINE Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,  //
          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,  //
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,  //
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
TORSOR_INLINE Quat<T> conj(const Quat<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
TORSOR_INLINE T dot(const Quat<T>& a, const Quat<T>& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
TORSOR_INLINE Quat<T> select(const MaskOf<T>& mask, const Quat<T>& a, const Quat<T>& b) {
  return {select(mask, a.w, b.w), select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

// Unit length; no rotation if q is zero, or so long that its length overflows. A quaternion that is unit up to rounding
// keeps its bits, so doing it twice changes nothing.
template <class T>
TORSOR_INLINE Quat<T> normalized(const Quat<T>& q) {
  constexpr ScalarOf<T> kRounding = ScalarOf<T>(sizeof(ScalarOf<T>) == 8 ? 1e-15 : 5e-7);
  const T length = sqrt(dot(q, q));
  const MaskOf<T> is_unit = abs(length - T(1)) <= T(kRounding), is_zero = length < T(kMinNorm<T>);
  const T s = T(1) / select(is_unit | is_zero, T(1), length);
  const Quat<T> unit{q.w * s, q.x * s, q.y * s, q.z * s};
  const MaskOf<T> is_lost = abs(unit.w) + abs(unit.x) + abs(unit.y) + abs(unit.z) == T(0);
  return select(is_zero | is_lost, Quat<T>::identity(), unit);
}

// The same for a product of unit quaternions, whose length is 1 up to rounding: one step of Newton's method for the
// inverse square root, without the latency of a root and a quotient. Falls back where the length is anything else.
template <class T>
TORSOR_INLINE Quat<T> renormalized(const Quat<T>& q) {
  const T length2 = dot(q, q);
  const T s = T(1.5) - T(0.5) * length2;  // off by 3/8 (length2 - 1)^2
  const Quat<T> unit{q.w * s, q.x * s, q.y * s, q.z * s};
  const MaskOf<T> is_near = abs(length2 - T(1)) < T(1e-8);
  return all(is_near) ? unit : select(is_near, unit, normalized(q));  // lane by lane: others keep their bits
}

template <class T>
TORSOR_INLINE Vec3<T> rotate(const Quat<T>& q, const Vec3<T>& v) {
  const Vec3<T> t = cross(q.vec(), v) * T(2);
  return v + t * q.w + cross(q.vec(), t);
}
template <class T>
TORSOR_INLINE Vec3<T> rotate_inverse(const Quat<T>& q, const Vec3<T>& v) {
  return rotate(conj(q), v);
}

// The rotation matrix, times |q|^2.
template <class T>
TORSOR_INLINE Mat3<T> to_mat(const Quat<T>& q) {
  const T ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  return {ww + xx - yy - zz, T(2) * (xy - wz),  T(2) * (xz + wy),  //
          T(2) * (xy + wz),  ww - xx + yy - zz, T(2) * (yz - wx),  //
          T(2) * (xz - wy),  T(2) * (yz + wx),  ww - xx - yy + zz};
}

// The quaternion of a rotation matrix. Each of its elements can be found as a quotient by any other; divide by w if the
// angle is small enough, else by the largest of x, y, z, which comes out positive.
template <class T>
TORSOR_INLINE Quat<T> from_mat(const Mat3<T>& R) {
  const T a = R(0, 0), b = R(1, 1), c = R(2, 2), trace = a + b + c;
  const T wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);  // 4 w x and so on
  const T xy = R(0, 1) + R(1, 0), xz = R(0, 2) + R(2, 0), yz = R(1, 2) + R(2, 1);
  const Quat<T> by_w{T(1) + trace, wx, wy, wz};  // 4 w (w, x, y, z)
  const Quat<T> by_x{wx, T(1) + a - b - c, xy, xz};
  const Quat<T> by_y{wy, xy, T(1) - a + b - c, yz};
  const Quat<T> by_z{wz, xz, yz, T(1) - a - b + c};
  const Quat<T> by_vector = select((a > b) & (a > c), by_x, select(b > c, by_y, by_z));
  return normalized(select(trace > T(0), by_w, by_vector));
}

// axis of unit length
template <class T>
TORSOR_INLINE Quat<T> from_axis_angle(const Vec3<T>& axis, std::type_identity_t<T> angle) {
  T s, c;
  sincos(angle * T(0.5), s, c);
  return {c, axis.x * s, axis.y * s, axis.z * s};
}

// exp: turn about v by its length
template <class T>
TORSOR_INLINE Quat<T> quat_from_rotation_vector(const Vec3<T>& v) {
  const T angle = norm(v);
  T s, c;
  sincos(angle * T(0.5), s, c);
  const MaskOf<T> turns = angle > T(0);  // false too where the square of a tiny length is lost
  const T scale = select(turns, s / select(turns, angle, T(1)), T(0.5));
  return {c, v.x * scale, v.y * scale, v.z * scale};
}

// log: the shortest rotation vector (at most pi long) of a unit quaternion
template <class T>
TORSOR_INLINE Vec3<T> rotation_vector(const Quat<T>& q) {
  const T length = norm(q.vec());
  T angle = T(2) * atan2(length, q.w);
  angle = select(angle > T(3.141592653589793), angle - T(6.283185307179586), angle);
  const MaskOf<T> turns = length > T(0);
  const T scale = select(turns, angle / select(turns, length, T(1)), copysign(T(2), q.w));
  return q.vec() * scale;
}

// the rotation vector that leads from b to a, in b's axes
template <class T>
TORSOR_INLINE Vec3<T> quat_difference(const Quat<T>& a, const Quat<T>& b) {
  return rotation_vector(conj(b) * a);
}

// q after turning for a time h at angular velocity w, in q's own axes
template <class T>
TORSOR_INLINE Quat<T> integrate(const Quat<T>& q, const Vec3<T>& w, std::type_identity_t<T> h) {
  return renormalized(q * quat_from_rotation_vector(w * h));
}

template <class T = void, class Pointer>
TORSOR_INLINE Quat<LoadedAs<T, ElementOf<Pointer>>> load4(Pointer p) {
  using R = LoadedAs<T, ElementOf<Pointer>>;
  return {R(p[0]), R(p[1]), R(p[2]), R(p[3])};
}
template <class Pointer>
TORSOR_INLINE void store4(Pointer p, const Quat<ElementOf<Pointer>>& q) {
  p[0] = q.w, p[1] = q.x, p[2] = q.y, p[3] = q.z;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
