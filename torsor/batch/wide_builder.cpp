#include "torsor/batch/wide_builder.hpp"

#include <algorithm>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/island_problem.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

using solver::kWideTile;
constexpr int kUnitKinds = 3;
constexpr double kLeastFloatTolerance = 1e-6;  // below it improvements of the cost are rounding

}  // namespace

template <class S>
WideBuilder<S>::WideBuilder(const Model& model, const solver::WideKernels<S>& kernels)
    : kernels_(kernels), width_(kernels.lanes) {
  for (int t = 0; t < model.ntree; ++t) layouts_.emplace_back(model, t);
  place_in_tree_ = places_of(model, layouts_);
  place_.assign(place_in_tree_.size(), 0);
  dof_tree_.assign(model.dof_treeid.begin(), model.dof_treeid.end());
  tree_tile_.assign(layouts_.size(), 0);
  dof_lanes_.assign(dof_tree_.size(), 0);
  lane_turns_.resize(static_cast<size_t>(width_));
  turns_.resize(static_cast<size_t>(width_));
  for (std::vector<solver::WideTurn>& turns : lane_turns_) turns.reserve(256);  // any world may come to any lane
}

template <class S>
void WideBuilder<S>::begin(const Model& model, const WideSolveArrays<S>& arrays, std::uint64_t trees,
                           const unsigned* tree_lanes, int singles, const int (&contacts)[solver::kContactKinds]) {
  trees_ = trees;
  lanes_ = 0;
  for (const int t : solver::bits_of(trees)) lanes_ |= tree_lanes[t];
  for (size_t i = 0; i < dof_lanes_.size(); ++i) dof_lanes_[i] = tree_lanes[dof_tree_[i]];
  int tiles = 0;
  for (size_t t = 0; t < layouts_.size(); ++t) {
    tree_tile_[t] = tiles;
    if (trees >> t & 1) tiles += layouts_[t].tiles;
  }
  for (size_t i = 0; i < place_.size(); ++i)
    place_[i] = kWideTile * tree_tile_[static_cast<size_t>(dof_tree_[i])] + place_in_tree_[i];
  make_room(model, tiles, singles, contacts);
  problem_.elliptic = !is_pyramidal(model);
  clear_slots();
  for (std::vector<solver::WideTurn>& turns : lane_turns_) turns.clear();
  fill_mass(arrays);
  fill_start(model, arrays);
  if (sizes_.relative) fill_scales(model, arrays);
}

// Arrays stay where they are while the tiles are as many as before and the slots no more than ever before.
template <class S>
void WideBuilder<S>::make_room(const Model& model, int tiles, int singles,
                               const int (&contacts)[solver::kContactKinds]) {
  const bool is_relative = formulation(model.opt).stops_by_momentum;
  bool fits = is_placed_ && sizes_.tiles == tiles && sizes_.relative == is_relative && singles <= sizes_.singles;
  for (int k = 0; k < solver::kContactKinds; ++k) fits = fits && contacts[k] <= sizes_.contacts[k];
  if (!fits) {
    sizes_.tiles = tiles;
    sizes_.units = kUnitKinds * model.nv;
    sizes_.relative = is_relative;
    sizes_.singles = std::max(sizes_.singles, singles);
    for (int k = 0; k < solver::kContactKinds; ++k) sizes_.contacts[k] = std::max(sizes_.contacts[k], contacts[k]);
    place_arrays();
  }
  problem_.singles.count = singles;
  for (int k = 0; k < solver::kContactKinds; ++k) problem_.contacts[k].count = contacts[k];
}

