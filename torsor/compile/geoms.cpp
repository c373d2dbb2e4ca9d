// Geoms: sizes by type, primitives fitted to meshes, bounds, and masses.
#include <fmt/format.h>

#include "torsor/compile/draft.hpp"
#include "torsor/compile/fluid.hpp"
#include "torsor/geometry/fit.hpp"

namespace torsor::compiler {
namespace {

const CompiledMesh& mesh_of(const Draft& draft, const GeomDraft& geom) {
  return *draft.meshes[static_cast<size_t>(geom.data)];
}

// Shapes that may be given by fromto.
bool is_elongated(GeomType type) {
  return type == GeomType::kCapsule || type == GeomType::kCylinder || type == GeomType::kBox ||
         type == GeomType::kEllipsoid || type == GeomType::kCone;
}

template <class ShapeSpec>
double half_length(const ShapeSpec& spec) {
  const Number6& ends = *spec.fromto;
  return norm(Vec{ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]}) / 2;
}

// Sets the length from fromto; a box or an ellipsoid gets a square or circular cross-section.
template <class ShapeSpec>
Vec written_size(Draft& draft, std::string_view kind, const ShapeSpec& spec) {
  Vec size = to_vec(spec.size);
  if (!spec.fromto) return size;
  if (!is_elongated(spec.type)) {
    draft.error(kind, spec, "fromto needs a capsule, cylinder, box, ellipsoid or cone");
    return size;
  }
  const bool has_three_sizes = spec.type == GeomType::kBox || spec.type == GeomType::kEllipsoid;
  if (has_three_sizes) size.y = size.x;
  (has_three_sizes ? size.z : size.y) = half_length(spec);
  return size;
}

template <class ShapeSpec>
void check_size(Draft& draft, std::string_view kind, const ShapeSpec& spec, const Vec& size) {
  for (int k = 0; k < size_count(spec.type); ++k) {
    if (!(size[k] > 0)) return draft.error(kind, spec, fmt::format("number {} of size must be positive", k + 1));
  }
  if (spec.type == GeomType::kPlane && !(size.z > 0))
    draft.error(kind, spec, "the third number of a plane's size, its grid spacing, must be positive");
}

// Moves the geom's frame to that of the shape S in its asset, and converts the surface velocity, which is about the
// frame's origin, to the new frame.
void move_to_asset(GeomDraft& geom, const Frame& X_AS) {
  geom.surface_linear = rotate_inverse(X_AS.q, geom.surface_linear + cross(geom.surface_angular, X_AS.p));
  geom.surface_angular = rotate_inverse(X_AS.q, geom.surface_angular);
  geom.X_BG = geom.X_BG * X_AS;
}

// The shape comes from a mesh: it is the mesh itself, or a primitive fitted to it.
void shape_from_mesh(Draft& draft, GeomDraft& geom) {
  const GeomSpec& spec = *geom.spec;
  const CompiledMesh& mesh = mesh_of(draft, geom);
  if (spec.fromto) draft.error("geom", spec, "fromto cannot be used with a mesh");
  if (spec.type == GeomType::kMesh) {
    if (spec.shellinertia) draft.error("geom", spec, "shellinertia of a mesh is set by `inertia` of its asset");
    geom.size = mesh_extent(mesh);
    move_to_asset(geom, mesh.X_AM);
    return;
  }
  try {
    const FittedShape fitted = fit_primitive(mesh, spec.type, draft.spec.compiler.fitaabb, spec.fitscale, spec.mesh);
    const int count = size_count(spec.type);
    for (int k = 0; k < 3; ++k) geom.size[k] = k < count ? fitted.size[k] : geom.size[k] * spec.fitscale;
    move_to_asset(geom, fitted.X_AS);
  } catch (const Error& problem) {
    draft.error("geom", spec, problem.what());
  }
}

// A default class may set it for all its geoms, but on a geom of another type it is an error.
void check_mesh_collision(Draft& draft, const GeomSpec& spec) {
  if (spec.type == GeomType::kMesh || spec.mesh_collision == MeshCollision::kHull) return;
  for (const DefaultSpec& defaults : draft.spec.defaults) {
    const bool is_own = spec.class_name.empty() ? defaults.parent < 0 : defaults.name == spec.class_name;
    if (is_own && defaults.geom.mesh_collision == spec.mesh_collision) return;
  }
  draft.error("geom", spec, "has meshcollision=\"triangles\" but is not a mesh", "set type=\"mesh\", or remove it");
}

// Whether the assets fit the type.
bool check_assets(Draft& draft, GeomDraft& geom) {
  const GeomSpec& spec = *geom.spec;
  const bool wants_hfield = spec.type == GeomType::kHfield;
  check_compliance(draft, "geom", spec, "the option's sap_stiffness");
  if (spec.type == GeomType::kSdf) {
    draft.error("geom", spec, "signed distance fields (type sdf) are not supported yet");
    return false;
  }
  if (!spec.hfield.empty() && !wants_hfield) {
    draft.error("geom", spec, "has an hfield but is of another type", "set type=\"hfield\"");
    return false;
  }
  if (wants_hfield && spec.hfield.empty()) {
    draft.error("geom", spec, "of type hfield needs the name of an hfield");
    return false;
  }
  if (spec.type == GeomType::kMesh && spec.mesh.empty()) {
    draft.error("geom", spec, "of type mesh needs the name of a mesh");
    return false;
  }
  geom.data = wants_hfield ? draft.resolve(draft.hfield_names, "hfield", spec.hfield, "geom", spec)
                           : draft.resolve(draft.mesh_names, "mesh", spec.mesh, "geom", spec);
  if (geom.data < 0) return spec.mesh.empty() && !wants_hfield;
  if (wants_hfield || draft.meshes[static_cast<size_t>(geom.data)]) return true;
  ++draft.problems;  // the mesh is invalid, which was reported
  return false;
}

const HfieldSize& hfield_size(const Draft& draft, const GeomDraft& geom) {
  return draft.spec.hfields[static_cast<size_t>(geom.data)].size;
}

void set_bounds(const Draft& draft, GeomDraft& geom) {
  const GeomType type = geom.spec->type;
  if (type == GeomType::kMesh) {
    const CompiledMesh& mesh = mesh_of(draft, geom);
    geom.bounds = mesh.bounds;
    geom.bounding_radius = bounding_radius(mesh);
  } else if (type == GeomType::kHfield) {
    geom.bounds = bounding_box(hfield_size(draft, geom));
    geom.bounding_radius = bounding_radius(hfield_size(draft, geom));
  } else {
    geom.bounds = bounding_box(type, geom.size);
    geom.bounding_radius = bounding_radius(type, geom.size);
  }
}

// Mass properties at unit density. A height field has those of its bounding box.
MassProperties unit_properties(const Draft& draft, const GeomDraft& geom) {
  const GeomType type = geom.spec->type;
  if (type == GeomType::kMesh) {
    const CompiledMesh& mesh = mesh_of(draft, geom);
    return {mesh.volume, Vec::zero(), mesh.moments};
  }
  const GeomType shape = type == GeomType::kHfield ? GeomType::kBox : type;
  return geom.spec->shellinertia ? shell_properties(shape, geom.size) : solid_properties(shape, geom.size);
}

void set_mass(Draft& draft, GeomDraft& geom) {
  const GeomSpec& spec = *geom.spec;
  if ((spec.mass && !(*spec.mass >= 0)) || !(spec.density >= 0))
    return draft.error("geom", spec, "mass and density must not be negative");
  const MassProperties unit = unit_properties(draft, geom);
  if (!(unit.mass > 0) || (spec.mass && unit.mass < kNoMass)) return;  // too small to spread a mass over, as in MuJoCo
  const double density = spec.mass ? *spec.mass / unit.mass : spec.density;
  geom.mass = spec.mass ? *spec.mass : spec.density * unit.mass;
  geom.moments = unit.moments * density;
  geom.p_GoGcm_G = unit.p_SoScm_S;
}

void shape_geom(Draft& draft, GeomDraft& geom) {
  const GeomSpec& spec = *geom.spec;
  if (spec.condim != 1 && spec.condim != 3 && spec.condim != 4 && spec.condim != 6)
    draft.error("geom", spec, fmt::format("condim must be 1, 3, 4 or 6, not {}", spec.condim));
  geom.size = written_size(draft, "geom", spec);
  geom.surface_linear = {spec.surfacevel[0], spec.surfacevel[1], spec.surfacevel[2]};
  geom.surface_angular = {spec.surfacevel[3], spec.surfacevel[4], spec.surfacevel[5]};
  geom.material = draft.resolve(draft.material_names, "material", spec.material, "geom", spec);
  check_mesh_collision(draft, spec);
  if (!check_assets(draft, geom)) return;
  if (spec.material.empty() && !spec.mesh.empty()) {
    const std::string& of_mesh = draft.spec.meshes[static_cast<size_t>(geom.data)].material;
    geom.material = draft.resolve(draft.material_names, "material", of_mesh, "geom", spec);
  }
  if (spec.type == GeomType::kHfield)
    geom.size = hfield_extent(hfield_size(draft, geom));
  else if (geom.data >= 0)
    shape_from_mesh(draft, geom);
  check_size(draft, "geom", spec, geom.size);
  set_bounds(draft, geom);
  set_mass(draft, geom);
  if (spec.fluid_ellipsoid) geom.fluid = fluid_parameters(spec.type, spec.fluidcoef, geom.size);
}

// The frame of the site is that of the asset, not that of the mesh.
void shape_mesh_site(Draft& draft, SiteDraft& site) {
  const SiteSpec& spec = *site.spec;
  if (spec.mesh.empty()) return draft.error("site", spec, "of type mesh needs the name of a mesh");
  if (spec.fromto) draft.error("site", spec, "fromto cannot be used with a mesh");
  site.mesh = draft.resolve(draft.mesh_names, "mesh", spec.mesh, "site", spec);
  if (site.mesh < 0) return;
  if (const auto& mesh = draft.meshes[static_cast<size_t>(site.mesh)])
    site.size = mesh_extent(*mesh);
  else
    ++draft.problems;  // the mesh is invalid, which was reported
}

}  // namespace

void shape_geoms(Draft& draft) {
  for (BodyDraft& body : draft.bodies) {
    body.has_bad_mass = !draft.passes([&] {
      for (GeomDraft& geom : body.geoms) shape_geom(draft, geom);
    });
  }
}

void shape_sites(Draft& draft) {
  for (BodyDraft& body : draft.bodies) {
    for (SiteDraft& site : body.sites) {
      const SiteSpec& spec = *site.spec;
      site.material = draft.resolve(draft.material_names, "material", spec.material, "site", spec);
      if (spec.type == GeomType::kMesh) {
        shape_mesh_site(draft, site);
        continue;
      }
      if (!spec.mesh.empty()) draft.error("site", spec, "has a mesh but is of another type", "set type=\"mesh\"");
      if (size_count(spec.type) == 0) {
        draft.error("site", spec, "cannot be a plane or an hfield");
        continue;
      }
      site.size = written_size(draft, "site", spec);
      check_size(draft, "site", spec, site.size);
    }
  }
}

}  // namespace torsor::compiler
