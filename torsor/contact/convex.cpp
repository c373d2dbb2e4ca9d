// Any two convex shapes, and a height field as prisms.
#include "torsor/contact/kernels/convex.hpp"
#include "torsor/contact/kernels/field_convex.hpp"
#include "torsor/contact/pairs.hpp"

namespace torsor {

bool comes_first(const Shape& a, const Shape& b) { return convexes::comes_first(a, b); }

// One point for every prism below the shape.
int field_convex(const Shape& field, const Shape& shape, double margin, ContactPoint* out) {
  FieldMeeting meeting(field, shape, margin);
  int count = 0;
  for (int k = 0; k < meeting.prisms() && count < kMaxFieldPoints; ++k)
    count += meeting.touch(k, out[count], FindDepth{});
  return count;
}

}  // namespace torsor
