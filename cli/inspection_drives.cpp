// Sections of tendons, actuators, equalities and sensors.
#include <cmath>

#include <fmt/format.h>

#include "cli/inspection.hpp"
#include "cli/names.hpp"
#include "torsor/format/mjcf/sensor.hpp"

namespace torsor::cli {
namespace {

// --- tendons

ObjectType wrapped_type(WrapType type) {
  switch (type) {
    case WrapType::kJoint:
      return ObjectType::kJoint;
    case WrapType::kSite:
      return ObjectType::kSite;
    case WrapType::kSphere:
    case WrapType::kCylinder:
      return ObjectType::kGeom;
    default:
      return ObjectType::kUnknown;
  }
}

bool is_fixed(const Model& m, int t) {
  return m.tendon_num[t] > 0 && static_cast<WrapType>(m.wrap_type[m.tendon_adr[t]]) == WrapType::kJoint;
}

// Joints with their coefficients of a fixed tendon, else sites and geoms along the path; a pulley is its divisor.
Json path_of(const Model& m, int t) {
  Json path = Json::array();
  for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
    const auto type = static_cast<WrapType>(m.wrap_type[w]);
    Json item = Json::object();
    if (type == WrapType::kPulley) {
      item = {{"type", "pulley"}, {"divisor", m.wrap_prm[w]}};
    } else {
      item = reference(m, wrapped_type(type), m.wrap_objid[w]);
      if (type == WrapType::kJoint) item["coefficient"] = m.wrap_prm[w];
    }
    path.push_back(std::move(item));
  }
  return path;
}

std::string path_text(const Model& m, int t) {
  std::string text;
  for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
    const auto type = static_cast<WrapType>(m.wrap_type[w]);
    std::string item = "pulley";
    if (type != WrapType::kPulley && m.wrap_objid[w] >= 0)
      item = printable(name_or_number(m, wrapped_type(type), m.wrap_objid[w]));
    if (type == WrapType::kJoint) item = fmt::format("{} {}", cell_text(m.wrap_prm[w]), item);
    text += (text.empty() ? "" : type == WrapType::kJoint ? " + " : ", ") + item;
  }
  return text.empty() ? "-" : text;
}

// --- actuators

Json actuator_kind(const Model& m, int a) {
  const auto gain = static_cast<ActuatorGain>(m.actuator_gaintype[a]);
  const auto bias = static_cast<ActuatorBias>(m.actuator_biastype[a]);
  const double *gains = m.actuator_gainprm.row(a, 10), *biases = m.actuator_biasprm.row(a, 10);
  if (gain == ActuatorGain::kMuscle) return "muscle";
  if (gain == ActuatorGain::kDcMotor) return "dcmotor";
  if (gain == ActuatorGain::kSo3) return "so3";
  if (gain == ActuatorGain::kPid) return "pid";
  if (static_cast<Transmission>(m.actuator_trntype[a]) == Transmission::kBody) return "adhesion";
  const bool is_servo = gain == ActuatorGain::kFixed && bias == ActuatorBias::kAffine && biases[0] == 0;
  if (is_servo && gains[0] != 0 && biases[1] == -gains[0]) return "position";
  if (is_servo && gains[0] != 0 && biases[1] == 0 && biases[2] == -gains[0]) return "velocity";
  if (gain == ActuatorGain::kFixed && bias == ActuatorBias::kNone && m.actuator_actnum[a] == 0) return "motor";
  return "general";
}

Json actuator_target(const Model& m, int a) {
  const int id = m.actuator_trnid[2 * a];
  switch (static_cast<Transmission>(m.actuator_trntype[a])) {
    case Transmission::kJoint:
    case Transmission::kJointInParent:
      return reference(m, ObjectType::kJoint, id);
    case Transmission::kTendon:
      return reference(m, ObjectType::kTendon, id);
    case Transmission::kSite:
    case Transmission::kSliderCrank:
      return reference(m, ObjectType::kSite, id);
    case Transmission::kBody:
      return reference(m, ObjectType::kBody, id);
    case Transmission::kSo3:
      return reference(m, m.actuator_trnid[2 * a + 1] < 0 ? ObjectType::kJoint : ObjectType::kSite, id);
  }
  return nullptr;
}

Json control_ranges(const Model& m, int a) {
  Json ranges = Json::array();
  for (int u = m.actuator_ctrladr[a]; u < m.actuator_ctrladr[a] + m.actuator_ctrlnum[a]; ++u)
    ranges.push_back(range(m.actuator_ctrllimited[u], m.actuator_ctrlrange.row(u, 2)));
  return ranges;
}

std::string gear_text(const Model& m, int a) {
  const double* gear = m.actuator_gear.row(m.actuator_outadr[a], 6);
  int last = 0;
  for (int k = 1; k < 6; ++k) last = gear[k] != 0 ? k : last;
  return cell_text(vector(gear, last + 1));
}

