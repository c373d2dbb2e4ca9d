// What a sensor of one world reads, with noise, cutoff and history.
#include "torsor/sim/sensor.hpp"

#include <algorithm>

#include "torsor/contact/enclosure.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/history.hpp"
#include "torsor/dynamics/kernels/readings.hpp"
#include "torsor/dynamics/noise.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/sim/contact_sensors.hpp"

namespace torsor {
namespace {

using Type = SensorType;

// One sensor while it is read.
struct Sensor {
  const Model& model;
  Data& data;
  int id;

  Type type() const { return static_cast<Type>(model.sensor_type[id]); }
  bool has_history() const { return model.sensor_historyadr[id] >= 0; }
  double* history() const { return data.history.row(model.sensor_historyadr[id], 1); }
  HistoryLayout layout() const { return {model.sensor_history[2 * id], model.sensor_dim[id]}; }
};

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

// Those that follow from arrays of Data, once these are there.
void read_plainly(const Sensor& s, double* reading) {
  using Reader = SensorReader<double>;
  if (Reader::needs_subtrees(s.type()) && !s.data.has_subtree_velocity) compute_subtree_velocity(s.model, s.data);
  if ((Reader::needs_accelerations(s.type()) || Reader::needs_forces(s.type())) && !s.data.has_rne_post)
    compute_rne_post(s.model, s.data);
  Reader(s.model, s.data, s.id).read(reading);
}

void read(const Sensor& s, double* reading) {
  const Data& data = s.data;
  switch (s.type()) {
    case Type::kEPotential:
      reading[0] = read_potential_energy(s);
      return;
    case Type::kEKinetic:
      reading[0] = read_kinetic_energy(s);
      return;
    case Type::kRangefinder:
      return read_rangefinder(s.model, data, s.id, reading);
    case Type::kGeomDistance:
    case Type::kGeomNormal:
    case Type::kGeomFromTo:
      return read_distance(s.model, data, s.id, reading);
    case Type::kTouch:
      reading[0] = read_touch(s.model, s.data, s.id);
      return;
    case Type::kContact:
      return read_contacts(s.model, s.data, s.id, reading);
    case Type::kTactile:
      return read_tactile(s.model, data, s.id, reading);
    case Type::kInsideSite:
      if (!measures_enclosure(s.model, s.id)) return read_plainly(s, reading);
      reading[0] = read_enclosure(s.model, data, s.id);
      return;
    default:
      if (SensorReader<double>::knows(s.type())) return read_plainly(s, reading);
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

// The current measurement.
void measure(const Sensor& s, double* reading) {
  if (s.type() == Type::kUser)
    read_user(s, reading);
  else
    read(s, reading);
  add_noise(s, reading);
  apply_cutoff<double>(s.model, s.id, reading);
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

}  // namespace

void compute_sensors(const Model& model, Data& data, SensorStage stage, SensorFilter filter) {
  if (model.opt.disabled(kDisableSensor)) return;
  const int count = data.awake.all ? model.nsensor : data.awake.sensor_count;  // readings of what sleeps stay
  for (int k = 0; k < count; ++k) {
    const int id = data.awake.all ? k : data.awake.sensors[static_cast<size_t>(k)];
    if (model.sensor_needstage[id] != static_cast<int>(stage) || (filter && !filter(model, id))) continue;
    read_sensor({model, data, id}, data.sensordata.row(model.sensor_adr[id], 1));
  }
}

void remember_readings(const Model& model, Data& data) {
  for (int id = 0; id < model.nsensor; ++id) {
    if (model.sensor_historyadr[id] >= 0) remember_reading({model, data, id});
  }
  ++data.noise_step;
}

}  // namespace torsor
