// Sensors: the size and stage of their readings, the objects that they measure, and checks.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/targets.hpp"
#include "torsor/compile/write.hpp"
#include "torsor/model/object_words.hpp"
#include "torsor/model/sensor_form.hpp"

namespace torsor::compiler {
namespace {

using Type = SensorType;

// The data of each ray or contact; by default the first of all choices.
int data_bits(const SensorSpec& sensor) {
  const bool has_choice = sensor.type == Type::kRangefinder || sensor.type == Type::kContact;
  if (sensor.type == Type::kInsideSite) return sensor.enclosed;
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

// The number of rays of a rangefinder, or the maximum number of contacts.
Count count_readings(const Spec& spec, const SensorSpec& sensor) {
  if (sensor.type == Type::kContact) return std::max(1, sensor.num);
  const CameraSpec* camera = sensor.objtype == ObjectType::kCamera ? find_camera(spec, sensor.objname) : nullptr;
  return camera ? Count(camera->resolution[0]) * Count(camera->resolution[1]) : Count(1);
}

void set_kind(const Spec& spec, SensorDraft& sensor) {
  const SensorSpec& own = *sensor.spec;
  const SensorForm form = sensor_form(own.type);
  const bool is_user = own.type == Type::kUser;
  sensor.data = is_user ? own.datatype : form.data;
  sensor.stage = is_user ? own.needstage : form.stage;
  if (own.type == Type::kInsideSite && own.enclosed) sensor.data = SensorData::kReal;
  if (own.type == Type::kContact) sensor.stage = contact_stage(data_bits(own), own.reduce);
  if (is_user)
    sensor.dim = own.dim;
  else if (form.dim > 0)
    sensor.dim = form.dim;
  else
    sensor.dim = count_readings(spec, own) * Count(reading_size(own.type, data_bits(own)));
}

class Settler {
 public:
  Settler(Draft& draft, const Tree& tree, const Targets& targets, SensorDraft& sensor)
      : draft_(draft), tree_(tree), targets_(targets), sensor_(sensor), spec_(*sensor.spec) {}

  void settle() {
    sensor_.object = find(spec_.objtype, spec_.objname);
    sensor_.reference = find(spec_.reftype, spec_.refname);
    set_kind(draft_.spec, sensor_);
    if (spec_.type == Type::kTactile) sensor_.dim = Count(3) * Count(count_vertices());
    check_object(sensor_.object, sensor_.reference);
    check_numbers();
    check_size();
  }

 private:
  int find(ObjectType type, const std::string& name) {
    if (type == ObjectType::kUnknown) return -1;
    if (name.empty()) error(fmt::format("unknown {} ''", word_of(type)));
    return draft_.resolve(targets_.names(type), word_of(type), name, "sensor", spec_);
  }

  // Pixels of the camera that a sensor casts rays from, or projects onto.
  void check_camera(const std::string& name) {
    const CameraSpec* camera = find_camera(draft_.spec, name);
    if (camera && (camera->resolution[0] <= 0 || camera->resolution[1] <= 0))
      error(fmt::format("needs camera '{}' with a positive resolution", name));
  }

  // Of the mesh of a tactile sensor; none if that is not a valid mesh.
  size_t count_vertices() const {
    if (sensor_.object < 0) return 0;
    const auto& mesh = draft_.meshes[at(draft_.kept_meshes[at(sensor_.object)])];
    return mesh ? mesh->vertices.size() / 3 : 0;
  }

  // MuJoCo refuses others, although contacts of all geoms of the rigid body count.
  void check_tactile(int geom) {
    const int body = targets_.geoms[at(geom)].body;
    const auto collides = [&](const Targets::Geom& other) { return other.body == body && other.collides; };
    if (std::none_of(targets_.geoms.begin(), targets_.geoms.end(), collides))
      error("needs a body with a geom that collides");
  }

  // The queried geoms must be bounded and convex; a single body must have some.
  void check_enclosed(int id) {
    if (spec_.objtype == ObjectType::kCamera) error("cannot measure whether a camera is enclosed");
    if (spec_.objtype == ObjectType::kSite || spec_.objtype == ObjectType::kCamera) return;
    const bool of_geom = spec_.objtype == ObjectType::kGeom;
    const int first = of_geom ? targets_.geoms[at(id)].body : id;
    if (of_geom) return check_solid(targets_.geoms[at(id)].type, spec_.objname);
    const int end = spec_.objtype == ObjectType::kXBody ? tree_.subtree_end[at(first)] : first + 1;
    bool has_geom = false;
    for (const auto& geom : targets_.geoms) {
      if (geom.body < first || geom.body >= end) continue;
      has_geom = true;
      check_solid(geom.type, "of the body");
    }
    if (!has_geom) error("needs a body with geoms");
  }

  void check_solid(GeomType type, std::string_view name) {
    if (type == GeomType::kPlane || type == GeomType::kHfield)
      error(fmt::format("geom {} cannot be enclosed: it is a plane or an hfield", name));
  }

  void check_object(int id, int reference) {
    if (spec_.type == Type::kRangefinder && spec_.objtype == ObjectType::kCamera) check_camera(spec_.objname);
    if (spec_.type == Type::kCamProjection) check_camera(spec_.refname);
    if (id < 0) return;
    switch (spec_.type) {
      case Type::kGeomDistance:
      case Type::kGeomNormal:
      case Type::kGeomFromTo:
        if (spec_.objtype == spec_.reftype && id == reference) error("measures between two different geoms or bodies");
        break;
      case Type::kInsideSite:
        if (spec_.enclosed) check_enclosed(id);
        break;
      case Type::kTactile:
        if (reference >= 0) check_tactile(reference);
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
        if (!targets_.joints[at(id)].draft->limited) error("needs a joint with limits");
        break;
      case Type::kTendonLimitPos:
      case Type::kTendonLimitVel:
      case Type::kTendonLimitFrc:
        if (!draft_.tendons[at(id)].limited) error("needs a tendon with limits");
        break;
      case Type::kActuatorPos:
      case Type::kActuatorVel:
      case Type::kActuatorFrc:
        if (draft_.actuators[at(id)].outputs != 1) error("is not supported yet for an actuator with several outputs");
        break;
      default:
        break;
    }
  }

  void check_numbers() {
    const bool is_direction = sensor_.data == SensorData::kAxis || sensor_.data == SensorData::kQuaternion;
    if (spec_.cutoff < 0) error("cutoff cannot be negative");
    // the cutoff of a normal is its search distance
    if (spec_.cutoff > 0 && is_direction && spec_.type != Type::kGeomNormal)
      error("axes and quaternions have no cutoff");
    if (spec_.noise < 0) error("noise cannot be negative");
    if (sensor_.data == SensorData::kAxis && sensor_.dim != Count(3)) error("the datatype axis needs dim 3");
    if (sensor_.data == SensorData::kQuaternion && sensor_.dim != Count(4))
      error("the datatype quaternion needs dim 4");
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

  // A camera has as many rays as pixels, and a history as many readings as samples.
  void check_size() {
    constexpr long long kMostInReading = 1LL << 24;
    if (sensor_.dim > Count(kMostInReading))
      error(fmt::format("has readings of {} numbers, and {} is the limit", sensor_.dim.value(), kMostInReading),
            spec_.objtype == ObjectType::kCamera ? "each pixel of the camera's resolution is one ray" : "");
    else if (sensor_.history_size() > Count(kMostNumbers))
      error(fmt::format("has a history of {} numbers, and {} is the limit", sensor_.history_size().value(),
                        kMostNumbers));
    else
      return;
    sensor_.dim = 0;  // so that it is not reported again for the whole model
  }

  void error(const std::string& message, std::string hint = {}) {
    draft_.error("sensor", spec_, message, std::move(hint));
  }
  JointType joint_type(int id) const { return targets_.joints[at(id)].draft->spec->type; }

  Draft& draft_;
  const Tree& tree_;
  const Targets& targets_;
  SensorDraft& sensor_;
  const SensorSpec& spec_;
};

void write_sensor(const SensorDraft& sensor, int id, Model& model) {
  const SensorSpec& spec = *sensor.spec;
  model.sensor_type[id] = static_cast<int>(spec.type);
  model.sensor_datatype[id] = static_cast<int>(sensor.data);
  model.sensor_needstage[id] = static_cast<int>(sensor.stage);
  model.sensor_objtype[id] = static_cast<int>(spec.objtype);
  model.sensor_reftype[id] = static_cast<int>(spec.reftype);
  model.sensor_dim[id] = static_cast<int>(sensor.dim.value());
  model.sensor_objid[id] = sensor.object;
  model.sensor_refid[id] = sensor.reference;
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

void settle_sensors(Draft& draft, const Tree& tree, const Targets& targets) {
  for (const SensorSpec& spec : draft.spec.sensors) {
    SensorDraft& sensor = draft.sensors.emplace_back();
    sensor.spec = &spec;
    Settler(draft, tree, targets, sensor).settle();
  }
}

// Histories of sensors come after those of actuators.
void write_sensors(const Draft& draft, Model& model) {
  int address = 0, history = model.nhistory;
  for (const SensorDraft& sensor : draft.sensors) history -= static_cast<int>(sensor.history_size().value());
  for (int id = 0; id < model.nsensor; ++id) {
    const SensorDraft& sensor = draft.sensors[at(id)];
    write_sensor(sensor, id, model);
    model.sensor_adr[id] = address;
    address += model.sensor_dim[id];
    model.sensor_historyadr[id] = sensor.spec->nsample > 0 ? history : -1;
    history += static_cast<int>(sensor.history_size().value());
  }
}

}  // namespace torsor::compiler
