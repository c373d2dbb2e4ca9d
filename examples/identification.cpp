// System identification: find a mass and a damping from a recorded motion, by editing the model between runs.
#include <torsor/torsor.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr const char* kSlider = R"(
<mujoco model="slider">
  <option timestep="0.005"/>
  <worldbody>
    <body name="load">
      <joint name="rail" type="slide" axis="1 0 0" stiffness="40" damping="1"/>
      <geom type="box" size="0.1 0.1 0.1" mass="1"/>
    </body>
  </worldbody>
</mujoco>)";

struct Parameters {
  double mass, damping;
};

// Positions over time of a model with this mass and damping.
std::vector<double> simulate(torsor::Model& model, const Parameters& parameters) {
  const int body = model.find(torsor::ObjectType::kBody, "load");
  const double scale = parameters.mass / model.body_mass[body];
  model.body_mass[body] *= scale;
  for (int i = 0; i < 3; ++i) model.body_inertia[3 * body + i] *= scale;  // inertias must stay those of a body
  model.dof_damping[0] = parameters.damping;
  torsor::set_const(model);  // what follows from masses
  torsor::Data data(model);
  data.qpos[0] = 0.2;
  std::vector<double> positions;
  for (int i = 0; i < 200; ++i) {
    torsor::step(model, data);
    positions.push_back(data.qpos[0]);
  }
  return positions;
}

// One step of Gauss and Newton, with differences for the derivatives.
Parameters improve(torsor::Model& model, const Parameters& guess, const std::vector<double>& recorded) {
  constexpr double kStep = 1e-5;
  const auto now = simulate(model, guess);
  const auto heavier = simulate(model, {guess.mass + kStep, guess.damping});
  const auto damped = simulate(model, {guess.mass, guess.damping + kStep});
  double JJ[4] = {0, 0, 0, 0}, Jr[2] = {0, 0};
  for (size_t i = 0; i < now.size(); ++i) {
    const double J[2] = {(heavier[i] - now[i]) / kStep, (damped[i] - now[i]) / kStep}, residual = now[i] - recorded[i];
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) JJ[2 * a + b] += J[a] * J[b];
      Jr[a] += J[a] * residual;
    }
  }
  double change[2];
  torsor::linear::factor_cholesky(2, 1e-15, JJ);
  torsor::linear::solve_cholesky(2, JJ, Jr, change);
  return {guess.mass - change[0], guess.damping - change[1]};
}

}  // namespace

int main() {
  const Parameters truth{1.7, 2.3};
  torsor::Model real = torsor::load_string(kSlider), model = torsor::load_string(kSlider);
  const auto recorded = simulate(real, truth);
  Parameters guess{1, 1};
  for (int i = 0; i < 12; ++i) guess = improve(model, guess, recorded);
  std::printf("mass %.6f kg, damping %.6f N s/m\n", guess.mass, guess.damping);
  return std::fabs(guess.mass - truth.mass) < 1e-6 && std::fabs(guess.damping - truth.damping) < 1e-6 ? 0 : 1;
}
