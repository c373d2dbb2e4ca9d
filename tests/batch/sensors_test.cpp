// Sensors in lanes read what those of one world read, and a batch says which are read lane by lane.
#include <map>

#include "tests/batch/sensor_robot.hpp"
#include "tests/batch/worlds.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

constexpr const char* kReadings[] = {"sensordata", "cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom"};

std::map<std::string, BatchPlanRow> rows_by_stage(const std::vector<BatchPlanRow>& plan) {
  std::map<std::string, BatchPlanRow> rows;
  for (const BatchPlanRow& row : plan) rows.emplace(row.stage, row);
  return rows;
}

Model load_feature(const std::string& name) {
  Model model = load(TORSOR_SOURCE_DIR "/models/features/" + name + ".xml");
  model.opt.tolerance = 0;
  return model;
}

// Bound results after a step, and results of forward dynamics after it, beside those of one world.
void compare_readings(const Model& model, const std::string& name, double tolerance = 1e-9) {
  Batch batch(model, kUnevenWorlds);
  std::vector<const double*> bound;
  for (const char* field : kReadings) bound.push_back(batch.bind(field));
  std::vector<Data> worlds = make_worlds(model, batch);
  for (size_t w = 0; w < worlds.size(); ++w) worlds[w].noise_seed = w;
  for (int step_number = 0; step_number < 3; ++step_number) {
    batch.step(1);
    for (Data& world : worlds) step(model, world);
    for (size_t k = 0; k < std::size(kReadings); ++k) {
      const std::vector<double> expected = gather(worlds, kReadings[k]);
      if (!is_computed(expected)) continue;
      EXPECT_LT(difference(std::vector<double>(bound[k], bound[k] + expected.size()), expected), tolerance)
          << name << ": " << kReadings[k] << " of step " << step_number;
    }
    // rounding grows from step to step, which is not what is tested here
    for (const char* field : {"qpos", "qvel", "act", "qacc_warmstart"}) batch.set(field, gather(worlds, field).data());
  }
}

TEST(BatchSensors, OfAllFeatureModelsEqualThoseOfOneWorld) {
  int with_sensors = 0;
  for (const std::string& file : feature_files()) {
    Model model = load(file);
    if (model.nv == 0 || model.nsensor == 0) continue;
    model.opt.tolerance = 0;
    ++with_sensors;
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4}) {
      model.opt.integrator = static_cast<int>(integrator);
      compare_readings(model, file);
    }
  }
  EXPECT_GT(with_sensors, 10);
}

TEST(BatchSensors, OfARobotEqualThoseOfOneWorldInAllLanes) {
  for (const bool is_elliptic : {false, true}) {
    const Model model = make_robot(is_elliptic);
    compare_readings(model, is_elliptic ? "elliptic" : "pyramidal");
    Batch batch(model, 1);
    batch.bind("sensordata");
    const auto rows = rows_by_stage(batch.plan());
    for (const char* stage : {"sensors", "forces of bodies", "accelerations of bodies", "momenta of subtrees",
                              "contacts and rows", "constraint solver"})
      EXPECT_TRUE(rows.at(stage).is_wide) << stage << ": " << rows.at(stage).why;
    EXPECT_EQ(rows.count("other sensors"), 0u);
  }
}

// Contacts in the gap beyond the margin, and at its very end, have no rows but are counted.
TEST(BatchSensors, OfContactsCountThoseInTheGap) {
  for (const double gap : {0.0, 0.2}) {
    Model model = make_robot(false);
    for (double& g : model.geom_gap) g = gap;
    compare_readings(model, "gap");
  }
  const Model model = load_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .25'><freejoint/><geom name='g' size='.25'/>"
      "</body></worldbody><sensor><contact geom1='g' data='found dist'/></sensor></mujoco>");
  Batch batch(model, 2);
  const double* found = batch.bind("sensordata");
  batch.step(1);
  EXPECT_EQ(found[0], 1);
}

