// Worlds in lanes compute what one world computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/property.hpp"
#include "torsor/batch/batch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

constexpr int kWorlds = 11;  // never a whole number of packs

std::vector<std::string> feature_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(TORSOR_SOURCE_DIR "/models/features"))
    if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  EXPECT_GT(files.size(), 100u) << "no models, nothing tested";
  return files;
}

// A different state for every world, off the reference pose.
void stir(const Model& model, Data& data, Random& random) {
  std::vector<double> displacement(static_cast<size_t>(model.nv));
  for (double& x : displacement) x = random.uniform(-0.5, 0.5);
  integrate_pos(model, data.qpos.data(), displacement.data(), 1);
  for (double& v : data.qvel) v = random.uniform(-1, 1);
  for (double& f : data.qfrc_applied) f = random.uniform(-1, 1);
  for (double& u : data.ctrl) u = random.uniform(-1, 1);
  for (double& a : data.act) a = random.uniform(0, 1);
  for (int i = 6; i < data.xfrc_applied.size(); ++i) data.xfrc_applied[i] = random.uniform(-1, 1);
}

std::vector<Data> make_worlds(const Model& model, Batch& batch) {
  std::vector<Data> worlds(kWorlds, Data(model));
  Random random(7);
  for (Data& world : worlds) stir(model, world, random);
  for (const char* field : {"qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"}) {
    std::vector<double> values;
    for (Data& world : worlds)
      world.for_each_field([&](const FieldInfo& info, Field<double>& from) {
        if (info.name == std::string(field)) values.insert(values.end(), from.begin(), from.end());
      });
    batch.set(field, values.data());
  }
  return worlds;
}

// The largest difference, relative to the largest value of the field over all worlds.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, scale = 1e-6;
  for (size_t i = 0; i < a.size(); ++i) {
    scale = std::max(scale, std::fabs(b[i]));
    worst = std::max(worst, std::fabs(a[i] - b[i]));
  }
  return worst / scale;
}

std::vector<double> gather(std::vector<Data>& worlds, const std::string& field) {
  std::vector<double> values;
  for (Data& world : worlds)
    world.for_each_field([&](const FieldInfo& info, Field<double>& from) {
      if (field == info.name) values.insert(values.end(), from.begin(), from.end());
    });
  return values;
}

TEST(Lanes, ForwardDynamicsEqualsThatOfOneWorld) {
  for (const std::string& file : feature_files()) {
    const Model model = load(file);
    if (model.nv == 0) continue;
    Batch batch(model, kWorlds);
    std::vector<Data> worlds = make_worlds(model, batch);
    for (Data& world : worlds) forward(model, world);
    for (const char* field : {"xpos", "geom_xmat", "cdof", "M", "qLD", "cvel", "qfrc_bias", "qfrc_passive",
                              "qfrc_actuator", "sensordata", "qacc"}) {
      std::vector<double> in_lanes(gather(worlds, field).size());
      batch.forward(field, in_lanes.data());
      EXPECT_LT(difference(in_lanes, gather(worlds, field)), 1e-12) << file << ": " << field;
    }
  }
}

TEST(Lanes, AStepEqualsThatOfOneWorldWithEveryIntegrator) {
  for (const std::string& file : feature_files()) {
    Model model = load(file);
    if (model.nv == 0) continue;
    for (const Integrator integrator :
         {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit, Integrator::kImplicitFast, Integrator::kRkmk4}) {
      model.opt.integrator = static_cast<int>(integrator);
      Batch batch(model, kWorlds);
      std::vector<Data> worlds = make_worlds(model, batch);
      for (Data& world : worlds) step(model, world);
      batch.step(1);
      for (const char* field : {"qpos", "qvel", "act", "history"}) {
        std::vector<double> in_lanes(gather(worlds, field).size());
        batch.get(field, in_lanes.data());
        EXPECT_LT(difference(in_lanes, gather(worlds, field)), 1e-12)
            << file << ": " << field << ", integrator " << model.opt.integrator;
      }
    }
  }
}

