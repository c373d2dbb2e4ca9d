// A batch says which stages run wide; they do, and the comparisons with one world would see a fault in any of them.
#include <map>
#include <set>

#include "tests/batch/worlds.hpp"
#include "torsor/batch/program.hpp"
#include "torsor/batch/worker.hpp"
#include "torsor/constraint/constraint.hpp"

namespace torsor {
namespace {

std::map<std::string, BatchPlanRow> rows_by_stage(const Batch& batch) {
  std::map<std::string, BatchPlanRow> rows;
  for (const BatchPlanRow& row : batch.plan()) rows.emplace(row.stage, row);
  return rows;
}

Model load_feature(const std::string& name) { return load(TORSOR_SOURCE_DIR "/models/features/" + name + ".xml"); }

TEST(BatchPlan, SmoothStagesOfAllFeatureModelsRunWide) {
  for (const std::string& file : feature_files()) {
    const Model model = load(file);
    const auto rows = rows_by_stage(Batch(model, 1));
    for (const char* stage :
         {"kinematics", "mass matrix", "factor", "velocity and bias", "passive forces", "smooth acceleration"})
      EXPECT_TRUE(rows.at(stage).is_wide) << file << ": " << stage;
  }
}

TEST(BatchPlan, SaysWhyAStageRunsLaneByLane) {
  const auto servos = rows_by_stage(Batch(load_feature("actuator_servos"), 1));
  EXPECT_TRUE(servos.at("actuators").is_wide);
  const auto muscles = rows_by_stage(Batch(load_feature("actuator_muscles"), 1));
  EXPECT_FALSE(muscles.at("actuators").is_wide);
  EXPECT_NE(muscles.at("actuators").why.find("actuator"), std::string::npos) << muscles.at("actuators").why;
  const std::string text = to_text(Batch(load_feature("actuator_muscles"), 1).plan());
  EXPECT_NE(text.find("actuators              lane by lane: actuator"), std::string::npos) << text;
  EXPECT_NE(text.find("kinematics             wide\n"), std::string::npos) << text;
}

TEST(BatchPlan, FollowsTheOptionsOfTheModel) {
  Model model = load_feature("hinge_chain");
  Batch batch(model, 1);
  EXPECT_TRUE(rows_by_stage(batch).at("integrator").is_wide);
  model.opt.integrator = static_cast<int>(Integrator::kImplicit);
  EXPECT_FALSE(rows_by_stage(batch).at("integrator").is_wide);
  batch.step(1);  // with the new plan: compared below, for all models, with a new batch for each integrator
  model.opt.integrator = static_cast<int>(Integrator::kRk4);
  EXPECT_TRUE(rows_by_stage(batch).at("Runge-Kutta").is_wide);
}

#if defined(TORSOR_POISON) && TORSOR_POISON

// The largest difference of a step and of forward dynamics from those of one world. A fault shows as a difference, or
// as NaN.
double compare_with_one_world(const Model& model) {
  Batch batch(model, kUnevenWorlds);
  std::vector<Data> worlds = make_worlds(model, batch);
  double worst = 0;
  const auto take = [&](double d) { worst = std::isnan(d) || std::isnan(worst) ? std::nan("") : std::max(worst, d); };
  for (Data& world : worlds) forward(model, world);
  for (const char* field : {"xpos",        "xquat",         "xmat",       "xipos",           "ximat",
                            "xanchor",     "xaxis",         "geom_xpos",  "geom_xmat",       "site_xpos",
                            "site_xmat",   "crb",           "qacc",       "actuator_force",  "qfrc_spring",
                            "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_constraint", "sensordata",
                            "cacc",        "cfrc_int",      "cfrc_ext",   "subtree_linvel",  "subtree_angmom"}) {
    std::vector<double> values(gather(worlds, field).size());
    if (!is_computed(gather(worlds, field))) continue;
    batch.forward(field, values.data());
    take(difference(values, gather(worlds, field)));
  }
  batch.step(1);
  for (Data& world : worlds) step(model, world);
  for (const char* field : {"qpos", "qvel", "act"}) take(difference(get(batch, field), gather(worlds, field)));
  if (can_have_rows(model)) take(difference(get(batch, "qacc_warmstart"), gather(worlds, "qacc_warmstart")));
  std::vector<double> time = get(batch, "time");
  for (size_t w = 0; w < worlds.size(); ++w) take(std::fabs(time[w] - worlds[w].time));
  return worst;
}

// Reads that no earlier stage has written would be reads of an older state.
TEST(BatchPlan, WideStagesReadOnlyWhatIsThere) {
  for (const std::string& file : feature_files()) {
    Model model = load(file);
    for (int integrator = 0; integrator <= static_cast<int>(Integrator::kImplicitFast); ++integrator) {
      model.opt.integrator = integrator;
      const BatchProgram program(model, BatchPurpose::kStepAndForces);  // all stages of kStep, and more
      const FieldList& fields = program.fields();
      FieldSet there = fields.all() & ~fields.results();
      const BatchStages& stages = program.stages();
      for (const auto* part : {&stages.forward, &stages.observe, &stages.report, &stages.between, &stages.finish}) {
        for (const BatchStage& stage : *part) {
          for (size_t field = 0; stage.is_wide && field < fields.count(); ++field)
            EXPECT_TRUE(!stage.reads.test(field) || there.test(field) || fields.size(field) == 0)
                << file << ": " << stage.name << " reads " << fields.name(field);
          there |= stage.writes;
        }
      }
    }
  }
}

struct PlantGuard {
  explicit PlantGuard(const PlantedFault& fault) { planted_fault = &fault; }
  ~PlantGuard() { planted_fault = nullptr; }
};

// Feature models that have all kinds of stages between them, each with the integrator that it is for.
std::vector<Model> models_with_all_stages() {
  std::vector<Model> models;
  for (const char* name :
       {"actuator_servos", "actuator_early", "actuator_motors", "several_trees", "fluid_ellipsoids", "mocap",
        "joint_springs", "gravity_compensation", "sites", "contact_pyramidal", "free_several", "equality_weld",
        "sensor_sites", "sensor_contact", "sensor_subtrees", "sensor_frames"}) {
    const std::string file = std::string(TORSOR_SOURCE_DIR "/models/features/") + name + ".xml";
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicitFast}) {
      models.push_back(load(file));
      models.back().opt.integrator = static_cast<int>(integrator);
    }
  }
  for (const char* name : {"contact_pyramidal", "joint_damping"}) {
    models.push_back(load_feature(name));
    models.back().opt.solver = static_cast<int>(SolverType::kSap);
    models.back().opt.sap_tolerance = 0;
  }
  return models;
}

