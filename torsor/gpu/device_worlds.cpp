#include "torsor/gpu/device_worlds.hpp"

#include <algorithm>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/island_problem.hpp"
#include "torsor/gpu/kernels/narrow.hpp"
#include "torsor/gpu/solve.hpp"
#include "torsor/model/settings.hpp"

namespace torsor::gpu {
namespace {

constexpr double kLeastFloatTolerance = 1e-6;  // below it improvements of the cost are rounding

IslandSolver solver_of(const Model& model) {
  switch (static_cast<SolverType>(model.opt.solver)) {
    case SolverType::kPgs:
      return IslandSolver::kPgs;
    case SolverType::kCg:
      return IslandSolver::kCg;
    case SolverType::kSap:
      return IslandSolver::kSap;
    default:
      return IslandSolver::kNewton;
  }
}

std::size_t up_to_block(int worlds) { return static_cast<std::size_t>((worlds + kBlock - 1) / kBlock) * kBlock; }

}  // namespace

template <class S>
DeviceWorlds<S>::DeviceWorlds(Backend<S>& backend, const Model& model, int worlds)
    : backend_(backend), memory_(backend), rows_(backend), fields_(model), values_(fields_.count(), nullptr) {
  view_.worlds = worlds;
  lay_out(model);
  const auto n = static_cast<std::size_t>(worlds);
  Progress<S>& progress = view_.progress;
  progress.taken = memory_.template take<std::int64_t>(n, "counters");
  progress.target = memory_.template take<std::int64_t>(n, "counters");
  progress.diverged_at = memory_.template take<std::int64_t>(n, "counters");
  progress.flags = memory_.template take<std::uint8_t>(n, "counters");
  progress.resets = memory_.template take<unsigned long long>(1, "counters");
  const auto state = static_cast<std::size_t>(view_.state);
  progress.reference = reference_ = memory_.template take<S>(state, "the reference pose");
  pose_ = memory_.template take<S>(state, "a pose");
  view_.eq_active = memory_.template take<S>(n * static_cast<std::size_t>(std::max(model.neq, 1)), "eq_active");
  view_.series = series_ = memory_.template take<StepSeries<S>>(1, "controls step by step");
  constraints_.contacts.count = memory_.template take<int>(n, "counters");
  constraints_.needed = memory_.template take<Room>(1, "counters");
  for (int field = 0; field < state_fields_; ++field) keep(field);
  kept_.reset();
}

// One part of memory for all numbers of all worlds, block by block: time, the fields in the order of their list,
// scratch.
template <class S>
void DeviceWorlds<S>::lay_out(const Model& model) {
  static_cast<ModelSizes&>(view_.data) = model;
  int numbers = 0;
  const auto place = [&](Field<WorldLane<S>>& field, int count) {
    field.length = count;
    field.pointer = reinterpret_cast<WorldLane<S>*>(static_cast<std::uintptr_t>(numbers));  // an offset so far
    numbers += count;
  };
  std::vector<Field<WorldLane<S>>*> all{&view_.data.time.field};
  place(view_.data.time.field, 1);
  places_.assign(1, 0);
  view_.data.for_each_field([&](const FieldInfo& info, Field<WorldLane<S>>& field) {
    places_.push_back(numbers);
    place(field, info.rows * info.columns);
    all.push_back(&field);
    if (info.stage == Stage::kState || info.stage == Stage::kInput) {
      state_fields_ = static_cast<int>(places_.size());
      view_.state = numbers;
    }
  });
  place(view_.scratch, kScratchParts * scratch_numbers(model));
  place(view_.kept, kept_numbers(model));  // whatever the integrator is: users may change it
  all.insert(all.end(), {&view_.scratch, &view_.kept, &view_.numbers});
  view_.numbers.length = numbers;
  auto* const base =
      memory_.template take<WorldLane<S>>(up_to_block(view_.worlds) * static_cast<std::size_t>(numbers), "the worlds");
  for (Field<WorldLane<S>>* const field : all) {
    field->pointer = base + reinterpret_cast<std::uintptr_t>(field->pointer) * kBlock;
    field->block = numbers * kBlock;
  }
}

template <class S>
S* DeviceWorlds<S>::keep(int field) {
  const auto at = static_cast<std::size_t>(field);
  const auto count = static_cast<std::size_t>(fields_.size(at));
  if (!values_[at] && count > 0) {
    values_[at] = memory_.template take<S>(count * static_cast<std::size_t>(view_.worlds), fields_.name(at));
    kept_.set(at);
  }
  return values_[at];
}

template <class S>
TransferList<S> DeviceWorlds<S>::list(int fields) const {
  TransferList<S> result;
  for (int field = 0; field < fields; ++field) {
    if (S* const values = values_[static_cast<std::size_t>(field)])
      result.entries[result.count++] = {place(field), fields_.size(static_cast<std::size_t>(field)), values};
  }
  return result;
}

template <class S>
void DeviceWorlds<S>::use(const DeviceModel<S>& on_device, const Model& settings) {
  const ModelView& model = on_device.view();
  view_.model = model;
  view_.trees = on_device.trees();
  view_.levels = on_device.levels();
  view_.progress.auto_reset = !settings.opt.disabled(kDisableAutoReset);
  constraints_.plan = on_device.plan();
  ConstraintArrays<S>& problem = constraints_.problem;
  problem.worlds = view_.worlds;
  problem.nv = settings.nv;
  problem.M_rowadr = model.M_rowadr.data();
  problem.M_rownnz = model.M_rownnz.data();
  problem.M_colind = model.M_colind.data();
  problem.method = solver_of(settings);
  problem.elliptic = !is_pyramidal(settings);
  problem.cold = settings.opt.disabled(kDisableWarmStart);
  problem.options = solver_options(settings, 1);
  if (sizeof(S) == 4 && problem.method != IslandSolver::kPgs)  // whose sweeps are in double
    problem.options.tolerance = std::max(problem.options.tolerance, kLeastFloatTolerance);
  const auto numbers = [](const Field<WorldLane<S>>& field) {
    return WorldNumbers<S>{reinterpret_cast<S*>(field.pointer), field.block};
  };
  constraints_.geom_xpos = numbers(view_.data.geom_xpos);
  constraints_.geom_xmat = numbers(view_.data.geom_xmat);
  problem.M = numbers(view_.data.M);
  problem.qacc_smooth = numbers(view_.data.qacc_smooth);
  problem.qacc_warmstart = numbers(view_.data.qacc_warmstart);
  problem.qacc = numbers(view_.data.qacc);
  problem.qvel = numbers(view_.data.qvel);
  problem.timestep = settings.opt.timestep;
  problem.qfrc_constraint = numbers(view_.data.qfrc_constraint);
}

template <class S>
void DeviceWorlds<S>::use_values(const ModelView* models, const ModelView* of_rows, bool has_own_reaches,
                                 const S* losses) {
  view_.models = models;
  constraints_.plan.models = of_rows;
  constraints_.plan.has_own_reaches = has_own_reaches;
  losses_ = losses;
}

template <class S>
void DeviceWorlds<S>::make_room(const Model& model, const Room& room) {
  backend_.synchronize();
  rows_.clear();
  const auto n = static_cast<std::size_t>(view_.worlds), blocks = up_to_block(view_.worlds);
  const auto nv = static_cast<std::size_t>(model.nv), trees = static_cast<std::size_t>(std::max(model.ntree, 1));
  const auto rows = static_cast<std::size_t>(room.rows), items = static_cast<std::size_t>(room.items);
  ContactStore<S>& contacts = constraints_.contacts;
  constexpr int kNumbers = ContactStore<S>::kNumbers;
  contacts.capacity = room.contacts;
  const auto in_blocks = [&](auto* first, int count) {
    using T = std::remove_pointer_t<decltype(first)>;
    return WorldNumbers<T>{rows_.template take<T>(blocks * static_cast<std::size_t>(count), "contacts"),
                           count * kBlock};
  };
  contacts.numbers = in_blocks(static_cast<S*>(nullptr), kNumbers * room.contacts);
  contacts.pairs = in_blocks(static_cast<int*>(nullptr), room.contacts);
  contacts.order = rows_.template take<int>(n * static_cast<std::size_t>(room.contacts), "contacts");
  make_room_for_candidates(room.candidates);
  ConstraintArrays<S>& problem = constraints_.problem;
  const auto take = [&](std::size_t count) { return rows_.template take<S>(count, "rows of constraints"); };
  problem.row_capacity = room.rows;
  problem.item_capacity = room.items;
  problem.stride = static_cast<int>((nv + 3) / 4 * 4);
  problem.dofs = rows_.template take<int>(n * nv, "islands");
  constraints_.place = rows_.template take<int>(n * nv, "islands");
  problem.J = take(n * rows * static_cast<std::size_t>(problem.stride));
  problem.b = take(n * rows);
  problem.D = take(n * items);
  problem.R = take(n * items);
  problem.lower = take(n * items);
  problem.upper = take(n * items);
  problem.mu = take(n * items);
  problem.unit_D = take(n * kUnitKinds * nv);
  problem.unit_b = take(n * kUnitKinds * nv);
  std::vector<S> loss(model.dof_frictionloss.begin(), model.dof_frictionloss.end());
  problem.unit_loss = losses_ ? losses_ : rows_.take_copy(loss, "islands");
  problem.loss_stride = losses_ ? model.nv : 0;
  problem.iterations = rows_.template take<int>(n * trees, "islands");
  IslandSink& sink = constraints_.islands;
  sink.islands = rows_.template take<Island>(n * trees, "islands");
  sink.trees = static_cast<int>(trees);
  sink.capacity = static_cast<int>(n * trees);
  sink.indices = rows_.template take<int>(n * trees * kSizeClasses, "islands");
  sink.counts = rows_.template take<int>(2 * kSizeClasses, "islands");
  problem.turns = nullptr;
  problem.friction = nullptr;
  if (problem.method == IslandSolver::kPgs) {
    problem.turns = rows_.template take<Turn>(n * static_cast<std::size_t>(problem.turn_capacity()), "islands");
    constexpr std::size_t kTangents = ConstraintArrays<S>::kMostTangents;
    if (problem.elliptic) problem.friction = rows_.template take<double>(n * items * kTangents, "rows of constraints");
  }
  problem.implicit = problem.inverse = {};
  if (problem.method == IslandSolver::kSap) {
    problem.implicit = in_blocks(static_cast<S*>(nullptr), model.nv);
    problem.inverse = in_blocks(static_cast<S*>(nullptr), model.nv);
  }
  make_room_for_forces(room);
  make_room_for_solver(model);
}

// The last one, since groups can be fewer: a group takes one island after the other.
template <class S>
void DeviceWorlds<S>::make_room_for_solver(const Model& model) {
  const ConstraintArrays<S>& problem = constraints_.problem;
  const auto islands = static_cast<std::size_t>(constraints_.islands.capacity);
  // friction of a dof, or its two limits
  const int units = std::min(kUnitKinds * model.nv, 2 * constraints_.plan.scalar_count);
  scratch_.stride = solver_scratch_stride(problem, model.nC, units);
  const auto of_group = static_cast<std::size_t>(scratch_.stride);
  scratch_.groups = solver_scratch_groups(islands, of_group * sizeof(S), backend_.free_bytes());
  scratch_.numbers =
      rows_.template take<S>(static_cast<std::size_t>(scratch_.groups) * of_group, "rows of constraints");
}

template <class S>
void DeviceWorlds<S>::make_room_for_forces(const Room& room) {
  const char* const what = "forces of contacts";
  const auto n = static_cast<std::size_t>(view_.worlds), contacts = n * static_cast<std::size_t>(room.contacts);
  ForceStore<S>& forces = constraints_.forces;
  forces = {};
  constraints_.problem.force = nullptr;
  if (!keeps_forces_) return;
  constraints_.problem.force = rows_.template take<S>(n * static_cast<std::size_t>(room.rows), what);
  forces.contacts = rows_.template take<int>(n, what);
  forces.order = rows_.template take<int>(contacts, what);
  forces.of_contacts = rows_.template take<S>(6 * contacts, what);
  forces.group = rows_.template take<int>(contacts, what);
  forces.equality_rows = rows_.template take<int>(n * static_cast<std::size_t>(constraints_.plan.equality_count), what);
}

template <class S>
void DeviceWorlds<S>::make_room_for_candidates(int capacity) {
  const char* const what = "contacts";
  CandidateStore<S>& candidates = constraints_.candidates;
  candidates = {};
  if (capacity == 0) return;
  const auto n = static_cast<std::size_t>(view_.worlds), slots = n * static_cast<std::size_t>(capacity);
  const auto has = [this](NarrowKind kind) {
    return (constraints_.plan.narrow_kinds >> static_cast<int>(kind) & 1) != 0;
  };
  candidates.capacity = capacity;
  candidates.most_points = has(NarrowKind::kField) ? kMaxFieldPoints : kMaxPoints;
  candidates.count = rows_.template take<int>(n, what);
  candidates.pairs = rows_.template take<int>(slots, what);
  candidates.points = rows_.template take<int>(slots, what);
  const auto points = slots * static_cast<std::size_t>(candidates.most_points);
  candidates.numbers = rows_.template take<S>(points * CandidateStore<S>::kNumbers, what);
  candidates.listed = rows_.template take<int>(slots * kNarrowKinds, what);
  candidates.listed_count = rows_.template take<int>(kNarrowKinds + 1, what);
  candidates.most_listed = static_cast<int>(slots);
  if (!has(NarrowKind::kConvex) && !has(NarrowKind::kField)) return;
  candidates.left = rows_.template take<int>(slots, what);
  candidates.left_count = candidates.listed_count + kNarrowKinds;
  candidates.searches = static_cast<int>(std::min<std::size_t>(slots, kMostSearches));
  const std::size_t bytes = static_cast<std::size_t>(candidates.searches) * sizeof(LargePolytope);
  candidates.polytopes = rows_.template take<std::byte>(bytes, what);
}

template <class S>
IslandLists DeviceWorlds<S>::islands() const {
  const IslandSink& sink = constraints_.islands;
  return {sink.islands, sink.indices, sink.counts, sink.capacity, sink.counts + kSizeClasses};
}

template class DeviceWorlds<float>;
template class DeviceWorlds<double>;

}  // namespace torsor::gpu
