// Laws of tendons, on all feature models that have some.
#include <filesystem>

#include "tests/support/property.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

const std::string kFeatures = TORSOR_SOURCE_DIR "/models/features/";

std::vector<std::string> tendon_models() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFeatures)) {
    if (entry.path().filename().string().starts_with("tendon_")) paths.push_back(entry.path());
  }
  EXPECT_GT(paths.size(), 10u) << "no models, nothing tested";
  return paths;
}

void stir(const Model& model, Data& data, Random& random) {
  std::vector<double> way = random.numbers(model.nv, 1.5);
  integrate_pos(model, data.qpos.data(), way.data(), 1);
  for (double& v : data.qvel) v = random.uniform(-2, 2);
}

std::vector<double> lengths_after(const Model& model, const Data& data, int dof, double step) {
  Data moved(data);
  std::vector<double> way(static_cast<size_t>(model.nv), 0);
  way[static_cast<size_t>(dof)] = 1;
  integrate_pos(model, moved.qpos.data(), way.data(), step);
  forward(model, moved);
  return {moved.ten_length.begin(), moved.ten_length.end()};
}

double moment(const Model& model, const Data& data, int t, int dof) {
  double sum = 0;
  for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k)
    sum += model.ten_J_colind[k] == dof ? data.ten_J[k] : 0;
  return sum;
}

// Where a path begins to touch a geom, moments jump; few states are there, so most must agree. Points inside geoms are
// found to 1e-6 only.
TEST(Tendon, TheMomentIsTheDerivativeOfTheLength) {
  for (const std::string& path : tendon_models()) {
    const Model model = load(path);
    const double allowed = path.find("inside") != std::string::npos ? 1e-4 : 1e-6;
    int wrong = 0, all = 0;
    for_all(10, [&](Random& random) {
      Data data(model);
      stir(model, data, random);
      normalize_quats(model, data.qpos.data());
      forward(model, data);
      for (int i = 0; i < model.nv; ++i) {
        const auto after = lengths_after(model, data, i, 1e-6), before = lengths_after(model, data, i, -1e-6);
        for (int t = 0; t < model.ntendon; ++t, ++all) {
          const size_t at = static_cast<size_t>(t);
          wrong += std::fabs((after[at] - before[at]) / 2e-6 - moment(model, data, t, i)) > allowed;
        }
      }
    });
    EXPECT_LE(wrong, all / 50) << path;
    EXPECT_GT(all, 0);
  }
}

TEST(Tendon, TheVelocityIsTheRateOfTheLength) {
  const Model model = load(kFeatures + "tendon_pulleys.xml");
  for_all(50, [&](Random& random) {
    Data data(model);
    stir(model, data, random);
    forward(model, data);
    Data after(data), before(data);
    integrate_pos(model, after.qpos.data(), data.qvel.data(), 1e-6);
    integrate_pos(model, before.qpos.data(), data.qvel.data(), -1e-6);
    forward(model, after);
    forward(model, before);
    for (int t = 0; t < model.ntendon; ++t)
      EXPECT_NEAR((after.ten_length[t] - before.ten_length[t]) / 2e-6, data.ten_velocity[t], 1e-5);
  });
}

// All dofs in one chain: between branches and trees M has no room for armature, which then is not all of the inertia.
constexpr const char* kHeavyChain = R"(<mujoco>
  <option timestep="0.0002"><flag energy="enable"/></option>
  <worldbody>
    <site name="hook" pos="0.3 0.2 1.5"/>
    <body pos="0.1 0.2 1" euler="10 20 30">
      <joint name="hinge" axis="1 0.2 0.3"/>
      <geom type="box" size="0.1 0.05 0.15" pos="0.05 0.02 0.1"/>
      <site name="upper" pos="0.1 0.1 0.2"/>
      <body pos="0.2 0.1 0.2">
        <joint type="ball"/>
        <geom size="0.08" pos="0.1 0 0"/>
        <site name="tip" pos="0.25 0.1 0.05"/>
        <body pos="0.2 0.1 0.2">
          <joint name="slide" type="slide" axis="0.3 1 0.2" stiffness="100"/>
          <geom size="0.08" pos="0.1 0 0"/>
          <site name="end" pos="0.25 0.1 0.05"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial armature="2" stiffness="30 4 3" springlength="0.5 0.8">
      <site site="hook"/> <site site="upper"/> <site site="tip"/>
      <pulley divisor="2"/> <site site="hook"/> <site site="end"/>
    </spatial>
    <fixed armature="0.5"> <joint joint="hinge" coef="0.8"/> <joint joint="slide" coef="-2"/> </fixed>
  </tendon>
</mujoco>)";

// The bias force of armature is what keeps this true.
TEST(Tendon, SpringsAndArmatureConserveEnergy) {
  Model model = load_string(kHeavyChain);
  model.opt.integrator = static_cast<int>(Integrator::kRk4);
  Random random(3);
  Data data(model);
  for (double& v : data.qvel) v = random.uniform(-1, 1);
  forward(model, data);
  const double before = data.energy[0] + data.energy[1], kinetic = data.energy[1];
  for (int k = 0; k < 2'000; ++k) step(model, data);
  forward(model, data);
  EXPECT_NEAR(data.energy[0] + data.energy[1], before, 1e-7 * std::fabs(before));
  EXPECT_GT(std::fabs(data.energy[1] - kinetic), 0.1);
}

TEST(Tendon, InverseDynamicsGiveBackTheForce) {
  for (const std::string& path : tendon_models()) {
    const Model model = load(path);
    for_all(5, [&](Random& random) {
      Data data(model);
      stir(model, data, random);
      for (double& force : data.qfrc_applied) force = random.uniform(-5, 5);
      forward(model, data);
      inverse(model, data);
      for (int i = 0; i < model.nv; ++i)
        EXPECT_NEAR(data.qfrc_inverse[i], data.qfrc_applied[i] + data.qfrc_actuator[i], 1e-8) << path;
    });
  }
}

TEST(Tendon, ASetSideSiteOutOfRangeIsNone) {
  Model model = load(kFeatures + "tendon_around_sphere.xml");
  Data data(model);
  forward(model, data);
  const double length = data.ten_length[0];
  for (double& parameter : model.wrap_prm) parameter = 1e8;
  forward(model, data);
  EXPECT_EQ(data.ten_length[0], length);
}

}  // namespace
}  // namespace torsor
