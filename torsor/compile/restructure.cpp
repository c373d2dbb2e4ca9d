// Optional changes of the tree: align free bodies with their inertial frames, discard visual elements, fuse static
// bodies.
#include <algorithm>
#include <unordered_set>

#include "torsor/compile/draft.hpp"

namespace torsor::compiler {
namespace {

// Converts the elements of a body to another frame N, given X_NB.
void move_shapes(BodyDraft& body, const Frame& X_NB) {
  for (GeomDraft& geom : body.geoms) geom.X_BG = X_NB * geom.X_BG;
  for (SiteDraft& site : body.sites) site.X_BS = X_NB * site.X_BS;
}

void move_cameras_and_lights(BodyDraft& body, const Frame& X_NB) {
  for (CameraDraft& camera : body.cameras) camera.X_BC = X_NB * camera.X_BC;
  for (LightDraft& light : body.lights) {
    light.p_BoLo_B = apply(X_NB, light.p_BoLo_B);
    light.direction_B = rotate(X_NB.q, light.direction_B);
  }
}

bool wants_alignment(const Draft& draft, const BodyDraft& body) {
  if (body.joints.size() != 1 || !body.children.empty()) return false;
  const JointSpec& joint = *body.joints[0].spec;
  if (joint.type != JointType::kFree) return false;
  return joint.align == Tristate::kAuto ? draft.spec.compiler.alignfree : joint.align == Tristate::kTrue;
}

// Names of one type that tuples refer to.
std::unordered_set<std::string> tuple_names(const Spec& spec, std::string_view type) {
  std::unordered_set<std::string> names;
  for (const TupleSpec& tuple : spec.tuples) {
    for (const TupleSpec::Entry& entry : tuple.entries) {
      if (entry.objtype == type) names.insert(entry.objname);
    }
  }
  return names;
}

// Names of geoms that tendons wrap around.
std::unordered_set<std::string> wrapped_geoms(const Spec& spec) {
  std::unordered_set<std::string> names;
  for (const TendonSpec& tendon : spec.tendons) {
    for (const WrapSpec& wrap : tendon.path) {
      if (wrap.kind == WrapSpec::Kind::kGeom) names.insert(wrap.target);
    }
  }
  return names;
}

// Adds the names of objects of some type that sensors measure or refer to.
void add_sensed(const Spec& spec, ObjectType type, std::unordered_set<std::string>& names) {
  for (const SensorSpec& sensor : spec.sensors) {
    if (sensor.objtype == type) names.insert(sensor.objname);
    if (sensor.reftype == type) names.insert(sensor.refname);
  }
}

// Names of bodies that something outside the tree refers to; these stay bodies.
std::unordered_set<std::string> referenced_bodies(const Draft& draft) {
  std::unordered_set<std::string> names = tuple_names(draft.spec, "body");
  names.merge(tuple_names(draft.spec, "xbody"));
  for (const ExcludeSpec& exclude : draft.spec.excludes) names.insert({exclude.body1, exclude.body2});
  for (const EqualitySpec& equality : draft.spec.equalities) {
    if (equality.objtype == ObjectType::kBody) names.insert({equality.object1, equality.object2});
  }
  for (const ActuatorSpec& actuator : draft.spec.actuators) names.insert(actuator.body);
  for (const SkinSpec& skin : draft.spec.skins) {
    for (const SkinSpec::Bone& bone : skin.bones) names.insert(bone.body);
  }
  add_sensed(draft.spec, ObjectType::kBody, names);
  add_sensed(draft.spec, ObjectType::kXBody, names);
  for (const BodyDraft& body : draft.bodies) {
    for (const CameraDraft& camera : body.cameras) names.insert(camera.spec->target);
    for (const LightDraft& light : body.lights) names.insert(light.spec->target);
  }
  names.erase(std::string());
  return names;
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
  from.clear();
}

// Names of sites where sensors measure what a body's parent exerts on it.
std::unordered_set<std::string> sites_of_forces(const Spec& spec) {
  std::unordered_set<std::string> names;
  for (const SensorSpec& sensor : spec.sensors) {
    if (sensor.type == SensorType::kForce || sensor.type == SensorType::kTorque) names.insert(sensor.objname);
  }
  return names;
}

// Moves everything of a static body to its parent; its children take its place among its siblings.
void fuse_into_parent(Draft& draft, int id) {
  BodyDraft& body = draft.bodies[static_cast<size_t>(id)];
  BodyDraft& parent = draft.bodies[static_cast<size_t>(body.parent)];
  if (body.parent > 0 && body.mass >= kMinValue) {
    const BodyMass sum =
        join_masses({{parent.mass, parent.X_BI, parent.moments}, {body.mass, body.X_PB * body.X_BI, body.moments}});
    parent.mass = sum.mass;
    parent.X_BI = sum.X_BI;
    parent.moments = sum.moments;
  }
  move_shapes(body, body.X_PB);
  move_cameras_and_lights(body, body.X_PB);
  append(parent.geoms, body.geoms);
  append(parent.sites, body.sites);
  append(parent.cameras, body.cameras);
  append(parent.lights, body.lights);
  for (const int child : body.children) {
    BodyDraft& orphan = draft.bodies[static_cast<size_t>(child)];
    orphan.X_PB = body.X_PB * orphan.X_PB;
    orphan.parent = body.parent;
  }
  auto& siblings = parent.children;
  const auto place = siblings.erase(std::find(siblings.begin(), siblings.end(), id));
  siblings.insert(place, body.children.begin(), body.children.end());
  body.children.clear();
  body.is_fused = true;
}

}  // namespace

void align_free_bodies(Draft& draft) {
  for (BodyDraft& body : draft.bodies) {
    if (!wants_alignment(draft, body)) continue;
    move_shapes(body, inverse(body.X_BI));
    move_cameras_and_lights(body, inverse(body.X_BI));
    body.X_PB = body.X_PB * body.X_BI;
    body.X_BI = Frame::identity();
    body.is_aligned = true;
  }
}

void discard_visuals(Draft& draft) {
  if (!draft.spec.compiler.discardvisual) return;
  draft.drops_visuals = true;
  std::unordered_set<std::string> named = tuple_names(draft.spec, "geom");
  named.merge(wrapped_geoms(draft.spec));
  for (const PairSpec& pair : draft.spec.pairs) named.insert({pair.geom1, pair.geom2});
  add_sensed(draft.spec, ObjectType::kGeom, named);
  std::vector<bool> is_used(draft.meshes.size(), false);
  for (BodyDraft& body : draft.bodies) {
    std::erase_if(body.geoms, [&](const GeomDraft& geom) {
      const GeomSpec& spec = *geom.spec;
      const bool is_visual = spec.contype == 0 && spec.conaffinity == 0 && !spec.fluid_ellipsoid;
      if (!is_visual || named.contains(spec.name)) return false;
      if (draft.spec.compiler.inertiafromgeom == Tristate::kTrue && geom.mass > 0)
        draft.error("geom", spec, "has mass, and discardvisual would discard it while inertiafromgeom is true",
                    "set inertiafromgeom=\"auto\", or give the geom no mass");
      return true;
    });
    for (GeomDraft& geom : body.geoms) {
      geom.material = -1;
      if (geom.data >= 0 && geom.spec->type != GeomType::kHfield) is_used[static_cast<size_t>(geom.data)] = true;
    }
    for (SiteDraft& site : body.sites) {
      site.material = -1;
      if (site.mesh >= 0) is_used[static_cast<size_t>(site.mesh)] = true;
    }
  }
  std::erase_if(draft.kept_meshes, [&](int mesh) { return !is_used[static_cast<size_t>(mesh)]; });
}

namespace {

// Whether fusing a static body leaves all forces as they are, and everything that refers to it.
class FusePolicy {
 public:
  explicit FusePolicy(const Draft& draft)
      : draft_(draft), referenced_(referenced_bodies(draft)), force_sites_(sites_of_forces(draft.spec)) {}

