// The solvers of a device other than Newton's method, run on this machine's processor, against those of worlds in
// lanes.
#include <fmt/format.h>

#include "tests/gpu/device_worlds.hpp"
#include "tests/support/mixed_rows.hpp"
#include "torsor/constraint/constraint.hpp"

namespace torsor::gpu {
namespace {

struct Compared {
  int models = 0, on_device = 0, with_forces = 0;
};

template <class Lanes>
std::vector<double> get_from(const Lanes& lanes, const std::string& field) {
  std::vector<double> values(static_cast<size_t>(lanes.nworld() * lanes.field_size(field)));
  lanes.get(field, values.data());
  return values;
}

// Steps of a model in all worlds, each from equal states, beside a batch in lanes of the same type of number; `within`
// is relative to the largest number of a field. Returns whether there were forces.
template <class Lanes>
bool compare_with(const Model& model, Number number, double within, const std::string& name) {
  const auto device = DeviceBatch::make(model, kUnevenWorlds, number, kTested);
  Batch states(model, kUnevenWorlds);
  stir_both(model, states, *device);
  Lanes lanes(model, kUnevenWorlds);
  const auto *const force = lanes.bind("qfrc_constraint"), *const qacc = lanes.bind("qacc");
  const auto count = static_cast<size_t>(kUnevenWorlds * model.nv);
  device->bind("qacc"), device->bind("qfrc_constraint");
  for (const char* field : {"time", "qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"}) {
    const std::vector<double> values = get(states, field);
    if (!values.empty()) lanes.set(field, values.data());
  }
  bool has_forces = false;
  for (int k = 0; k < 2; ++k) {
    lanes.step();
    device->step(1, nullptr);
    const auto expect = [&](const char* field, const std::vector<double>& expected) {
      EXPECT_LE(difference(get_numbers(*device, field), expected), within) << name << ": " << field << ", step " << k;
    };
    for (const char* field : {"qpos", "qvel", "qacc_warmstart"}) expect(field, get_from(lanes, field));
    expect("qacc", std::vector<double>(qacc, qacc + count));
    expect("qfrc_constraint", std::vector<double>(force, force + count));
    has_forces = has_forces || std::any_of(force, force + count, [](double f) { return f != 0; });
    for (const char* field : {"qpos", "qvel", "act", "qacc_warmstart"}) {
      const std::vector<double> values = get_from(lanes, field);
      if (!values.empty()) device->set(field, values.data());
    }
  }
  return has_forces;
}
bool compare(const Model& model, Number number, double within, const std::string& name) {
  return number == Number::kDouble ? compare_with<Batch>(model, number, within, name)
                                   : compare_with<FloatBatch>(model, number, within, name);
}

Compared compare_all(SolverType solver, ConeType cone, int iterations) {
  Compared compared;
  for (const std::string& file : feature_files()) {
    Model model = load_defined(file);
    model.opt.solver = static_cast<int>(solver);
    model.opt.cone = static_cast<int>(cone);
    model.opt.tolerance = model.opt.sap_tolerance = 0;
    model.opt.iterations = iterations;
    if (solver == SolverType::kSap) model.opt.integrator = static_cast<int>(Integrator::kEuler);
    if (model.nv == 0 || !can_have_rows(model)) continue;
    ++compared.models;
    if (!list_what_device_lacks(model).empty()) continue;
    ++compared.on_device;
    compared.with_forces += compare(model, Number::kDouble, 1e-9, file);
  }
  return compared;
}

void expect_most(const Compared& compared) {
  std::printf("%d models, %d on the device, %d with forces\n", compared.models, compared.on_device,
              compared.with_forces);
  EXPECT_GT(compared.on_device, 100);
  EXPECT_GT(compared.with_forces, 20);
}

// Few sweeps are far from the solution: their result depends on the order of visits and on momentum.
TEST(DeviceSolvers, SweepsOverPyramidsEqualThoseOfLanes) {
  expect_most(compare_all(SolverType::kPgs, ConeType::kPyramidal, 5));
}
TEST(DeviceSolvers, SweepsOverConesEqualThoseOfLanes) {
  expect_most(compare_all(SolverType::kPgs, ConeType::kElliptic, 5));
}

// Half of the way, where the numbers of iterations matter, and far beyond the solution.
TEST(DeviceSolvers, ConjugateDirectionsEqualThoseOfLanes) {
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    expect_most(compare_all(SolverType::kCg, cone, 3));
    expect_most(compare_all(SolverType::kCg, cone, 2000));
  }
}

TEST(DeviceSolvers, SapEqualsThatOfLanes) { expect_most(compare_all(SolverType::kSap, ConeType::kElliptic, 100)); }

// Of a model and solver, and how exact the numbers of a batch must be in it.
struct Case {
  SolverType solver;
  Number number;
  int iterations;
};
constexpr double tolerance_of(Number number) { return number == Number::kDouble ? 1e-10 : 1e-4; }

void compare_mixed_rows(const std::vector<Case>& cases) {
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    for (const Case& each : cases) {
      Model model = load_string(kMixedRows);
      model.opt.solver = static_cast<int>(each.solver);
      model.opt.cone = static_cast<int>(cone);
      model.opt.tolerance = model.opt.sap_tolerance = 0;
      model.opt.iterations = each.iterations;
      for (int g = 0; g < model.ngeom; ++g)
        model.geom_sapstiffness[g] = 1e4 * (g + 1);  // SAP: points move to the stiffer
      EXPECT_TRUE(compare(model, each.number, tolerance_of(each.number),
                          fmt::format("mixed rows, solver {}, cone {}", model.opt.solver, model.opt.cone)));
    }
  }
}