template <class S>
void WideBuilder<S>::place_arrays() {
  const auto width = static_cast<size_t>(width_);
  const auto place = [&](void* memory) {
    solver::WideMemory in(memory);
    const auto set = [this](solver::WideSlots<S>& slots, int dim, int capacity) {
      slots.dim = dim, slots.tiles = sizes_.tiles, slots.capacity = capacity;
    };
    problem_.tiles = sizes_.tiles;
    problem_.units.capacity = sizes_.units;
    set(problem_.singles, 1, sizes_.singles);
    for (int kind = 0; kind < solver::kContactKinds; ++kind)
      set(problem_.contacts[kind], solver::contact_dim(kind), sizes_.contacts[kind]);
    problem_.for_each_array(sizes_.relative, [&](auto*& array, size_t count) {
      using T = std::remove_pointer_t<std::remove_reference_t<decltype(array)>>;
      array = in.take<T>(std::is_same_v<T, S> ? count * width : count);
    });
    solution_.for_each_array(sizes_, [&](S*& array, size_t count) { array = in.take<S>(count * width); });
    return in.used();
  };
  const size_t bytes = place(nullptr), scratch = kernels_.scratch_bytes(sizes_);
  if (memory_.size() < bytes) memory_ = Buffer(2 * bytes), laid_out_M_ = nullptr;
  if (scratch_.size() < scratch) scratch_ = Buffer(2 * scratch);
  place(memory_.data());
  is_placed_ = true;
}

template <class S>
void WideBuilder<S>::clear_slots() {
  const auto width = static_cast<size_t>(width_);
  const auto clear = [width](solver::WideSlots<S>& slots) {
    const auto count = static_cast<size_t>(slots.count);
    std::fill_n(slots.slot_tiles, count, std::uint64_t{0});
    std::fill_n(slots.D, count * width, S(0));
    std::fill_n(slots.b, count * static_cast<size_t>(slots.dim) * width, S(0));
  };
  problem_.units.count = 0;
  unit_slot_.assign(static_cast<size_t>(sizes_.units), -1);
  clear(problem_.singles);
  for (S* array : {problem_.singles.R, problem_.singles.lower, problem_.singles.upper})
    std::fill_n(array, static_cast<size_t>(problem_.singles.count) * width, S(0));
  for (solver::WideContacts<S>& slots : problem_.contacts) {
    clear(slots);
    std::fill_n(slots.mu, static_cast<size_t>(slots.count) * width, S(0));
  }
  std::fill_n(problem_.coupled_tiles, sizes_.tiles, std::uint64_t{0});
}

// What follows from the trees alone: where numbers of M and of vectors go, and the tiles that have numbers. Numbers of
// M that are not in the list stay zero, or one on the diagonal of places that only fill a tile.
template <class S>
void WideBuilder<S>::lay_out() {
  const auto width = static_cast<size_t>(width_);
  std::fill_n(problem_.M, static_cast<size_t>(solver::wide_tile(sizes_.tiles, 0)) * width, S(0));
  entries_.clear();
  dofs_.clear();
  const auto place_in_tiles = [](int row, int column) {
    return static_cast<int>(solver::wide_tile(row / kWideTile, column / kWideTile)) + kWideTile * (row % kWideTile) +
           column % kWideTile;
  };
  for_each_tree([&](const TreeLayout& layout, int first) {
    for (int i = 0; i < layout.tiles; ++i)
      problem_.mass_tiles[first + i] = layout.mass_tiles[static_cast<size_t>(i)] << first;
    for (const TreeLayout::Entry& entry : layout.entries) {
      const int row = kWideTile * first + entry.row, column = kWideTile * first + entry.column;
      const int dof = row == column ? layout.dof[static_cast<size_t>(entry.row)] : -1;
      entries_.push_back({entry.from, place_in_tiles(row, column), dof});
    }
    for (size_t p = 0; p < layout.dof.size(); ++p) {
      const int place = kWideTile * first + static_cast<int>(p);
      dofs_.push_back(layout.dof[p]);
      if (layout.dof[p] < 0)
        std::fill_n(problem_.M + static_cast<size_t>(place_in_tiles(place, place)) * width, width, S(1));
    }
  });
  laid_out_trees_ = trees_;
  laid_out_M_ = problem_.M;
}

template <class S>
void WideBuilder<S>::fill_mass(const WideSolveArrays<S>& arrays) {
  if (laid_out_trees_ != trees_ || laid_out_M_ != problem_.M) lay_out();
  kernels_.gather_mass(entries_.data(), static_cast<int>(entries_.size()), arrays.M, arrays.implicit, dof_lanes_.data(),
                       lanes_, problem_.M, problem_.scale);
}