Json dynamics_of(const Model& m, int a) {
  constexpr const char* kWords[] = {"none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user"};
  return m.actuator_dyntype[a] >= 0 && m.actuator_dyntype[a] < 8 ? kWords[m.actuator_dyntype[a]] : "?";
}

// --- equalities

ObjectType equal_type(const Model& m, int e) {
  switch (static_cast<EqualityType>(m.eq_type[e])) {
    case EqualityType::kJoint:
      return ObjectType::kJoint;
    case EqualityType::kTendon:
      return ObjectType::kTendon;
    default:
      return static_cast<ObjectType>(m.eq_objtype[e]);
  }
}

Json equality_name(const Model& m, int e) {
  constexpr const char* kWords[] = {"connect", "weld", "joint", "tendon"};
  return m.eq_type[e] >= 0 && m.eq_type[e] < 4 ? kWords[m.eq_type[e]] : "?";
}

std::string equality_data(const Model& m, int e) {
  const double* data = m.eq_data.row(e, kEqualityNumbers);
  const bool is_polynomial = static_cast<EqualityType>(m.eq_type[e]) >= EqualityType::kJoint;
  if (is_polynomial) return fmt::format("polynomial {}", cell_text(vector(data, 5)));
  return fmt::format("anchor {} m", cell_text(vector(data, 3)));
}

// --- sensors

std::string sensor_name(SensorType type) {
  for (const mjcf::SensorKind& kind : mjcf::sensor_kinds()) {
    if (kind.type == type) return std::string(kind.name);
  }
  return "?";
}

// Of a joint's or tendon's coordinate: metres or radians.
bool is_angle(const Model& m, int s) {
  const int id = m.sensor_objid[s];
  if (id < 0) return false;
  const auto type = static_cast<ObjectType>(m.sensor_objtype[s]);
  if (type == ObjectType::kJoint) return static_cast<JointType>(m.jnt_type[id]) == JointType::kHinge;
  return false;
}

Json sensor_unit(const Model& m, int s) {
  using Type = SensorType;
  const bool of_joint = static_cast<ObjectType>(m.sensor_objtype[s]) == ObjectType::kJoint;
  const auto of = [&](const char* slide, const char* hinge, const char* either) -> Json {
    return of_joint ? (is_angle(m, s) ? hinge : slide) : either;
  };
  switch (static_cast<Type>(m.sensor_type[s])) {
    case Type::kTouch:
    case Type::kForce:
      return "N";
    case Type::kTorque:
      return "N m";
    case Type::kAccelerometer:
    case Type::kFrameLinAcc:
      return "m/s^2";
    case Type::kFrameAngAcc:
      return "rad/s^2";
    case Type::kVelocimeter:
    case Type::kFrameLinVel:
    case Type::kSubtreeLinVel:
      return "m/s";
    case Type::kGyro:
    case Type::kFrameAngVel:
    case Type::kBallAngVel:
      return "rad/s";
    case Type::kMagnetometer:
      return "T";
    case Type::kCamProjection:
      return "px";
    case Type::kFramePos:
    case Type::kSubtreeCom:
    case Type::kGeomDistance:
    case Type::kGeomFromTo:
      return "m";
    case Type::kSubtreeAngMom:
      return "kg m^2/s";
    case Type::kJointPos:
    case Type::kJointLimitPos:
    case Type::kTendonPos:
    case Type::kTendonLimitPos:
    case Type::kActuatorPos:
      return of("m", "rad", "m | rad");
    case Type::kJointVel:
    case Type::kJointLimitVel:
    case Type::kTendonVel:
    case Type::kTendonLimitVel:
    case Type::kActuatorVel:
      return of("m/s", "rad/s", "m/s | rad/s");
    case Type::kActuatorFrc:
    case Type::kJointActFrc:
    case Type::kTendonActFrc:
    case Type::kJointLimitFrc:
    case Type::kTendonLimitFrc:
      return of("N", "N m", "N | N m");
    case Type::kEPotential:
    case Type::kEKinetic:
      return "J";
    case Type::kClock:
      return "s";
    case Type::kRangefinder:
      return m.sensor_intprm[3 * s] == kRayDist ? "m" : "-";
    default:  // directions, quaternions, counts, and numbers of several kinds
      return "-";
  }
}

}  // namespace