  bool allows(const BodyDraft& body) const {
    const BodySpec& spec = *body.spec;
    if (!body.joints.empty() || spec.mocap || !spec.fuse || spec.sleep != 0) return false;
    if (referenced_.contains(spec.name)) return false;
    const auto is_measured = [&](const SiteDraft& site) { return force_sites_.contains(site.spec->name); };
    return std::none_of(body.sites.begin(), body.sites.end(), is_measured) && keeps_weight(body) && keeps_mass(body);
  }

 private:
  // Gravity compensation and the drag of a fluid depend on how masses are grouped into bodies.
  bool keeps_weight(const BodyDraft& body) const {
    if (body.parent == 0) return true;
    const Option& option = draft_.spec.option;
    const bool is_in_fluid = option.density != 0 || option.viscosity != 0;
    const auto is_ellipsoid = [](const GeomDraft& geom) { return geom.spec->fluid_ellipsoid; };
    if (is_in_fluid && std::any_of(body.geoms.begin(), body.geoms.end(), is_ellipsoid)) return false;
    if (body.mass < kMinValue) return true;
    return !is_in_fluid && body.spec->gravcomp == draft_.bodies[static_cast<size_t>(body.parent)].spec->gravcomp;
  }

  // With inertiafromgeom, the sum of two masses that were adjusted is not the mass of all geoms.
  bool keeps_mass(const BodyDraft& body) const {
    if (body.parent == 0 || draft_.spec.compiler.inertiafromgeom != Tristate::kTrue) return true;
    return !body.is_adjusted && !draft_.bodies[static_cast<size_t>(body.parent)].is_adjusted;
  }

  const Draft& draft_;
  const std::unordered_set<std::string> referenced_, force_sites_;
};

}  // namespace

void fuse_static_bodies(Draft& draft) {
  if (!draft.spec.compiler.fusestatic) return;
  const FusePolicy policy(draft);
  for (int id = 1; id < static_cast<int>(draft.bodies.size()); ++id) {
    if (policy.allows(draft.bodies[static_cast<size_t>(id)])) fuse_into_parent(draft, id);
  }
}

}  // namespace torsor::compiler
