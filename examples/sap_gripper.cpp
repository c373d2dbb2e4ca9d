// Two fingers hold a cube by friction alone: how far it slips in ten seconds, with SAP and with soft constraints.
#include <torsor/torsor.hpp>

#include <cstdio>

namespace {

constexpr const char* kGripper = R"(
<mujoco model="gripper">
  <option timestep="0.005" solver="SAP"/>
  <default>
    <joint type="slide" armature="0.1"/>
    <position kp="5000" kv="200" forcerange="-40 40"/>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body pos="-0.035 0 0.5"><joint name="left" axis="1 0 0"/><geom type="box" size="0.01 0.02 0.03"/></body>
    <body pos="0.035 0 0.5"><joint name="right" axis="-1 0 0"/><geom type="box" size="0.01 0.02 0.03"/></body>
    <body pos="0 0 0.5"><freejoint name="cube"/><geom type="box" size="0.025 0.025 0.025" mass="0.5"/></body>
  </worldbody>
  <actuator><position joint="left"/><position joint="right"/></actuator>
</mujoco>)";
constexpr double kClosing = 0.5, kSeconds = 10;

// How far the cube has sunk, in metres.
double slip_with(const torsor::Model& gripper, torsor::SolverType solver) {
  torsor::Option option = gripper.opt;
  option.solver = static_cast<int>(solver);
  const torsor::Model model = gripper.with_options(option);
  torsor::Data data(model);
  data.ctrl[0] = data.ctrl[1] = 0.01;  // both fingers aim 1 cm into the cube; 40 N is what they have
  const int height = model.jnt_qposadr[model.find(torsor::ObjectType::kJoint, "cube")] + 2;
  while (data.time < kClosing) torsor::step(model, data);
  const double start = data.qpos[height];
  while (data.time < kClosing + kSeconds) torsor::step(model, data);
  return start - data.qpos[height];
}

}  // namespace

int main() {
  const torsor::Model gripper = torsor::load_string(kGripper);
  const double sap = slip_with(gripper, torsor::SolverType::kSap);
  const double soft = slip_with(gripper, torsor::SolverType::kNewton);
  const double bound = gripper.opt.sap_sigma * gripper.opt.timestep * 9.81 * kSeconds;  // the creep that SAP allows
  std::printf("in 10 s the cube slips %.2f mm with SAP (at most %.2f), %.0f mm with Newton\n", 1e3 * sap, 1e3 * bound,
              1e3 * soft);
  return sap > 0 && sap < bound && soft > 100 * sap ? 0 : 1;
}
