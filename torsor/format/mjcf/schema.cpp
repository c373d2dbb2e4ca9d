// The schema, assembled from the reader's tables.
#include "torsor/format/mjcf/schema.hpp"

#include "torsor/format/mjcf/actuator.hpp"
#include "torsor/format/mjcf/attach.hpp"
#include "torsor/format/mjcf/composite.hpp"
#include "torsor/format/mjcf/equality.hpp"
#include "torsor/format/mjcf/orientation.hpp"
#include "torsor/format/mjcf/refused.hpp"
#include "torsor/format/mjcf/replicate.hpp"
#include "torsor/format/mjcf/sensor.hpp"
#include "torsor/format/mjcf/tables.hpp"

namespace torsor {
namespace mjcf {
namespace {

class SchemaBuilder {
 public:
  template <class... Ts>
  void add(std::string path, Table<Ts>... tables) {
    SchemaElement element{std::move(path), true, {}, {}};
    (append(element, tables), ...);
    elements_.push_back(std::move(element));
  }

  void add_refused() {
    for (const RefusedElement& refused : refused_elements()) {
      const std::string path = std::string(refused.parent) + "/" + std::string(refused.name);
      elements_.push_back({path, false, std::string(refused.section), {}});
    }
  }

  std::vector<SchemaElement> take() { return std::move(elements_); }

 private:
  template <class T>
  static void append(SchemaElement& element, Table<T> table) {
    for (const Attribute<T>& row : table) {
      const bool writable = row.access.write != nullptr;
      element.attributes.push_back({std::string(row.name), std::string(row.unit), std::string(row.meaning), writable});
    }
  }

