// Copies the tree of another model, its assets and its default classes.
#include "torsor/format/mjcf/attach.hpp"

#include <algorithm>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>

#include "torsor/convention/euler.hpp"
#include "torsor/format/files.hpp"
#include "torsor/format/mjcf/asset_paths.hpp"
#include "torsor/format/mjcf/attached_keys.hpp"
#include "torsor/format/mjcf/references.hpp"
#include "torsor/math/quat.hpp"

namespace torsor::mjcf {
namespace {

constexpr Attribute<ModelAssetSpec> kModelAssetAttributes[] = {
    {"name", into<&ModelAssetSpec::name>, "", "name; default: that of the model in the file"},
    {"file", into<&ModelAssetSpec::file>, "", "MJCF file", true},
    {"content_type", into<&ModelAssetSpec::content_type>, "", "media type of the file, if its name does not tell"},
};

constexpr Attribute<AttachSpec> kAttachAttributes[] = {
    {"model", into<&AttachSpec::model>, "", "model asset to attach from; default: the model itself"},
    {"body", into<&AttachSpec::body>, "", "body to attach, with its descendants; default: the whole world"},
    {"frame", into<&AttachSpec::frame>, "", "frame whose contents are attached"},
    {"prefix", into<&AttachSpec::prefix>, "", "prefix for the names of the attached part", true},
};

// Converts values from the compiler settings of one model to those of another.
class Translation {
 public:
  Translation(const CompilerSpec& from, const CompilerSpec& to) : from_(from), to_(to) {}

  void translate(OrientationSpec& orientation) const {
    if (orientation.form == OrientationSpec::Form::kAxisAngle)
      orientation.axisangle[3] = angle(orientation.axisangle[3]);
    if (orientation.form != OrientationSpec::Form::kEuler) return;
    if (from_.eulerseq == to_.eulerseq) {
      for (double& number : orientation.euler) number = angle(number);
      return;
    }
    const double unit = from_.degree ? std::numbers::pi / 180 : 1;
    const Number3& euler = orientation.euler;
    const auto sequence = rotations::make_euler_sequence(from_.eulerseq, rotations::EulerSpelling::kMujoco);
    store4(orientation.quat.data(),
           rotations::quat_from_euler(sequence, {euler[0] * unit, euler[1] * unit, euler[2] * unit}));
    orientation.form = OrientationSpec::Form::kQuat;
  }

  // Ranges without effect stay as they are written.
  void translate(JointSpec& joint) const {
    settle(joint.limited, joint.range);
    settle(joint.actfrclimited, joint.actfrcrange);
    const bool limited =
        joint.limited == Tristate::kTrue || (joint.limited == Tristate::kAuto && joint.range[0] < joint.range[1]);
    const bool is_hinge = joint.type == JointType::kHinge;
    if (limited && (is_hinge || joint.type == JointType::kBall)) {
      for (double& number : joint.range) number = angle(number);
    }
    if (is_hinge || joint.type == JointType::kBall) joint.springyield = angle(joint.springyield);
    if (!is_hinge) return;
    joint.ref = angle(joint.ref);
    joint.springref = angle(joint.springref);
  }

  void settle(Tristate& limited, const Number2& range) const {
    if (limited != Tristate::kAuto || from_.autolimits == to_.autolimits) return;
    limited = from_.autolimits && range[0] < range[1] ? Tristate::kTrue : Tristate::kFalse;
  }

 private:
  double angle(double number) const {
    if (from_.degree == to_.degree) return number;
    return from_.degree ? number * (std::numbers::pi / 180) : number / (std::numbers::pi / 180);
  }

  const CompilerSpec& from_;
  const CompilerSpec& to_;
};

class Copier {
 public:
  Copier(Spec& spec, const Spec& source, const std::string& prefix, bool is_self)
      : spec_(spec), source_(source), prefix_(prefix), is_self_(is_self), units_(source.compiler, spec.compiler) {}

