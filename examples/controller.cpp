// Control: a callback that the engine calls when it needs the controls, and the same in two halves of a step.
#include <torsor/torsor.hpp>

#include <cmath>
#include <cstdio>

namespace {

constexpr const char* kCart = R"(
<mujoco model="cart">
  <option timestep="0.005"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.1 0.05 0.05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0  0 0 0.6" size="0.02" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10"/></actuator>
</mujoco>)";

// Knows everything that follows from the state, because it is called as late as possible.
void balance(const torsor::Model& model, torsor::Data& data) {
  if (model.nu != 1 || model.nv != 2) return;
  data.ctrl[0] = 0.1 * data.qpos[0] + 4 * data.qpos[1] + 0.3 * data.qvel[0] + 0.8 * data.qvel[1];
}

}  // namespace

int main() {
  const torsor::Model model = torsor::load_string(kCart);
  torsor::Data data(model);
  data.qpos[1] = 0.1;  // the pole starts tilted
  data.control = balance;
  for (int i = 0; i < 2000; ++i) torsor::step(model, data);
  std::printf("after %.1f s the pole is at %+.6f rad\n", data.time, data.qpos[1]);

  // The same without a callback. Runge-Kutta integrators need the callback: they ask for controls several times.
  torsor::Data twin(model);
  twin.qpos[1] = 0.1;
  for (int i = 0; i < 2000; ++i) {
    torsor::step1(model, twin);
    balance(model, twin);
    torsor::step2(model, twin);
  }
  return std::fabs(data.qpos[1]) < 0.01 && twin.qpos[1] == data.qpos[1] ? 0 : 1;
}
