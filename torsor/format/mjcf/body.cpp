// <worldbody>: the tree of bodies and frames, with everything that is attached to them.
#include <algorithm>

#include <fmt/format.h>

#include "torsor/format/mjcf/composite.hpp"
#include "torsor/format/mjcf/merge.hpp"
#include "torsor/format/mjcf/orientation.hpp"
#include "torsor/format/mjcf/reader.hpp"
#include "torsor/format/mjcf/replicate.hpp"
#include "torsor/format/mjcf/writer.hpp"

namespace torsor::mjcf {
namespace {

constexpr Keyword kSleepPolicies[] = {{"auto", 0}, {"never", 3}, {"allowed", 4}, {"init", 5}};
constexpr Keyword kSimple[] = {{"false", 0}, {"auto", 1}};

constexpr Attribute<BodySpec> kBodyAttributes[] = {
    {"childclass", read_elsewhere, "", "default class of descendants that specify none"},
    {"pos", into<&BodySpec::pos>, "m", "origin in the parent frame"},
    {"mocap", into<&BodySpec::mocap>, "", "moved by the user through mocap_pos and mocap_quat"},
    {"gravcomp", into<&BodySpec::gravcomp>, "1", "fraction of the weight that is compensated"},
    {"simple", keyword<&BodySpec::simple_auto, kSimple>, "", "false: no shortcuts for bodies with a diagonal M"},
    {"fuse", keyword<&BodySpec::fuse, kSimple>, "", "false: not fused with its parent by fusestatic"},
    {"sleep", keyword<&BodySpec::sleep, kSleepPolicies>, "", "sleep policy of the tree: auto, never, allowed or init"},
    {"user", into<&BodySpec::user, kInfinite>, "", "user data"},
};

// One number, or one along each axis.
void read_scale(FrameSpec& frame, const Value& value) {
  Number3 scale{};
  const int count = read_numbers(scale.data(), 1, 3, value, kExact | kInfinite);
  if (count == 2) return value.fail("takes 1 or 3 numbers, got 2");
  if (count == 1) scale[1] = scale[2] = scale[0];
  if (count > 0) frame.scale = scale;
}

Text write_scale(const FrameSpec& frame, const FrameSpec* standard) {
  const Number3& scale = frame.scale;
  if (standard && scale == standard->scale) return std::nullopt;
  return scale[0] == scale[1] && scale[1] == scale[2] ? text_of(scale[0]) : text_of(scale);
}

constexpr Keyword kScalings[] = {{"similar", 0}, {"geometry", 1}};

constexpr Attribute<FrameSpec> kFrameAttributes[] = {
    {"childclass", read_elsewhere, "", "default class of descendants that specify none"},
    {"pos", into<&FrameSpec::pos>, "m", "origin in the enclosing frame"},
    {"scale", {read_scale, write_scale}, "1", "size of the contents: one number, or one along each axis"},
    {"scaling", keyword<&FrameSpec::scaling, kScalings>, "",
     "what follows the size: all quantities, or lengths and masses only"},
    {"massscale", into<&FrameSpec::massscale>, "1", "factor of masses; 0: as the volume"},
};

constexpr Attribute<InertialSpec> kInertialAttributes[] = {
    {"pos", into<&InertialSpec::pos>, "m", "centre of mass in the body frame", true},
    {"mass", into<&InertialSpec::mass>, "kg", "mass", true},
    {"diaginertia", into<&InertialSpec::diaginertia>, "kg m^2", "principal moments, in the axes of the orientation"},
    {"fullinertia", into<&InertialSpec::fullinertia>, "kg m^2", "xx yy zz xy xz yz about the centre of mass"},
};

// Where an element is: its body, the enclosing frame in that body, and the default class it inherits.
struct Place {
  int body = 0;
  int frame = -1;
  int class_index = 0;
};

BodySpec& body_at(Reader& reader, const Place& place) {
  return reader.spec.bodies[static_cast<std::size_t>(place.body)];
}

void read_children(const Element& element, const Place& place, Reader& reader);

// Reads one element of a body: the values of its default class, then its own attributes.
template <class T, class... Ts>
T read_part(const Element& element, T DefaultSpec::*prototype, const Place& place, Reader& reader,
            Table<Ts>... tables) {
  T part = reader.make_element(element, prototype, place.class_index);
  part.frame = place.frame;
  read_attributes(element, part, reader.report, name_attribute(), class_attribute(), tables...);
  return part;
}

bool forbid_in_world(const Element& element, const Place& place, Reader& reader) {
  if (place.body == 0) reader.report.error(element, fmt::format("the world cannot have <{}>", element.name()));
  return place.body == 0;
}

// Those in frames are not counted: as in MuJoCo, the last one takes effect.
void check_one_inertial(const Element& body, Reader& reader) {
  const Element* first = nullptr;
  for (const Element& child : body) {
    if (child.name() != "inertial") continue;
    if (first) reader.report.error(child, "a body can have only one <inertial>");
    first = &child;
  }
}

void read_inertial(const Element& element, const Place& place, Reader& reader) {
  if (forbid_in_world(element, place, reader)) return;
  InertialSpec& inertial = body_at(reader, place).inertial;
  if (element.has("fullinertia")) {
    for (const char* name : {"quat", "axisangle", "xyaxes", "zaxis", "euler"}) {
      check_exclusive(element, reader.report, {"fullinertia", name});
    }
  }
  inertial.given = true;
  inertial.frame = place.frame;
  inertial.location = element.where();
  check_one_orientation(element, reader.report);
  read_attributes(element, inertial, reader.report, inertial_attributes(), orientation_attributes<InertialSpec>());
  reader.reject_children(element, "mujoco/worldbody/body/inertial");
}

void read_joint(const Element& element, const Place& place, Reader& reader) {
  if (forbid_in_world(element, place, reader)) return;
  body_at(reader, place).joints.push_back(read_part(element, &DefaultSpec::joint, place, reader, joint_attributes()));
  reader.reject_children(element, "mujoco/worldbody/body/joint");
}

// No default class applies: damping and the like for the joints of a mechanism must not slow down a free body.
void read_freejoint(const Element& element, const Place& place, Reader& reader) {
  if (forbid_in_world(element, place, reader)) return;
  JointSpec joint;
  joint.type = JointType::kFree;
  joint.frame = place.frame;
  joint.location = element.where();
  read_attributes(element, joint, reader.report, name_attribute(), freejoint_attributes());
  reader.reject_children(element, "mujoco/worldbody/body/freejoint");
  body_at(reader, place).joints.push_back(std::move(joint));
}

// A default class may say sdf as long as no geom follows it.
void refuse_sdf(const Element& element, Reader& reader) {
  if (reader.ignores_unsupported()) return reader.leave_out(element, "is of type sdf, which is not supported yet");
  if (element.has("type")) return reader.report.attribute_error(element, "type", "'sdf' is not supported yet");
  reader.report.error(element, "its default class makes it a geom of type 'sdf', which is not supported yet");
}

void read_geom(const Element& element, const Place& place, Reader& reader) {
  check_one_orientation(element, reader.report);
  GeomSpec geom =
      read_part(element, &DefaultSpec::geom, place, reader, geom_attributes(), orientation_attributes<GeomSpec>());
  if (geom.type == GeomType::kSdf) return refuse_sdf(element, reader);
  reader.reject_children(element, "mujoco/worldbody/body/geom");
  if (reader.left_out.has(ObjectType::kMesh, geom.mesh))
    return reader.leave_out(element, fmt::format("refers to the mesh '{}', which is left out", geom.mesh));
  body_at(reader, place).geoms.push_back(std::move(geom));
}

void read_site(const Element& element, const Place& place, Reader& reader) {
  check_one_orientation(element, reader.report);
  body_at(reader, place)
      .sites.push_back(
          read_part(element, &DefaultSpec::site, place, reader, site_attributes(), orientation_attributes<SiteSpec>()));
  reader.reject_children(element, "mujoco/worldbody/body/site");
}

void read_camera(const Element& element, const Place& place, Reader& reader) {
  check_one_orientation(element, reader.report);
  check_exclusive(element, reader.report, {"fovy", "sensorsize"});
  body_at(reader, place)
      .cameras.push_back(read_part(element, &DefaultSpec::camera, place, reader, camera_attributes(),
                                   camera_own_attributes(), orientation_attributes<CameraSpec>()));
  reader.reject_children(element, "mujoco/worldbody/body/camera");
}

void read_light(const Element& element, const Place& place, Reader& reader) {
  check_exclusive(element, reader.report, {"directional", "type"});
  body_at(reader, place)
      .lights.push_back(
          read_part(element, &DefaultSpec::light, place, reader, light_attributes(), light_own_attributes()));
  reader.reject_children(element, "mujoco/worldbody/body/light");
}

void read_frame(const Element& element, const Place& place, Reader& reader) {
  FrameSpec frame;
  frame.parent_frame = place.frame;
  frame.location = element.where();
  frame.childclass = element.text("childclass");
  check_one_orientation(element, reader.report);
  read_attributes(element, frame, reader.report, name_attribute(), frame_attributes(),
                  orientation_attributes<FrameSpec>());
  const int index = static_cast<int>(body_at(reader, place).frames.size());
  body_at(reader, place).frames.push_back(std::move(frame));
  const int class_index = reader.find_class(element, "childclass", place.class_index);
  read_children(element, {place.body, index, class_index}, reader);
}

// Read once, as a frame; assemble() makes the copies when everything that refers to them is known.
void read_replicate(const Element& element, const Place& place, Reader& reader) {
  reader.report.faults().expect_copies();
  ReplicateSpec replicate;
  replicate.location = element.where();
  read_attributes(element, replicate, reader.report, replicate_attributes());
  FrameSpec frame;
  frame.parent_frame = place.frame;
  frame.location = replicate.location;
  replicate.body = place.body;
  replicate.frame = static_cast<int>(body_at(reader, place).frames.size());
  body_at(reader, place).frames.push_back(std::move(frame));
  for (const Element& child : element) {
    if (child.name() == "inertial")
      reader.report.error(child, "<replicate> cannot copy <inertial>: a body has only one");
    if (child.name() == "joint" || child.name() == "freejoint")
      reader.report.error(child, fmt::format("<replicate> cannot copy <{}> directly", child.name()),
                          "put it into a <body> in the <replicate>");
  }
  read_children(element, {place.body, replicate.frame, place.class_index}, reader);
  replicate.attached_before = static_cast<int>(reader.attachments.size());
  reader.replicates.push_back(std::move(replicate));
}

// The model to attach from; null after an error.
std::shared_ptr<const Spec> find_attached_model(const Element& element, const AttachSpec& part, Reader& reader) {
  if (part.model.empty()) {
    if (part.body.empty() && part.frame.empty()) {
      reader.report.error(element, "attaching a part of the model itself needs the attribute body or frame");
      return nullptr;
    }
    reader.budget.take(weigh(reader.spec), element.where(), "<attach>", reader.report);
    return std::make_shared<const Spec>(expand_so_far(reader.spec, reader.replicates, reader.budget, reader.report));
  }
  const auto model = reader.models.find(part.model);
  if (model != reader.models.end()) return model->second.spec;
  if (reader.report.faults().is_incomplete()) return nullptr;  // it could not be read
  std::vector<std::string> known;
  for (const auto& entry : reader.models) known.push_back(entry.first);
  reader.report.attribute_error(element, "model", fmt::format("unknown model '{}'", part.model),
                                suggest(part.model, known));
  return nullptr;
}

// The body and frame to attach; the first index is negative if not found.
std::pair<int, int> find_attached_part(const AttachSpec& part, const Spec& model) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const std::vector<FrameSpec>& frames = model.bodies[b].frames;
    if (part.frame.empty() && (part.body.empty() || model.bodies[b].name == part.body))
      return {static_cast<int>(b), -1};
    for (std::size_t f = 0; f < frames.size() && !part.frame.empty(); ++f) {
      if (frames[f].name == part.frame) return {static_cast<int>(b), static_cast<int>(f)};
    }
  }
  return {-1, -1};
}

