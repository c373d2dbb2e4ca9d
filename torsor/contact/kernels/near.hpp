// Bounding spheres number by number, and which of them are near one of them.
#pragma once

namespace torsor {

// Arrays are padded with NaN to kSpherePad beyond count, so that whole registers can be read: NaN is near nothing.
struct SphereTable {
  int count = 0;
  double *x = nullptr, *y = nullptr, *z = nullptr;
  double* reach = nullptr;  // radius, with its part of the distance at which contacts are detected
};
inline constexpr int kSpherePad = 8;

struct NearKernels {
  // Writes into `out` which spheres from `first` on overlap sphere i of `a`, ascending, and returns how many. Stops
  // at `last`, or up to kSpherePad - 1 later.
  int (*near)(const SphereTable& a, int i, const SphereTable& b, int first, int last, int* out);
};

}  // namespace torsor
