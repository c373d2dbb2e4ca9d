// The narrow phase: one function per pair of shapes. PairFunction documents what they have in common.
#pragma once

#include "torsor/contact/shape.hpp"

namespace torsor {

// The function for two shapes, whose types must be in ascending order; meshes that collide as triangles have functions
// of their own.
PairFunction find_pair_function(const Shape& a, const Shape& b);

// The function for two types, the smaller first; null for pairs that never touch, such as two planes.
PairFunction find_pair_function(GeomType a, GeomType b);

// Closed forms; round_pairs.hpp has those of plane, sphere and capsule.
int plane_box(const Shape& plane, const Shape& box, double margin, ContactPoint* out);
int plane_cylinder(const Shape& plane, const Shape& cylinder, double margin, ContactPoint* out);
int plane_cone(const Shape& plane, const Shape& cone, double margin, ContactPoint* out);
int plane_ellipsoid(const Shape& plane, const Shape& ellipsoid, double margin, ContactPoint* out);
int plane_mesh(const Shape& plane, const Shape& mesh, double margin, ContactPoint* out);
int sphere_box(const Shape& sphere, const Shape& box, double margin, ContactPoint* out);
int sphere_cylinder(const Shape& sphere, const Shape& cylinder, double margin, ContactPoint* out);
int capsule_box(const Shape& capsule, const Shape& box, double margin, ContactPoint* out);
int box_box(const Shape& a, const Shape& b, double margin, ContactPoint* out);

// Whether `a` comes first where the order of two shapes should not matter: swapped arguments then give mirrored
// contacts.
bool comes_first(const Shape& a, const Shape& b);

// Any two convex shapes.
int convex_convex(const Shape& a, const Shape& b, double margin, ContactPoint* out);
// The same. Without points, *apart_W is a direction from a to b along which there is a gap between them, zero for none.
int touch_convex(const Shape& a, const Shape& b, double margin, ContactPoint* out, Vec3<double>* apart_W);

// The same for many pairs, which takes less time than one after the other.
struct ConvexTouch {
  Shape first, second;
  double margin;
  bool wants_direction;  // of pairs that are apart
  int count;             // of points
  ContactPoint points[4];
  Vec3<double> apart_W;
};
void touch_convexes(ConvexTouch* const* touches, int count);

// An ellipsoid and a sphere, a capsule or a box, the smaller type first: the number of points, or -1 for other shapes
// and for poses without a closed form. *apart_W as above.
int touch_ellipsoid(const Shape& a, const Shape& b, double margin, ContactPoint* out, Vec3<double>& apart_W);

// A mesh that collides as triangles against any shape, another such mesh included; at most kMaxFieldPoints.
int triangles_any(const Shape& a, const Shape& b, double margin, ContactPoint* out);

// A height field against a convex shape; at most kMaxFieldPoints.
int field_convex(const Shape& field, const Shape& shape, double margin, ContactPoint* out);

}  // namespace torsor
