// Bounding spheres as separate arrays of coordinates, and a search for those near a given one.
#pragma once

#include <cstdint>

namespace torsor {

// Arrays are padded with NaN to kSpherePad beyond count, so that whole registers can be read: NaN is near nothing.
struct SphereTable {
  int count = 0;
  double *x = nullptr, *y = nullptr, *z = nullptr;
  double* reach = nullptr;  // radius plus the geom's part of the contact detection distance
};
inline constexpr int kSpherePad = 8;

struct SpherePair {
  int first, second;
};

struct NearKernels {
  // Writes the indices of spheres from `first` on that overlap sphere i of `a` into `out`, ascending, and returns their
  // number. Stops at `last`, or up to kSpherePad - 1 later.
  int (*near)(const SphereTable& a, int i, const SphereTable& b, int first, int last, int* out);
  // Writes which spheres of a overlap which of b, both ascending, and returns how many do; `wanted` has one bit per
  // sphere of b for each sphere of a.
  int (*near_wanted)(const SphereTable& a, const SphereTable& b, const std::uint64_t* wanted, SpherePair* out);
};

}  // namespace torsor