// Every field that a wide stage writes and that anything depends on.
TEST(BatchPlan, AFaultInAnyWideStageIsSeenByTheComparisonWithOneWorld) {
  const std::set<std::string> scratch = {
      "integrator: M",
      "integrator: qLDiagInv",  // of the last stage
      "damped acceleration: qH",
      "damped acceleration: qHDiagInv",  // for lanes that are left to one world
      "Runge-Kutta: actuator_velocity",  // for those who bind it: test_rk4_results.py
  };
  const std::vector<Model> models = models_with_all_stages();
  ASSERT_GT(models.size(), 12u);
  std::map<std::string, bool> seen;  // "stage: field"
  for (const Model& model : models) {
    ASSERT_LT(compare_with_one_world(model), 1e-9) << model.name();
    for (const BatchPurpose purpose : {BatchPurpose::kStep, BatchPurpose::kRead}) {
      const BatchProgram program(model, purpose);
      const BatchStages& stages = program.stages();
      for (const auto* part : {&stages.forward, &stages.observe, &stages.report, &stages.between, &stages.finish}) {
        for (const BatchStage& stage : *part) {
          for (size_t field = 0; stage.is_wide && field < program.fields().count(); ++field) {
            if (!stage.writes.test(field) || program.fields().size(field) == 0) continue;
            const std::string key = std::string(stage.name) + ": " + program.fields().name(field);
            if (seen[key]) continue;
            const PlantedFault fault{stage.name, program.fields().name(field), 1.001, 1e-4};
            const PlantGuard guard(fault);
            seen[key] = !(compare_with_one_world(model) < 1e-6);
          }
        }
      }
    }
  }
  for (const auto& [key, is_seen] : seen) {
    EXPECT_TRUE(is_seen || scratch.count(key) > 0) << key;
  }
}

#endif

}  // namespace
}  // namespace torsor
