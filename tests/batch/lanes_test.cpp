// Worlds in lanes compute what one world computes.
#include "tests/batch/worlds.hpp"
#include "torsor/constraint/constraint.hpp"

namespace torsor {
namespace {

constexpr int kWorlds = kUnevenWorlds;

// Wide stages round differently from those of one world, which stiff constraints amplify.
double tolerance(const Model& model) { return can_have_rows(model) ? 1e-9 : 1e-12; }

// With solvers that go on until rounding is all that is left: those that stop at their tolerance may stop an iteration
// sooner or later when a number changes in its last digit.
Model load_exact(const std::string& file) {
  Model model = load(file);
  model.opt.tolerance = 0;
  return model;
}

TEST(Lanes, ForwardDynamicsEqualsThatOfOneWorld) {
  for (const std::string& file : feature_files()) {
    const Model model = load_exact(file);
    if (model.nv == 0) continue;
    Batch batch(model, kWorlds);
    std::vector<Data> worlds = make_worlds(model, batch);
    for (Data& world : worlds) forward(model, world);
    for (const char* field :
         {"xpos", "geom_xmat", "cdof", "M", "qLD", "cvel", "qfrc_bias", "qfrc_passive", "qfrc_actuator", "sensordata",
          "qacc", "cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom"}) {
      std::vector<double> in_lanes(gather(worlds, field).size());
      if (!is_computed(gather(worlds, field))) continue;
      batch.forward(field, in_lanes.data());
      EXPECT_LT(difference(in_lanes, gather(worlds, field)), tolerance(model)) << file << ": " << field;
    }
  }
}

TEST(Lanes, AStepEqualsThatOfOneWorldWithEveryIntegrator) {
  for (const std::string& file : feature_files()) {
    Model model = load_exact(file);
    if (model.nv == 0) continue;
    for (const Integrator integrator :
         {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit, Integrator::kImplicitFast}) {
      model.opt.integrator = static_cast<int>(integrator);
      Batch batch(model, kWorlds);
      std::vector<Data> worlds = make_worlds(model, batch);
      for (Data& world : worlds) step(model, world);
      batch.step(1);
      for (const char* field : {"qpos", "qvel", "act", "history"}) {
        std::vector<double> in_lanes(gather(worlds, field).size());
        batch.get(field, in_lanes.data());
        EXPECT_LT(difference(in_lanes, gather(worlds, field)), tolerance(model))
            << file << ": " << field << ", integrator " << model.opt.integrator;
      }
    }
  }
}

// Whole steps in packs, which models without constraints take: with constraints switched off that is most of them.
TEST(Lanes, AWideStepEqualsThatOfOneWorldWithEveryIntegrator) {
  int wide = 0, driven = 0;
  for (const std::string& file : feature_files()) {
    Model model = load_exact(file);
    if (model.nv == 0) continue;
    model.opt.disableflags |= kDisableConstraint;
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicitFast}) {
      model.opt.integrator = static_cast<int>(integrator);
      Batch batch(model, kWorlds);
      const std::vector<BatchPlanRow> plan = batch.plan();
      if (!std::all_of(plan.begin(), plan.end(), [](const BatchPlanRow& row) { return row.is_wide; })) continue;
      ++wide;
      driven += model.nactuator > 0;
      std::vector<Data> worlds = make_worlds(model, batch);
      for (Data& world : worlds) step(model, world);
      batch.step(1);
      for (const char* field : {"qpos", "qvel", "act"})
        EXPECT_LT(difference(get(batch, field), gather(worlds, field)), 1e-11)  // cables amplify rounding most
            << file << ": " << field << ", integrator " << model.opt.integrator;
    }
  }
  EXPECT_GT(wide, 300);
  EXPECT_GT(driven, 20);
}

