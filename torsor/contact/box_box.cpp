#include "torsor/contact/kernels/box_box.hpp"

#include "torsor/contact/pairs.hpp"

namespace torsor {

int box_box(const Shape& a, const Shape& b, double margin, ContactPoint* out) { return touch_boxes(a, b, margin, out); }

}  // namespace torsor