template <class S>
void WideBuilder<S>::fill_start(const Model& model, const WideSolveArrays<S>& arrays) {
  if (model.opt.disabled(kDisableWarmStart))
    std::fill_n(problem_.start, static_cast<size_t>(sizes_.dofs() * width_), S(0));
  else
    kernels_.gather_start(dofs_.data(), sizes_.dofs(), dof_lanes_.data(), arrays.qacc_warmstart, arrays.qacc_smooth,
                          problem_.start);
}

// Scales of SAP's stopping criterion: A (a_smooth + v / h), and 1 / diag(A).
template <class S>
void WideBuilder<S>::fill_scales(const Model& model, const WideSolveArrays<S>& arrays) {
  const auto width = static_cast<size_t>(width_);
  const S rate = S(1 / model.opt.timestep);
  std::fill_n(problem_.momentum, static_cast<size_t>(sizes_.dofs()) * width, S(0));
  std::fill_n(problem_.weight, static_cast<size_t>(sizes_.dofs()) * width, S(0));
  for_each_tree([&](const TreeLayout& layout, int first) {
    const auto place = [&](int p) { return static_cast<size_t>(kWideTile * first + p) * width; };
    const auto dof = [&](int p) { return static_cast<size_t>(layout.dof[static_cast<size_t>(p)]) * width; };
    const auto add = [&](int to, int from, const S* A, const S* implicit) {
      for (size_t l = 0; l < width; ++l)
        problem_.momentum[place(to) + l] += (A[l] + (implicit ? implicit[l] : S(0))) *
                                            (arrays.qacc_smooth[dof(from) + l] + rate * arrays.qvel[dof(from) + l]);
    };
    for (const TreeLayout::Entry& entry : layout.entries) {
      const S* A = arrays.M + static_cast<size_t>(entry.from) * width;
      const bool is_diagonal = entry.row == entry.column;
      add(entry.row, entry.column, A, is_diagonal ? arrays.implicit + dof(entry.row) : nullptr);
      if (is_diagonal)
        std::copy_n(arrays.inverse + dof(entry.row), width, problem_.weight + place(entry.row));
      else
        add(entry.column, entry.row, A, nullptr);
    }
  });
}

template <class S>
void WideBuilder<S>::place_units() {
  solver::WideUnits<S>& units = problem_.units;
  for (size_t key = 0; key < unit_slot_.size(); ++key) {
    if (unit_slot_[key] < 0) continue;
    unit_slot_[key] = units.count;
    units.dof[units.count++] = place_of(static_cast<int>(key) / kUnitKinds);
  }
  for (S* array : {units.J, units.b, units.D, units.R, units.lower, units.upper})
    std::fill_n(array, static_cast<size_t>(units.count * width_), S(0));
}

template <class S>
void WideBuilder<S>::add_unit(int lane, int dof, UnitRow kind, double sign, const RowNumbers& row) {
  solver::WideUnits<S>& units = problem_.units;
  const size_t at = static_cast<size_t>(unit_slot_[unit_key(dof, kind)] * width_ + lane);
  units.J[at] = S(sign);
  units.b[at] = S(row.b), units.D[at] = S(row.D), units.R[at] = S(row.R);
  units.lower[at] = S(row.lower), units.upper[at] = S(row.upper);
}

// J is zero in tiles that are new to the slot.
template <class S>
void WideBuilder<S>::add_tiles(const solver::WideSlots<S>& slots, int slot, std::uint64_t tiles) {
  const size_t numbers = static_cast<size_t>(kWideTile * slots.dim * width_);
  for (const int t : solver::bits_of(tiles & ~slots.slot_tiles[slot]))
    std::fill_n(slots.J + static_cast<size_t>(slot * slots.tiles + t) * numbers, numbers, S(0));
  slots.slot_tiles[slot] |= tiles;
  problem_.couple(tiles);
}

template <class S>
void WideBuilder<S>::open_single(int lane, int slot, std::uint64_t tiles, const RowNumbers& row) {
  solver::WideSingles<S>& singles = problem_.singles;
  add_tiles(singles, slot, tiles);
  const size_t at = static_cast<size_t>(slot * width_ + lane);
  singles.b[at] = S(row.b), singles.D[at] = S(row.D), singles.R[at] = S(row.R);
  singles.lower[at] = S(row.lower), singles.upper[at] = S(row.upper);
}

