// Fusing static bodies, discarding what is only drawn, writing inertias.
#include "torsor/load/operations.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "torsor/compile/compile.hpp"
#include "torsor/format/assets.hpp"
#include "torsor/sim/length_range.hpp"

namespace torsor {
namespace {

size_t slot(int index) { return static_cast<size_t>(index); }

bool infers_all(const Spec& spec) { return spec.compiler.inertiafromgeom == Tristate::kTrue; }

// What the masses of bodies are read from: their own axes and units, without changes of the whole.
struct Compiled {
  Origins origins;
  Model model;
};

Compiled compile_copy(Spec spec, bool fuses, bool discards) {
  CompilerSpec& compiler = spec.compiler;
  compiler.fusestatic = fuses;
  compiler.discardvisual = discards;
  compiler.alignfree = false;
  compiler.settotalmass = -1;
  spec.keys.clear();
  for (BodySpec& body : spec.bodies) {
    for (FrameSpec& frame : body.frames) frame.scale = {1, 1, 1}, frame.massscale = 0;
    for (JointSpec& joint : body.joints) joint.align = Tristate::kFalse;
  }
  load_assets(spec);
  Origins origins;
  Model model = compile(spec, &origins, measure_length_range);
  return {std::move(origins), std::move(model)};
}

void set_inertial(InertialSpec& inertial, const Model& model, int b) {
  inertial = {};
  inertial.given = true;
  inertial.mass = model.body_mass[b];
  std::copy_n(model.body_ipos.row(b, 3), 3, inertial.pos.begin());
  std::copy_n(model.body_iquat.row(b, 4), 4, inertial.orientation.quat.begin());
  std::copy_n(model.body_inertia.row(b, 3), 3, inertial.diaginertia.begin());
}

// Fusing

bool has_scale(const BodySpec& parent, int frame) {
  for (; frame >= 0; frame = parent.frames[slot(frame)].parent_frame) {
    if (parent.frames[slot(frame)].scale != Number3{1, 1, 1} || parent.frames[slot(frame)].massscale != 0) return true;
  }
  return false;
}

// Explicit masses on both sides of a scaled frame have no sum in the units of either.
void keep_scaled_masses(Spec& spec) {
  for (size_t b = 1; b < spec.bodies.size(); ++b) {
    BodySpec& body = spec.bodies[b];
    const BodySpec& parent = spec.bodies[slot(body.parent)];
    if (has_scale(parent, body.frame) && (body.inertial.given || parent.inertial.given)) body.fuse = false;
  }
}

template <class T>
void move_parts(std::vector<T>& from, std::vector<T>& to, int frame) {
  for (T& part : from) {
    part.frame = part.frame < 0 ? frame : part.frame + frame + 1;
    to.push_back(std::move(part));
  }
}

// A frame of the parent takes the place of the body at an index, which is gone; its children stay where they are.
void turn_into_frame(Spec& spec, int b) {
  BodySpec body = std::move(spec.bodies[slot(b)]);
  BodySpec& parent = spec.bodies[slot(body.parent)];
  const int frame = static_cast<int>(parent.frames.size());
  FrameSpec& made = parent.frames.emplace_back();
  made.location = body.location;
  made.parent_frame = body.frame;
  made.pos = body.pos;
  made.orientation = body.orientation;
  made.childclass = body.childclass;
  for (FrameSpec& each : body.frames) {
    each.parent_frame = each.parent_frame < 0 ? frame : each.parent_frame + frame + 1;
    parent.frames.push_back(std::move(each));
  }
  move_parts(body.geoms, parent.geoms, frame);
  move_parts(body.sites, parent.sites, frame);
  move_parts(body.cameras, parent.cameras, frame);
  move_parts(body.lights, parent.lights, frame);
  for (BodySpec& each : spec.bodies) {
    if (each.parent == b) {
      each.parent = body.parent;
      each.frame = each.frame < 0 ? frame : each.frame + frame + 1;
    } else if (each.parent > b) {
      --each.parent;
    }
  }
  spec.bodies.erase(spec.bodies.begin() + b);
}

// Whether masses of a group of bodies that become one have to be written: some are, or all are bounded one by one.
bool needs_mass(const Spec& spec, const Origins& origins, int b) {
  const CompilerSpec& compiler = spec.compiler;
  if (b == 0 || infers_all(spec)) return false;
  if (compiler.boundmass > 0 || compiler.boundinertia > 0 || compiler.balanceinertia) return true;
  for (size_t s = 0; s < spec.bodies.size(); ++s) {
    if (origins.body_id[s] == b && spec.bodies[s].inertial.given) return true;
  }
  return false;
}

// Discarding

using Names = std::unordered_set<std::string>;

// Names of one kind that elements outside the tree refer to.
Names names_in_use(const Spec& spec, ObjectType type, std::string_view word) {
  Names names;
  for (const TupleSpec& tuple : spec.tuples) {
    for (const TupleSpec::Entry& entry : tuple.entries) {
      if (entry.objtype == word) names.insert(entry.objname);
    }
  }
  for (const SensorSpec& sensor : spec.sensors) {
    if (sensor.objtype == type) names.insert(sensor.objname);
    if (sensor.reftype == type) names.insert(sensor.refname);
  }
  if (type == ObjectType::kGeom) {
    for (const PairSpec& pair : spec.pairs) names.insert({pair.geom1, pair.geom2});
    for (const TendonSpec& tendon : spec.tendons) {
      for (const WrapSpec& wrap : tendon.path) {
        if (wrap.kind == WrapSpec::Kind::kGeom) names.insert(wrap.target);
      }
    }
  }
  names.erase(std::string());
  return names;
}

bool is_visual(const GeomSpec& geom, const Names& used) {
  return geom.contype == 0 && geom.conaffinity == 0 && !geom.fluid_ellipsoid && !used.contains(geom.name);
}

bool gives_mass(const Spec& spec, const GeomSpec& geom) {
  const auto& [first, last] = spec.compiler.inertiagrouprange;
  return geom.group >= first && geom.group <= last && (geom.mass ? *geom.mass != 0 : geom.density != 0);
}

// Bodies whose inertia comes from geoms that will be gone.
std::vector<int> bodies_that_lose_mass(const Spec& spec, const Names& used) {
  std::vector<int> found;
  for (size_t b = 1; b < spec.bodies.size(); ++b) {
    const BodySpec& body = spec.bodies[b];
    const auto counts = [&](const GeomSpec& geom) { return is_visual(geom, used) && gives_mass(spec, geom); };
    const bool is_explicit = body.inertial.given && !infers_all(spec);
    if (!is_explicit && std::any_of(body.geoms.begin(), body.geoms.end(), counts)) found.push_back(static_cast<int>(b));
  }
  return found;
}

template <class T, class F>
int erase_lost(std::vector<T>& list, F&& is_lost) {
  return static_cast<int>(std::erase_if(list, is_lost));
}

void forget_materials(Spec& spec) {
  for (BodySpec& body : spec.bodies) {
    for (GeomSpec& geom : body.geoms) geom.material.clear();
    for (SiteSpec& site : body.sites) site.material.clear();
  }
  for (MeshSpec& mesh : spec.meshes) mesh.material.clear();
  for (TendonSpec& tendon : spec.tendons) tendon.material.clear();
  for (SkinSpec& skin : spec.skins) skin.material.clear();
  for (DefaultSpec& each : spec.defaults) {
    for (std::string* name : {&each.geom.material, &each.site.material, &each.mesh.material, &each.tendon.material})
      name->clear();
  }
}

void forget_textures(Spec& spec) {
  const auto clear = [](MaterialSpec& material) { material.textures = {}; };
  std::for_each(spec.materials.begin(), spec.materials.end(), clear);
  for (DefaultSpec& each : spec.defaults) clear(each.material), each.light.texture.clear();
  for (BodySpec& body : spec.bodies) {
    for (LightSpec& light : body.lights) light.texture.clear();
  }
}

Names meshes_in_use(const Spec& spec) {
  Names names = names_in_use(spec, ObjectType::kMesh, "mesh");
  for (const BodySpec& body : spec.bodies) {
    for (const GeomSpec& geom : body.geoms) names.insert(geom.mesh);
    for (const SiteSpec& site : body.sites) names.insert(site.mesh);
  }
  return names;
}

}  // namespace

int fuse_static(Spec& spec) {
  Spec copy = spec;
  keep_scaled_masses(copy);
  const auto [origins, model] = compile_copy(std::move(copy), true, false);
  for (int b = 1; b < model.nbody; ++b) {
    const int count = static_cast<int>(std::count(origins.body_id.begin(), origins.body_id.end(), b));
    if (count > 1 && needs_mass(spec, origins, b))
      set_inertial(spec.bodies[slot(origins.body[slot(b)])].inertial, model, b);
  }
  int fused = 0;
  for (size_t s = 1; s < origins.body_id.size(); ++s) {
    const int own = static_cast<int>(s);
    if (origins.body[slot(origins.body_id[s])] != own) turn_into_frame(spec, own - fused++);
  }
  return fused;
}

int discard_visual(Spec& spec) {
  const Names used = names_in_use(spec, ObjectType::kGeom, "geom");
  if (const std::vector<int> bodies = bodies_that_lose_mass(spec, used); !bodies.empty()) {
    if (infers_all(spec))
      throw Error("the inertia of discarded geoms cannot be kept while the compiler's inertiafromgeom is true");
    const auto [origins, model] = compile_copy(spec, false, false);
    for (const int b : bodies) set_inertial(spec.bodies[slot(b)].inertial, model, origins.body_id[slot(b)]);
  }
  int lost = 0;
  for (BodySpec& body : spec.bodies)
    lost += erase_lost(body.geoms, [&](const GeomSpec& geom) { return is_visual(geom, used); });
  const Names materials = names_in_use(spec, ObjectType::kMaterial, "material");
  const Names textures = names_in_use(spec, ObjectType::kTexture, "texture");
  lost += erase_lost(spec.materials, [&](const MaterialSpec& each) { return !materials.contains(each.name); });
  lost += erase_lost(spec.textures, [&](const TextureSpec& each) { return !textures.contains(each.name); });
  forget_materials(spec);
  forget_textures(spec);
  const Names meshes = meshes_in_use(spec);
  return lost + erase_lost(spec.meshes, [&](const MeshSpec& each) { return !meshes.contains(each.name); });
}

void adopt_inertial(Spec& spec, int body) {
  if (body < 0 || slot(body) >= spec.bodies.size()) throw Error(fmt::format("there is no body {}", body));
  if (infers_all(spec)) throw Error("an inertial has no effect while the compiler's inertiafromgeom is true");
  if (body == 0 || spec.bodies[slot(body)].inertial.given) return;
  const auto [origins, model] = compile_copy(spec, false, false);
  set_inertial(spec.bodies[slot(body)].inertial, model, origins.body_id[slot(body)]);
}

}  // namespace torsor