  std::vector<SchemaElement> elements_;
};

void add_settings(SchemaBuilder& schema) {
  schema.add("mujoco", root_attributes());
  schema.add("mujoco/compiler", compiler_attributes());
  schema.add("mujoco/compiler/lengthrange", lengthrange_attributes());
  schema.add("mujoco/option", option_attributes());
  schema.add("mujoco/option/flag", flag_attributes());
  schema.add("mujoco/size", size_attributes());
  schema.add("mujoco/statistic", statistic_attributes());
  schema.add("mujoco/visual");
  for (const VisualGroup& group : visual_groups()) {
    schema.add("mujoco/visual/" + std::string(group.name), Table<Visual>(group.rows));
  }
}

void add_defaults(SchemaBuilder& schema) {
  schema.add("mujoco/default", default_attributes());
  schema.add("mujoco/default/default", default_attributes());
  schema.add("mujoco/default/mesh", mesh_attributes());
  schema.add("mujoco/default/texture", texture_attributes());
  schema.add("mujoco/default/material", material_attributes());
  schema.add("mujoco/default/material/layer", layer_attributes());
  schema.add("mujoco/default/joint", joint_attributes());
  schema.add("mujoco/default/geom", geom_attributes(), orientation_attributes<GeomSpec>());
  schema.add("mujoco/default/site", site_attributes(), orientation_attributes<SiteSpec>());
  schema.add("mujoco/default/camera", camera_attributes(), orientation_attributes<CameraSpec>());
  schema.add("mujoco/default/light", light_attributes());
}

void add_assets(SchemaBuilder& schema) {
  const auto name = name_attribute();
  const auto class_name = class_attribute();
  schema.add("mujoco/asset");
  schema.add("mujoco/asset/mesh", name, class_name, mesh_attributes(), mesh_own_attributes());
  schema.add("mujoco/asset/hfield", name, hfield_attributes());
  schema.add("mujoco/deformable");
  for (const char* skin : {"mujoco/asset/skin", "mujoco/deformable/skin"}) {
    schema.add(skin, name, skin_attributes());
    schema.add(std::string(skin) + "/bone", bone_attributes());
  }
  schema.add("mujoco/asset/texture", name, class_attribute(), texture_attributes(), texture_own_attributes());
  schema.add("mujoco/asset/material", name, class_name, material_attributes());
  schema.add("mujoco/asset/material/layer", layer_attributes());
  schema.add("mujoco/asset/model", model_asset_attributes());
}

void add_bodies(SchemaBuilder& schema) {
  const auto name = name_attribute();
  const auto class_name = class_attribute();
  const std::string body = "mujoco/worldbody/body";
  schema.add("mujoco/worldbody");
  schema.add(body, name, body_attributes(), orientation_attributes<BodySpec>());
  schema.add(body + "/body", name, body_attributes(), orientation_attributes<BodySpec>());
  schema.add(body + "/frame", name, frame_attributes(), orientation_attributes<FrameSpec>());
  schema.add(body + "/replicate", replicate_attributes());
  schema.add(body + "/attach", attach_attributes());
  schema.add(body + "/composite", composite_attributes());
  schema.add(body + "/composite/joint", composite_joint_attributes());
  schema.add(body + "/composite/geom", composite_geom_attributes());
  schema.add(body + "/composite/site", composite_site_attributes());
  schema.add(body + "/inertial", inertial_attributes(), orientation_attributes<InertialSpec>());
  schema.add(body + "/joint", name, class_name, joint_attributes());
  schema.add(body + "/freejoint", name, freejoint_attributes());
  schema.add(body + "/geom", name, class_name, geom_attributes(), orientation_attributes<GeomSpec>());
  schema.add(body + "/site", name, class_name, site_attributes(), orientation_attributes<SiteSpec>());
  schema.add(body + "/camera", name, class_name, camera_attributes(), camera_own_attributes(),
             orientation_attributes<CameraSpec>());
  schema.add(body + "/light", name, class_name, light_attributes(), light_own_attributes());
}

void add_contact(SchemaBuilder& schema) {
  const auto name = name_attribute();
  const auto class_name = class_attribute();
  schema.add("mujoco/default/pair", pair_attributes());
  schema.add("mujoco/contact");
  schema.add("mujoco/contact/pair", name, class_name, pair_own_attributes(), pair_attributes());
  schema.add("mujoco/contact/exclude", name, exclude_attributes());
  schema.add("mujoco/default/equality", equality_attributes());
  schema.add("mujoco/equality");
  for (const EqualityKind& kind : equality_kinds())
    schema.add("mujoco/equality/" + std::string(kind.name), name, class_name, kind.rows, equality_attributes());
}

void add_tendons(SchemaBuilder& schema) {
  const auto name = name_attribute();
  const auto class_name = class_attribute();
  const std::string spatial = "mujoco/tendon/spatial", fixed = "mujoco/tendon/fixed";
  schema.add("mujoco/default/tendon", tendon_attributes(), tendon_look_attributes());
  schema.add("mujoco/tendon");
  schema.add(spatial, name, class_name, tendon_attributes(), tendon_look_attributes());
  schema.add(spatial + "/site", wrap_attributes(WrapSpec::Kind::kSite));
  schema.add(spatial + "/geom", wrap_attributes(WrapSpec::Kind::kGeom));
  schema.add(spatial + "/pulley", wrap_attributes(WrapSpec::Kind::kPulley));
  schema.add(fixed, name, class_name, tendon_attributes());
  schema.add(fixed + "/joint", wrap_attributes(WrapSpec::Kind::kJoint));
}

void add_actuators(SchemaBuilder& schema) {
  schema.add("mujoco/actuator");
  for (const ActuatorKind& kind : actuator_kinds()) {
    const Table<ActuatorSpec> rows(kind.rows), own(kind.own_rows);
    const Table<ShortcutSpec> shortcut(kind.shortcut_rows), own_shortcut(kind.own_shortcut_rows);
    schema.add("mujoco/default/" + std::string(kind.name), rows, shortcut);
    schema.add("mujoco/actuator/" + std::string(kind.name), name_attribute(), class_attribute(), rows, own, shortcut,
               own_shortcut);
  }
}

void add_sensors(SchemaBuilder& schema) {
  schema.add("mujoco/sensor");
  for (const SensorKind& kind : sensor_kinds())
    schema.add("mujoco/sensor/" + std::string(kind.name), name_attribute(), Table<SensorSpec>(kind.rows));
}

void add_custom(SchemaBuilder& schema) {
  schema.add("mujoco/custom");
  schema.add("mujoco/custom/numeric", numeric_attributes());
  schema.add("mujoco/custom/text", text_attributes());
  schema.add("mujoco/custom/tuple", tuple_attributes());
  schema.add("mujoco/custom/tuple/element", tuple_entry_attributes());
  schema.add("mujoco/keyframe");
  schema.add("mujoco/keyframe/key", name_attribute(), key_attributes());
}

}  // namespace
}  // namespace mjcf

std::vector<SchemaElement> mjcf_schema() {
  mjcf::SchemaBuilder schema;
  mjcf::add_settings(schema);
  mjcf::add_defaults(schema);
  mjcf::add_assets(schema);
  mjcf::add_bodies(schema);
  mjcf::add_contact(schema);
  mjcf::add_tendons(schema);
  mjcf::add_actuators(schema);
  mjcf::add_sensors(schema);
  mjcf::add_custom(schema);
  schema.add_refused();
  return schema.take();
}

}  // namespace torsor