// A world alone, among others, on two threads, and with the others in another order.
TEST(Lanes, BitsDependNeitherOnThreadsNorOnNeighbours) {
  for (const char* name : {"features/several_trees", "features/contact_pyramidal", "features/contact_elliptic",
                           "features/friction_loss", "features/equality_weld", "scenes/pile"}) {
    const Model model = load(std::string(TORSOR_SOURCE_DIR "/models/") + name + ".xml");
    Batch batch(model, kWorlds), threaded(model, kWorlds), turned(model, kWorlds), alone(model, 1);
    std::vector<Data> worlds = make_worlds(model, batch);
    make_worlds(model, threaded);
    std::vector<Data> reversed(worlds.rbegin(), worlds.rend());
    for (const char* field : {"qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"}) {
      turned.set(field, gather(reversed, field).data());
      alone.set(field, gather(worlds, field).data());  // of the first world
    }
    batch.step(20, 1);
    threaded.step(20, 2);
    turned.step(20, 1);
    alone.step(20, 1);
    const std::vector<double> qpos = get(batch, "qpos"), other = get(turned, "qpos"), first = get(alone, "qpos");
    EXPECT_EQ(qpos, get(threaded, "qpos")) << name;
    EXPECT_TRUE(std::equal(first.begin(), first.end(), qpos.begin())) << name;
    for (int w = 0; w < kWorlds; ++w) {
      const auto here = qpos.begin() + w * model.nq, there = other.begin() + (kWorlds - 1 - w) * model.nq;
      EXPECT_TRUE(std::equal(here, here + model.nq, there)) << name << ", world " << w;
    }
  }
}

// Worlds with similar contacts share packs from the second call on; controls and records stay with their worlds.
TEST(Lanes, BitsDoNotDependOnWhichWorldsShareAPack) {
  constexpr int kMany = 45, kSteps = 24;
  const Model model = load(TORSOR_SOURCE_DIR "/models/features/contact_pyramidal.xml");
  Batch at_once(model, kMany), in_calls(model, kMany);
  std::vector<Data> worlds(kMany, Data(model));
  Random random(11);
  for (Data& world : worlds) stir(model, world, random);
  std::vector<double> forces(static_cast<size_t>(kMany * model.nv)), seen(static_cast<size_t>(kMany * model.nq));
  for (double& f : forces) f = random.uniform(-1, 1);
  for (Batch* batch : {&at_once, &in_calls})
    for (const char* field : {"qpos", "qvel"}) batch->set(field, gather(worlds, field).data());
  at_once.set("qfrc_applied", forces.data());
  at_once.step(kSteps);
  const FieldSeries control{in_calls.find_field("qfrc_applied"), forces.data(), static_cast<size_t>(model.nv)};
  const FieldSeries record{in_calls.find_field("qpos"), seen.data(), static_cast<size_t>(model.nq)};
  BatchSteps call;
  call.controls = &control, call.ncontrols = 1;
  call.records = &record, call.nrecords = 1;
  for (int k = 0; k < kSteps; ++k) in_calls.step(call);
  EXPECT_EQ(get(at_once, "qpos"), get(in_calls, "qpos"));
  EXPECT_EQ(seen, get(in_calls, "qpos"));
}

// A batch keeps the instruction set that it was made with: the lanes of its blocks are that many.
TEST(Batch, StaysWithTheInstructionSetThatItWasMadeWith) {
  const Model model = load(TORSOR_SOURCE_DIR "/models/features/contact_pyramidal.xml");
  const std::string best = kernels().name;
  for (const KernelSet& made_with : available_kernels()) {
    for (const KernelSet& later : available_kernels()) {
      use_kernels(made_with.name);
      Batch batch(model, kWorlds), other(model, kWorlds);
      make_worlds(model, batch);
      make_worlds(model, other);
      batch.step(3);
      use_kernels(later.name);
      other.step(3);  // makes its memory now
      EXPECT_LT(difference(get(other, "qpos"), get(batch, "qpos")), 1e-9) << made_with.name << ", then " << later.name;
    }
  }
  use_kernels(best);
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