void read_attach(const Element& element, const Place& place, Reader& reader) {
  reader.report.faults().expect_copies();
  AttachSpec part;
  read_attributes(element, part, reader.report, attach_attributes());
  reader.reject_children(element, "mujoco/worldbody/body/attach");
  check_exclusive(element, reader.report, {"body", "frame"});
  if (element.has("body") && element.has("frame")) return;
  std::shared_ptr<const Spec> model = find_attached_model(element, part, reader);
  if (!model) return;
  auto [body, frame] = find_attached_part(part, *model);
  if (body < 0) {
    const char* kind = part.frame.empty() ? "body" : "frame";
    const std::string where = part.model.empty() ? "the model so far" : fmt::format("the model '{}'", part.model);
    return reader.report.attribute_error(
        element, kind, fmt::format("{} has no {} '{}'", where, kind, part.frame.empty() ? part.body : part.frame));
  }
  if (frame >= 0) {
    model = extract_frame(model, body, frame);
    body = 0;
  }
  Place target = place;
  if (body == 0 && !part.body.empty()) {  // the world of another model becomes a body
    BodySpec world;
    world.name = part.prefix + part.body;
    world.location = element.where();
    world.parent = place.body;
    world.frame = place.frame;
    target = {static_cast<int>(reader.spec.bodies.size()), -1, place.class_index};
    reader.spec.bodies.push_back(std::move(world));
  }
  reader.budget.take(weigh(*model), element.where(), "<attach>", reader.report);
  if (!part.model.empty()) merge_settings(element, part.model, reader.models.at(part.model), reader);
  reader.attachments.push_back(
      attach(reader.spec, target.body, target.frame, model, body, part.prefix, part.model.empty()));
  reader.attachments.back().location = element.where();
}

