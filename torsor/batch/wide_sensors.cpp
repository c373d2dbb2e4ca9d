#include "torsor/batch/wide_sensors.hpp"

#include <fmt/format.h>

#include "torsor/dynamics/kernels/readings.hpp"
#include "torsor/dynamics/tendon_wrench.hpp"

namespace torsor {
namespace {

using Type = SensorType;
using PlainReader = SensorReader<double>;

Type type_of(const Model& model, int id) { return static_cast<Type>(model.sensor_type[id]); }
bool is_of_contacts(Type type) { return type == Type::kTouch || type == Type::kContact; }
bool needs_bodies(Type type) { return PlainReader::needs_accelerations(type) || PlainReader::needs_forces(type); }
bool needs_rows(Type type) {
  return is_of_contacts(type) || type == Type::kTactile || PlainReader::needs_forces(type) ||
         (type >= Type::kJointLimitPos && type <= Type::kTendonLimitFrc);
}

// Why a sensor has no reading in packs whatever else the step does; null if it has.
const char* why_left(const Model& model, int id) {
  const Type type = type_of(model, id);
  if (model.sensor_historyadr[id] >= 0) return "keeps a history";
  if (measures_enclosure(model, id)) return "measures how far shapes jut out";
  if (!is_plain_sensor(model, id)) return "has noise";
  if (type == Type::kUser) return "is the user's";
  if (type == Type::kRangefinder) return "casts rays";
  if (type >= Type::kGeomDistance && type <= Type::kGeomFromTo) return "measures distances of geoms";
  if (type == Type::kTactile) return "measures depths of the vertices of a mesh";
  if (type == Type::kEPotential || type == Type::kEKinetic) return "measures energy";
  if (type >= Type::kJointLimitPos && type <= Type::kTendonLimitFrc) return "measures a limit";
  if (type == Type::kContact && (model.sensor_intprm[3 * id] & (kContactLinVel | kContactAngVel)))
    return "measures velocities of contacts";
  if (PlainReader::needs_forces(type) && has_spatial_tendon(model)) return "measures forces of spatial tendons";
  return nullptr;
}

std::string name_of(const Model& model, int id) {
  const std::string_view name = model.name(ObjectType::kSensor, id);
  return name.empty() ? fmt::format("sensor {}", id) : fmt::format("sensor '{}'", name);
}

const char* fields_of_frame(int type) {
  switch (static_cast<ObjectType>(type)) {
    case ObjectType::kBody:
      return " xipos ximat xquat";
    case ObjectType::kGeom:
      return " geom_xpos geom_xmat xquat";
    case ObjectType::kSite:
      return " site_xpos site_xmat xquat";
    case ObjectType::kCamera:
      return " cam_xpos cam_xmat xquat";
    case ObjectType::kXBody:
      return " xpos xmat xquat";
    default:
      return "";
  }
}

const char* fields_of_reading(Type type) {
  switch (type) {
    case Type::kClock:
      return " time";
    case Type::kJointPos:
    case Type::kBallQuat:
      return " qpos";
    case Type::kJointVel:
    case Type::kBallAngVel:
      return " qvel";
    case Type::kTendonPos:
      return " ten_length";
    case Type::kTendonVel:
      return " ten_velocity";
    case Type::kActuatorPos:
      return " actuator_length";
    case Type::kActuatorVel:
      return " actuator_velocity";
    case Type::kActuatorFrc:
    case Type::kTendonActFrc:
      return " actuator_force";
    case Type::kJointActFrc:
      return " qfrc_actuator";
    case Type::kSubtreeLinVel:
    case Type::kSubtreeAngMom:
      return " subtree_linvel subtree_angmom";
    case Type::kForce:
    case Type::kTorque:
      return " subtree_com cfrc_int";
    case Type::kAccelerometer:
    case Type::kFrameLinAcc:
    case Type::kFrameAngAcc:
      return " subtree_com cvel cacc";
    default:
      return " subtree_com cvel";
  }
}

}  // namespace

bool is_left_by_readings(const Model& model, int id) { return why_left(model, id) != nullptr; }
bool is_left_by_readings_of_motion(const Model& model, int id) {
  return is_left_by_readings(model, id) || is_of_contacts(type_of(model, id)) || needs_bodies(type_of(model, id));
}

void WideSensors::add_wide(const Model& model, int id) {
  const Type type = type_of(model, id);
  any_wide = true;
  needs_subtrees = needs_subtrees || PlainReader::needs_subtrees(type);
  needs_accelerations = needs_accelerations || needs_bodies(type);
  needs_forces = needs_forces || PlainReader::needs_forces(type);
  keeps_forces = keeps_forces || PlainReader::needs_forces(type) || is_of_contacts(type);
  reads += fields_of_reading(type);
  reads += fields_of_frame(model.sensor_objtype[id]);
  reads += fields_of_frame(model.sensor_reftype[id]);
}

WideSensors::WideSensors(const Model& model, const SensorSources& sources) {
  const auto leave = [&](int id, const std::string& reason) {
    if (why.empty()) why = reason;
    any_left = true;
    const Type type = type_of(model, id);
    left_need_rows = left_need_rows || needs_rows(type) || (needs_bodies(type) && sources.reads_body_forces);
    const int camera = static_cast<int>(ObjectType::kCamera);
    left_need_cameras = left_need_cameras || type == Type::kUser || model.sensor_objtype[id] == camera ||
                        model.sensor_reftype[id] == camera;
  };
  // First those that are left for reasons of their own; if these need forces, so are all others that need forces.
  for (int id = 0; id < model.nsensor; ++id) {
    const Type type = type_of(model, id);
    const bool wants_forces = needs_rows(type) || (needs_bodies(type) && sources.reads_body_forces);
    if (!sources.own.empty())
      leave(id, sources.own);
    else if (const char* reason = why_left(model, id))
      leave(id, name_of(model, id) + " " + reason);
    else if (wants_forces && (!sources.has_pack_forces || has_spatial_tendon(model)))
      leave(id, name_of(model, id) + " needs the forces of rows");
    else if (type == Type::kContact && !sources.why_no_contacts.empty())
      leave(id, name_of(model, id) + " counts " + sources.why_no_contacts);
  }
  for (int id = 0; sources.own.empty() && id < model.nsensor; ++id) {
    if (!(left_need_rows ? is_left_by_readings_of_motion : is_left_by_readings)(model, id))
      add_wide(model, id);
    else if (why_left(model, id) == nullptr)
      leave(id, name_of(model, id) + " needs the forces of rows");
  }
  needs_forces = needs_forces || (needs_accelerations && sources.reads_body_forces);
  keeps_forces = keeps_forces || needs_forces;
}

}  // namespace torsor
