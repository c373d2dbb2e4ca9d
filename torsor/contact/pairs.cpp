// The table of pair functions.
#include "torsor/contact/pairs.hpp"

#include "torsor/contact/round_pairs.hpp"

namespace torsor {
namespace {

constexpr int kTypes = 9;  // plane hfield sphere capsule ellipsoid cylinder box mesh, then cone

int row_of(GeomType type) { return type == GeomType::kCone ? kTypes - 1 : static_cast<int>(type); }

// Rows and columns in the order above; only the upper half is used.
constexpr PairFunction kFunctions[kTypes][kTypes] = {
    {nullptr, nullptr, plane_sphere, plane_capsule, plane_ellipsoid, plane_cylinder, plane_box, nullptr, plane_cone},
    {},
    {nullptr, nullptr, sphere_sphere, sphere_capsule, nullptr, sphere_cylinder, sphere_box, nullptr, nullptr},
    {nullptr, nullptr, nullptr, capsule_capsule, nullptr, nullptr, capsule_box, nullptr, nullptr},
    {},
    {},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, box_box, nullptr, nullptr},
};

}  // namespace

PairFunction find_pair_function(GeomType a, GeomType b) {
  const int row = row_of(a), column = row_of(b);
  return row < kTypes && column < kTypes ? kFunctions[row][column] : nullptr;
}

}  // namespace torsor
