// Packs of float step as packs of double do, to the digits of float.
#include <limits>

#include "tests/batch/worlds.hpp"
#include "torsor/batch/pack_step.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/dynamics/dispatch.hpp"

namespace torsor {
namespace {

// One pack of worlds, stepped by the machinery below Batch.
class FloatPack {
 public:
  FloatPack(const Model& model, const std::vector<Data>& worlds)
      : model_(model),
        kernels_(lane_kernels<float>()),
        memory_(sizeof(float) * kernels_.block_numbers(model)),
        block_(reinterpret_cast<float*>(memory_.data())) {
    for (int lane = 0; lane < kernels_.lanes; ++lane) put(lane, worlds[static_cast<size_t>(lane)]);
  }

  void step(int steps) {
    const BatchProgram program(model_, BatchPurpose::kStep);
    const RowPlan plan(model_);
    MemoryFailure failure;
    const std::vector<double> reference(kernels_.block_numbers(model_) / static_cast<size_t>(kernels_.lanes), 0.0);
    const PackStep<float> pack_step(model_, program, reference, failure);
    BatchWorker<float> worker(model_, kernels_, ConstraintKernels<float>::current());
    worker.use_row_plan(program.writes_pack_rows() ? &plan : nullptr);
    std::vector<uint64_t> noise_steps(static_cast<size_t>(kernels_.lanes));
    PackOfWorlds<float> worlds{block_, 0, kernels_.lanes, noise_steps.data(), 0};
    pack_step.run(worker, worlds, steps);
    EXPECT_EQ(worlds.resets, 0);
  }

  double get(const char* field, int lane, int i) const {
    return block_[kernels_.block_offset(model_, field) + i * kernels_.lanes + lane];
  }

 private:
  void put(int lane, const Data& data) {
    block_[lane] = static_cast<float>(data.time);
    for (const Stage stage : {Stage::kState, Stage::kInput})
      const_cast<Data&>(data).for_each_field(stage, [&](const FieldInfo& info, Field<double>& field) {
        float* to = block_ + kernels_.block_offset(model_, info.name) + lane;
        for (const double value : field) {
          *to = static_cast<float>(value);
          to += kernels_.lanes;
        }
      });
  }

  const Model& model_;
  const LaneKernels<float>& kernels_;
  Buffer memory_;
  float* block_;
};

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
constexpr const char* kFields[] = {"qpos", "qvel", "act"};

// Numbers that a float can hold, so that both start from the same state.
void round_to_float(Data& data) {
  for (const Stage stage : {Stage::kState, Stage::kInput})
    data.for_each_field(stage, [](const FieldInfo&, Field<double>& field) {
      for (double& x : field) x = static_cast<float>(x);
    });
}

// Whether the last digits of a float in qpos decide where the world goes, as they do for boxes deep in each other.
bool is_undecided(const Model& model, const Data& before, Data& after) {
  for (const double way : {1.0, -1.0}) {
    Data data = before;
    for (double& x : data.qpos) x += way * 1e-7 * std::max(1.0, std::fabs(x));
    step(model, data);
    for (const char* name : kFields) {
      const Field<double>& other = field_of(data, name);
      if (difference(after, name, [&](int i) { return other[i]; }) > 0.5 * kTolerance) return true;
    }
  }
  return false;
}

TEST(FloatPack, AStepEqualsThatOfOneWorldToTheDigitsOfFloat) {
  int judged = 0, undecided = 0;
  for (const std::string& file : feature_files()) {
    const Model model = load(file);
    if (model.nv == 0) continue;
    std::vector<Data> worlds(static_cast<size_t>(lane_kernels<float>().lanes), Data(model));
    Random random(7);
    for (Data& world : worlds) {
      stir(model, world, random);
      round_to_float(world);
    }
    FloatPack pack(model, worlds);
    pack.step(1);
    for (size_t lane = 0; lane < worlds.size(); ++lane) {
      Data world = worlds[lane];
      step(model, world);
      if (is_undecided(model, worlds[lane], world)) {
        ++undecided;
        continue;
      }
      ++judged;
      constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
      const double tolerance = std::max(kTolerance, 2 * kEpsilon * lost_in_elimination(model, world));
      for (const char* name : kFields) {
        const auto in_pack = [&](int i) { return pack.get(name, static_cast<int>(lane), i); };
        EXPECT_LT(difference(world, name, in_pack), tolerance) << file << ": " << name << " of lane " << lane;
      }
    }
  }
  EXPECT_GT(judged, 120 * lane_kernels<float>().lanes);
  EXPECT_LT(undecided, judged / 20);
}

}  // namespace
}  // namespace torsor