InspectSection tendons_section() {
  return {
      "tendons",
      "Tendons",
      [](const Model& m) { return m.ntendon; },
      {id_column(),
       name_column(ObjectType::kTendon),
       {"type", "type", [](const Model& m, int t) { return Json(is_fixed(m, t) ? "fixed" : "spatial"); }},
       {"length0", "length m | rad", [](const Model& m, int t) { return Json(m.tendon_length0[t]); }},
       {"range", "range", [](const Model& m, int t) { return range(m.tendon_limited[t], m.tendon_range.row(t, 2)); }},
       {"stiffness", "stiffness", [](const Model& m, int t) { return Json(m.tendon_stiffness[t]); }},
       {"damping", "damping", [](const Model& m, int t) { return Json(m.tendon_damping[t]); }},
       {"frictionloss", nullptr, [](const Model& m, int t) { return Json(m.tendon_frictionloss[t]); }},
       {"armature", nullptr, [](const Model& m, int t) { return Json(m.tendon_armature[t]); }},
       {"springlength", nullptr, [](const Model& m, int t) { return vector(m.tendon_lengthspring, t, 2); }},
       {"path", "path", path_of, path_text, kSecondary}}};
}

InspectSection actuators_section() {
  const auto controls = [](const Model& m, int a) {
    std::string text;
    for (const Json& item : control_ranges(m, a)) text += (text.empty() ? "" : ", ") + cell_text(item);
    return text.empty() ? "-" : text;
  };
  const auto activations = [](const Model& m, int a) { return Json(m.actuator_actnum[a]); };
  return {
      "actuators",
      "Actuators",
      [](const Model& m) { return m.nactuator; },
      {id_column(),
       name_column(ObjectType::kActuator),
       {"kind", "kind", actuator_kind},
       {"target", "drives", actuator_target},
       {"ctrl", "ctrl", [](const Model& m, int a) { return Json(m.actuator_ctrladr[a]); }},
       {"ctrlnum", nullptr, [](const Model& m, int a) { return Json(m.actuator_ctrlnum[a]); }},
       {"ctrlrange", "ctrlrange", control_ranges, controls},
       {"forcerange",
        "forcerange",
        [](const Model& m, int a) { return range(m.actuator_forcelimited[a], m.actuator_forcerange.row(a, 2)); },
        {},
        kSecondary},
       {"gear", "gear", [](const Model& m, int a) { return vector(m.actuator_gear.row(m.actuator_outadr[a], 6), 6); },
        gear_text, kSecondary},
       {"dynamics", "dynamics", dynamics_of, {}, kSecondary},
       {"activations", nullptr, activations},
       {"gainprm", nullptr, [](const Model& m, int a) { return vector(m.actuator_gainprm, a, 10); }},
       {"biasprm", nullptr, [](const Model& m, int a) { return vector(m.actuator_biasprm, a, 10); }}}};
}

InspectSection equalities_section() {
  return {"equalities",
          "Equalities",
          [](const Model& m) { return m.neq; },
          {id_column(),
           name_column(ObjectType::kEquality),
           {"type", "type", equality_name},
           {"first", "first", [](const Model& m, int e) { return reference(m, equal_type(m, e), m.eq_obj1id[e]); }},
           {"second", "second", [](const Model& m, int e) { return reference(m, equal_type(m, e), m.eq_obj2id[e]); }},
           {"active", "active", [](const Model& m, int e) { return Json(bool(m.eq_active0[e])); }},
           {"data", "data", [](const Model& m, int e) { return vector(m.eq_data, e, kEqualityNumbers); }, equality_data,
            kSecondary}}};
}

InspectSection sensors_section() {
  const auto stage = [](const Model& m, int s) -> Json {
    constexpr const char* kWords[] = {"none", "position", "velocity", "acceleration"};
    return m.sensor_needstage[s] >= 0 && m.sensor_needstage[s] < 4 ? kWords[m.sensor_needstage[s]] : "?";
  };
  const auto object = [](const Model& m, int s) {
    return reference(m, static_cast<ObjectType>(m.sensor_objtype[s]), m.sensor_objid[s]);
  };
  const auto frame = [](const Model& m, int s) {
    return reference(m, static_cast<ObjectType>(m.sensor_reftype[s]), m.sensor_refid[s]);
  };
  return {"sensors",
          "Sensors",
          [](const Model& m) { return m.nsensor; },
          {id_column(),
           name_column(ObjectType::kSensor),
           {"type", "type",
            [](const Model& m, int s) { return Json(sensor_name(static_cast<SensorType>(m.sensor_type[s]))); }},
           {"object", "measures", object},
           {"reference", "relative to", frame},
           {"address", "sensordata", [](const Model& m, int s) { return Json(m.sensor_adr[s]); }},
           {"dim", "dim", [](const Model& m, int s) { return Json(m.sensor_dim[s]); }},
           {"unit", "unit", sensor_unit},
           {"cutoff", "cutoff", [](const Model& m, int s) { return Json(m.sensor_cutoff[s]); }, {}, kSecondary},
           {"noise", "noise", [](const Model& m, int s) { return Json(m.sensor_noise[s]); }, {}, kSecondary},
           {"stage", nullptr, stage}}};
}

}  // namespace torsor::cli
