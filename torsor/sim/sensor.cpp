// The readings of each type of sensor.
#include "torsor/sim/sensor.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/history.hpp"
#include "torsor/dynamics/noise.hpp"
#include "torsor/dynamics/object_frame.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/sim/contact_sensors.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Rotation = Quat<double>;
using Type = SensorType;

// One sensor while it is read.
struct Sensor {
  const Model& model;
  Data& data;
  int id, object, reference;

  Type type() const { return static_cast<Type>(model.sensor_type[id]); }
  ObjectType objtype() const { return static_cast<ObjectType>(model.sensor_objtype[id]); }
  ObjectType reftype() const { return static_cast<ObjectType>(model.sensor_reftype[id]); }
  ObjectFrame frame() const { return frame_of(model, data, objtype(), object); }
  ObjectFrame reference_frame() const { return frame_of(model, data, reftype(), reference); }
  bool has_reference() const { return reference >= 0; }
  int qpos_address() const { return model.jnt_qposadr[object]; }
  int dof_address() const { return model.jnt_dofadr[object]; }
  int output() const { return model.actuator_outadr[object]; }
  SensorStage stage() const { return static_cast<SensorStage>(model.sensor_needstage[id]); }
  bool has_history() const { return model.sensor_historyadr[id] >= 0; }
  double* history() const { return data.history.row(model.sensor_historyadr[id], 1); }
  HistoryLayout layout() const { return {model.sensor_history[2 * id], model.sensor_dim[id]}; }
};

Vec in_axes(const double* xmat, const Vec& v_W) { return transposed_mul(load9(xmat), v_W); }

Vec column(const double* xmat, int k) { return {xmat[k], xmat[3 + k], xmat[6 + k]}; }

// R_WO as a quaternion. Cameras that track something are treated as fixed to their body.
Rotation rotation_of(const Model& model, const Data& data, ObjectType type, int id) {
  const auto on_body = [&](int body, const double* quat) { return load4(data.xquat.row(body, 4)) * load4(quat); };
  switch (type) {
    case ObjectType::kBody:
      return on_body(id, model.body_iquat.row(id, 4));
    case ObjectType::kGeom:
      return on_body(model.geom_bodyid[id], model.geom_quat.row(id, 4));
    case ObjectType::kSite:
      return on_body(model.site_bodyid[id], model.site_quat.row(id, 4));
    case ObjectType::kCamera:
      return on_body(model.cam_bodyid[id], model.cam_quat.row(id, 4));
    default:
      return load4(data.xquat.row(id, 4));
  }
}

void read_frame_position(const Sensor& s, double* reading) {
  Vec p_W = load3(s.frame().xpos);
  if (s.has_reference()) {
    const ObjectFrame R = s.reference_frame();
    p_W = in_axes(R.xmat, p_W - load3(R.xpos));
  }
  store3(reading, p_W);
}

void read_frame_axis(const Sensor& s, int axis, double* reading) {
  Vec axis_W = column(s.frame().xmat, axis);
  if (s.has_reference()) axis_W = in_axes(s.reference_frame().xmat, axis_W);
  store3(reading, axis_W);
}

void read_frame_rotation(const Sensor& s, double* reading) {
  Rotation q = rotation_of(s.model, s.data, s.objtype(), s.object);
  if (s.has_reference()) q = conj(rotation_of(s.model, s.data, s.reftype(), s.reference)) * q;
  store4(reading, q);
}

// Pixels from the upper left corner, x to the right, y down; a camera looks along its -z axis. The principal point
// counts as the image's centre, and every camera as a perspective one, with lenses divided in floats, as in MuJoCo.
void read_projection(const Sensor& s, double* reading) {
  const Model& model = s.model;
  const int c = s.reference;
  const ObjectFrame C = s.reference_frame();
  const Vec p_C = in_axes(C.xmat, load3(s.frame().xpos) - load3(C.xpos));
  const int* resolution = model.cam_resolution.row(c, 2);
  const float *size = model.cam_sensorsize.row(c, 2), *lens = model.cam_intrinsic.row(c, 4);
  double focal[2];
  for (int k = 0; k < 2; ++k) {
    focal[k] = size[0] > 0 && size[1] > 0 ? static_cast<double>(lens[k] / size[k] * static_cast<float>(resolution[k]))
                                          : 0.5 / std::tan(model.cam_fovy[c] * std::numbers::pi / 360) * resolution[1];
  }
  const double depth = std::fabs(p_C.z) < kMinValue ? std::copysign(kMinValue, p_C.z) : p_C.z;
  reading[0] = 0.5 * resolution[0] - focal[0] * p_C.x / depth;
  reading[1] = 0.5 * resolution[1] + focal[1] * p_C.y / depth;
}

