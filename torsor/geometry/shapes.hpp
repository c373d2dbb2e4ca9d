// Simple shapes: mass properties, bounding boxes and bounding spheres, in the frame S of the shape.
#pragma once

#include "torsor/math/vec3.hpp"

namespace torsor {

// Values are those of MuJoCo. The numbers in `size`, per shape:
//   plane      half x, half y, grid spacing; the normal is +z
//   sphere     radius
//   capsule    radius, half length of its cylinder; the axis is z
//   ellipsoid  three radii
//   cylinder   radius, half length; the axis is z
//   box        three half lengths
//   cone       base radius, half height; the axis is z, the base at -half height, the apex at +half height (ours)
enum class GeomType : int {
  kPlane = 0,
  kHfield = 1,
  kSphere = 2,
  kCapsule = 3,
  kEllipsoid = 4,
  kCylinder = 5,
  kBox = 6,
  kMesh = 7,
  kSdf = 8,
  kCone = 50,
};

// How many numbers of `size` a shape reads and requires to be positive; 0 for planes (zero means infinite), meshes and
// the like.
int size_count(GeomType shape);

// Mass properties at unit density: mass is the volume of a solid, or the area of a shell. The principal axes of every
// shape here are its own axes.
struct MassProperties {
  double mass;
  Vec3<double> p_SoScm_S;
  Vec3<double> moments;  // about Scm
};

// Zero for planes, height fields and meshes: meshes are in mesh.hpp, the others have no mass.
MassProperties solid_properties(GeomType shape, const Vec3<double>& size);

// The surface alone, caps and bases included. The area of an ellipsoid is Thomsen's approximation (within 1.1 %), its
// moments are those of the shell between it and an ellipsoid whose radii are a micrometre longer, as in MuJoCo.
MassProperties shell_properties(GeomType shape, const Vec3<double>& size);

// A box along the axes of S.
struct Aabb {
  Vec3<double> center, half;
};

// Lengths of the bounding box of an infinite plane.
inline constexpr double kEndless = 1e10;

Aabb bounding_box(GeomType shape, const Vec3<double>& size);

// Radius of the bounding sphere about So; 0 for planes, which have none.
double bounding_radius(GeomType shape, const Vec3<double>& size);

}  // namespace torsor