TEST(Lanes, BitsDependNeitherOnThreadsNorOnNeighbours) {
  const Model model = load(TORSOR_SOURCE_DIR "/models/features/several_trees.xml");
  std::vector<double> alone(static_cast<size_t>(model.nq)), together(static_cast<size_t>(model.nq * kWorlds)),
      threaded(together);
  Batch batch(model, kWorlds), other(model, kWorlds), single(model, 1);
  std::vector<Data> worlds = make_worlds(model, batch);
  make_worlds(model, other);
  for (const char* field : {"qpos", "qvel", "qfrc_applied", "xfrc_applied"})
    single.set(field, gather(worlds, field).data());  // world 0
  batch.step(20, 1);
  other.step(20, 2);
  single.step(20, 1);
  batch.get("qpos", together.data());
  other.get("qpos", threaded.data());
  single.get("qpos", alone.data());
  EXPECT_EQ(together, threaded);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin()));
}

TEST(Batch, AWorldThatBlowsUpIsResetAndCountedAndTheOthersGoOn) {
  const Model model = load(TORSOR_SOURCE_DIR "/models/features/hinge_chain.xml");
  Batch batch(model, 3), untouched(model, 3);
  std::vector<double> qvel(static_cast<size_t>(3 * model.nv), 0.0), a(static_cast<size_t>(3 * model.nq)), b(a);
  qvel[static_cast<size_t>(model.nv)] = 1e300;  // world 1
  batch.set("qvel", qvel.data());
  batch.step(5);
  untouched.step(5);
  EXPECT_EQ(batch.resets(), 1);
  batch.get("qpos", a.data());
  untouched.get("qpos", b.data());
  EXPECT_EQ(a, b);  // after its reset world 1 started from the reference pose, as the others did
}

TEST(Batch, RefusesWhatDoesNotExist) {
  const Model model = load(TORSOR_SOURCE_DIR "/models/features/hinge_chain.xml");
  EXPECT_THROW(Batch(model, 0), Error);
  Batch batch(model, 2);
  std::vector<double> values(100);
  EXPECT_THROW(batch.get("xpos", values.data()), Error);
  EXPECT_THROW(batch.set("no such field", values.data()), Error);
  EXPECT_THROW(batch.reset_world(2), Error);
}

// In lanes and, with a tendon, world by world.
TEST(Batch, NoiseOfSensorsIsThatOfAWorldSeededWithItsNumber) {
  for (const char* name : {"sensor_sites", "sensor_joints"}) {
    Model model = load(std::string(TORSOR_SOURCE_DIR "/models/features/") + name + ".xml");
    model.opt.enableflags |= kEnableSensorNoise;
    std::fill(model.sensor_noise.begin(), model.sensor_noise.end(), 0.1);
    Batch batch(model, kWorlds);
    batch.step(3);
    std::vector<double> readings(static_cast<size_t>(model.nsensordata * kWorlds));
    batch.forward("sensordata", readings.data());
    std::vector<Data> worlds(kWorlds, Data(model));
    for (size_t w = 0; w < worlds.size(); ++w) {
      worlds[w].noise_seed = w;
      for (int k = 0; k < 3; ++k) step(model, worlds[w]);
      forward(model, worlds[w]);
    }
    EXPECT_LT(difference(readings, gather(worlds, "sensordata")), 1e-12) << name;
    EXPECT_GT(difference(gather(worlds, "sensordata"), std::vector<double>(readings.size(), 0.0)), 0);
    EXPECT_NE(readings[0], readings[static_cast<size_t>(model.nsensordata)]) << name;  // worlds differ
  }
}

// A motor that is told no number stops all actuators of its world, and of no other.
TEST(Batch, AControlThatIsNoNumberStopsTheActuatorsOfItsWorldAlone) {
  const Model model = load(TORSOR_SOURCE_DIR "/models/features/actuator_servos.xml");
  constexpr int kNotLimited = 3;
  Batch batch(model, 3);
  std::vector<Data> worlds(3, Data(model));
  std::vector<double> ctrl(static_cast<size_t>(3 * model.nu), 0.3), qvel(static_cast<size_t>(3 * model.nv));
  ctrl[static_cast<size_t>(model.nu + kNotLimited)] = std::nan("");
  batch.set("ctrl", ctrl.data());
  for (size_t w = 0; w < 3; ++w) {
    std::copy_n(ctrl.begin() + static_cast<ptrdiff_t>(w) * model.nu, model.nu, worlds[w].ctrl.begin());
    step(model, worlds[w]);
  }
  batch.step(1);
  batch.get("qvel", qvel.data());
  EXPECT_LT(difference(qvel, gather(worlds, "qvel")), 1e-12);
}

}  // namespace
}  // namespace torsor