double read_inside(const Sensor& s) {
  const ObjectFrame S = s.reference_frame();
  const Vec p_S = in_axes(S.xmat, load3(s.frame().xpos) - load3(S.xpos));
  const auto shape = static_cast<GeomType>(s.model.site_type[s.reference]);
  return is_inside_shape(shape, s.model.site_size.row(s.reference, 3), p_S) ? 1 : 0;
}

double read_potential_energy(const Sensor& s) {
  if (!s.data.has_energy_position) compute_energy_position(s.model, s.data);
  return s.data.energy[0];
}

double read_kinetic_energy(const Sensor& s) {
  if (!s.data.has_energy_velocity) compute_energy_velocity(s.model, s.data);
  return s.data.energy[1];
}

// Zero while the limit is not active.
double read_limit(const Sensor& s) {
  const Data& data = s.data;
  const int row = find_limit_row(s.model, data, s.id);
  if (row < 0) return 0;
  switch (s.type()) {
    case Type::kJointLimitPos:
    case Type::kTendonLimitPos:
      return data.efc_pos[row] - data.efc_margin[row];
    case Type::kJointLimitVel:
    case Type::kTendonLimitVel:
      return data.efc_vel[row];
    default:
      return data.efc_force[row];
  }
}

void read_position(const Sensor& s, double* reading) {
  const Data& data = s.data;
  switch (s.type()) {
    case Type::kMagnetometer:
      return store3(reading, in_axes(s.frame().xmat, load3(s.model.opt.magnetic)));
    case Type::kCamProjection:
      return read_projection(s, reading);
    case Type::kJointPos:
      reading[0] = data.qpos[s.qpos_address()];
      return;
    case Type::kTendonPos:
      reading[0] = data.ten_length[s.object];
      return;
    case Type::kActuatorPos:
      reading[0] = data.actuator_length[s.output()];
      return;
    case Type::kBallQuat:
      return store4(reading, normalized(load4(data.qpos.row(s.qpos_address(), 1))));
    case Type::kFramePos:
      return read_frame_position(s, reading);
    case Type::kFrameXAxis:
    case Type::kFrameYAxis:
    case Type::kFrameZAxis:
      return read_frame_axis(s, static_cast<int>(s.type()) - static_cast<int>(Type::kFrameXAxis), reading);
    case Type::kFrameQuat:
      return read_frame_rotation(s, reading);
    case Type::kSubtreeCom:
      return store3(reading, load3(data.subtree_com.row(s.object, 3)));
    case Type::kInsideSite:
      reading[0] = read_inside(s);
      return;
    case Type::kEPotential:
      reading[0] = read_potential_energy(s);
      return;
    case Type::kEKinetic:
      reading[0] = read_kinetic_energy(s);
      return;
    case Type::kClock:
      reading[0] = data.time;
      return;
    case Type::kRangefinder:
      return read_rangefinder(s.model, data, s.id, reading);
    case Type::kGeomDistance:
    case Type::kGeomNormal:
    case Type::kGeomFromTo:
      return read_distance(s.model, data, s.id, reading);
    default:
      reading[0] = read_limit(s);
  }
}

Twist<double> velocity_of(const Sensor& s, ObjectType type, int id, bool local) {
  double velocity[6];
  object_velocity(s.model, s.data, type, id, velocity, local);
  return load6(velocity);
}

// As seen by an observer who moves with the reference frame.
void read_frame_velocity(const Sensor& s, double* reading) {
  const bool is_linear = s.type() == Type::kFrameLinVel;
  Twist<double> V_W = velocity_of(s, s.objtype(), s.object, false);
  if (!s.has_reference()) return store3(reading, is_linear ? V_W.v : V_W.w);
  const ObjectFrame R = s.reference_frame();
  const Twist<double> V_R = velocity_of(s, s.reftype(), s.reference, false);
  const Vec p_RO_W = load3(s.frame().xpos) - load3(R.xpos);
  store3(reading, in_axes(R.xmat, is_linear ? V_W.v - V_R.v - cross(V_R.w, p_RO_W) : V_W.w - V_R.w));
}

