// Rollouts: many simulations from given states under given controls, over all cores.
#include <torsor/torsor.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr const char* kPendulum = R"(
<mujoco model="pendulum">
  <option timestep="0.01"/>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0" damping="0.05"/>
      <geom type="capsule" fromto="0 0 0  0 0 -0.5" size="0.02" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>)";
constexpr int kBatch = 100, kSteps = 300;

}  // namespace

int main() {
  const torsor::Model model = torsor::load_string(kPendulum);
  torsor::Data data(model);
  const size_t nstate = static_cast<size_t>(torsor::state_size(model, torsor::kStateFullPhysics));
  std::vector<double> initial(kBatch * nstate), controls(kBatch * kSteps), states(kBatch * kSteps * nstate);
  for (size_t i = 0; i < kBatch; ++i) {  // all start at rest, each with a constant torque of its own
    torsor::get_state(model, data, initial.data() + i * nstate, torsor::kStateFullPhysics);
    for (size_t k = 0; k < kSteps; ++k) controls[i * kSteps + k] = 0.01 * static_cast<double>(i);
  }
  torsor::RolloutInput input;
  input.nbatch = kBatch;
  input.nstep = kSteps;
  input.initial_states = initial.data();
  input.controls = controls.data();
  torsor::RolloutOutput output;
  output.states = states.data();
  torsor::RolloutOptions options;
  options.threads = 0;  // one per core
  torsor::rollout({&model}, input, output, options);

  // The last one again, step by step: the same to the bit.
  for (int k = 0; k < kSteps; ++k) {
    data.ctrl[0] = controls.back();
    torsor::step(model, data);
  }
  const double angle = states[states.size() - nstate + 1];  // after the time
  std::printf("%d rollouts of %d steps; the last one ends at %.6f rad\n", kBatch, kSteps, angle);
  return angle == data.qpos[0] && angle > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
