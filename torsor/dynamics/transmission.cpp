// Lengths of actuators and their derivatives by qvel, and velocities, of one world.
#include <algorithm>

#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/any_transmission.hpp"

namespace torsor {

// Actuators that sleep have no moment meanwhile; their lengths and velocities stay as they were.
void compute_transmission(const Model& model, Data& data) {
  TransmissionStage<double> stage(model, data);
  if (!data.awake.all) std::fill(data.actuator_moment.begin(), data.actuator_moment.end(), 0.0);
  for_each_awake_actuator(model, data, [&](int a) { stage.compute(a); });
}

void compute_actuator_velocity(const Model& model, Data& data) {
  if (data.awake.all) return compute_actuator_velocities(model, data);
  const bool is_off = model.opt.disabled(kDisableActuation);
  for_each_awake_actuator(model, data, [&](int a) {
    const int end = a + 1 < model.nactuator ? model.actuator_outadr[a + 1] : model.nout;
    for (int out = model.actuator_outadr[a]; out < end; ++out)
      compute_output_velocity<double>(model, data, out, is_off);
  });
}

}  // namespace torsor
