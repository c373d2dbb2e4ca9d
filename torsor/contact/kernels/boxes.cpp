// Three axes at once; compiled once per instruction set.
#include "torsor/contact/kernels/boxes.hpp"

#include "torsor/math/four.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

// Numbers of the three axes of a box along x, y and z; the fourth place of each has no meaning.
struct Axes {
  Four x, y, z;
  TORSOR_INLINE explicit Axes(const PlacedBox& box)
      : x(load_four(box.R_WG)), y(load_four(box.R_WG + 3)), z(load_four(box.R_WG + 6)) {}
  // how far (vx, vy, vz) reaches along each of them
  TORSOR_INLINE Four along(double vx, double vy, double vz) const {
    return abs(fma(Four(vz), z, fma(Four(vy), y, Four(vx) * x)));
  }
};

// The half sizes of `other` as seen along the axes of a box.
TORSOR_INLINE Four shadow(const Axes& axes, const PlacedBox& other) {
  const double* R = other.R_WG;
  Four sum = axes.along(R[0], R[3], R[6]) * Four(other.half[0]);
  sum = fma(axes.along(R[1], R[4], R[7]), Four(other.half[1]), sum);
  return fma(axes.along(R[2], R[5], R[8]), Four(other.half[2]), sum);
}

BoxGap compare(const PlacedBox& a, const PlacedBox& b, double margin) {
  const Axes axes_a(a), axes_b(b);
  const double x = b.p_WoBc_W[0] - a.p_WoBc_W[0], y = b.p_WoBc_W[1] - a.p_WoBc_W[1], z = b.p_WoBc_W[2] - a.p_WoBc_W[2];
  const Four gap_a = axes_a.along(x, y, z) - (load_four(a.half) + shadow(axes_a, b) + Four(margin));
  const Four gap_b = axes_b.along(x, y, z) - (load_four(b.half) + shadow(axes_b, a) + Four(margin));
  const double slack = a.slack + b.slack;
  if (any((gap_a > Four(slack)) | (gap_b > Four(slack)))) return BoxGap::kApart;
  return all((gap_a < Four(-slack)) & (gap_b < Four(-slack))) ? BoxGap::kNear : BoxGap::kInDoubt;
}

}  // namespace

extern const BoxKernels kBoxKernels;
const BoxKernels kBoxKernels = {.compare = compare};

}  // namespace TORSOR_ISA
}  // namespace torsor
