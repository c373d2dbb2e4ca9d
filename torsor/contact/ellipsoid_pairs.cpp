#include "torsor/contact/kernels/ellipsoid_pairs.hpp"

#include "torsor/contact/pairs.hpp"

namespace torsor {

int touch_ellipsoid(const Shape& a, const Shape& b, double margin, ContactPoint* out, Vec3<double>& apart_W) {
  return touch_beside_ellipsoid(a, b, margin, out, apart_W);
}

}  // namespace torsor
