// Vec3: three numbers along the axes of one frame; the variable's name says which.
#pragma once

#include "torsor/math/pointer.hpp"
#include "torsor/math/scalar.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// below this length a vector or quaternion has no direction
template <class T>
inline constexpr ScalarOf<T> kMinNorm = ScalarOf<T>(1e-15);

// T itself, or the type of the array's elements when no T is given: load3(p), load3<Pack<double, 4>>(p)
template <class T, class U>
using LoadedAs = std::conditional_t<std::is_void_v<T>, U, T>;

template <class T>
struct Vec3 {
  T x, y, z;

  static TORSOR_INLINE Vec3 zero() { return {T(0), T(0), T(0)}; }
  TORSOR_INLINE T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  TORSOR_INLINE const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  TORSOR_INLINE Vec3 operator-() const { return {-x, -y, -z}; }
  TORSOR_INLINE Vec3& operator+=(const Vec3& b) { return *this = {x + b.x, y + b.y, z + b.z}; }
  TORSOR_INLINE Vec3& operator-=(const Vec3& b) { return *this = {x - b.x, y - b.y, z - b.z}; }
  TORSOR_INLINE Vec3& operator*=(T s) { return *this = {x * s, y * s, z * s}; }
};

template <class T>
TORSOR_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
TORSOR_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
TORSOR_INLINE Vec3<T> operator*(const Vec3<T>& a, std::type_identity_t<T> s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
TORSOR_INLINE Vec3<T> operator*(std::type_identity_t<T> s, const Vec3<T>& a) {
  return a * s;
}
template <class T>
TORSOR_INLINE Vec3<T> operator/(const Vec3<T>& a, std::type_identity_t<T> s) {
  return a * (T(1) / s);
}

template <class T>
TORSOR_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
TORSOR_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// element by element
template <class T>
TORSOR_INLINE Vec3<T> hadamard(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class T>
TORSOR_INLINE T norm2(const Vec3<T>& a) {
  return dot(a, a);
}
template <class T>
TORSOR_INLINE T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}
template <class T>
TORSOR_INLINE Vec3<T> select(const MaskOf<T>& mask, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
// unit length; the x axis if the vector has no direction
template <class T>
TORSOR_INLINE Vec3<T> normalized(const Vec3<T>& a) {
  const T length = norm(a);
  const MaskOf<T> has_direction = length >= T(kMinNorm<T>);
  return select(has_direction, a * (T(1) / select(has_direction, length, T(1))), Vec3<T>{T(1), T(0), T(0)});
}

template <class T = void, class Pointer>
TORSOR_INLINE Vec3<LoadedAs<T, ElementOf<Pointer>>> load3(Pointer p) {
  using R = LoadedAs<T, ElementOf<Pointer>>;
  return {R(p[0]), R(p[1]), R(p[2])};
}
template <class Pointer>
TORSOR_INLINE void store3(Pointer p, const Vec3<ElementOf<Pointer>>& a) {
  p[0] = a.x, p[1] = a.y, p[2] = a.z;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
