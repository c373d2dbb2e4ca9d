// Derivatives: how a step, accelerations and inverse dynamics change with state and input.
#include <torsor/torsor.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr const char* kArm = R"(
<mujoco model="arm">
  <worldbody>
    <body>
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0  0.3 0 0" size="0.02" mass="1"/>
      <body pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0  0.3 0 0" size="0.02" mass="0.5"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
</mujoco>)";

}  // namespace

int main() {
  const torsor::Model model = torsor::load_string(kArm);
  torsor::Data data(model);
  data.qpos[0] = 0.5;
  data.qvel[1] = 1;

  torsor::DifferenceOptions options;
  options.second_eps = 1e-5;
  torsor::TransitionDerivatives error;
  const auto [A, B, C, D] = torsor::transition_derivatives(model, data, options, &error);
  std::printf("A is %d x %d, B is %d x %d; A is known to %.1e\n", A.rows, A.columns, B.rows, B.columns,
              *std::max_element(error.A.values.begin(), error.A.values.end()));

  // dqacc/dforce is the inverse of M, which is dforce/dqacc: their product is the unit matrix.
  const torsor::Matrix by_force = torsor::forward_derivatives(model, data).qfrc_applied;
  const torsor::Matrix by_acceleration = torsor::inverse_derivatives(model, data).qacc;
  double worst = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double product = by_force(i, 0) * by_acceleration(0, j) + by_force(i, 1) * by_acceleration(1, j);
      worst = std::max(worst, std::fabs(product - (i == j ? 1 : 0)));
    }
  }
  std::printf("forward and inverse dynamics undo each other to %.1e\n", worst);
  return worst < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
