// Worlds of float step as one world does, to the digits of float.
#include <limits>
#include <optional>

#include "tests/batch/worlds.hpp"
#include "torsor/dynamics/dispatch.hpp"

namespace torsor {
namespace {

Field<double>& field_of(Data& data, const char* name) {
  Field<double>* found = nullptr;
  data.for_each_field([&](const FieldInfo& info, Field<double>& field) {
    if (std::string(name) == info.name) found = &field;
  });
  return *found;
}

// The largest difference between f(i) and the numbers of a field, relative to the largest of them or 1.
template <class F>
double difference(Data& world, const char* name, F&& f) {
  const Field<double>& field = field_of(world, name);
  double most = 1, off = 0;
  for (int i = 0; i < field.size(); ++i) {
    most = std::max(most, std::fabs(field[i]));
    off = std::isnan(f(i)) ? INFINITY : std::max(off, std::fabs(f(i) - field[i]));
  }
  return off / most;
}

constexpr double kTolerance = 1e-4;

// How many digits elimination takes from M: the largest diagonal number beside what is left of it as a pivot. Long
// chains lose more of them than a float can spare.
double lost_in_elimination(const Model& model, const Data& data) {
  double most = 0;
  for (int i = 0; i < model.nv; ++i)
    most = std::max(most, data.M[model.M_rowadr[i] + model.M_rownnz[i] - 1] * data.qLDiagInv[i]);
  return most;
}
constexpr const char* kFields[] = {"qpos", "qvel", "act", "sensordata"};

// Numbers that a float can hold, so that both start from the same state.
void round_to_float(Data& data) {
  for (const Stage stage : {Stage::kState, Stage::kInput})
    data.for_each_field(stage, [](const FieldInfo&, Field<double>& field) {
      for (double& x : field) x = static_cast<float>(x);
    });
}

// Whether the last digits of a float in qpos decide where the world goes, as they do for boxes deep in each other.
bool is_undecided(const Model& model, const Data& before, Data& after) {
  for (const int way : {0, 1, 2, 3}) {  // all the same way, or every other the opposite way
    Data data = before;
    for (int i = 0; i < model.nq; ++i) {
      const double sign = (way % 2 == 0 ? 1 : -1) * (way > 1 && i % 2 == 1 ? -1 : 1);
      data.qpos[i] += sign * 1e-7 * std::max(1.0, std::fabs(data.qpos[i]));
    }
    step(model, data);
    for (const char* name : kFields) {
      const Field<double>& other = field_of(data, name);
      if (difference(after, name, [&](int i) { return other[i]; }) > 0.5 * kTolerance) return true;
    }
  }
  return false;
}

// Steps of all feature models, with another solver if one is given, and the readings of their sensors.
void compare_with_one_world(std::optional<SolverType> solver, double least_tolerance = kTolerance) {
  int judged = 0, undecided = 0;
  for (const std::string& file : feature_files()) {
    Model model = load(file);
    if (model.nv == 0) continue;
    // Its rows have forces beyond reason, and a hundred sweeps are far from the end, where rounding decides on
    // restarts.
    if (solver == SolverType::kPgs && model.name() == "attach replicated") continue;
    if (solver) model.opt.solver = static_cast<int>(*solver);
    // Sweeps that stop at a tolerance stop anywhere within it: let both make as many.
    if (solver == SolverType::kPgs) model.opt.tolerance = 0;
    if (solver == SolverType::kSap) model.opt.integrator = static_cast<int>(Integrator::kEuler);
    std::vector<Data> worlds(static_cast<size_t>(lane_kernels<float>().lanes), Data(model));
    Random random(7);
    for (Data& world : worlds) {
      stir(model, world, random);
      round_to_float(world);
    }
    FloatBatch batch(model, static_cast<int>(worlds.size()));
    batch.bind("sensordata");
    for (size_t i = 0; i < worlds.size(); ++i) batch.set_world(static_cast<int>(i), worlds[i]);
    batch.step(1);
    for (size_t lane = 0; lane < worlds.size(); ++lane) {
      Data world = worlds[lane];
      step(model, world);
      if (is_undecided(model, worlds[lane], world)) {
        ++undecided;
        continue;
      }
      ++judged;
      constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
      const double tolerance = std::max(least_tolerance, 2 * kEpsilon * lost_in_elimination(model, world));
      for (const char* name : kFields) {
        const float* const numbers = batch.bind(name) + lane * static_cast<size_t>(batch.field_size(name));
        const auto in_pack = [numbers](int i) { return static_cast<double>(numbers[i]); };
        EXPECT_LT(difference(world, name, in_pack), tolerance) << file << ": " << name << " of lane " << lane;
      }
    }
  }
  EXPECT_GT(judged, 120 * lane_kernels<float>().lanes);
  EXPECT_LT(undecided, judged / 20);
}

TEST(FloatBatch, AStepEqualsThatOfOneWorldToTheDigitsOfFloat) { compare_with_one_world({}); }
// Sweeps over elliptic cones that are not done after a hundred differ by more than a float rounds.
TEST(FloatBatch, SoDoesAStepWithGaussSeidel) { compare_with_one_world(SolverType::kPgs, 3e-4); }
TEST(FloatBatch, SoDoesAStepWithSap) { compare_with_one_world(SolverType::kSap); }

}  // namespace
}  // namespace torsor
