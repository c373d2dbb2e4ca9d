// Optional changes of the tree: align free bodies with their inertial frames, discard visual elements, fuse static
// bodies.
#include <algorithm>
#include <cstddef>
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

// Moves everything of a static body to its parent; its children take its place among its siblings. Cameras and lights
// keep their poses as numbers, although these then refer to another frame, because MuJoCo does so.
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

// With fusestatic, cameras and lights keep their numbers here too; see fuse_into_parent().
void align_free_bodies(Draft& draft) {
  for (BodyDraft& body : draft.bodies) {
    if (!wants_alignment(draft, body)) continue;
    move_shapes(body, inverse(body.X_BI));
    if (!draft.spec.compiler.fusestatic) move_cameras_and_lights(body, inverse(body.X_BI));
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
    // the margin of a body includes its visual geoms
    for (const GeomDraft& geom : body.geoms) body.margin = std::max(body.margin, geom.spec->margin + geom.spec->gap);
    std::erase_if(body.geoms, [&](const GeomDraft& geom) {
      return geom.spec->contype == 0 && geom.spec->conaffinity == 0 && !named.contains(geom.spec->name);
    });
    for (GeomDraft& geom : body.geoms) {
      geom.material = -1;
      if (geom.data >= 0 && geom.spec->type != GeomType::kHfield) is_used[static_cast<size_t>(geom.data)] = true;
    }
    for (SiteDraft& site : body.sites) site.material = -1;
  }
  std::erase_if(draft.kept_meshes, [&](int mesh) { return !is_used[static_cast<size_t>(mesh)]; });
}

void fuse_static_bodies(Draft& draft) {
  if (!draft.spec.compiler.fusestatic) return;
  const std::unordered_set<std::string> referenced = referenced_bodies(draft);
  const auto is_referenced = [&](const BodyDraft& body) { return referenced.contains(body.spec->name); };
  const auto last = std::find_if(draft.bodies.rbegin(), draft.bodies.rend(), is_referenced);
  const auto last_referenced = draft.bodies.rend() - last - 1;
  auto remaining = static_cast<std::ptrdiff_t>(draft.bodies.size()) - 1;
  for (int id = 1; id < static_cast<int>(draft.bodies.size()); ++id) {
    const BodyDraft& body = draft.bodies[static_cast<size_t>(id)];
    if (!body.joints.empty() || body.spec->mocap || is_referenced(body)) continue;
    // MuJoCo compares ids from before the fusing with the current number of bodies, and does not fuse while one is out
    // of range. Keeping a static body changes only the numbering, which must be the same as MuJoCo's.
    if (last_referenced > std::max<std::ptrdiff_t>(id, remaining)) continue;
    fuse_into_parent(draft, id);
    --remaining;
  }
}

}  // namespace torsor::compiler
