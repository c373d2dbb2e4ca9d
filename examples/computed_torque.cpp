// Computed torque: inverse dynamics says which joint forces a trajectory needs, and a little feedback does the rest.
#include <torsor/torsor.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr const char* kArm = R"(
<mujoco model="arm">
  <option timestep="0.001" integrator="implicitfast"/>
  <worldbody>
    <body pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.2"/>
      <geom type="capsule" fromto="0 0 0  0.4 0 0" size="0.03" mass="2"/>
      <body pos="0.4 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0  0.4 0 0" size="0.02" mass="1"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

constexpr double kAmplitude[] = {0.6, 0.9}, kRate[] = {2.0, 3.0};

// Position, velocity and acceleration of the trajectory.
double position(int i, double t) { return kAmplitude[i] * std::sin(kRate[i] * t); }
double velocity(int i, double t) { return kAmplitude[i] * kRate[i] * std::cos(kRate[i] * t); }
double acceleration(int i, double t) { return -kAmplitude[i] * kRate[i] * kRate[i] * std::sin(kRate[i] * t); }

// The largest error over four seconds.
double track(const torsor::Model& model, bool with_inverse) {
  torsor::Data data(model), plan(model);  // a Data of its own for questions about the plan
  for (int i = 0; i < model.nv; ++i) data.qvel[i] = velocity(i, 0);
  double worst = 0;
  while (data.time < 4) {
    for (int i = 0; i < model.nv; ++i) {
      plan.qpos[i] = position(i, data.time);
      plan.qvel[i] = velocity(i, data.time);
      plan.qacc[i] = acceleration(i, data.time);
    }
    if (with_inverse) torsor::inverse(model, plan);
    for (int i = 0; i < model.nv; ++i)
      data.qfrc_applied[i] = 100 * (plan.qpos[i] - data.qpos[i]) + 10 * (plan.qvel[i] - data.qvel[i]) +
                             (with_inverse ? plan.qfrc_inverse[i] : 0);
    torsor::step(model, data);
    for (int i = 0; i < model.nv; ++i) worst = std::max(worst, std::fabs(position(i, data.time) - data.qpos[i]));
  }
  return worst;
}

}  // namespace

int main() {
  const torsor::Model model = torsor::load_string(kArm);
  const double feedback = track(model, false), computed = track(model, true);
  std::printf("largest error: %.4f rad by feedback alone, %.6f rad with computed torque\n", feedback, computed);
  return computed < 0.001 && feedback > 0.02 ? 0 : 1;
}
