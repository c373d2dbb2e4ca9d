// Blocks of worlds, and the loops over them.
#include "torsor/batch/batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include <fmt/format.h>
#include <unistd.h>

#include "torsor/constraint/constraint.hpp"
#include "torsor/core/error.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

// Results of tendons, actuators, sensors and constraints are computed for one world only.
bool has_lanes(const Model& model) {
  return model.ntendon == 0 && model.nactuator == 0 && model.nsensor == 0 && !can_have_rows(model);
}

// Motors and servos of hinges and slides, which kernels/joint_drive.hpp knows.
bool is_joint_drive(const Model& model, int a) {
  const auto transmission = static_cast<Transmission>(model.actuator_trntype[a]);
  if (transmission != Transmission::kJoint && transmission != Transmission::kJointInParent) return false;
  const auto joint = static_cast<JointType>(model.jnt_type[model.actuator_trnid[2 * a]]);
  const auto dynamics = static_cast<ActuatorDynamics>(model.actuator_dyntype[a]);
  const auto gain = static_cast<ActuatorGain>(model.actuator_gaintype[a]);
  const auto bias = static_cast<ActuatorBias>(model.actuator_biastype[a]);
  return (joint == JointType::kHinge || joint == JointType::kSlide) && dynamics <= ActuatorDynamics::kFilterExact &&
         model.actuator_actnum[a] <= 1 && (gain == ActuatorGain::kFixed || gain == ActuatorGain::kAffine) &&
         (bias == ActuatorBias::kNone || bias == ActuatorBias::kAffine);
}

// Whether a tendon does anything to the dofs that no actuator and no constraint asks for.
bool pulls_by_itself(const Model& model, int t) {
  const double *stiffness = model.tendon_stiffnesspoly.row(t, 2), *damping = model.tendon_dampingpoly.row(t, 2);
  return model.tendon_stiffness[t] != 0 || stiffness[0] != 0 || stiffness[1] != 0 || model.tendon_damping[t] != 0 ||
         damping[0] != 0 || damping[1] != 0 || model.tendon_armature[t] != 0;
}

// Constraints, forces of tendons, other actuators, histories, the derivative of the medium's forces and the full
// implicit step exist for one world only. Sensors without a history do not act on the state.
bool steps_in_lanes(const Model& model) {
  if (model.nhistory > 0 || can_have_rows(model)) return false;
  for (int t = 0; t < model.ntendon; ++t) {
    if (pulls_by_itself(model, t)) return false;
  }
  for (int a = 0; a < model.nactuator; ++a) {
    if (!is_joint_drive(model, a)) return false;
  }
  const Integrator integrator = static_cast<Integrator>(model.opt.integrator);
  if (integrator == Integrator::kImplicitFast) return model.opt.density == 0 && model.opt.viscosity == 0;
  return integrator == Integrator::kEuler || integrator == Integrator::kRk4;
}

}  // namespace

Batch::Batch(const Model& model, int nworld)
    : model_(model),
      kernels_(kernels().lanes),
      nworld_(nworld),
      block_size_(kernels_->block_numbers(model)),
      reference_(model) {
  if (nworld < 1) throw Error(fmt::format("a batch needs at least one world, not {}", nworld));
  require_memory_for(nworld);
  blocks_ = Buffer(sizeof(double) * block_size_ * static_cast<size_t>(packs()));
  pack_resets_.assign(static_cast<size_t>(packs()), 0);
  noise_steps_.assign(static_cast<size_t>(packs() * lanes()), 0);
  reset();
  for (size_t i = 0; i < block_size_; i += static_cast<size_t>(lanes())) reference_numbers_.push_back(block(0)[i]);
}

// All worlds are written at once: more than the machine has would end the process, not throw.
void Batch::require_memory_for(int nworld) const {
  const double bytes = 8.0 * static_cast<double>(block_size_) / lanes() * nworld;
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  constexpr int kMaxWorlds = std::numeric_limits<int>::max() - 64;  // rounded up to whole packs
  if (bytes <= machine && nworld <= kMaxWorlds) return;
  throw Error(fmt::format("a batch of {} worlds of this model takes {:.1f} GiB, but this machine has {:.1f}", nworld,
                          bytes / (1 << 30), machine / (1 << 30)));
}

