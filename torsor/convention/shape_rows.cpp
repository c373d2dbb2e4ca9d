// The names and measures of shape parameters in each system. A pair of system and shape without a row is unspecified.
#include "torsor/convention/shapes.hpp"

namespace torsor {
namespace {

using enum ShapeKind;
using enum ShapeAxis;
constexpr Measure kHalf = Measure::kHalf, kFull = Measure::kFull, kFactor = Measure::kFactor;
constexpr Measure kDrawing = Measure::kDrawing;

struct Numbers {
  ShapeSlot slots[3];
};

constexpr Numbers radius() { return {{{"radius", -1, kHalf}}}; }
constexpr Numbers radius_and(const char* height, Measure measure) {
  return {{{"radius", -1, kHalf}, {height, -1, measure}}};
}
constexpr Numbers three(const char* x, const char* y, const char* z, Measure measure) {
  return {{{x, -1, measure}, {y, -1, measure}, {z, -1, measure}}};
}
constexpr Numbers list(const char* name, int length, Measure measure) {
  Numbers numbers;
  for (int i = 0; i < length; ++i) numbers.slots[i] = {name, i, measure};
  return numbers;
}

constexpr ShapeRow has(const char* system, ShapeKind kind, ShapeAxis axis, const Numbers& numbers, const char* source,
                       ShapePlacement placement = ShapePlacement::kNone, const char* common = nullptr) {
  const auto& [x, y, z] = numbers.slots;
  return {system, kind, Availability::kPresent, axis, {x, y, z}, common, placement, source};
}
constexpr ShapeRow lacks(const char* system, ShapeKind kind, const char* source) {
  return {system, kind, Availability::kAbsent, kNone, {}, nullptr, ShapePlacement::kNone, source};
}

constexpr ShapePlacement kEnds = ShapePlacement::kEnds, kEquation = ShapePlacement::kEquation;

// In every system, the height of a capsule excludes its caps, and the apex of a cone is on the positive side of the
// axis.
constexpr ShapeRow kShapeRows[] = {
    has("newton", kSphere, kNone, radius(), "Newton add_shape_sphere"),
    has("newton", kBox, kNone, three("hx", "hy", "hz", kHalf), "Newton add_shape_box"),
    has("newton", kCapsule, kZ, radius_and("half_height", kHalf), "Newton add_shape_capsule"),
    has("newton", kCylinder, kZ, radius_and("half_height", kHalf), "Newton add_shape_cylinder"),
    has("newton", kCone, kZ, radius_and("half_height", kHalf), "Newton add_shape_cone"),
    has("newton", kEllipsoid, kNone, three("rx", "ry", "rz", kHalf),
        "Newton add_shape_ellipsoid; older versions say a, b, c"),
    has("newton", kPlane, kZ, {{{"width", -1, kFull}, {"length", -1, kFull}}},
        "Newton add_shape_plane; 0, 0 is infinite; also plane = (a, b, c, d) of a x + b y + c z + d = 0", kEquation),
    has("newton", kMesh, kNone, list("scale", 3, kFactor),
        "Newton add_shape_mesh; its triangles collide, those of add_shape_convex_hull are filled to the hull"),

    has("mujoco", kSphere, kNone, list("size", 1, kHalf), "MuJoCo XML reference, geom"),
    has("mujoco", kBox, kNone, list("size", 3, kHalf), "MuJoCo XML reference, geom", kEnds),
    has("mujoco", kCapsule, kZ, list("size", 2, kHalf), "MuJoCo XML reference, geom", kEnds),
    has("mujoco", kCylinder, kZ, list("size", 2, kHalf), "MuJoCo XML reference, geom", kEnds),
    lacks("mujoco", kCone, "MuJoCo XML reference, geom"),
    has("mujoco", kEllipsoid, kNone, list("size", 3, kHalf), "MuJoCo XML reference, geom", kEnds),
    has("mujoco", kPlane, kZ, {{{"size", 2, kDrawing}}}, "MuJoCo XML reference, geom; infinite whatever its size"),
    has("mujoco", kMesh, kNone, list("scale", 3, kFactor), "MuJoCo XML reference, mesh; its convex hull collides"),

    has("usd.geom", kSphere, kNone, radius(), "UsdGeomSphere"),
    has("usd.geom", kBox, kNone, list("scale", 3, kFull),
        "UsdGeomCube: size is the edge; a box that is no cube needs xformOp:scale", ShapePlacement::kNone, "size"),
    has("usd.geom", kCapsule, kAttributeOrZ, radius_and("height", kFull), "UsdGeomCapsule"),
    has("usd.geom", kCylinder, kAttributeOrZ, radius_and("height", kFull), "UsdGeomCylinder"),
    has("usd.geom", kCone, kAttributeOrZ, radius_and("height", kFull), "UsdGeomCone"),
    lacks("usd.geom", kEllipsoid, "UsdGeom; a sphere that is scaled unevenly collides as a sphere, or not at all"),
    has("usd.geom", kMesh, kNone, list("scale", 3, kFactor),
        "xformOp:scale; triangles are clockwise where the mesh's orientation is leftHanded"),

    has("usd.physics", kSphere, kNone, radius(), "UsdPhysicsSphereShapeDesc"),
    has("usd.physics", kBox, kNone, list("halfExtents", 3, kHalf), "UsdPhysicsCubeShapeDesc"),
    has("usd.physics", kCapsule, kAttribute, radius_and("halfHeight", kHalf), "UsdPhysicsCapsuleShapeDesc"),
    has("usd.physics", kCylinder, kAttribute, radius_and("halfHeight", kHalf), "UsdPhysicsCylinderShapeDesc"),
    has("usd.physics", kCone, kAttribute, radius_and("halfHeight", kHalf), "UsdPhysicsConeShapeDesc"),
    lacks("usd.physics", kEllipsoid, "UsdPhysics, parsing of collision shapes"),
    has("usd.physics", kMesh, kNone, list("meshScale", 3, kFactor), "UsdPhysicsMeshShapeDesc"),

    has("urdf", kSphere, kNone, radius(), "URDF XML specification, link"),
    has("urdf", kBox, kNone, list("size", 3, kFull), "URDF XML specification, link"),
    lacks("urdf", kCapsule, "URDF XML specification, link; some readers add one of their own"),
    has("urdf", kCylinder, kZ, radius_and("length", kFull), "URDF XML specification, link"),
    lacks("urdf", kCone, "URDF XML specification, link"),
    lacks("urdf", kEllipsoid, "URDF XML specification, link"),
    lacks("urdf", kPlane, "URDF XML specification, link"),
    has("urdf", kMesh, kNone, list("scale", 3, kFactor), "URDF XML specification, link"),

    has("drake", kSphere, kNone, radius(), "Drake geometry::Sphere"),
    has("drake", kBox, kNone, three("width", "depth", "height", kFull), "Drake geometry::Box; along x, y, z"),
    has("drake", kCapsule, kZ, radius_and("length", kFull), "Drake geometry::Capsule"),
    has("drake", kCylinder, kZ, radius_and("length", kFull), "Drake geometry::Cylinder"),
    lacks("drake", kCone, "Drake geometry::Shape"),
    has("drake", kEllipsoid, kNone, three("a", "b", "c", kHalf), "Drake geometry::Ellipsoid"),
    has("drake", kPlane, kZ, {}, "Drake geometry::HalfSpace; infinite"),
    has("drake", kMesh, kNone, list("scale", 3, kFactor), "Drake geometry::Mesh"),

    has("physx", kSphere, kNone, radius(), "PhysX PxSphereGeometry"),
    has("physx", kBox, kNone, list("halfExtents", 3, kHalf), "PhysX PxBoxGeometry"),
    has("physx", kCapsule, kX, radius_and("halfHeight", kHalf), "PhysX PxCapsuleGeometry"),
    has("physx", kPlane, kX, {}, "PhysX PxPlaneGeometry; infinite"),
    has("physx", kMesh, kNone, list("scale", 3, kFactor), "PhysX PxMeshScale"),
};

}  // namespace

std::span<const ShapeRow> shape_rows() { return kShapeRows; }

}  // namespace torsor