  void copy_classes();
  void copy_assets();
  void copy_custom();
  // Elements of one body, including those in its frames.
  void copy_contents(const BodySpec& from, int body, int frame);
  BodySpec copy_body(const BodySpec& from);
  const std::map<std::string, std::string>& classes() const { return names_of_classes_; }

 private:
  void rename(std::string& name) const {
    if (!name.empty()) name = prefix_ + name;
  }
  // A part of the model itself uses its own assets and classes.
  void rename_asset(std::string& name) const {
    if (!is_self_) rename(name);
  }
  std::string class_name(const std::string& name) const {
    return is_self_ ? name : names_of_classes_.at(name.empty() ? "main" : name);
  }
  template <class T>
  T copy(const T& from) const {
    T made = from;
    rename(made.name);
    made.class_name = class_name(from.class_name);
    return made;
  }
  std::string path_of(const std::string& file, const std::string& folder, const std::string& own_folder) const;

  Spec& spec_;
  const Spec& source_;
  const std::string& prefix_;
  const bool is_self_;
  Translation units_;
  std::map<std::string, std::string> names_of_classes_;
};

// The main class of the source becomes a class inside ours; names already in use are changed.
void Copier::copy_classes() {
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(spec_.defaults.begin(), spec_.defaults.end(), [&](const auto& d) { return d.name == name; });
  };
  const int first = static_cast<int>(spec_.defaults.size());
  for (const DefaultSpec& from : source_.defaults) {
    DefaultSpec made = from;
    made.name = prefix_ + (from.name.empty() ? "main" : from.name);
    while (is_taken(made.name)) made.name += "_";
    made.parent = from.parent < 0 ? 0 : first + from.parent;
    names_of_classes_[from.parent < 0 ? "main" : from.name] = made.name;
    spec_.defaults.push_back(std::move(made));
  }
}

// Paths of the source's files are made relative to our asset folder.
std::string Copier::path_of(const std::string& file, const std::string& folder, const std::string& own_folder) const {
  const std::string path = join_path(source_.base_dir, join_path(folder, file));
  const std::filesystem::path own = join_path(spec_.base_dir, own_folder);
  const std::filesystem::path way = std::filesystem::path(path).lexically_relative(own.empty() ? "." : own);
  return way.empty() ? path : way.generic_string();
}

void Copier::copy_assets() {
  settle_asset_paths(spec_);  // folders in the paths of copied files must not be dropped
  const CompilerSpec &theirs = source_.compiler, &ours = spec_.compiler;
  for (const MeshSpec& from : source_.meshes) {
    MeshSpec made = copy(from);
    if (!made.file.empty()) made.file = path_of(made.file, theirs.meshdir, ours.meshdir);
    rename(made.material);
    spec_.meshes.push_back(std::move(made));
  }
  for (const HfieldSpec& from : source_.hfields) {
    HfieldSpec made = copy(from);
    if (!made.file.empty()) made.file = path_of(made.file, theirs.meshdir, ours.meshdir);
    spec_.hfields.push_back(std::move(made));
  }
  for (const SkinSpec& from : source_.skins) {
    SkinSpec made = copy(from);
    if (!made.file.empty()) made.file = path_of(made.file, theirs.meshdir, ours.meshdir);
    rename(made.material);
    for (SkinSpec::Bone& bone : made.bones) rename(bone.body);
    spec_.skins.push_back(std::move(made));
  }
  for (const TextureSpec& from : source_.textures) {
    TextureSpec made = copy(from);
    for (auto& [name, text] : made.attributes) {
      if (name.starts_with("file")) text = path_of(text, theirs.texturedir, ours.texturedir);
    }
    spec_.textures.push_back(std::move(made));
  }
  for (const MaterialSpec& from : source_.materials) {
    MaterialSpec made = copy(from);
    for (std::string& texture : made.textures) rename(texture);
    spec_.materials.push_back(std::move(made));
  }
}

void Copier::copy_custom() {
  for (const NumericSpec& numeric : source_.numerics) rename(spec_.numerics.emplace_back(numeric).name);
  for (const TextSpec& text : source_.texts) rename(spec_.texts.emplace_back(text).name);
}

void Copier::copy_contents(const BodySpec& from, int body, int frame) {
  BodySpec& to = spec_.bodies[static_cast<std::size_t>(body)];
  const int first = static_cast<int>(to.frames.size());
  const auto frame_of = [&](int f) { return f < 0 ? frame : first + f; };
  for (const FrameSpec& inner : from.frames) {
    FrameSpec made = copy(inner);
    made.parent_frame = frame_of(inner.parent_frame);
    if (!made.childclass.empty()) made.childclass = class_name(made.childclass);
    units_.translate(made.orientation);
    to.frames.push_back(std::move(made));
  }
  for (const JointSpec& joint : from.joints) {
    JointSpec made = copy(joint);
    made.frame = frame_of(joint.frame);
    units_.translate(made);
    to.joints.push_back(std::move(made));
  }
  for (const GeomSpec& geom : from.geoms) {
    GeomSpec made = copy(geom);
    made.frame = frame_of(geom.frame);
    units_.translate(made.orientation);
    for (std::string* name : {&made.mesh, &made.hfield, &made.material}) rename_asset(*name);
    to.geoms.push_back(std::move(made));
  }
  for (const SiteSpec& site : from.sites) {
    SiteSpec made = copy(site);
    made.frame = frame_of(site.frame);
    units_.translate(made.orientation);
    for (std::string* name : {&made.mesh, &made.material}) rename_asset(*name);
    to.sites.push_back(std::move(made));
  }
  for (const CameraSpec& camera : from.cameras) {
    CameraSpec made = copy(camera);
    made.frame = frame_of(camera.frame);
    units_.translate(made.orientation);
    rename(made.target);
    to.cameras.push_back(std::move(made));
  }
  for (const LightSpec& light : from.lights) {
    LightSpec made = copy(light);
    made.frame = frame_of(light.frame);
    rename(made.target);
    rename_asset(made.texture);
    to.lights.push_back(std::move(made));
  }
}

BodySpec Copier::copy_body(const BodySpec& from) {
  BodySpec made;
  made.name = from.name;
  rename(made.name);
  made.location = from.location;
  made.childclass = from.childclass.empty() ? "" : class_name(from.childclass);
  made.pos = from.pos;
  made.orientation = from.orientation;
  made.mocap = from.mocap;
  made.gravcomp = from.gravcomp;
  made.simple_auto = from.simple_auto;
  made.fuse = from.fuse;
  made.sleep = from.sleep;
  made.inertial = from.inertial;
  made.user = from.user;
  units_.translate(made.orientation);
  units_.translate(made.inertial.orientation);
  return made;
}

}  // namespace