ptrdiff_t Batch::offset(const std::string& field) const {
  const ptrdiff_t place = kernels_->block_offset(model_, field.c_str());
  if (place < 0) throw Error(fmt::format("'{}' is not a field of a world's state or input", field));
  return place;
}

int Batch::field_size(const std::string& field) const {
  if (field == "time") return 1;
  int size = -1;
  Data& data = const_cast<Data&>(reference_);
  data.for_each_field([&](const FieldInfo& info, Field<double>& values) {
    if (field == info.name) size = values.size();
  });
  if (size < 0) throw Error(fmt::format("'{}' is not a field of Data", field));
  return size;
}

void Batch::get(const std::string& field, double* values) const {
  const ptrdiff_t place = offset(field);
  const int n = field_size(field);
  for (int world = 0; world < nworld_; ++world) {
    const double* from = block(world / lanes()) + place + world % lanes();
    for (int i = 0; i < n; ++i) *values++ = from[i * lanes()];
  }
}

void Batch::set(const std::string& field, const double* values) {
  const ptrdiff_t place = offset(field);
  const int n = field_size(field);
  for (int world = 0; world < nworld_; ++world) {
    double* to = block(world / lanes()) + place + world % lanes();
    for (int i = 0; i < n; ++i) to[i * lanes()] = *values++;
  }
}

// A world's numbers between a block and a Data, field by field in the order of the block.
void Batch::put_world(int world, const Data& data) {
  double* to = block(world / lanes()) + world % lanes();
  *to = data.time;
  noise_steps_[static_cast<size_t>(world)] = data.noise_step;
  for (const Stage stage : {Stage::kState, Stage::kInput})
    const_cast<Data&>(data).for_each_field(stage, [&](const FieldInfo&, Field<double>& field) {
      for (const double value : field) *(to += lanes()) = value;
    });
}

void Batch::take_world(int world, Data& data) const {
  const double* from = block(world / lanes()) + world % lanes();
  data.time = *from;
  data.noise_seed = static_cast<uint64_t>(world);
  data.noise_step = noise_steps_[static_cast<size_t>(world)];
  for (const Stage stage : {Stage::kState, Stage::kInput})
    data.for_each_field(stage, [&](const FieldInfo&, Field<double>& field) {
      for (double& value : field) value = *(from += lanes());
    });
}

// Lanes beyond the last world are worlds too, so that their numbers are always sound.
void Batch::reset() {
  for (int world = 0; world < packs() * lanes(); ++world) put_world(world, reference_);
}

void Batch::reset_world(int world) {
  if (world < 0 || world >= nworld_) throw Error(fmt::format("world {} does not exist: there are {}", world, nworld_));
  put_world(world, reference_);
}

// |a_i| <= sqrt(A_ii) sum_j sqrt(A_jj) |f_j| for A = M^-1, whose diagonal is known in the reference pose. In other
// poses it may be larger, though not by this factor.
void Batch::weigh_forces() {
  constexpr double kLargestFactor = 1000;
  double largest = 0;
  for (const double inverse : model_.dof_invweight0) largest = std::max(largest, inverse);
  force_weights_.assign(static_cast<size_t>(model_.nv), 0.0);
  for (int i = 0; i < model_.nv; ++i)
    force_weights_[static_cast<size_t>(i)] = kLargestFactor / kMaxValue * std::sqrt(largest * model_.dof_invweight0[i]);
}

void Batch::step_pack(int pack, int steps, void* workspace) {
  LaneResets resets;
  if (!model_.opt.disabled(kDisableAutoReset)) resets.reference = reference_numbers_.data();
  resets.weight = force_weights_.data();
  kernels_->step(model_, workspace, block(pack), steps, resets);
  const int first = pack * lanes(), end = std::min(nworld_, first + lanes());
  for (int which = 0; which < end - first; ++which) {
    uint64_t& noise_step = noise_steps_[static_cast<size_t>(first + which)];
    const bool was_reset = resets.count[which] > 0;
    noise_step =
        was_reset ? static_cast<uint64_t>(steps - resets.last[which]) : noise_step + static_cast<uint64_t>(steps);
    pack_resets_[static_cast<size_t>(pack)] += resets.count[which];
  }
}

