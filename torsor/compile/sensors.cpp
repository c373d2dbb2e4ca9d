// Sensors: how many numbers they give and when, what they measure, and whether it can be measured.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/names.hpp"
#include "torsor/compile/sizes.hpp"
#include "torsor/compile/write.hpp"
#include "torsor/model/sensor_form.hpp"

namespace torsor::compiler {
namespace {

using Type = SensorType;

struct Kind {
  SensorData data;
  SensorStage stage;
  int dim;
};

// What is given of each ray or contact; the first of all choices where the author says nothing.
int data_bits(const SensorSpec& sensor) {
  const bool has_choice = sensor.type == Type::kRangefinder || sensor.type == Type::kContact;
  return has_choice ? std::max(1, sensor.data) : 0;
}

const CameraSpec* find_camera(const Spec& spec, const std::string& name) {
  for (const BodySpec& body : spec.bodies) {
    for (const CameraSpec& camera : body.cameras) {
      if (camera.name == name) return &camera;
    }
  }
  return nullptr;
}

// Rays of a rangefinder, or contacts that there is room for.
long long count_readings(const Spec& spec, const SensorSpec& sensor) {
  if (sensor.type == Type::kContact) return std::max(1, sensor.num);
  const CameraSpec* camera = sensor.objtype == ObjectType::kCamera ? find_camera(spec, sensor.objname) : nullptr;
  return camera ? static_cast<long long>(camera->resolution[0]) * camera->resolution[1] : 1;
}

Kind kind_of(const Spec& spec, const SensorSpec& sensor) {
  constexpr long long kMost = 1LL << 28;  // beyond it count_sizes() complains
  if (sensor.type == Type::kUser) return {sensor.datatype, sensor.needstage, std::max(0, sensor.dim)};
  const SensorForm form = sensor_form(sensor.type);
  if (form.dim > 0) return {form.data, form.stage, form.dim};
  const long long numbers = count_readings(spec, sensor) * reading_size(sensor.type, data_bits(sensor));
  return {form.data, form.stage, static_cast<int>(std::clamp(numbers, 0LL, kMost + 1))};
}

std::string_view name_of(ObjectType type) {
  switch (type) {
    case ObjectType::kBody:
    case ObjectType::kXBody:
      return "body";
    case ObjectType::kJoint:
      return "joint";
    case ObjectType::kGeom:
      return "geom";
    case ObjectType::kSite:
      return "site";
    case ObjectType::kCamera:
      return "camera";
    case ObjectType::kTendon:
      return "tendon";
    case ObjectType::kActuator:
      return "actuator";
    case ObjectType::kPair:
      return "pair";
    case ObjectType::kExclude:
      return "exclude";
    case ObjectType::kEquality:
      return "equality";
    default:
      return "object";
  }
}

class Settler {
 public:
  Settler(Draft& draft, const Model& model, const SensorSpec& spec) : draft_(draft), model_(model), spec_(spec) {}

  int find(ObjectType type, const std::string& name) {
    if (type == ObjectType::kUnknown) return -1;
    const int id = model_.find(type, name);
    if (id >= 0) return id;
    error(fmt::format("unknown {} '{}'", name_of(type), name), hint_at_name(model_, type, name));
    return -1;
  }

  void check_object(int id, int reference) {
    if (id < 0) return;
    switch (spec_.type) {
      case Type::kGeomDistance:
      case Type::kGeomNormal:
      case Type::kGeomFromTo:
        if (spec_.objtype == spec_.reftype && id == reference) error("measures between two different geoms or bodies");
        break;
      case Type::kJointPos:
      case Type::kJointVel:
      case Type::kJointActFrc:
        if (joint_type(id) != JointType::kHinge && joint_type(id) != JointType::kSlide)
          error("needs a hinge or slide joint");
        break;
      case Type::kBallQuat:
      case Type::kBallAngVel:
        if (joint_type(id) != JointType::kBall) error("needs a ball joint");
        break;
      case Type::kJointLimitPos:
      case Type::kJointLimitVel:
      case Type::kJointLimitFrc:
        if (!model_.jnt_limited[id]) error("needs a joint with limits");
        break;
      case Type::kTendonLimitPos:
      case Type::kTendonLimitVel:
      case Type::kTendonLimitFrc:
        if (!model_.tendon_limited[id]) error("needs a tendon with limits");
        break;
      case Type::kActuatorPos:
      case Type::kActuatorVel:
      case Type::kActuatorFrc:
        if (model_.actuator_outnum[id] != 1) error("is not supported yet for an actuator with several outputs");
        break;
      default:
        break;
    }
  }