void read_subtree_velocity(const Sensor& s, const Field<double>& field, double* reading) {
  if (!s.data.has_subtree_velocity) compute_subtree_velocity(s.model, s.data);
  store3(reading, load3(field.row(s.object, 3)));
}

void read_velocity(const Sensor& s, double* reading) {
  const Data& data = s.data;
  switch (s.type()) {
    case Type::kVelocimeter:
      return store3(reading, velocity_of(s, s.objtype(), s.object, true).v);
    case Type::kGyro:
      return store3(reading, velocity_of(s, s.objtype(), s.object, true).w);
    case Type::kJointVel:
      reading[0] = data.qvel[s.dof_address()];
      return;
    case Type::kTendonVel:
      reading[0] = data.ten_velocity[s.object];
      return;
    case Type::kActuatorVel:
      reading[0] = data.actuator_velocity[s.output()];
      return;
    case Type::kBallAngVel:
      return store3(reading, load3(data.qvel.row(s.dof_address(), 1)));
    case Type::kFrameLinVel:
    case Type::kFrameAngVel:
      return read_frame_velocity(s, reading);
    case Type::kSubtreeLinVel:
      return read_subtree_velocity(s, data.subtree_linvel, reading);
    case Type::kSubtreeAngMom:
      return read_subtree_velocity(s, data.subtree_angmom, reading);
    default:
      reading[0] = read_limit(s);
  }
}

// Gravity counts as an upward acceleration.
void read_object_acceleration(const Sensor& s, double* reading) {
  if (!s.data.has_rne_post) compute_rne_post(s.model, s.data);
  double acceleration[6];
  object_acceleration(s.model, s.data, s.objtype(), s.object, acceleration, s.type() == Type::kAccelerometer);
  const Twist<double> A = load6(acceleration);
  store3(reading, s.type() == Type::kFrameAngAcc ? A.w : A.v);
}

// The wrench that the parent exerts on the site's body, at the site and in its axes.
void read_interaction(const Sensor& s, double* reading) {
  if (!s.data.has_rne_post) compute_rne_post(s.model, s.data);
  const ObjectFrame S = s.frame();
  const Vec p_TcmS_W = load3(S.xpos) - load3(s.data.subtree_com.row(s.model.body_rootid[S.body], 3));
  const Wrench<double> F_S_W = load6_wrench(s.data.cfrc_int.row(S.body, 6)).at(p_TcmS_W);
  store3(reading, in_axes(S.xmat, s.type() == Type::kForce ? F_S_W.f : F_S_W.t));
}

double read_tendon_force(const Sensor& s) {
  double force = 0;
  for (int a = 0; a < s.model.nactuator; ++a) {
    const bool is_tendon = s.model.actuator_trntype[a] == static_cast<int>(Transmission::kTendon);
    if (is_tendon && s.model.actuator_trnid[2 * a] == s.object)
      force += s.data.actuator_force[s.model.actuator_outadr[a]];
  }
  return force;
}

void read_acceleration(const Sensor& s, double* reading) {
  switch (s.type()) {
    case Type::kAccelerometer:
    case Type::kFrameLinAcc:
    case Type::kFrameAngAcc:
      return read_object_acceleration(s, reading);
    case Type::kForce:
    case Type::kTorque:
      return read_interaction(s, reading);
    case Type::kActuatorFrc:
      reading[0] = s.data.actuator_force[s.output()];
      return;
    case Type::kJointActFrc:
      reading[0] = s.data.qfrc_actuator[s.dof_address()];
      return;
    case Type::kTendonActFrc:
      reading[0] = read_tendon_force(s);
      return;
    case Type::kTouch:
      reading[0] = read_touch(s.model, s.data, s.id);
      return;
    case Type::kContact:
      return read_contacts(s.model, s.data, s.id, reading);
    default:
      reading[0] = read_limit(s);
  }
}

void read_user(const Sensor& s, double* reading) {
  std::fill(reading, reading + s.model.sensor_dim[s.id], 0.0);
  if (s.data.sensor) s.data.sensor(s.model, s.data, s.id, reading);
}

