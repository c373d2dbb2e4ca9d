// Shapes in the parameters of each system: half or full sizes, axes, and names. Every system is a set of rows; a
// conversion reads parameters by one row into a SizedShape and writes them by the other.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "torsor/math/pose.hpp"

namespace torsor {

enum class ShapeKind : char { kSphere, kBox, kCapsule, kCylinder, kCone, kEllipsoid, kPlane, kMesh };

// A shape in our convention, in its canonical frame C: half lengths, along z. The numbers in `size`:
//   sphere     radius
//   box        three half lengths
//   capsule    radius, half height without its caps
//   cylinder   radius, half height
//   cone       base radius, half height: the base at -half height, the apex at +half height
//   ellipsoid  three radii
//   plane      half x, half y, or 0, 0 for an infinite one; the normal is +z, and the space below is solid
//   mesh       factors on x, y, z of its vertices; triangles are counter-clockwise seen from outside, clockwise if the
//              product of the three factors is negative
struct SizedShape {
  ShapeKind kind = ShapeKind::kSphere;
  Vec3<double> size = Vec3<double>::zero();
};

// The parameters of one shape in a system: a number, a list of numbers, or the letter of an axis.
using ShapeValue = std::variant<double, std::vector<double>, std::string>;
using ShapeParameters = std::map<std::string, ShapeValue>;

// Whether a system has a shape; conversions of unspecified ones are refused.
enum class Availability : char { kUnspecified, kAbsent, kPresent };

// The axis of a capsule, cylinder or cone (towards the apex), or the normal of a plane. kAttribute: given by the
// attribute `axis` as X, Y or Z, which is optional for kAttributeOrZ.
enum class ShapeAxis : char { kUnspecified, kNone, kX, kY, kZ, kAttribute, kAttributeOrZ };

// What a number measures: half a length (or a radius), a full length, a factor, or only the drawing of a shape. In the
// last case the whole list is ignored, and written as 0, 0, 1.
enum class Measure : char { kUnspecified, kHalf, kFull, kFactor, kDrawing };

// An alternative form of a shape, which also places it: two points, or the equation of a plane.
enum class ShapePlacement : char { kNone, kEnds, kEquation };

// The place of one number of SizedShape::size: parameter `name`, or element `index` of that list.
struct ShapeSlot {
  const char* name = nullptr;
  int index = -1;
  Measure measure = Measure::kUnspecified;
};

// One shape in one system.
struct ShapeRow {
  const char* system;
  ShapeKind kind;
  Availability availability;
  ShapeAxis axis;
  ShapeSlot slots[3];
  const char* common;  // a number that multiplies all slots, which are then optional
  ShapePlacement placement;
  const char* source;  // where this is documented, and remarks
};

// All rows. Systems: newton, mujoco, usd.geom, usd.physics, urdf, drake, physx.
std::span<const ShapeRow> shape_rows();

// Names of shapes: "sphere", "box", ... Throws an Error for an unknown one, with the nearest name.
ShapeKind parse_shape_kind(std::string_view name);
const char* to_string(ShapeKind kind);
const ShapeRow& find_shape_row(std::string_view system, ShapeKind kind);

// A shape, and its frame C relative to the frame S of its system. With `fromto` or the equation of a plane, S is the
// frame in which these are given.
struct PlacedShape {
  SizedShape shape;
  Pose<double> X_SC = Pose<double>::identity();
};

// Reads parameters by a row. Throws an Error that names the parameter that is missing, unknown or out of range.
//   read_shape(find_shape_row("urdf", ShapeKind::kBox), {{"size", std::vector{0.2, 0.4, 0.6}}}).shape.size is 0.1 0.2
//   0.3
PlacedShape read_shape(const ShapeRow& row, const ShapeParameters& parameters);

// Parameters of a target, whose frame is T.
struct WrittenShape {
  ShapeParameters parameters;
  Pose<double> X_TC = Pose<double>::identity();
};

// The inverse. `axis` is X, Y or Z, for systems with such an attribute.
WrittenShape write_shape(const ShapeRow& row, const SizedShape& shape, char axis = 'Z');

// MuJoCo's `fromto` form of a capsule or cylinder, or a box or ellipsoid of equal width and depth, whose frame C is at
// X_BC.
//   write_fromto({ShapeKind::kCapsule, {0.1, 0.5, 0}}, Pose<double>::identity()) is fromto 0 0 0.5 0 0 -0.5, size 0.1
ShapeParameters write_fromto(const SizedShape& shape, const Pose<double>& X_BC);

// The shape in the parameters of the target, and the pose by which to multiply the shape's pose from the right, so that
// it occupies the same space: X_WT = X_WS * X_ST, for rotations q_WT = q_WS * q_ST.
struct ConvertedShape {
  ShapeParameters parameters;
  Pose<double> X_ST = Pose<double>::identity();
};

//   const ConvertedShape capsule =
//       convert_shape(ShapeKind::kCapsule, {{"radius", 0.1}, {"length", 1.0}}, "drake", "physx");
//   // radius 0.1, halfHeight 0.5, and q_ST a rotation by -90 degrees about y, because PhysX capsules are along x
ConvertedShape convert_shape(ShapeKind kind, const ShapeParameters& parameters, std::string_view source,
                             std::string_view target, char axis = 'Z');

}  // namespace torsor
