// <geom> and <site>.
#include <type_traits>

#include "torsor/format/mjcf/tables.hpp"

namespace torsor::mjcf {
namespace {

constexpr Keyword kGeomTypes[] = {
    {"plane", static_cast<int>(GeomType::kPlane)},
    {"hfield", static_cast<int>(GeomType::kHfield)},
    {"sphere", static_cast<int>(GeomType::kSphere)},
    {"capsule", static_cast<int>(GeomType::kCapsule)},
    {"ellipsoid", static_cast<int>(GeomType::kEllipsoid)},
    {"cylinder", static_cast<int>(GeomType::kCylinder)},
    {"box", static_cast<int>(GeomType::kBox)},
    {"mesh", static_cast<int>(GeomType::kMesh)},
    {"sdf", static_cast<int>(GeomType::kSdf)},
    {"cone", static_cast<int>(GeomType::kCone)},
};

constexpr Keyword kMeshCollisions[] = {
    {"hull", static_cast<int>(MeshCollision::kHull)},
    {"triangles", static_cast<int>(MeshCollision::kTriangles)},
};

constexpr Keyword kFluidShapes[] = {{"none", 0}, {"ellipsoid", 1}};

template <class Shape>
void read_type(Shape& shape, const Value& value) {
  const auto type = read_keyword(kGeomTypes, value);
  if (!type) return;
  shape.type = static_cast<GeomType>(*type);
  if (shape.type == GeomType::kSdf && !std::is_same_v<Shape, GeomSpec>) value.fail("'sdf' is not supported yet");
}

template <class Shape>
Text write_type(const Shape& shape, const Shape* standard) {
  if (standard && shape.type == standard->type) return std::nullopt;
  return text_of_keyword(kGeomTypes, static_cast<int>(shape.type));
}

constexpr Attribute<GeomSpec> kGeomAttributes[] = {
    {"type", {read_type, write_type}, "", "plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh or cone"},
    {"pos", into<&GeomSpec::pos>, "m", "origin in the body frame"},
    {"fromto", into<&GeomSpec::fromto>, "m", "two ends of the axis, instead of pos, orientation and length"},
    {"size", into<&GeomSpec::size, kPartial>, "m", "radius, half lengths; as many as the type has"},
    {"contype", into<&GeomSpec::contype>, "", "bit mask, matched against the other geom's conaffinity"},
    {"conaffinity", into<&GeomSpec::conaffinity>, "", "bit mask, matched against the other geom's contype"},
    {"condim", into<&GeomSpec::condim>, "", "dimensions of the contact force: 1, 3, 4 or 6"},
    {"priority", into<&GeomSpec::priority>, "", "the geom of higher priority sets the contact's parameters"},
    {"group", into<&GeomSpec::group>, "", "group for visibility and for the inference of inertia"},
    {"friction", into<&GeomSpec::friction, kPartial>, "1, m, m", "sliding, torsional and rolling friction"},
    {"solmix", into<&GeomSpec::solmix>, "", "weight of this geom's parameters in a contact"},
    {"solref", into<&GeomSpec::solref, kPartial>, "", "constraint reference of contacts"},
    {"solimp", into<&GeomSpec::solimp, kPartial>, "", "constraint impedance of contacts"},
    {"margin", into<&GeomSpec::margin>, "m", "distance at which a contact becomes active"},
    {"gap", into<&GeomSpec::gap>, "m", "distance beyond the margin at which a contact is reported"},
    {"adhesion", into<&GeomSpec::adhesion>, "N", "force that pulls contacts together"},
    {"surfacevel", into<&GeomSpec::surfacevel, kPartial>, "m/s, rad/s", "velocity of the surface: linear, angular"},
    {"sapstiffness", into<&GeomSpec::sapstiffness>, "N/m", "SAP: stiffness of the surface; Torsor extension"},
    {"sapdissipation", into<&GeomSpec::sapdissipation>, "s", "SAP: dissipation time of the surface; Torsor extension"},
    {"mass", into<&GeomSpec::mass>, "kg", "mass, instead of density"},
    {"density", into<&GeomSpec::density>, "kg/m^3 | kg/m^2", "density of the volume, or of the surface of shells"},
    {"shellinertia", into<&GeomSpec::shellinertia>, "", "whether the mass is on the surface"},
    {"fluidshape", keyword<&GeomSpec::fluid_ellipsoid, kFluidShapes>, "",
     "ellipsoid: fluid forces computed for this geom"},
    {"fluidcoef", into<&GeomSpec::fluidcoef, kPartial>, "1",
     "blunt drag, slender drag, angular drag, Kutta lift, Magnus"},
    {"mesh", into<&GeomSpec::mesh>, "", "mesh to show, or to fit a primitive to"},
    {"meshcollision", keyword<&GeomSpec::mesh_collision, kMeshCollisions>, "",
     "collision geometry of a mesh: hull or triangles; Torsor extension"},
    {"hfield", into<&GeomSpec::hfield>, "", "height field"},
    {"fitscale", into<&GeomSpec::fitscale>, "1", "size of a fitted primitive relative to its mesh"},
    {"castshadow", into<&GeomSpec::castshadow>, "", "whether it casts shadows"},
    {"material", into<&GeomSpec::material>, "", "material"},
    {"rgba", into<&GeomSpec::rgba>, "1", "colour, if there is no material"},
    {"user", into<&GeomSpec::user, kInfinite>, "", "user data"},
};

constexpr Attribute<SiteSpec> kSiteAttributes[] = {
    {"type", {read_type, write_type}, "", "sphere, capsule, ellipsoid, cylinder, box, mesh or cone"},
    {"pos", into<&SiteSpec::pos>, "m", "origin in the body frame"},
    {"fromto", into<&SiteSpec::fromto>, "m", "two ends of the axis, instead of pos, orientation and length"},
    {"size", into<&SiteSpec::size, kPartial>, "m", "radius, half lengths; as many as the type has"},
    {"group", into<&SiteSpec::group>, "", "group for visibility"},
    {"mesh", into<&SiteSpec::mesh>, "", "mesh of a site of type mesh"},
    {"material", into<&SiteSpec::material>, "", "material"},
    {"rgba", into<&SiteSpec::rgba>, "1", "colour, if there is no material"},
    {"user", into<&SiteSpec::user, kInfinite>, "", "user data"},
};

}  // namespace

Table<GeomSpec> geom_attributes() { return kGeomAttributes; }
Table<SiteSpec> site_attributes() { return kSiteAttributes; }

}  // namespace torsor::mjcf
