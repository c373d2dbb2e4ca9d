// Values of the model per world: each world moves as a model with these values, and impossible values change nothing.
#include <cstring>

#include "tests/batch/worlds.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/core/error.hpp"
#include "torsor/model/difference.hpp"

namespace torsor {
namespace {

constexpr int kWorlds = 5;

// With a solver that goes on until rounding is all that is left.
Model load_model(const std::string& name) {
  Model model = load(TORSOR_SOURCE_DIR "/models/" + name + ".xml");
  model.opt.tolerance = 0;
  return model;
}

double* values_of(Batch& batch, const std::string& field) { return batch.values().expand(field).numbers<double>(); }

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

bool is_wide_somewhere(const Batch& batch) {
  const std::vector<BatchPlanRow> plan = batch.plan();
  return std::any_of(plan.begin(), plan.end(), [](const BatchPlanRow& row) { return row.is_wide; });
}

// The world's own model, stepped alone: up to rounding where stages run wide, else to the bit.
void expect_equal_to_single_models(Batch& batch, const std::string& what) {
  const Model& shared = batch.model();
  const double tolerance = is_wide_somewhere(batch) ? 1e-9 : 0;
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
      const std::vector<double> own(found.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(w) * n),
                                    found.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(w + 1) * n));
      EXPECT_LE(difference(own, gather(one, field)), tolerance) << what << ": " << field << ", world " << w;
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
      for (const BatchPlanRow& row : batch.plan())
        EXPECT_TRUE(is_wide_somewhere(batch) || row.why.ends_with(std::string("values per world: ") + field))
            << row.why;
      expect_equal_to_single_models(batch, std::string(name) + ", " + field);
      if (std::string(field) == "opt.gravity") {
        EXPECT_NE(batch.bind("qvel")[0], batch.bind("qvel")[4 * model.nv]);
      }
    }
  }
}

// Real numbers that users may edit, but for directions and rotations, which must keep their length.
std::vector<std::string> randomisable(const Model& model) {
  std::vector<std::string> names;
  FieldSlot slots[kModelFieldCount];
  list_fields(const_cast<Model&>(model), slots);
  for (const FieldSlot& slot : slots) {
    const std::string name = slot.info.name;
    const bool is_direction = name.ends_with("quat") || name.ends_with("axis") || name.ends_with("dir") ||
                              name.ends_with("dir0") || name.ends_with("mat0");
    const bool is_ours = name.rfind("mesh_", 0) != 0 && name.rfind("key_", 0) != 0 && name.rfind("tuple_", 0) != 0;
    if (slot.type == ElementType::kReal && slot.info.access != Access::kStructural && !is_direction && is_ours &&
        slot.info.rows * slot.info.columns > 0)
      names.push_back(name);
  }
  for (const char* option : {"opt.gravity", "opt.timestep", "opt.impratio", "opt.density", "opt.viscosity", "opt.wind"})
    names.push_back(option);
  return names;
}

// No stage that reads a field is missing in the list of value_stages.cpp.
TEST(BatchValues, EveryRealNumberOfTheModelMayDiffer) {
  int compared = 0, wide = 0;
  for (const char* name :
       {"contact_pyramidal", "contact_elliptic", "actuator_servos", "gravity_compensation", "fluid_ellipsoids",
        "joint_springs", "friction_loss", "equality_weld", "sites", "tendon_armature"}) {
    Model model = load_model(std::string("features/") + name);
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicitFast}) {
      model.opt.integrator = static_cast<int>(integrator);
      for (const std::string& field : randomisable(model)) {
        Batch batch(model, 3);
        std::vector<Data> worlds(3, Data(model));
        Random random(5);
        const WorldValues::Entry& entry = batch.values().expand(field);
        const size_t n = entry.bytes / sizeof(double);
        for (size_t w = 0; w < 3; ++w) {
          stir(model, worlds[w], random);
          batch.set_world(static_cast<int>(w), worlds[w]);
          for (size_t i = 0; i < n; ++i) entry.numbers<double>()[w * n + i] *= 1 + 0.03 * static_cast<double>(w);
        }
        wide += is_wide_somewhere(batch);
        batch.step(1);
        for (size_t w = 0; w < 3; ++w) step(batch.make_model(static_cast<int>(w)), worlds[w]);
        for (const char* state : {"qpos", "qvel", "act"})
          EXPECT_LT(difference(get(batch, state), gather(worlds, state)), 1e-9)
              << name << ": " << state << " with " << field << ", integrator " << model.opt.integrator;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(wide, 300);
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