void read_body(const Element& element, const Place& place, Reader& reader) {
  BodySpec body;
  body.parent = place.body;
  body.frame = place.frame;
  body.location = element.where();
  body.childclass = element.text("childclass");
  check_one_orientation(element, reader.report);
  read_attributes(element, body, reader.report, name_attribute(), body_attributes(),
                  orientation_attributes<BodySpec>());
  const int index = static_cast<int>(reader.spec.bodies.size());
  reader.spec.bodies.push_back(std::move(body));
  const int class_index = reader.find_class(element, "childclass", place.class_index);
  check_one_inertial(element, reader);
  read_children(element, {index, -1, class_index}, reader);
}

void read_cable(const Element& element, const Place& place, Reader& reader) {
  read_composite(element, place.body, place.frame, reader);
}

struct PartReader {
  std::string_view name;
  void (*read)(const Element&, const Place&, Reader&);
};
constexpr PartReader kPartReaders[] = {
    {"geom", read_geom},           {"body", read_body},           {"joint", read_joint},   {"site", read_site},
    {"inertial", read_inertial},   {"frame", read_frame},         {"light", read_light},   {"camera", read_camera},
    {"freejoint", read_freejoint}, {"replicate", read_replicate}, {"attach", read_attach}, {"composite", read_cable},
};

void read_children(const Element& element, const Place& place, Reader& reader) {
  for (const Element& child : element) {
    const auto part = std::find_if(std::begin(kPartReaders), std::end(kPartReaders),
                                   [&](const PartReader& p) { return p.name == child.name(); });
    if (part == std::end(kPartReaders)) {
      reader.reject(child, "mujoco/worldbody/body");
    } else {
      part->read(child, place, reader);
    }
  }
}

}  // namespace

Table<BodySpec> body_attributes() { return kBodyAttributes; }
Table<FrameSpec> frame_attributes() { return kFrameAttributes; }
Table<InertialSpec> inertial_attributes() { return kInertialAttributes; }

void read_worldbody(const Element& element, Reader& reader) {
  for (const pugi::xml_attribute attribute : element.node.attributes()) {
    reader.report.attribute_error(element, attribute.name(), "the world body cannot have attributes");
  }
  read_children(element, {}, reader);
}

}  // namespace torsor::mjcf
