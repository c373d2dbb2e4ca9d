// The arrays of a batch: live, of all worlds or some, and the results that steps leave in them.
#include <cstring>

#include "tests/batch/worlds.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr int kWorlds = kUnevenWorlds;

Model load_model(const std::string& name) { return load(TORSOR_SOURCE_DIR "/models/" + name + ".xml"); }

TEST(BatchArrays, AreWhatTheNextStepStartsFromAndWhatItLeft) {
  const Model model = load_model("features/contact_pyramidal");
  Batch bound(model, kWorlds), copied(model, kWorlds);
  std::vector<Data> worlds = make_worlds(model, copied);
  double *qpos = bound.bind("qpos"), *qvel = bound.bind("qvel"), *force = bound.bind("xfrc_applied");
  for (int k = 0; k < 3; ++k) {
    for (const char* field :
         {"qpos", "qvel", "xfrc_applied", "qfrc_applied", "ctrl", "act", "time", "qacc_warmstart"}) {
      const std::vector<double> values = get(copied, field);
      std::copy(values.begin(), values.end(), bound.bind(field));
    }
    bound.step(2);
    copied.step(2);
    EXPECT_EQ(get(copied, "qpos"), std::vector<double>(qpos, qpos + kWorlds * model.nq));
    EXPECT_EQ(get(copied, "qvel"), std::vector<double>(qvel, qvel + kWorlds * model.nv));
  }
  EXPECT_EQ(qpos, bound.bind("qpos"));
  EXPECT_EQ(force, bound.bind("xfrc_applied"));
  EXPECT_EQ(gather(worlds, "xfrc_applied"), std::vector<double>(force, force + kWorlds * 6 * model.nbody));
}

// Of the state before the last step, and after forward() those of the present state, with every integrator.
TEST(BatchArrays, ResultsAreThoseOfOneWorldAfterStepAndForward) {
  for (const char* name : {"features/sensor_sites", "features/actuator_muscles", "features/contact_pyramidal",
                           "features/several_trees", "features/tendon_around_cylinder", "features/camera_modes"}) {
    Model model = load_model(name);
    model.opt.tolerance = 0;
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicitFast}) {
      model.opt.integrator = static_cast<int>(integrator);
      Batch batch(model, kWorlds);
      std::vector<Data> worlds = make_worlds(model, batch);
      const std::vector<std::string> fields = {
          "xpos",         "geom_xmat", "sensordata",      "qacc", "actuator_length", "M",
          "ten_velocity", "cam_xpos",  "qfrc_constraint", "cvel"};
      for (const std::string& field : fields) batch.bind(field);
      const auto expect_same = [&](const char* when) {
        for (const std::string& field : fields) {
          const double* values = batch.bind(field);
          const std::vector<double> expected = gather(worlds, field);
          EXPECT_LT(difference({values, values + expected.size()}, expected), 1e-9)
              << name << ": " << field << " " << when << ", integrator " << model.opt.integrator;
        }
      };
      batch.step(2);
      for (Data& world : worlds) step(model, world), step(model, world);
      expect_same("after step");
      for (size_t w = 0; w < worlds.size(); ++w) batch.get_world(static_cast<int>(w), worlds[w]);
      batch.forward(BatchCall{});
      for (Data& world : worlds) forward(model, world);
      expect_same("after forward");
    }
  }
}