  void check_numbers(const Kind& kind) {
    const bool is_direction = kind.data == SensorData::kAxis || kind.data == SensorData::kQuaternion;
    if (spec_.cutoff < 0) error("cutoff cannot be negative");
    // the cutoff of a normal is the distance at which it is looked for
    if (spec_.cutoff > 0 && is_direction && spec_.type != Type::kGeomNormal)
      error("axes and quaternions have no cutoff");
    if (spec_.noise < 0) error("noise cannot be negative");
    if (kind.data == SensorData::kAxis && kind.dim != 3) error("the datatype axis needs dim 3");
    if (kind.data == SensorData::kQuaternion && kind.dim != 4) error("the datatype quaternion needs dim 4");
    if (spec_.type == Type::kUser && spec_.dim < 0) error("dim cannot be negative");
    if (spec_.num < 1) error("num must be greater than 0");
    if (!can_measure(spec_.type, spec_.objtype) || !can_refer(spec_.type, spec_.reftype))
      error("cannot measure objects of this kind");
    if (spec_.delay > 0 && spec_.nsample <= 0) error("a delay needs a history of readings", "set nsample");
    if (spec_.interval[0] < 0) error("the period of the interval cannot be negative");
    if (spec_.interval[1] > 0) error("the phase of the interval cannot be positive");
    if (spec_.interval[1] < 0 && spec_.interval[1] <= -spec_.interval[0])
      error("the phase of the interval must be greater than minus its period");
  }

 private:
  void error(const std::string& message, std::string hint = {}) {
    draft_.error("sensor", spec_, message, std::move(hint));
  }
  JointType joint_type(int id) const { return static_cast<JointType>(model_.jnt_type[id]); }

  Draft& draft_;
  const Model& model_;
  const SensorSpec& spec_;
};

void write_sensor(const SensorSpec& spec, const Kind& kind, int id, Model& model) {
  model.sensor_type[id] = static_cast<int>(spec.type);
  model.sensor_datatype[id] = static_cast<int>(kind.data);
  model.sensor_needstage[id] = static_cast<int>(kind.stage);
  model.sensor_objtype[id] = static_cast<int>(spec.objtype);
  model.sensor_reftype[id] = static_cast<int>(spec.reftype);
  model.sensor_dim[id] = kind.dim;
  model.sensor_intprm[3 * id] = data_bits(spec);
  if (spec.type == Type::kContact) {
    model.sensor_intprm[3 * id + 1] = static_cast<int>(spec.reduce);
    model.sensor_intprm[3 * id + 2] = spec.num;
  }
  model.sensor_cutoff[id] = spec.cutoff;
  model.sensor_noise[id] = spec.noise;
  model.sensor_history[2 * id] = std::max(0, spec.nsample);
  model.sensor_history[2 * id + 1] = spec.interp;
  model.sensor_delay[id] = spec.delay;
  write_list(model.sensor_interval.row(id, 2), spec.interval);
  if (model.nuser_sensor > 0) write_list(model.sensor_user.row(id, model.nuser_sensor), spec.user);
}

}  // namespace

int sensor_dim(const Spec& spec, const SensorSpec& sensor) { return kind_of(spec, sensor).dim; }

// The time of the last sample, the place of the newest one, then times and readings.
long long sensor_history_size(const Spec& spec, const SensorSpec& sensor) {
  return sensor.nsample > 0 ? 2 + sensor.nsample * (1LL + sensor_dim(spec, sensor)) : 0;
}

// Histories of sensors lie behind those of actuators.
void write_sensors(Draft& draft, Model& model) {
  int address = 0, history = model.nhistory;
  for (const SensorSpec& spec : draft.spec.sensors) history -= static_cast<int>(sensor_history_size(draft.spec, spec));
  for (int id = 0; id < model.nsensor; ++id) {
    const SensorSpec& spec = draft.spec.sensors[static_cast<size_t>(id)];
    const Kind kind = kind_of(draft.spec, spec);
    Settler settler(draft, model, spec);
    write_sensor(spec, kind, id, model);
    model.sensor_objid[id] = settler.find(spec.objtype, spec.objname);
    model.sensor_refid[id] = settler.find(spec.reftype, spec.refname);
    settler.check_object(model.sensor_objid[id], model.sensor_refid[id]);
    settler.check_numbers(kind);
    model.sensor_adr[id] = address;
    address += kind.dim;
    model.sensor_historyadr[id] = spec.nsample > 0 ? history : -1;
    history += static_cast<int>(sensor_history_size(draft.spec, spec));
  }
}

}  // namespace torsor::compiler
