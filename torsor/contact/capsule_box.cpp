#include "torsor/contact/kernels/capsule_box.hpp"

#include "torsor/contact/pairs.hpp"

namespace torsor {

int capsule_box(const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  return touch_capsule_box(a, b, margin, out);
}

}  // namespace torsor
