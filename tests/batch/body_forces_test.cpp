// Forces on bodies that a batch reports without sensors are those of compute_rne_post() after step() of one world.
#include "tests/batch/worlds.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

constexpr const char* kForces[] = {"cacc", "cfrc_int", "cfrc_ext"};

bool is_wide(const Batch& batch, const std::string& stage) {
  for (const BatchPlanRow& row : batch.plan()) {
    if (row.stage == stage) return row.is_wide;
  }
  ADD_FAILURE() << "no stage " << stage;
  return false;
}

// After steps the external forces, which do not depend on velocities; after forward() all of them. Returns the largest
// force. Rounding grows from step to step in stiff models.
double compare_forces(const Model& model, const std::string& name, bool has_values = false, int steps = 1) {
  Batch batch(model, kUnevenWorlds);
  batch.report_body_forces(true);
  if (has_values) batch.values().expand("body_mass");
  std::vector<const double*> bound;
  for (const char* field : kForces) bound.push_back(batch.bind(field));
  std::vector<Data> worlds = make_worlds(model, batch);
  double largest = 0;
  const auto expect_near = [&](size_t k, const char* when) {
    const std::vector<double> expected = gather(worlds, kForces[k]);
    EXPECT_LT(difference(std::vector<double>(bound[k], bound[k] + expected.size()), expected), 1e-8)
        << name << ": " << kForces[k] << " after " << when;
    for (const double x : expected) largest = std::max(largest, std::fabs(x));
  };
  batch.forward({});
  for (Data& world : worlds) forward(model, world), compute_rne_post(model, world);
  for (size_t k = 0; k < std::size(kForces); ++k) expect_near(k, "forward()");
  batch.step(steps);
  for (Data& world : worlds) {
    for (int i = 0; i < steps; ++i) step(model, world);
    compute_rne_post(model, world);
  }
  expect_near(2, "step()");
  return largest;
}

TEST(BodyForces, OfFeatureModelsAreThoseOfTheLastEvaluation) {
  int with_forces = 0;
  for (const std::string& file : feature_files()) {
    if (file.find("contact_") == std::string::npos && file.find("equality_") == std::string::npos) continue;
    Model model = load(file);
    if (model.nv == 0) continue;
    model.opt.tolerance = 0;
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4}) {
      model.opt.integrator = static_cast<int>(integrator);
      with_forces += compare_forces(model, file) > 0;
    }
  }
  EXPECT_GT(with_forces, 10);
}

constexpr const char* kStack = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.2"><freejoint/><geom size="0.2"/></body>
    <body pos="0.1 0 0.5"><freejoint/><geom type="capsule" size="0.1 0.2"/></body>
  </worldbody>
</mujoco>)";

TEST(BodyForces, AreThoseOfTheLastStepOfACall) {
  Model model = load_string(kStack);
  model.opt.tolerance = 0;
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4}) {
    model.opt.integrator = static_cast<int>(integrator);
    EXPECT_GT(compare_forces(model, "stack", false, 5), 0);
  }
}

TEST(BodyForces, AreComputedInAllLanes) {
  const Model model = load_string(kStack);
  Batch batch(model, 2);
  batch.report_body_forces(true);
  EXPECT_TRUE(is_wide(batch, "forces of bodies"));
  EXPECT_TRUE(is_wide(batch, "contacts and rows"));
}

TEST(BodyForces, FollowValuesPerWorldAndNoslip) {
  Model model = load_string(kStack);
  model.opt.tolerance = 0;
  EXPECT_GT(compare_forces(model, "values per world", true), 0);
  model.opt.noslip_iterations = 3;
  Batch batch(model, 2);
  batch.report_body_forces(true);
  EXPECT_FALSE(is_wide(batch, "forces of bodies"));
  EXPECT_GT(compare_forces(model, "noslip"), 0);
}

// Switched off again, results are those of step() alone.
TEST(BodyForces, AreNotComputedUnlessAskedFor) {
  const Model model = load_string(kStack);
  Batch batch(model, 1);
  const double* forces = batch.bind("cfrc_ext");
  for (const bool reports : {true, false}) {
    batch.report_body_forces(reports);
    bool found = false;
    for (const BatchPlanRow& row : batch.plan()) found = found || row.stage == "forces of bodies";
    EXPECT_EQ(found, reports);
    batch.step(3);
    if (reports) {  // the weight of the lower body rests on the floor
      EXPECT_GT(std::fabs(forces[6 + 5]), 1);
    }
  }
}

}  // namespace
}  // namespace torsor