// Nor do those that need them, unless they keep a history.
TEST(BatchArrays, SensorsThatNeedNoContactsLeaveConstraintsWide) {
  for (const std::string touch : {"", "<touch site='s'/>", "<touch site='s' nsample='2'/>"}) {
    Model model = load_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/>"
        "<geom name='g' type='box' size='.1 .1 .1'/><site name='s' size='.2'/></body></worldbody>"
        "<sensor><gyro site='s'/><accelerometer site='s'/><framelinacc objtype='geom' objname='g'/>"
        "<velocimeter site='s'/>" +
        touch + "</sensor></mujoco>");
    model.opt.tolerance = 0;
    Batch batch(model, kWorlds);
    std::vector<Data> worlds = make_worlds(model, batch);
    std::vector<double> readings(static_cast<size_t>(kWorlds * model.nsensordata));
    batch.forward("sensordata", readings.data());  // leaves contacts of this state in the lanes
    const double* bound = batch.bind("sensordata");
    bool is_solved_wide = false;
    for (const BatchPlanRow& row : batch.plan()) is_solved_wide |= row.stage == "constraint solver" && row.is_wide;
    EXPECT_EQ(is_solved_wide, touch.find("nsample") == std::string::npos);
    for (int k = 0; k < 20; ++k) {
      batch.step(1);
      for (Data& world : worlds) step(model, world);
      EXPECT_LT(difference({bound, bound + readings.size()}, gather(worlds, "sensordata")), 1e-8) << k;
      for (const char* field : {"qpos", "qvel", "qacc_warmstart"}) batch.set(field, gather(worlds, field).data());
    }
  }
}

// Steps of some worlds are those steps, to the bit, and the others stay.
TEST(BatchArrays, SomeWorldsMayBeStepped) {
  for (const char* name : {"features/hinge_chain", "features/contact_elliptic"}) {
    const Model model = load_model(name);
    Batch all(model, kWorlds), some(model, kWorlds);
    make_worlds(model, all);
    make_worlds(model, some);
    const std::vector<double> before = get(some, "qpos");
    all.step(7);
    const int ids[] = {9, 0, 4};
    BatchSteps call;
    call.worlds = ids, call.count = 3, call.steps = 7;
    some.step(call);
    const std::vector<double> moved = get(all, "qpos"), found = get(some, "qpos");
    for (int w = 0; w < kWorlds; ++w) {
      const bool is_stepped = w == 9 || w == 0 || w == 4;
      const std::vector<double>& expected = is_stepped ? moved : before;
      EXPECT_EQ(std::memcmp(&found[static_cast<size_t>(w * model.nq)], &expected[static_cast<size_t>(w * model.nq)],
                            sizeof(double) * static_cast<size_t>(model.nq)),
                0)
          << name << ", world " << w;
      EXPECT_EQ(some.steps_taken()[w], is_stepped ? 7 : 0);
    }
  }
}

// One call with controls and records is the same as one call per step, to the bit, in lanes and world by world.
TEST(BatchArrays, ControlsAndRecordsOfManyStepsAreThoseOfSingleSteps) {
  for (const char* name : {"features/actuator_servos", "features/contact_pyramidal", "features/actuator_muscles"}) {
    for (const bool one_by_one : {false, true}) {
      const Model model = load_model(name);
      constexpr int kSteps = 6;
      Batch whole(model, kWorlds), single(model, kWorlds);
      make_worlds(model, whole);
      make_worlds(model, single);
      const size_t nu = static_cast<size_t>(model.nu), nq = static_cast<size_t>(model.nq);
      std::vector<double> controls(kWorlds * kSteps * nu + 1), qpos(kWorlds * kSteps * nq), force(controls.size()),
          time(kWorlds * kSteps);
      Random random(3);
      for (double& u : controls) u = random.uniform(-1, 1);
      const FieldSeries inputs[] = {{whole.find_field("ctrl"), controls.data(), nu}};
      const size_t nout = static_cast<size_t>(model.nout);
      force.resize(kWorlds * kSteps * nout + 1);
      const FieldSeries outputs[] = {{whole.find_field("qpos"), qpos.data(), nq},
                                     {whole.find_field("time"), time.data(), 1},
                                     {whole.find_field("actuator_force"), force.data(), nout}};
      BatchSteps call;
      call.steps = kSteps, call.controls = inputs, call.ncontrols = 1, call.records = outputs, call.nrecords = 3;
      call.one_by_one = one_by_one;
      whole.step(call);
      double *ctrl = single.bind("ctrl"), *actuator_force = single.bind("actuator_force");
      for (size_t k = 0; k < kSteps; ++k) {
        for (size_t w = 0; w < kWorlds; ++w) std::copy_n(&controls[(w * kSteps + k) * nu], nu, ctrl + w * nu);
        BatchSteps one;
        one.one_by_one = one_by_one;
        single.step(one);
        for (size_t w = 0; w < kWorlds; ++w) {
          const size_t row = w * kSteps + k;
          EXPECT_EQ(std::memcmp(&qpos[row * nq], single.bind("qpos") + w * nq, sizeof(double) * nq), 0) << name << k;
          EXPECT_EQ(std::memcmp(&force[row * nout], actuator_force + w * nout, sizeof(double) * nout), 0) << name << k;
          EXPECT_EQ(time[row], single.bind("time")[w]);
        }
      }
      EXPECT_EQ(get(whole, "ctrl"), get(single, "ctrl"));
    }
  }
}

