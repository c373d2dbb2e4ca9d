// <default>: classes of default values, nested.
#include <fmt/format.h>

#include "torsor/format/mjcf/actuator.hpp"
#include "torsor/format/mjcf/orientation.hpp"
#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

constexpr Attribute<DefaultSpec> kDefaultAttributes[] = {
    {"class", read_elsewhere, "", "name of the class; the outermost is main"},
};

// Reads the default values of one kind of element into a class. False for kinds without default values.
bool read_prototype(const Element& element, std::size_t class_index, Reader& reader) {
  DefaultSpec& target = reader.spec.defaults[class_index];
  Report& report = reader.report;
  const std::string_view kind = element.name();
  if (kind == "joint") {
    read_attributes(element, target.joint, report, joint_attributes());
  } else if (kind == "geom") {
    read_attributes(element, target.geom, report, geom_attributes(), orientation_attributes<GeomSpec>());
  } else if (kind == "site") {
    read_attributes(element, target.site, report, site_attributes(), orientation_attributes<SiteSpec>());
  } else if (kind == "camera") {
    check_exclusive(element, report, {"fovy", "sensorsize"});
    read_attributes(element, target.camera, report, camera_attributes(), orientation_attributes<CameraSpec>());
  } else if (kind == "light") {
    check_exclusive(element, report, {"directional", "type"});
    read_attributes(element, target.light, report, light_attributes());
  } else if (kind == "tendon") {
    if (reader.ignores("tendon")) {
      reader.note_ignored(element, "tendon");
      return true;
    }
    read_attributes(element, target.tendon, report, tendon_attributes(), tendon_look_attributes());
  } else if (kind == "pair") {
    if (reader.ignores("contact")) return reader.note_ignored(element, "contact"), true;
    read_attributes(element, target.pair, report, pair_attributes());
  } else if (kind == "equality") {
    if (reader.ignores("equality")) return reader.note_ignored(element, "equality"), true;
    read_attributes(element, target.equality, report, equality_attributes());
  } else if (kind == "mesh") {
    read_attributes(element, target.mesh, report, mesh_attributes());
  } else if (kind == "texture") {
    read_attributes(element, target.texture, report, texture_attributes());
  } else if (kind == "material") {
    read_attributes(element, target.material, report, material_attributes());
    read_layers(element, target.material, reader);
    return true;
  } else if (find_actuator_kind(kind)) {
    if (reader.ignores("actuator")) return reader.note_ignored(element, "actuator"), true;
    read_actuator_prototype(element, class_index, reader);
  } else {
    return false;
  }
  check_one_orientation(element, report);
  reader.reject_children(element, "mujoco/default/" + std::string(kind));
  return true;
}

void read_class(const Element& element, std::size_t index, Reader& reader);

// A nested class begins as a copy of the outer one. Without a name it is an error, but still read to find others.
void read_nested_class(const Element& element, std::size_t parent, Reader& reader) {
  std::vector<DefaultSpec>& defaults = reader.spec.defaults;
  std::string name;
  read_text(name, Value(element, "class", element.text("class"), reader.report));
  if (name.empty()) {
    reader.report.error(element, "a nested default needs the attribute 'class'");
  } else if (!reader.classes.emplace(name, static_cast<int>(defaults.size())).second) {
    reader.report.attribute_error(element, "class", fmt::format("the default class '{}' already exists", name));
  }
  reader.budget.take(Count(sizeof(DefaultSpec)), element.where(), "the number of default classes", reader.report);
  if (reader.doubtful_classes.contains(static_cast<int>(parent)))
    reader.doubtful_classes.insert(static_cast<int>(defaults.size()));
  defaults.push_back(defaults[parent]);
  defaults.back().name = std::move(name);
  defaults.back().parent = static_cast<int>(parent);
  read_class(element, defaults.size() - 1, reader);
}

// A class is read completely before nested classes copy it, in whatever order they are written.
void read_class(const Element& element, std::size_t index, Reader& reader) {
  read_attributes(element, reader.spec.defaults[index], reader.report, default_attributes());
  check_unique_children(element, reader, "default");
  for (const Element& child : element) {
    if (child.name() == "default") continue;
    if (!read_prototype(child, index, reader)) reader.reject(child, "mujoco/default");
    if (reader.report.has_doubts(child)) reader.doubtful_classes.insert(static_cast<int>(index));
  }
  for (const Element& child : element) {
    if (child.name() == "default") read_nested_class(child, index, reader);
  }
}

}  // namespace

Table<DefaultSpec> default_attributes() { return kDefaultAttributes; }

void read_default(const Element& element, Reader& reader) {
  const std::string_view name = element.text("class");
  if (!name.empty() && name != "main") {
    reader.report.attribute_error(element, "class", "the outermost default class is called 'main'",
                                  fmt::format("put <default class=\"{}\"> inside a <default>", name));
  }
  read_class(element, 0, reader);
}

}  // namespace torsor::mjcf