// Bodies touch in some of the worlds: a test without contacts would see no force.
TEST(BatchSensors, TheRobotTouchesTheFloorInSomeWorlds) {
  const Model model = make_robot(false);
  Batch batch(model, kUnevenWorlds);
  std::vector<Data> worlds = make_worlds(model, batch);
  int touching = 0, apart = 0;
  for (Data& world : worlds) {
    forward(model, world);
    (world.ncon > 0 ? touching : apart) += 1;
  }
  EXPECT_GT(touching, 2);
  EXPECT_GT(apart, 0);
}

// Which sensors of the feature models are read lane by lane.
TEST(BatchSensors, ThePlanNamesThoseThatAreReadLaneByLane) {
  const std::map<std::string, std::string> left = {
      {"sensor_contact", "keeps a history"}, {"sensor_subtrees", "measures energy"},
      {"sensor_drives", "measures a limit"}, {"sensor_joints", "measures a limit"},
      {"sensor_cutoff", "spatial tendons"},  {"sensor_delays", "keeps a history"},
      {"sensor_limits", "measures a limit"}, {"sensor_nearness", "distances"},
      {"sensor_user", "is the user's"},      {"sensor_volumes", "how far shapes jut out"}};
  for (const char* name :
       {"sensor_contact", "sensor_cutoff", "sensor_delays", "sensor_drives", "sensor_frames", "sensor_joints",
        "sensor_limits", "sensor_nearness", "sensor_sites", "sensor_subtrees", "sensor_user", "sensor_volumes"}) {
    const Model model = load_feature(name);
    Batch batch(model, 1);
    batch.bind("sensordata");
    const auto rows = rows_by_stage(batch.plan());
    std::string why;
    for (const char* stage : {"sensors", "other sensors"})
      if (rows.count(stage) > 0) why += rows.at(stage).why;
    if (left.count(name) == 0)
      EXPECT_EQ(why, "") << name;
    else
      EXPECT_NE(why.find(left.at(name)), std::string::npos) << name << ": " << why;
  }
}

// With noise, and with values of their own, worlds are read lane by lane.
TEST(BatchSensors, FollowNoiseAndValuesPerWorld) {
  Model model = make_robot(false);
  Batch batch(model, kUnevenWorlds);
  batch.bind("sensordata");
  EXPECT_TRUE(rows_by_stage(batch.plan()).at("sensors").is_wide);
  model.opt.enableflags |= kEnableSensorNoise;
  EXPECT_EQ(rows_by_stage(batch.plan()).count("other sensors"), 0u);
  model.sensor_noise[0] = 0.1;
  EXPECT_NE(rows_by_stage(batch.plan()).at("other sensors").why.find("has noise"), std::string::npos);
  compare_readings(model, "noise");
  model.sensor_noise[0] = 0;
  batch.values().expand("body_mass");
  EXPECT_FALSE(rows_by_stage(batch.plan()).at("sensors").is_wide);
}

// Lanes whose pyramids are too stiff are solved one by one; their contacts count as those of the others do.
TEST(BatchSensors, OfLanesThatAreLeftToOneWorldCountTheirContacts) {
  Model model = make_robot(false);
  model.body_invweight0[2 * model.geom_bodyid[1]] = 1e-14;
  model.geom_friction[0] = model.geom_friction[3] = 1e-3;
  compare_readings(model, "stiff");
}

TEST(BatchSensors, BitsDoNotDependOnNeighbours) {
  const Model model = make_robot(true);
  Batch batch(model, kUnevenWorlds), alone(model, 1);
  const double *all = batch.bind("sensordata"), *one = alone.bind("sensordata");
  std::vector<Data> worlds = make_worlds(model, batch);
  for (int w = 0; w < kUnevenWorlds; ++w) {
    alone.reset();
    for (const char* field : {"qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"}) {
      std::vector<Data> here(1, worlds[static_cast<size_t>(w)]);
      alone.set(field, gather(here, field).data());
    }
    std::vector<double> time{0.5 * w};
    alone.set("time", time.data());
    alone.step(2);
    if (w == 0) batch.step(2);
    EXPECT_TRUE(std::equal(one, one + model.nsensordata, all + w * model.nsensordata)) << "world " << w;
  }
}

}  // namespace
}  // namespace torsor