TEST(BatchArrays, EqualitiesAreSwitchedPerWorld) {
  const Model model = load_model("features/equality_weld");
  ASSERT_GT(model.neq, 0);
  Batch batch(model, kWorlds);
  std::vector<Data> worlds = make_worlds(model, batch);
  double* active = batch.bind("eq_active");
  for (int w = 0; w < kWorlds; w += 2) {
    for (int e = 0; e < model.neq; ++e) {
      active[w * model.neq + e] = 0;
      worlds[static_cast<size_t>(w)].eq_active[e] = false;
    }
  }
  batch.step(1);
  for (Data& world : worlds) step(model, world);
  EXPECT_LT(difference(get(batch, "qvel"), gather(worlds, "qvel")), 1e-9);
  batch.reset_world(0);
  EXPECT_EQ(active[0], model.eq_active0[0]);
}

TEST(BatchArrays, WorldsGoToADataAndBack) {
  const Model model = load_model("features/contact_pyramidal");
  Batch batch(model, 3);
  batch.step(20);
  Data data(model);
  batch.get_world(1, data);
  step(model, data);
  batch.set_world(2, data);
  EXPECT_EQ(batch.bind("time")[2], data.time);
  EXPECT_EQ(
      std::memcmp(batch.bind("qpos") + 2 * model.nq, data.qpos.data(), sizeof(double) * static_cast<size_t>(model.nq)),
      0);
  EXPECT_THROW(batch.get_world(3, data), Error);
  const Model other = load_model("features/hinge_chain");
  EXPECT_THROW(batch.set_world(0, Data(other)), Error);
}

// Which worlds, and in which of their steps; a reset clears it.
TEST(BatchArrays, DivergenceIsReportedPerWorld) {
  for (const bool resets : {true, false}) {
    for (const char* name : {"features/hinge_chain", "features/contact_pyramidal"}) {
      for (const bool one_by_one : {false, true}) {
        Model model = load_model(name);
        if (!resets) model.opt.disableflags |= kDisableAutoReset;
        Batch batch(model, kWorlds), untouched(model, kWorlds);
        BatchSteps call;
        call.one_by_one = one_by_one;
        call.steps = 3;
        batch.step(call);
        untouched.step(call);
        batch.bind("qvel")[4 * model.nv] = std::nan("");
        batch.step(call);
        untouched.step(call);
        for (int w = 0; w < kWorlds; ++w) {
          EXPECT_EQ(batch.diverged_at()[w], w == 4 ? 3 : -1)
              << name << ", world " << w << (resets ? "" : ", no resets");
          const size_t bytes = sizeof(double) * static_cast<size_t>(model.nq);
          EXPECT_TRUE(w == 4 ||
                      std::memcmp(batch.bind("qpos") + w * model.nq, untouched.bind("qpos") + w * model.nq, bytes) == 0)
              << name << ", world " << w;
        }
        EXPECT_EQ(batch.resets(), resets ? 1 : 0);
        batch.reset_world(4);
        EXPECT_EQ(batch.diverged_at()[4], -1);
        EXPECT_EQ(batch.bind("qvel")[4 * model.nv], 0);
      }
    }
  }
}

}  // namespace
}  // namespace torsor
