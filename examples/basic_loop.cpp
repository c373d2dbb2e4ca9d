// The simplest simulation: load a model, step it until a time is reached, and start over.
#include <torsor/torsor.hpp>

#include <cstdio>

namespace {

constexpr const char* kPendulum = R"(
<mujoco model="pendulum">
  <worldbody>
    <body pos="0 0 1">
      <joint name="pivot" axis="0 1 0" damping="0.02"/>
      <geom type="capsule" fromto="0 0 0  0.5 0 0" size="0.02" mass="1"/>
    </body>
  </worldbody>
</mujoco>)";

}  // namespace

int main() {
  const torsor::Model model = torsor::load_string(kPendulum);  // or load("robot.xml")
  torsor::Data data(model);
  while (data.time < 10) torsor::step(model, data);
  const double angle = data.qpos[0];
  std::printf("after %.3f s the pendulum is at %.4f rad\n", data.time, angle);

  torsor::reset(model, data);
  for (int i = 0; i < 5000; ++i) torsor::step(model, data);
  return data.qpos[0] == angle ? 0 : 1;  // the same to the bit
}