Table<ModelAssetSpec> model_asset_attributes() { return kModelAssetAttributes; }
Table<AttachSpec> attach_attributes() { return kAttachAttributes; }

Attachment attach(Spec& spec, int body, int frame, std::shared_ptr<const Spec> source, int source_body,
                  const std::string& prefix, bool is_self) {
  Copier copier(spec, *source, prefix, is_self);
  if (!is_self) {
    copier.copy_classes();
    copier.copy_assets();
    copier.copy_custom();
  }
  Attachment made;
  made.is_self = is_self;
  made.source = source;
  made.prefix = prefix;
  made.classes = copier.classes();
  std::vector<int> places(source->bodies.size(), -1);  // of bodies of the source in the model
  if (source_body == 0) {
    places[0] = body;
    made.bodies.emplace_back(0, body);
    const int first = static_cast<int>(spec.bodies[static_cast<std::size_t>(body)].frames.size());
    copier.copy_contents(source->bodies[0], body, frame);
    for (std::size_t b = 1; b < source->bodies.size(); ++b) {
      const BodySpec& from = source->bodies[b];
      BodySpec copy = copier.copy_body(from);
      copy.parent = places[static_cast<std::size_t>(from.parent)];
      copy.frame = from.parent == 0 ? (from.frame < 0 ? frame : first + from.frame) : from.frame;
      places[b] = static_cast<int>(spec.bodies.size());
      spec.bodies.push_back(std::move(copy));
      copier.copy_contents(from, places[b], -1);
      made.bodies.emplace_back(static_cast<int>(b), places[b]);
    }
    return made;
  }
  for (std::size_t b = static_cast<std::size_t>(source_body); b < source->bodies.size(); ++b) {
    const BodySpec& from = source->bodies[b];
    const bool is_root = static_cast<int>(b) == source_body;
    const int parent = is_root ? body : places[static_cast<std::size_t>(from.parent)];
    if (parent < 0) break;  // after the last descendant
    BodySpec copy = copier.copy_body(from);
    copy.parent = parent;
    copy.frame = is_root ? frame : from.frame;
    places[b] = static_cast<int>(spec.bodies.size());
    spec.bodies.push_back(std::move(copy));
    copier.copy_contents(from, places[b], -1);
    made.bodies.emplace_back(static_cast<int>(b), places[b]);
  }
  return made;
}