namespace {

// The first world of a batch that memory was not enough for, whichever thread finds it.
class MemoryFailure {
 public:
  void take(int world, const Model& model, const Data& data) {
    const std::lock_guard lock(mutex_);
    if (world_ >= 0 && world_ < world) return;
    world_ = world;
    try {
      require_memory(model, data);
    } catch (const Error& error) {
      text_ = error.what();
    }
  }
  void require_none() const {
    if (world_ >= 0) throw Error(fmt::format("world {}: {}", world_, text_));
  }

 private:
  std::mutex mutex_;
  int world_ = -1;
  std::string text_;
};

}  // namespace

bool Batch::step_one_by_one(int steps, int threads, const std::function<bool()>& should_stop) {
  std::vector<Data> datas(static_cast<size_t>(thread_count(packs(), threads)), Data(model_));
  MemoryFailure failure;
  const auto step_worlds = [&](int pack, int thread) {
    Data& data = datas[static_cast<size_t>(thread)];
    const int end = std::min(nworld_, (pack + 1) * lanes());
    for (int world = pack * lanes(); world < end; ++world) {
      take_world(world, data);
      Status status = Status::kOk;
      for (int k = 0; k < steps && status != Status::kOutOfMemory; ++k) {
        status = torsor::step(model_, data);
        if (status == Status::kReset) ++pack_resets_[static_cast<size_t>(pack)];
      }
      if (status == Status::kOutOfMemory) failure.take(world, model_, data);
      put_world(world, data);
    }
  };
  const bool is_complete = parallel_for(packs(), threads, step_worlds, should_stop);
  failure.require_none();
  return is_complete;
}

bool Batch::step(int steps, int threads, const std::function<bool()>& should_stop) {
  require_settings(model_);
  std::fill(pack_resets_.begin(), pack_resets_.end(), 0);
  bool is_complete = true;
  if (steps_in_lanes(model_)) {
    weigh_forces();
    std::vector<Buffer> workspaces;
    for (int i = 0; i < thread_count(packs(), threads); ++i) {
      workspaces.emplace_back(kernels_->workspace_bytes(model_));
      kernels_->make_workspace(model_, workspaces.back().data());
    }
    is_complete = parallel_for(
        packs(), threads,
        [&](int pack, int thread) { step_pack(pack, steps, workspaces[static_cast<size_t>(thread)].data()); },
        should_stop);
  } else {
    is_complete = step_one_by_one(steps, threads, should_stop);
  }
  for (const int count : pack_resets_) resets_ += count;
  return is_complete;
}

void Batch::forward_one_by_one(const std::string& field, double* values, int threads) {
  const size_t n = static_cast<size_t>(field_size(field));
  std::vector<Data> datas(static_cast<size_t>(thread_count(nworld_, threads)), Data(model_));
  parallel_for(nworld_, threads, [&](int world, int thread) {
    Data& data = datas[static_cast<size_t>(thread)];
    take_world(world, data);
    torsor::forward(model_, data);
    data.for_each_field([&](const FieldInfo& info, Field<double>& result) {
      if (field == info.name) std::copy(result.begin(), result.end(), values + static_cast<size_t>(world) * n);
    });
  });
}

void Batch::forward(const std::string& field, double* values, int threads) {
  if (!has_lanes(model_)) return forward_one_by_one(field, values, threads);
  const size_t n = static_cast<size_t>(field_size(field));
  std::vector<Buffer> workspaces;
  for (int i = 0; i < thread_count(packs(), threads); ++i) {
    workspaces.emplace_back(kernels_->workspace_bytes(model_));
    kernels_->make_workspace(model_, workspaces.back().data());
  }
  parallel_for(packs(), threads, [&](int pack, int thread) {
    void* workspace = workspaces[static_cast<size_t>(thread)].data();
    kernels_->forward(model_, workspace, block(pack));
    const int end = std::min(nworld_, (pack + 1) * lanes());
    for (int world = pack * lanes(); world < end; ++world)
      kernels_->read(workspace, field.c_str(), world % lanes(), values + static_cast<size_t>(world) * n);
  });
}

}  // namespace torsor