// Gaussian, with the sensor's standard deviation. Directions keep unit length; quantities that cannot be negative stay
// so.
void add_noise(const Sensor& s, double* reading) {
  const double deviation = s.model.sensor_noise[s.id];
  if (!s.model.opt.enabled(kEnableSensorNoise) || !(deviation > 0)) return;
  const int dim = s.model.sensor_dim[s.id];
  for (int k = 0; k < dim; ++k)
    reading[k] += deviation * normal_number(s.data.noise_seed, s.data.noise_step, static_cast<uint32_t>(s.id),
                                            static_cast<uint32_t>(k));
  const auto kind = static_cast<SensorData>(s.model.sensor_datatype[s.id]);
  for (int k = 0; kind == SensorData::kPositive && k < dim; ++k) reading[k] = std::max(0.0, reading[k]);
  if (kind == SensorData::kAxis) store3(reading, normalized(load3(reading)));
  if (kind == SensorData::kQuaternion) store4(reading, normalized(load4(reading)));
}

void apply_cutoff(const Sensor& s, double* reading) {
  const double cutoff = s.model.sensor_cutoff[s.id];
  if (!(cutoff > 0) || s.type() == Type::kContact) return;  // mixed units: not clipped, as in MuJoCo
  if (s.type() == Type::kGeomFromTo) return;                // there it limits the search
  const auto kind = static_cast<SensorData>(s.model.sensor_datatype[s.id]);
  for (int k = 0; k < s.model.sensor_dim[s.id]; ++k) {
    if (kind == SensorData::kReal) reading[k] = std::clamp(reading[k], -cutoff, cutoff);
    if (kind == SensorData::kPositive) reading[k] = std::min(reading[k], cutoff);
  }
}

// The current measurement.
void measure(const Sensor& s, double* reading) {
  if (s.type() == Type::kUser)
    read_user(s, reading);
  else if (s.stage() == SensorStage::kPosition)
    read_position(s, reading);
  else if (s.stage() == SensorStage::kVelocity)
    read_velocity(s, reading);
  else
    read_acceleration(s, reading);
  add_noise(s, reading);
  apply_cutoff(s, reading);
}

// Whether a sensor with a period takes a new sample at this time.
bool is_due(const Sensor& s) {
  const double period = s.model.sensor_interval[2 * s.id];
  return !(period > 0) || s.data.time >= s.history()[0] + period;
}

// A delayed reading comes from the history, which is filled at the end of a step; one with a period is held until the
// next sample.
void read_sensor(const Sensor& s, double* reading) {
  const bool is_delayed = s.model.sensor_delay[s.id] > 0;
  if (!s.has_history() || (!is_delayed && is_due(s))) return measure(s, reading);
  const double delay = is_delayed ? s.model.sensor_delay[s.id] : 0;
  read_history(s.history(), s.layout(), s.data.time - delay, s.model.sensor_history[2 * s.id + 1], reading);
}

// Stores the reading in the history; if sensordata holds an old one, a new one is taken from the current results.
void remember_reading(const Sensor& s) {
  if (!is_due(s)) return;
  ArenaScope scope(s.data.arena());
  double* reading = s.data.sensordata.row(s.model.sensor_adr[s.id], 1);
  if (s.model.sensor_delay[s.id] > 0) {
    reading = s.data.arena().push_array<double>(static_cast<size_t>(s.model.sensor_dim[s.id]));
    measure(s, reading);
  }
  push_history(s.history(), s.layout(), s.data.time, reading);
  const double period = s.model.sensor_interval[2 * s.id];
  if (period > 0) s.history()[0] += period;
}

Sensor make_sensor(const Model& model, Data& data, int id) {
  return {model, data, id, model.sensor_objid[id], model.sensor_refid[id]};
}

}  // namespace

void compute_sensors(const Model& model, Data& data, SensorStage stage) {
  if (model.opt.disabled(kDisableSensor)) return;
  for (int id = 0; id < model.nsensor; ++id) {
    if (model.sensor_needstage[id] != static_cast<int>(stage)) continue;
    read_sensor(make_sensor(model, data, id), data.sensordata.row(model.sensor_adr[id], 1));
  }
}

void remember_readings(const Model& model, Data& data) {
  for (int id = 0; id < model.nsensor; ++id) {
    if (model.sensor_historyadr[id] >= 0) remember_reading(make_sensor(model, data, id));
  }
  ++data.noise_step;
}

}  // namespace torsor
