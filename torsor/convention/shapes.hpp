// Shapes by the parameters of each system: half or full sizes, along which axis, under which names. Every system is
// rows of data; a conversion reads one row into a SizedShape of ours and writes the other from it.
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

// A shape as we write it, in its canonical frame C: lengths from the middle, along z. The numbers in `size`:
//   sphere     radius
//   box        three half lengths
//   capsule    radius, half height without its caps
//   cylinder   radius, half height
//   cone       base radius, half height: the base at -half height, the apex at +half height
//   ellipsoid  three radii
//   plane      half x, half y, or 0, 0 for an endless one; the normal is +z, and the space under it is occupied
//   mesh       factors on x, y, z of its vertices; triangles are counter-clockwise seen from outside, and three factors
//              whose product is negative turn that round
struct SizedShape {
  ShapeKind kind = ShapeKind::kSphere;
  Vec3<double> size = Vec3<double>::zero();
};

// The parameters of one shape in the words of a system: a number, a list of numbers, or the letter of an axis.
using ShapeValue = std::variant<double, std::vector<double>, std::string>;
using ShapeParameters = std::map<std::string, ShapeValue>;

// Whether a system has a shape; unspecified where we know of no binding word, and then a conversion is refused.
enum class Availability : char { kUnspecified, kAbsent, kPresent };

// The axis of a capsule, cylinder or cone (towards the apex), or the normal of a plane. An attribute `axis` says X, Y
// or Z; kAttributeOrZ may leave it out.
enum class ShapeAxis : char { kUnspecified, kNone, kX, kY, kZ, kAttribute, kAttributeOrZ };

// How a number measures: from the middle (radii are such), from end to end, as a factor, or only how a shape is drawn:
// then its whole list may be anything, and is written as 0, 0, 1.
enum class Measure : char { kUnspecified, kHalf, kFull, kFactor, kDrawing };

// Another way to write a shape, which also places it: by two points, or by the equation of a plane.
enum class ShapePlacement : char { kNone, kEnds, kEquation };

// Where one number of SizedShape::size stands: parameter `name`, or element `index` of that list.
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
  const char* common;  // a number that multiplies all slots, which may then be left out
  ShapePlacement placement;
  const char* source;  // where this stands, and what else to know
};

// All rows. Systems: newton, mujoco, usd.geom, usd.physics, urdf, drake, physx.
std::span<const ShapeRow> shape_rows();

// Names as users write them: "sphere", "box", ... An unknown one is an error that offers the nearest.
ShapeKind parse_shape_kind(std::string_view name);
const char* to_string(ShapeKind kind);
const ShapeRow& find_shape_row(std::string_view system, ShapeKind kind);

// A shape, and its frame C in the frame S that its system gives it. With `fromto` or the equation of a plane, S is the
// frame in which these are written.
struct PlacedShape {
  SizedShape shape;
  Pose<double> X_SC = Pose<double>::identity();
};

// What a row makes of parameters. Throws an Error that names the parameter that is missing, unknown or out of range.
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

// MuJoCo's `fromto` form of a capsule, cylinder, or a box or ellipsoid that is as wide as deep, whose frame C is at
// X_BC.
//   write_fromto({ShapeKind::kCapsule, {0.1, 0.5, 0}}, Pose<double>::identity()) is fromto 0 0 0.5 0 0 -0.5, size 0.1
ShapeParameters write_fromto(const SizedShape& shape, const Pose<double>& X_BC);

// The shape in the words of the target, and the pose that has to be multiplied onto the shape's pose from the right, so
// that it fills the same space: X_WT = X_WS * X_ST, for rotations q_WT = q_WS * q_ST.
struct ConvertedShape {
  ShapeParameters parameters;
  Pose<double> X_ST = Pose<double>::identity();
};

//   const ConvertedShape capsule =
//       convert_shape(ShapeKind::kCapsule, {{"radius", 0.1}, {"length", 1.0}}, "drake", "physx");
//   // radius 0.1, halfHeight 0.5, and q_ST a turn by -90 degrees about y, because PhysX has capsules along x
ConvertedShape convert_shape(ShapeKind kind, const ShapeParameters& parameters, std::string_view source,
                             std::string_view target, char axis = 'Z');

}  // namespace torsor