template <class S>
void WideBuilder<S>::open_contact(int lane, int kind, int slot, std::uint64_t tiles, double D, double mu) {
  solver::WideContacts<S>& slots = problem_.contacts[kind];
  add_tiles(slots, slot, tiles);
  slots.D[slot * width_ + lane] = S(D);
  slots.mu[slot * width_ + lane] = S(mu);
}

// Where friction cannot move the bodies of a contact, rounding decides how it shares the cone.
template <class S>
unsigned WideBuilder<S>::leave_stiff_lanes(const Model& model) {
  unsigned stiff = 0;
  if (!needs_turns(model) && !formulation(model.opt).is_compliant) return stiff;
  for (const solver::WideContacts<S>& slots : problem_.contacts) {
    for (int i = 0; i < slots.count * width_; ++i)
      stiff |= unsigned{!(slots.D[i] < S(kStiffestPyramid<S>))} << i % width_;
  }
  lanes_ &= ~stiff;
  return stiff;
}

template <class S>
void WideBuilder<S>::solve(const Model& model, const WideSolveArrays<S>& arrays) {
  solver::Options options = solver_options(model, 1);
  if (sizeof(S) == 4 && !needs_turns(model)) options.tolerance = std::max(options.tolerance, kLeastFloatTolerance);
  const bool is_newton = model.opt.solver != static_cast<int>(SolverType::kCg);  // and SAP
  problem_.cold = model.opt.disabled(kDisableWarmStart);
  if (needs_turns(model))
    solve_dual(options);
  else
    (is_newton ? kernels_.newton : kernels_.cg)(problem_, options, sizes_, lanes_, scratch_.data(), solution_);
  kernels_.scatter_results(dofs_.data(), sizes_.dofs(), dof_lanes_.data(), lanes_, solution_, arrays.qacc_smooth,
                           arrays.qacc, arrays.qfrc_constraint);
}

// Scratch for as many rows as there are: a matrix has as many rows and columns.
template <class S>
void WideBuilder<S>::solve_dual(const solver::Options& options) {
  for (size_t l = 0; l < turns_.size(); ++l)
    turns_[l] = {lane_turns_[l].data(), static_cast<int>(lane_turns_[l].size())};
  problem_.turns = turns_.data();
  solver::WideSizes sizes = sizes_;
  sizes.units = problem_.units.count;
  sizes.singles = problem_.singles.count;
  for (int k = 0; k < solver::kContactKinds; ++k) sizes.contacts[k] = problem_.contacts[k].count;
  const size_t bytes = kernels_.dual_scratch_bytes(sizes);
  if (scratch_.size() < bytes) scratch_ = Buffer(2 * bytes);
  kernels_.pgs(problem_, options, sizes, lanes_, scratch_.data(), solution_);
}

template <class S>
void WideBuilder<S>::Room::include(const Room& other) {
  memory = std::max(memory, other.memory), scratch = std::max(scratch, other.scratch);
  entries = std::max(entries, other.entries), dofs = std::max(dofs, other.dofs);
  turns_of_lane = std::max(turns_of_lane, other.turns_of_lane);
}

template <class S>
typename WideBuilder<S>::Room WideBuilder<S>::room() const {
  Room room{memory_.size(), scratch_.size(), entries_.capacity(), dofs_.capacity(), 0};
  for (const std::vector<solver::WideTurn>& turns : lane_turns_)
    room.turns_of_lane = std::max(room.turns_of_lane, turns.capacity());
  return room;
}

template <class S>
void WideBuilder<S>::make_room(const Room& room) {
  if (memory_.size() < room.memory) memory_ = Buffer(room.memory), laid_out_M_ = nullptr, is_placed_ = false;
  if (scratch_.size() < room.scratch) scratch_ = Buffer(room.scratch);
  entries_.reserve(room.entries);
  dofs_.reserve(room.dofs);
  unit_slot_.reserve(static_cast<size_t>(kUnitKinds) * dof_tree_.size());
  for (std::vector<solver::WideTurn>& turns : lane_turns_) turns.reserve(room.turns_of_lane);
}

template class WideBuilder<double>;
template class WideBuilder<float>;

}  // namespace torsor