// How far a step in float is from the same step in double, both in lanes and on the device.
struct FloatErrors {
  double of_lanes = 0, of_device = 0;
};
FloatErrors find_float_errors(const Model& model) {
  Batch exact(model, kUnevenWorlds);
  FloatBatch lanes(model, kUnevenWorlds);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kFloat, kTested);
  stir_both(model, exact, *device);
  for (const char* field : {"time", "qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"}) {
    const std::vector<double> values = get(exact, field);
    if (!values.empty()) lanes.set(field, values.data());
  }
  exact.step(), lanes.step(), device->step(1, nullptr);
  return {difference(get_from(lanes, "qvel"), get(exact, "qvel")),
          difference(get_numbers(*device, "qvel"), get(exact, "qvel"))};
}

// Conjugate gradients in float end 1e-4 to 3e-4 from those in double, in lanes as on a device.
TEST(DeviceSolvers, ConjugateGradientsInFloatAreAsExactAsInLanes) {
  for (const bool is_mixed : {true, false}) {
    for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      Model model = is_mixed ? load_string(kMixedRows) : load(TORSOR_SOURCE_DIR "/models/humanoid_29.xml");
      model.opt.solver = static_cast<int>(SolverType::kCg);
      model.opt.cone = static_cast<int>(cone);
      const FloatErrors errors = find_float_errors(model);
      EXPECT_LE(errors.of_device, 2 * errors.of_lanes);
      EXPECT_LE(errors.of_device, 5e-4);
    }
  }
}

TEST(DeviceSolvers, RowsOfAllKindsAreSweptInTheOrderOfLanes) {
  compare_mixed_rows({{SolverType::kPgs, Number::kDouble, 3}, {SolverType::kPgs, Number::kFloat, 3}});
}
TEST(DeviceSolvers, RowsOfAllKindsEndWhereLanesEnd) {
  compare_mixed_rows({{SolverType::kCg, Number::kDouble, 500},
                      {SolverType::kSap, Number::kDouble, 100},
                      {SolverType::kSap, Number::kFloat, 100}});
}

TEST(SolversOnTheHost, ThreadsOfAGroupWorkTogether) {
  for (const HostDevice::Threads order : kOrders) {
    for (const SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kSap, SolverType::kNewton}) {
      const InGroups groups(order, {HostDevice::kRows, HostDevice::kIslands, HostDevice::kTrees});
      compare_mixed_rows({{solver, Number::kDouble, 3}});
    }
    const InGroups groups(order, {HostDevice::kRows, HostDevice::kIslands});
    compare_mixed_rows({{SolverType::kPgs, Number::kFloat, 3}});
  }
}

TEST(DeviceSolvers, ValuesThatDifferFromWorldToWorldAreRefusedForSapAlone) {
  Model model = load_string(kMixedRows);
  model.opt.solver = static_cast<int>(SolverType::kSap);
  EXPECT_THROW(DeviceBatch::make(model, 2, Number::kDouble, kTested)->expand("body_mass"), Error);
  model.opt.solver = static_cast<int>(SolverType::kPgs);
  const auto batch = DeviceBatch::make(model, 2, Number::kDouble, kTested);
  batch->expand("body_mass");
  batch->step(1, nullptr);
  model.opt.solver = static_cast<int>(SolverType::kSap);
  EXPECT_THROW(batch->step(1, nullptr), Error);
}

// Some arrays of its islands are beyond shared memory.
TEST(DeviceSolvers, AHumanoidOnItsFeetMovesAsInLanes) {
  Model model = load(TORSOR_SOURCE_DIR "/models/humanoid_29.xml");
  model.opt.solver = static_cast<int>(SolverType::kPgs);
  EXPECT_TRUE(compare(model, Number::kDouble, 1e-9, "humanoid with PGS"));
  EXPECT_TRUE(compare(model, Number::kFloat, 1e-4, "humanoid with PGS in float"));
  model.opt.solver = static_cast<int>(SolverType::kCg);
  model.opt.tolerance = 0;
  model.opt.iterations = 2000;
  EXPECT_TRUE(compare(model, Number::kDouble, 1e-9, "humanoid with CG"));
  model.opt.solver = static_cast<int>(SolverType::kSap);
  model.opt.integrator = static_cast<int>(Integrator::kEuler);
  EXPECT_TRUE(compare(model, Number::kFloat, 1e-4, "humanoid with SAP in float"));
  model.opt.sap_tolerance = 0;
  EXPECT_TRUE(compare(model, Number::kDouble, 1e-9, "humanoid with SAP"));
}

}  // namespace
}  // namespace torsor::gpu
