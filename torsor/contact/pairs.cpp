// The table of pair functions.
#include "torsor/contact/pairs.hpp"

#include "torsor/contact/round_pairs.hpp"

namespace torsor {
namespace {

constexpr int kTypes = 9;  // plane hfield sphere capsule ellipsoid cylinder box mesh, then cone

int row_of(GeomType type) { return type == GeomType::kCone ? kTypes - 1 : static_cast<int>(type); }

constexpr PairFunction none = nullptr, prisms = field_convex, convex = convex_convex;

// Rows and columns in the order above; only the upper half is used.
constexpr PairFunction kFunctions[kTypes][kTypes] = {
    {none, none, plane_sphere, plane_capsule, plane_ellipsoid, plane_cylinder, plane_box, plane_mesh, plane_cone},
    {none, none, prisms, prisms, prisms, prisms, prisms, prisms, prisms},
    {none, none, sphere_sphere, sphere_capsule, convex, sphere_cylinder, sphere_box, convex, convex},
    {none, none, none, capsule_capsule, convex, convex, capsule_box, convex, convex},
    {none, none, none, none, convex, convex, convex, convex, convex},
    {none, none, none, none, none, convex, convex, convex, convex},
    {none, none, none, none, none, none, box_box, convex, convex},
    {none, none, none, none, none, none, none, convex, convex},
    {none, none, none, none, none, none, none, none, convex},
};

}  // namespace

PairFunction find_pair_function(const Shape& a, const Shape& b) {
  return a.triangles || b.triangles ? triangles_any : find_pair_function(a.type, b.type);
}

PairFunction find_pair_function(GeomType a, GeomType b) {
  const int row = row_of(a), column = row_of(b);
  return row < kTypes && column < kTypes ? kFunctions[row][column] : nullptr;
}

}  // namespace torsor
