// mj_step, mj_forward, mj_inverse and the stages that they consist of.
#include <fmt/format.h>

#include "../pace.hpp"
#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/evaluate.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python::mj {
namespace {

PyObject* run_steps(Args& args) {
  {
    EngineCall call(args.model(), args.data(), Effect::kRows);
    Pace pace;
    const int count = args.integer(2);
    for (int i = 0; i < count; ++i) {
      step(call.model, call.data);
      require_memory(call.model, call.data);
      if (i + 1 < count && (pace.is_due() || call.is_wanted())) call.pause();
    }
  }
  return none();
}

SkipStage skip_stage(int stage) {
  if (stage < 0 || stage > static_cast<int>(SkipStage::kAcceleration))
    throw Error(fmt::format("skipstage must be an mjtStage from 0 to 2, got {}", stage));
  return static_cast<SkipStage>(stage);
}

using SkipFunction = void (*)(const Model&, Data&, SkipStage, bool);
template <SkipFunction function>
PyObject* run_skip(Args& args) {
  const SkipStage skip = skip_stage(args.integer(2));
  {
    const EngineCall call(args.model(), args.data(), Effect::kRows);
    function(call.model, call.data, skip, args.truth(3));
  }
  return none();
}

PyObject* run_runge_kutta(Args& args) {
  if (args.integer(2) != 4) throw Error(fmt::format("mj_RungeKutta: only N = 4 is available, got {}", args.integer(2)));
  {
    const EngineCall call(args.model(), args.data(), Effect::kRows);
    integrate_rk4(call.model, call.data);
  }
  return none();
}

void first_half(const Model& model, Data& data) { step1(model, data); }
void second_half(const Model& model, Data& data) { step2(model, data); }

void kinematics_and_com(const Model& model, Data& data) {
  compute_kinematics(model, data);
  compute_com_position(model, data);
  compute_cameras_and_lights(model, data);
  compute_tendons(model, data);
}
void inverse_position(const Model& model, Data& data) { forward_position(model, data); }
void inverse_velocity(const Model& model, Data& data) { forward_velocity(model, data); }
void transmission(const Model& model, Data& data) {
  compute_transmission(model, data);
  compute_contact_transmission(model, data);
}
void position_sensors(const Model& model, Data& data) { compute_sensors(model, data, SensorStage::kPosition); }
void velocity_sensors(const Model& model, Data& data) { compute_sensors(model, data, SensorStage::kVelocity); }
void acceleration_sensors(const Model& model, Data& data) { compute_sensors(model, data, SensorStage::kAcceleration); }
// What step() does before and after forward dynamics.
void check_position(const Model& model, Data& data) { check_numbers(model, data, Warning::kBadQpos); }
void check_velocity(const Model& model, Data& data) { check_numbers(model, data, Warning::kBadQvel); }
void check_acceleration(const Model& model, Data& data) { check_numbers(model, data, Warning::kBadQacc); }
void nothing(const Model&, Data&) {}

constexpr Effect kRows = Effect::kRows;

}  // namespace

void bind_simulation_functions(nb::module_& m) {
  const Function rows[] = {
      {"mj_step", "m:m d:d nstep:i=1", run_steps},
      stage_row("mj_step1", first_half, kRows),
      stage_row("mj_step2", second_half, kRows),
      stage_row("mj_forward", forward, kRows),
      stage_row("mj_inverse", inverse, kRows),
      {"mj_forwardSkip", "m:m d:d skipstage:i skipsensor:i", run_skip<forward_skip>},
      {"mj_inverseSkip", "m:m d:d skipstage:i skipsensor:i", run_skip<inverse_skip>},
      check_row("mj_checkPos", check_position),
      check_row("mj_checkVel", check_velocity),
      check_row("mj_checkAcc", check_acceleration),
      stage_row("mj_Euler", integrate_euler),
      {"mj_RungeKutta", "m:m d:d N:i", run_runge_kutta},
      stage_row("mj_implicit", integrate_implicit),
      stage_row("mj_fwdKinematics", kinematics_and_com),
      stage_row("mj_fwdPosition", forward_position, kRows),
      stage_row("mj_fwdVelocity", forward_velocity),
      stage_row("mj_fwdActuation", forward_actuation),
      stage_row("mj_fwdAcceleration", forward_acceleration),
      stage_row("mj_fwdConstraint", forward_constraint, kRows),
      stage_row("mj_invPosition", inverse_position, kRows),
      stage_row("mj_invVelocity", inverse_velocity),
      stage_row("mj_invConstraint", inverse_constraints, kRows),
      stage_row("mj_compareFwdInv", compare_forward_inverse, kRows),
      stage_row("mj_sensorPos", position_sensors),
      stage_row("mj_sensorVel", velocity_sensors),
      stage_row("mj_sensorAcc", acceleration_sensors),
      stage_row("mj_energyPos", compute_energy_position),
      stage_row("mj_energyVel", compute_energy_velocity),
      stage_row("mj_kinematics", compute_kinematics),
      stage_row("mj_comPos", compute_com_position),
      stage_row("mj_camlight", compute_cameras_and_lights),
      stage_row("mj_flex", nothing),
      stage_row("mj_tendon", compute_tendons),
      stage_row("mj_transmission", transmission),
      stage_row("mj_crb", compute_body_mass_matrix),
      stage_row("mj_makeM", compute_mass_matrix),
      stage_row("mj_factorM", factor_mass_matrix),
      stage_row("mj_comVel", compute_com_velocity),
      stage_row("mj_passive", compute_passive),
      stage_row("mj_subtreeVel", compute_subtree_velocity),
      stage_row("mj_rnePostConstraint", compute_rne_post),
      stage_row("mj_collision", collide, kRows),
      stage_row("mj_makeConstraint", make_rows, kRows),
      stage_row("mj_island", find_islands_of_rows),
      stage_row("mj_projectConstraint", nothing),
      stage_row("mj_referenceConstraint", compute_row_reference),
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
