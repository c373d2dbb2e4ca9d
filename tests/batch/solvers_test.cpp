// Gauss-Seidel, conjugate gradients and SAP in lanes compute what they compute for one world.
#include <map>

#include "tests/batch/worlds.hpp"
#include "tests/support/mixed_rows.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

// Without a tolerance: solvers that stop at theirs may stop an iteration sooner or later when a last digit changes.
Model load_with(const std::string& file, SolverType solver, ConeType cone) {
  Model model = load(file);
  model.opt.solver = static_cast<int>(solver);
  model.opt.cone = static_cast<int>(cone);
  model.opt.tolerance = model.opt.sap_tolerance = 0;
  return model;
}

BatchPlanRow find_stage(const Batch& batch, const std::string& stage) {
  for (const BatchPlanRow& row : batch.plan())
    if (row.stage == stage) return row;
  return {};
}

struct Compared {
  int models = 0, wide = 0;
};

// Steps of all feature models; how many have constraints, and how many of these are solved wide.
Compared compare_all(SolverType solver, ConeType cone) {
  Compared compared;
  for (const std::string& file : feature_files()) {
    Model model = load_with(file, solver, cone);
    // Sweeps end when rounding hides what they gain, long before forces are exact: this many are equal digit by digit.
    if (solver == SolverType::kPgs) model.opt.iterations = 5;
    if (solver == SolverType::kSap) model.opt.integrator = static_cast<int>(Integrator::kEuler);
    if (model.nv == 0 || !can_have_rows(model)) continue;
    ++compared.models;
    Batch batch(model, kUnevenWorlds);
    const double *qacc = batch.bind("qacc"), *force = batch.bind("qfrc_constraint");
    compared.wide += find_stage(batch, "constraint solver").is_wide;
    std::vector<Data> worlds = make_worlds(model, batch);
    for (int k = 0; k < 2; ++k) {
      batch.step(1);
      for (Data& world : worlds) step(model, world);
      const auto compare = [&](const char* field, const std::vector<double>& in_lanes) {
        EXPECT_LT(difference(in_lanes, gather(worlds, field)), 1e-9)
            << file << ": " << field << ", step " << k << ", solver " << model.opt.solver << ", cone "
            << model.opt.cone;
      };
      const auto count = static_cast<size_t>(kUnevenWorlds * model.nv);
      for (const char* field : {"qpos", "qvel", "qacc_warmstart"}) compare(field, get(batch, field));
      compare("qacc", std::vector<double>(qacc, qacc + count));
      if (!has_implicit_drives(model)) compare("qfrc_constraint", std::vector<double>(force, force + count));
      for (const char* field : {"qpos", "qvel", "act", "qacc_warmstart"})
        batch.set(field, gather(worlds, field).data());
    }
  }
  return compared;
}

TEST(LaneSolvers, SweepsOverPyramidsEqualThoseOfOneWorld) {
  const Compared compared = compare_all(SolverType::kPgs, ConeType::kPyramidal);
  EXPECT_GT(compared.models, 80);
  EXPECT_GT(compared.wide, compared.models - 12);
}

TEST(LaneSolvers, SweepsOverConesEqualThoseOfOneWorld) {
  const Compared compared = compare_all(SolverType::kPgs, ConeType::kElliptic);
  EXPECT_GT(compared.wide, compared.models - 12);
}

TEST(LaneSolvers, SapEqualsThatOfOneWorld) {
  const Compared compared = compare_all(SolverType::kSap, ConeType::kElliptic);
  EXPECT_GT(compared.models, 80);
  EXPECT_GT(compared.wide, 60);
}

TEST(LaneSolvers, RowsOfAllKindsAreSweptInTheOrderOfOneWorld) {
  for (const SolverType solver : {SolverType::kPgs, SolverType::kSap, SolverType::kCg, SolverType::kNewton}) {
    for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      Model model = load_string(kMixedRows);
      model.opt.solver = static_cast<int>(solver);
      model.opt.cone = static_cast<int>(cone);
      model.opt.tolerance = model.opt.sap_tolerance = 0;
      // Three sweeps are far from the solution: their result depends on the order of rows.
      if (solver == SolverType::kPgs) model.opt.iterations = 3;
      for (int g = 0; g < model.ngeom; ++g)
        model.geom_sapstiffness[g] = 1e4 * (g + 1);  // SAP: points move to the stiffer
      Batch batch(model, kUnevenWorlds);
      const double* qacc = batch.bind("qacc");
      EXPECT_TRUE(find_stage(batch, "constraint solver").is_wide);
      std::vector<Data> worlds = make_worlds(model, batch);
      batch.step(1);
      for (Data& world : worlds) step(model, world);
      const std::vector<double> expected = gather(worlds, "qacc");
      EXPECT_LT(difference(std::vector<double>(qacc, qacc + expected.size()), expected), 1e-9)
          << "solver " << model.opt.solver << ", cone " << model.opt.cone;
    }
  }
}

TEST(LaneSolvers, BitsDependNeitherOnThreadsNorOnNeighbours) {
  for (const SolverType solver : {SolverType::kPgs, SolverType::kSap}) {
    Model model = load_string(kMixedRows);
    model.opt.solver = static_cast<int>(solver);
    Batch batch(model, kUnevenWorlds), threaded(model, kUnevenWorlds), alone(model, 1);
    std::vector<Data> worlds = make_worlds(model, batch);
    make_worlds(model, threaded);
    batch.step(10, 1);
    threaded.step(10, 2);
    const std::vector<double> qpos = get(batch, "qpos");
    EXPECT_EQ(qpos, get(threaded, "qpos"));
    for (int w = 0; w < kUnevenWorlds; ++w) {
      alone.reset();
      for (const char* field : {"qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"}) {
        std::vector<Data> here(1, worlds[static_cast<size_t>(w)]);
        alone.set(field, gather(here, field).data());
      }
      alone.step(10);
      const std::vector<double> own = get(alone, "qpos");
      EXPECT_TRUE(std::equal(own.begin(), own.end(), qpos.begin() + w * model.nq)) << "world " << w;
    }
  }
}

TEST(LaneSolvers, ThePlanSaysWhenSapRunsForOneWorldAtATime) {
  Model model = load(TORSOR_SOURCE_DIR "/models/features/actuator_servos.xml");
  model.opt.solver = static_cast<int>(SolverType::kSap);
  EXPECT_EQ(find_stage(Batch(model, 1), "constraint solver").why, "SAP treats actuators implicitly");
  model = load(TORSOR_SOURCE_DIR "/models/features/contact_pyramidal.xml");
  model.opt.noslip_iterations = 3;
  EXPECT_NE(find_stage(Batch(model, 1), "constraint solver").why.find("noslip"), std::string::npos);
}

}  // namespace
}  // namespace torsor
