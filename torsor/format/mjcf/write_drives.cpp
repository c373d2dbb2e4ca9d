// Writes tendons and actuators.
#include "torsor/format/mjcf/actuator.hpp"
#include "torsor/format/mjcf/writer.hpp"
#include "torsor/model/actuator_form.hpp"

namespace torsor::mjcf {
namespace {

std::string_view element_name(WrapSpec::Kind kind) {
  switch (kind) {
    case WrapSpec::Kind::kJoint:
      return "joint";
    case WrapSpec::Kind::kSite:
      return "site";
    case WrapSpec::Kind::kGeom:
      return "geom";
    case WrapSpec::Kind::kPulley:
      break;
  }
  return "pulley";
}

void write_tendon(Node parent, const TendonSpec& tendon, const Writer& writer) {
  const Node node = tendon.spatial
                        ? writer.write_element(parent, "spatial", tendon, &DefaultSpec::tendon, 0, tendon_attributes(),
                                               tendon_look_attributes())
                        : writer.write_element(parent, "fixed", tendon, &DefaultSpec::tendon, 0, tendon_attributes());
  for (const WrapSpec& wrap : tendon.path) {
    write_attributes(append_child(node, element_name(wrap.kind)), wrap, WrapSpec{}, wrap_attributes(wrap.kind));
  }
}

}  // namespace

void write_tendons(Node root, const Writer& writer) {
  if (writer.spec.tendons.empty()) return;
  const Node node = append_child(root, "tendon");
  for (const TendonSpec& tendon : writer.spec.tendons) write_tendon(node, tendon, writer);
}

void write_actuators(Node root, const Writer& writer) {
  if (writer.spec.actuators.empty()) return;
  const Node node = append_child(root, "actuator");
  const ActuatorKind& general = *find_actuator_kind("general");
  for (ActuatorSpec actuator : writer.spec.actuators) {
    // MuJoCo counts the activations of a dcmotor only if it is written as <dcmotor>
    if (actuator.gaintype == ActuatorGain::kDcMotor) actuator.actdim = count_motor_activations(actuator);
    writer.write_element(node, "general", actuator, &DefaultSpec::actuator, 0, Table<ActuatorSpec>(general.rows),
                         Table<ActuatorSpec>(general.own_rows));
  }
}

// Shortcuts are written as general actuators, in default classes too.
void write_default_drives(Node node, const DefaultSpec& values, const DefaultSpec& standard) {
  write_if_changed(node, "tendon", values.tendon, standard.tendon, tendon_attributes(), tendon_look_attributes());
  write_if_changed(node, "general", values.actuator, standard.actuator,
                   Table<ActuatorSpec>(find_actuator_kind("general")->rows));
}

}  // namespace torsor::mjcf