namespace {

Names names_of(const Attachment& part) {
  Names names;
  const auto add = [&](ObjectType kind, const auto& elements) {
    for (const auto& element : elements) names.add(kind, element.name);
  };
  for (const auto& [from, to] : part.bodies) {
    const BodySpec& body = part.source->bodies[static_cast<std::size_t>(from)];
    names.add(ObjectType::kBody, body.name);
    add(ObjectType::kJoint, body.joints);
    add(ObjectType::kGeom, body.geoms);
    add(ObjectType::kSite, body.sites);
    add(ObjectType::kCamera, body.cameras);
    add(ObjectType::kLight, body.lights);
  }
  return names;
}

// An element belongs to the part if everything it refers to does.
template <class T>
bool belongs(const T& element, const Names& names) {
  bool all = true;
  for_each_reference(element, [&](ObjectType kind, const std::string& name) { all = all && names.has(kind, name); });
  return all;
}

template <class T>
T renamed(T element, const Attachment& part) {
  if (!element.name.empty()) element.name = part.prefix + element.name;
  if (!part.is_self) element.class_name = part.classes.at(element.class_name.empty() ? "main" : element.class_name);
  for_each_reference(element, [&](ObjectType, std::string& name) { name = part.prefix + name; });
  return element;
}

void copy_drives(Attachment& part, Spec& spec) {
  const Spec& source = *part.source;
  const Translation units(source.compiler, spec.compiler);
  Names names = names_of(part);
  for (const PairSpec& pair : source.pairs) {
    if (!belongs(pair, names)) continue;
    names.add(ObjectType::kPair, pair.name);
    spec.pairs.push_back(renamed(pair, part));
  }
  for (const ExcludeSpec& exclude : source.excludes) {
    if (!belongs(exclude, names)) continue;
    names.add(ObjectType::kExclude, exclude.name);
    spec.excludes.push_back(renamed(exclude, part));
  }
  for (const TendonSpec& tendon : source.tendons) {
    if (!belongs(tendon, names)) continue;
    names.add(ObjectType::kTendon, tendon.name);
    TendonSpec& made = spec.tendons.emplace_back(renamed(tendon, part));
    if (!made.material.empty() && !part.is_self) made.material = part.prefix + made.material;
    units.settle(made.limited, made.range);
  }
  for (const EqualitySpec& equality : source.equalities) {
    if (!belongs(equality, names)) continue;
    names.add(ObjectType::kEquality, equality.name);
    spec.equalities.push_back(renamed(equality, part));
  }
  for (std::size_t a = 0; a < source.actuators.size(); ++a) {
    if (!belongs(source.actuators[a], names)) continue;
    names.add(ObjectType::kActuator, source.actuators[a].name);
    part.actuators.emplace_back(static_cast<int>(a), static_cast<int>(spec.actuators.size()));
    ActuatorSpec& made = spec.actuators.emplace_back(renamed(source.actuators[a], part));
    units.settle(made.ctrllimited, made.ctrlrange);
    units.settle(made.forcelimited, made.forcerange);
    units.settle(made.actlimited, made.actrange);
  }
  for (const SensorSpec& sensor : source.sensors) {
    if (belongs(sensor, names)) spec.sensors.push_back(renamed(sensor, part));
  }
  for (const TupleSpec& tuple : source.tuples) {
    TupleSpec made = tuple;
    if (!made.name.empty()) made.name = part.prefix + made.name;
    bool all = true;
    for (TupleSpec::Entry& entry : made.entries) {
      all = all && names.has_any(entry.objname);
      entry.objname = part.prefix + entry.objname;
    }
    if (all) spec.tuples.push_back(std::move(made));
  }
}

}  // namespace

