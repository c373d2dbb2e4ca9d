#include "torsor/batch/lane_functions.hpp"

#include <algorithm>

#include "torsor/batch/wide_sensors.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/speculative.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/metric.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

void compute_lane_kinematics(const Model& model, Data& data) {
  compute_kinematics(model, data);
  compute_com_position(model, data);
}

void compute_lane_passive(const Model& model, Data& data) { world_kernels().passive(model, data, whole(model)); }

void make_lane_rows(const Model& model, Data& data) {
  data.clear_memory_needed();
  clear_contacts(data);
  collide(model, data);
  add_speculative_contacts(model, data);
  make_rows(model, data);
}

void compute_lane_metric(const Model& model, Data& data) {
  compute_metric(model, data);
  accelerate_in_metric(model, data);
}

void add_lane_tendon_bias(const Model& model, Data& data) { add_tendon_bias(model, data, data.qfrc_bias.data()); }

static void compute_some_sensors(const Model& model, Data& data, SensorFilter filter) {
  data.has_energy_position = data.has_energy_velocity = data.has_subtree_velocity = data.has_rne_post = false;
  for (const SensorStage stage : {SensorStage::kPosition, SensorStage::kVelocity, SensorStage::kAcceleration})
    compute_sensors(model, data, stage, filter);
}

void compute_all_sensors(const Model& model, Data& data) { compute_some_sensors(model, data, nullptr); }
void compute_left_sensors(const Model& model, Data& data) { compute_some_sensors(model, data, is_left_by_readings); }
void compute_left_sensors_of_forces(const Model& model, Data& data) {
  compute_some_sensors(model, data, is_left_by_readings_of_motion);
}

void compute_left_sensors_without_rows(const Model& model, Data& data) {
  clear_contacts(data);  // of another state
  compute_left_sensors(model, data);
}

void compute_sensors_without_rows(const Model& model, Data& data) {
  clear_contacts(data);  // of another state
  compute_all_sensors(model, data);
}

void advance_lane_actuators(const Model& model, Data& data) { advance_actuators(model, data, data.act_dot.data()); }
void advance_lane_controls(const Model& model, Data& data) { advance_controls(model, data, data.act_dot.data()); }

void integrate_lane(const Model& model, Data& data) {
  data.has_damped_factor = false;
  if (model.opt.integrator == static_cast<int>(Integrator::kImplicit))
    integrate_implicit(model, data);
  else
    integrate_implicit_fast(model, data);
}

}  // namespace torsor
