// Values of the model per world: each world moves as a model with these values, and impossible values change nothing.
#include <cstring>

#include "tests/batch/worlds.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/core/error.hpp"
#include "torsor/model/difference.hpp"

namespace torsor {
namespace {

constexpr int kWorlds = 5;

Model load_model(const std::string& name) { return load(TORSOR_SOURCE_DIR "/models/" + name + ".xml"); }

double* values_of(Batch& batch, const std::string& field) { return batch.values().expand(field).numbers<double>(); }

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// The world's own model, stepped alone.
void expect_equal_to_single_models(Batch& batch, const std::string& what) {
  const Model& shared = batch.model();
  std::vector<Data> worlds;
  for (int w = 0; w < batch.nworld(); ++w) {
    worlds.emplace_back(shared);
    batch.get_world(w, worlds.back());
  }
  batch.step(10, 2);
  for (int w = 0; w < batch.nworld(); ++w) {
    const Model model = batch.make_model(w);
    Data& world = worlds[static_cast<size_t>(w)];
    for (int k = 0; k < 10; ++k) step(model, world);
    for (const char* field : {"qpos", "qvel", "qacc_warmstart"}) {
      const std::vector<double> found = get(batch, field);
      const size_t n = found.size() / static_cast<size_t>(batch.nworld());
      std::vector<Data> one{world};
      EXPECT_EQ(std::memcmp(&found[static_cast<size_t>(w) * n], gather(one, field).data(), n * sizeof(double)), 0)
          << what << ": " << field << ", world " << w;
    }
  }
}

TEST(BatchValues, WorldsMoveAsModelsWithTheseValues) {
  for (const char* name : {"features/contact_pyramidal", "features/actuator_servos", "features/hinge_chain"}) {
    const Model model = load_model(name);
    for (const char* field :
         {"body_mass", "body_inertia", "geom_friction", "actuator_gainprm", "dof_armature", "dof_damping",
          "opt.gravity", "opt.timestep", "geom_size", "body_ipos", "jnt_stiffness"}) {
      Batch batch(model, kWorlds);
      const WorldValues::Entry& entry = batch.values().expand(field);
      const size_t n = entry.bytes / sizeof(double);
      for (size_t w = 0; w < kWorlds; ++w) {
        for (size_t i = 0; i < n; ++i) {
          double& value = entry.numbers<double>()[w * n + i];
          value = value * (1 + 0.05 * static_cast<double>(w)) + (value == 0 && w > 0 ? 0.01 : 0);
        }
      }
      for (const BatchPlanRow& row : batch.plan()) {
        EXPECT_FALSE(row.is_wide);
        EXPECT_EQ(row.why, std::string("values per world: ") + field);
      }
      expect_equal_to_single_models(batch, std::string(name) + ", " + field);
      if (std::string(field) == "opt.gravity") {
        EXPECT_NE(batch.bind("qvel")[0], batch.bind("qvel")[4 * model.nv]);
      }
    }
  }
}

// As if each world's model had been given the values and set_const().
TEST(BatchValues, DerivedConstantsFollow) {
  const Model model = load_model("features/contact_pyramidal");
  Batch batch(model, kWorlds);
  double* mass = values_of(batch, "body_mass");
  for (int w = 0; w < kWorlds; ++w) mass[w * model.nbody + model.nbody - 1] *= 1 + w;
  batch.set_const({nullptr, 0, 2});
  for (int w = 0; w < kWorlds; ++w) {
    Model expected = model;
    expected.body_mass[model.nbody - 1] *= 1 + w;
    set_const(expected);
    EXPECT_EQ(find_difference(batch.make_model(w), expected), "") << w;
    EXPECT_EQ(batch.make_model(w).stat.meaninertia, expected.stat.meaninertia);
  }
  expect_equal_to_single_models(batch, "after set_const");
  mass[model.nbody - 1] = 7;  // and again, of one world
  const int first = 0;
  batch.set_const({&first, 1});
  EXPECT_EQ(batch.make_model(0).body_subtreemass[model.nbody - 1], 7);
  EXPECT_EQ(batch.make_model(1).body_subtreemass[model.nbody - 1], 2 * model.body_subtreemass[model.nbody - 1]);
}

TEST(BatchValues, BoundsFollowTheSizesOfGeoms) {
  const Model model = load_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/>"
      "<geom size='.1'/></body></worldbody></mujoco>");
  Batch batch(model, 2);
  values_of(batch, "geom_size")[3 * 3] = 0.5;  // world 1, geom 1
  batch.set_const();
  EXPECT_EQ(batch.make_model(0).geom_rbound[1], 0.1);
  EXPECT_EQ(batch.make_model(1).geom_rbound[1], 0.5);
  batch.bind("qpos")[2] = batch.bind("qpos")[9] = 0.45;
  batch.step(1);
  EXPECT_LT(batch.bind("qvel")[2], 0);  // falls
  EXPECT_GT(batch.bind("qvel")[8], 0);  // is pushed out of the floor
}

TEST(BatchValues, ImpossibleValuesAreErrorsThatNameTheWorldAndChangeNothing) {
  const Model model = load_model("features/contact_pyramidal");
  Batch batch(model, kWorlds);
  batch.step(3);
  const std::vector<double> before = get(batch, "qpos");
  double* mass = values_of(batch, "body_mass");
  mass[3 * model.nbody + 1] = -2;
  const std::string expected = "world 3: body_mass[1] is -2, but a mass must not be negative";
  EXPECT_EQ(message_of([&] { batch.step(1); }), expected);
  EXPECT_EQ(message_of([&] { batch.forward("xpos", nullptr); }), expected);
  EXPECT_EQ(message_of([&] { batch.set_const(); }), expected);
  EXPECT_EQ(get(batch, "qpos"), before);
  EXPECT_EQ(batch.steps_taken()[0], 3);
  mass[3 * model.nbody + 1] = std::nan("");
  EXPECT_EQ(message_of([&] { batch.step(1); }), "world 3: body_mass[1] is nan, but must be a finite number");
  mass[3 * model.nbody + 1] = 0;
  EXPECT_NE(message_of([&] { batch.step(1); }).find("has joints and must have a mass"), std::string::npos);
  mass[3 * model.nbody + 1] = 1;
  EXPECT_EQ(message_of([&] { batch.step(1); }), "");
  const double step[] = {0.001, 0.002, 0, 0.001, 0.001};
  EXPECT_EQ(message_of([&] { batch.values().set("opt.timestep", nullptr, kWorlds, step); }),
            "world 2: opt.timestep is 0, but a time step must be positive");
  EXPECT_EQ(batch.values().find("opt.timestep"), nullptr);  // still shared
  const double integrator[] = {0, 1, 2, 99, 0};
  EXPECT_EQ(
      message_of([&] { batch.values().set("opt.integrator", nullptr, kWorlds, integrator); }).rfind("world 3: ", 0),
      0u);
}

TEST(BatchValues, StructureAndAssetsAreShared) {
  const Model model = load_model("features/hinge_chain");
  Batch batch(model, 2);
  EXPECT_NE(message_of([&] { batch.values().expand("body_masss"); }).find("is not a field of Model"),
            std::string::npos);
  EXPECT_NE(message_of([&] { batch.values().expand("flags"); }).find("is not a field of Model"), std::string::npos);
  EXPECT_NE(message_of([&] { batch.values().expand("body_parentid"); }).find("structure"), std::string::npos);
  EXPECT_NE(message_of([&] { batch.values().expand("hfield_data"); }).find("asset"), std::string::npos);
  EXPECT_TRUE(batch.values().empty());
}

// Whole numbers and switches may differ, too.
TEST(BatchValues, OptionsAndSwitchesMayDiffer) {
  const Model model = load_model("features/contact_pyramidal");
  Batch batch(model, kWorlds);
  int* integrator = batch.values().expand("opt.integrator").numbers<int>();
  for (int w = 0; w < kWorlds; ++w) integrator[w] = w % 4;
  expect_equal_to_single_models(batch, "opt.integrator");
}

// Results that are bound, resets and questions use the world's own model, too.
TEST(BatchValues, ResultsAndResetsAreThoseOfTheWorld) {
  const Model model = load_string(
      "<mujoco><worldbody><body><joint/><geom size='.1' pos='.3 0 0'/></body></worldbody>"
      "<keyframe><key qpos='.2'/></keyframe></mujoco>");
  Batch batch(model, 2);
  values_of(batch, "qpos0")[1] = 0.5;
  values_of(batch, "key_qpos")[1] = 0.7;
  values_of(batch, "body_pos")[3 * 3] = 2;  // world 1, body 1, x
  double *qpos = batch.bind("qpos"), *xpos = batch.bind("xpos");
  batch.reset();
  EXPECT_EQ(qpos[0], 0);
  EXPECT_EQ(qpos[1], 0.5);
  const int keys[] = {0, 0};
  batch.reset({}, keys);
  EXPECT_EQ(qpos[0], 0.2);
  EXPECT_EQ(qpos[1], 0.7);
  batch.forward(BatchCall{});
  EXPECT_EQ(xpos[3], 0);
  EXPECT_EQ(xpos[9], 2);
  std::vector<double> x(2);
  batch.query({}, [&](const Model&, const Data& data, int i) { x[static_cast<size_t>(i)] = data.xpos[3]; });
  EXPECT_EQ(x, (std::vector<double>{0, 2}));
}

}  // namespace
}  // namespace torsor