namespace {

// For a part of the model itself, what belongs to it is known only now.
void complete_self(Attachment& part, const Spec& spec, const std::vector<KeySpec>& own_keys) {
  auto source = std::make_shared<Spec>(*part.source);
  source->pairs = spec.pairs;
  source->excludes = spec.excludes;
  source->equalities = spec.equalities;
  source->tendons = spec.tendons;
  source->actuators = spec.actuators;
  source->sensors = spec.sensors;
  source->tuples = spec.tuples;
  source->keys = own_keys;
  part.source = std::move(source);
}

// Keyframes of the copy keep the numbers of everything outside the part.
void add_bodies_outside(Attachment& part) {
  std::vector<bool> inside(part.source->bodies.size());
  for (const auto& [from, to] : part.bodies) inside[static_cast<std::size_t>(from)] = true;
  for (std::size_t b = 1; b < inside.size(); ++b) {
    if (!inside[b]) part.bodies.emplace_back(static_cast<int>(b), static_cast<int>(b));
  }
}

}  // namespace

void finish_attachment(Attachment& part, const std::vector<KeySpec>& own_keys, Spec& spec) {
  if (part.is_self) complete_self(part, spec, own_keys);
  copy_drives(part, spec);
  if (part.is_self) add_bodies_outside(part);
  part.keys = make_attached_keys(part, spec);
}

// Keyframes are converted to the coordinates of the new model, as if all of it were attached.
std::shared_ptr<const Spec> extract_frame(std::shared_ptr<const Spec> source, int body, int frame) {
  auto made = std::make_shared<Spec>(*source);
  made->bodies.resize(1);
  BodySpec& world = made->bodies[0];
  world = source->bodies[static_cast<std::size_t>(body)];
  world.name.clear();
  world.parent = -1;
  std::vector<bool> inside(world.frames.size());
  for (std::size_t f = static_cast<std::size_t>(frame); f < inside.size(); ++f) {
    const int parent = world.frames[f].parent_frame;
    inside[f] = static_cast<int>(f) == frame || (parent >= 0 && inside[static_cast<std::size_t>(parent)]);
  }
  world.frames[static_cast<std::size_t>(frame)].parent_frame = -1;
  const auto is_inside = [&](const auto& part) {
    return part.frame >= 0 && inside[static_cast<std::size_t>(part.frame)];
  };
  const auto keep = [&](auto& parts) { std::erase_if(parts, [&](const auto& part) { return !is_inside(part); }); };
  keep(world.joints);
  keep(world.geoms);
  keep(world.sites);
  keep(world.cameras);
  keep(world.lights);
  Attachment part;
  part.source = source;
  std::vector<int> places(source->bodies.size(), -1);
  for (std::size_t b = static_cast<std::size_t>(body) + 1; b < source->bodies.size(); ++b) {
    const BodySpec& from = source->bodies[b];
    const bool is_child = from.parent == body && is_inside(from);
    const int parent = is_child ? 0 : places[static_cast<std::size_t>(from.parent)];
    if (parent < 0) continue;
    places[b] = static_cast<int>(made->bodies.size());
    made->bodies.push_back(from);
    made->bodies.back().parent = parent;
    part.bodies.emplace_back(static_cast<int>(b), places[b]);
  }
  for (int a = 0; a < static_cast<int>(source->actuators.size()); ++a) part.actuators.emplace_back(a, a);
  made->keys = make_attached_keys(part, *made);
  return made;
}

}  // namespace torsor::mjcf
