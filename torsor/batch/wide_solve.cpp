#include "torsor/batch/wide_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/island_problem.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

using solver::kWideTile;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_unit(RowType type, int count) {
  return type == RowType::kFrictionDof || (type == RowType::kLimitJoint && count == 1);
}
bool is_friction_contact(RowType type) {
  return type == RowType::kContactPyramidal || type == RowType::kContactElliptic;
}
int kind_of(int dim) { return dim == 3 ? 0 : dim == 4 ? 1 : 2; }

// Rows of a contact in efc_*.
int rows_of_contact(RowType type, int dim) { return type == RowType::kContactPyramidal ? 2 * (dim - 1) : dim; }

// J a_smooth - aref of a row.
double residual(const Data& data, const WideSolveArrays& arrays, int width, int lane, int row) {
  double sum = -data.efc_aref[row];
  const int begin = data.efc_J_rowadr[row];
  for (int k = begin; k < begin + data.efc_J_rownnz[row]; ++k)
    sum += data.efc_J[k] * arrays.qacc_smooth[data.efc_J_colind[k] * width + lane];
  return sum;
}

}  // namespace

std::string why_no_wide_solver(const Model& model) {
  const auto type = static_cast<SolverType>(model.opt.solver);
  if (type != SolverType::kNewton && type != SolverType::kCg) return "only Newton and CG run wide";
  if (model.opt.noslip_iterations > 0) return "noslip runs for one world at a time";
  if (model.ntree > 64) return "the model has more than 64 trees";
  int tiles = 0;
  for (int t = 0; t < model.ntree; ++t) tiles += TreeLayout(model, t).tiles;
  return tiles > solver::kMaxWideTiles ? "the model has more dofs than fit" : std::string();
}

WideSolver::WideSolver(const Model& model) : kernels_(solver::wide_kernels<double>()), width_(kernels_.lanes) {
  for (int t = 0; t < model.ntree; ++t) layouts_.emplace_back(model, t);
  places_ = places_of(model, layouts_);
  dof_tree_.assign(model.dof_treeid.begin(), model.dof_treeid.end());
  tree_tile_.assign(layouts_.size(), 0);
}

// False when a number is not finite, or scratch ran out.
bool WideSolver::list_islands(const Model& model, Data& data, int lane) {
  if (data.nefc == 0) return true;
  double sum = 0;
  for (int r = 0; r < data.nefc; ++r) sum += data.efc_aref[r] + data.efc_D[r] + data.efc_frictionloss[r];
  bool sound = std::isfinite(sum);
  for (int k = 0; k < data.nJ; ++k) sum += data.efc_J[k];
  for (int r = 0; r < data.nefc; ++r) sound = sound && data.efc_D[r] > 0 && data.efc_frictionloss[r] >= 0;
  if (!sound || !std::isfinite(sum)) return false;
  ArenaScope scope(data.arena());
  const Islands found = find_islands(model, data, model.opt.disabled(kDisableIsland));
  if (!found.row) return false;
  for (int i = 0; i < found.count; ++i) {
    Island island{lane, static_cast<int>(rows_.size()), 0, 0};
    rows_.insert(rows_.end(), found.row + found.row_begin[i], found.row + found.row_begin[i + 1]);
    island.row_end = static_cast<int>(rows_.size());
    for (int t = 0; t < model.ntree; ++t) island.trees |= std::uint64_t{found.tree_island[t] == i} << t;
    islands_.push_back(island);
  }
  return true;
}

unsigned WideSolver::solve(const Model& model, std::vector<Data>& worlds, const WideSolveArrays& arrays) {
  const size_t width = static_cast<size_t>(width_), nv = static_cast<size_t>(model.nv);
  std::copy_n(arrays.qacc_smooth, nv * width, arrays.qacc);
  std::fill_n(arrays.qfrc_constraint, nv * width, 0.0);
  islands_.clear();
  rows_.clear();
  unsigned left = 0;
  for (int lane = 0; lane < width_; ++lane) {
    bool sound = worlds[static_cast<size_t>(lane)].nefc == 0;
    if (!sound) {
      double sum = 0;
      for (size_t i = 0; i < nv; ++i)
        sum += arrays.qacc_smooth[i * width + static_cast<size_t>(lane)] +
               arrays.qacc_warmstart[i * width + static_cast<size_t>(lane)];
      sound = std::isfinite(sum) && list_islands(model, worlds[static_cast<size_t>(lane)], lane);
    }
    if (!sound) left |= 1u << lane;
  }
  std::erase_if(islands_, [left](const Island& island) { return (left >> island.lane & 1) != 0; });
  // groups in the order of their first lanes; a world alone is in groups of the same trees
  for (size_t i = 0; i < islands_.size(); ++i) {
    if (islands_[i].lane < 0) continue;
    group_.clear();
    for (size_t k = i; k < islands_.size(); ++k) {
      if (islands_[k].lane >= 0 && islands_[k].trees == islands_[i].trees) group_.push_back(&islands_[k]);
    }
    solve_group(model, worlds, arrays, group_);
    for (Island* island : group_) island->lane = -1;
  }
  return left;
}

void WideSolver::place_trees(std::uint64_t trees) {
  sizes_.tiles = 0;
  for (size_t t = 0; t < layouts_.size(); ++t) {
    tree_tile_[t] = sizes_.tiles;
    if (trees >> t & 1) sizes_.tiles += layouts_[t].tiles;
  }
}

// Slots for the largest number of rows of each kind in any lane.
void WideSolver::make_room(const Model& model, const std::vector<Data>& worlds, const std::vector<Island*>& group) {
  sizes_.units = 3 * model.nv;
  sizes_.singles = 0;
  for (int& count : sizes_.contacts) count = 0;
  for (const Island* island : group) {
    const Data& data = worlds[static_cast<size_t>(island->lane)];
    int singles = 0, contacts[solver::kContactKinds] = {};
    for (int k = island->row_begin; k < island->row_end;) {
      const int row = rows_[static_cast<size_t>(k)];
      const auto type = static_cast<RowType>(data.efc_type[row]);
      if (is_friction_contact(type)) {
        const int dim = data.contact[data.efc_id[row]].dim;
        ++contacts[kind_of(dim)];
        k += rows_of_contact(type, dim);
      } else {
        singles += !is_unit(type, data.efc_J_rownnz[row]);
        ++k;
      }
    }
    sizes_.singles = std::max(sizes_.singles, singles);
    for (int kind = 0; kind < solver::kContactKinds; ++kind)
      sizes_.contacts[kind] = std::max(sizes_.contacts[kind], contacts[kind]);
  }
  const auto layout = [this](void* memory) {
    solver::WideMemory in(memory);
    problem_.tiles = sizes_.tiles;
    const auto set = [this](solver::WideSlots<double>& slots, int dim, int capacity) {
      slots.dim = dim, slots.tiles = sizes_.tiles, slots.capacity = capacity, slots.count = capacity;
    };
    problem_.units.capacity = sizes_.units;
    set(problem_.singles, 1, sizes_.singles);
    for (int kind = 0; kind < solver::kContactKinds; ++kind)
      set(problem_.contacts[kind], solver::contact_dim(kind), sizes_.contacts[kind]);
    problem_.for_each_array(false, [&](auto*& array, size_t count) {
      using T = std::remove_pointer_t<std::remove_reference_t<decltype(array)>>;
      array = in.take<T>(std::is_same_v<T, double> ? count * static_cast<size_t>(width_) : count);
    });
    solution_.for_each_array(
        sizes_, [&](double*& array, size_t count) { array = in.take<double>(count * static_cast<size_t>(width_)); });
    return in.used();
  };
  const size_t bytes = layout(nullptr), scratch = kernels_.scratch_bytes(sizes_);
  if (memory_.size() < bytes) memory_ = Buffer(2 * bytes);
  if (scratch_.size() < scratch) scratch_ = Buffer(2 * scratch);
  layout(memory_.data());
}

void WideSolver::fill_dofs(const Model& model, const WideSolveArrays& arrays, std::uint64_t trees, unsigned lanes) {
  const size_t width = static_cast<size_t>(width_);
  std::fill_n(problem_.M, static_cast<size_t>(solver::wide_tile(sizes_.tiles, 0)) * width, 0.0);
  std::fill_n(problem_.start, static_cast<size_t>(sizes_.dofs()) * width, 0.0);
  std::fill_n(problem_.scale, width, 0.0);
  const bool is_warm = !model.opt.disabled(kDisableWarmStart);
  for (size_t t = 0; t < layouts_.size(); ++t) {
    if (!(trees >> t & 1)) continue;
    const TreeLayout& layout = layouts_[t];
    const int first = tree_tile_[t];
    for (int i = 0; i < layout.tiles; ++i) {
      problem_.mass_tiles[first + i] = layout.mass_tiles[static_cast<size_t>(i)] << first;
      problem_.coupled_tiles[first + i] = 0;
    }
    for (const TreeLayout::Entry& entry : layout.entries) {
      const int row = kWideTile * first + entry.row, column = kWideTile * first + entry.column;
      const auto to = static_cast<size_t>(solver::wide_tile(row / kWideTile, column / kWideTile) +
                                          kWideTile * (row % kWideTile) + column % kWideTile);
      const double* from = arrays.M + static_cast<size_t>(entry.from) * width;
      std::copy_n(from, width, problem_.M + to * width);
      if (row == column)
        for (size_t l = 0; l < width; ++l) problem_.scale[l] += from[l];
    }
    for (size_t p = 0; p < layout.dof.size(); ++p) {
      const size_t place = static_cast<size_t>(kWideTile * first) + p;
      if (layout.dof[p] < 0) {
        const auto tile = static_cast<int>(place) / kWideTile, k = static_cast<int>(place) % kWideTile;
        const auto to = static_cast<size_t>(solver::wide_tile(tile, tile) + (kWideTile + 1) * k);
        std::fill_n(problem_.M + to * width, width, 1.0);
      } else if (is_warm) {
        const size_t i = static_cast<size_t>(layout.dof[p]) * width;
        for (size_t l = 0; l < width; ++l)
          problem_.start[place * width + l] = arrays.qacc_warmstart[i + l] - arrays.qacc_smooth[i + l];
      }
    }
  }
  for (size_t l = 0; l < width; ++l) problem_.scale[l] = (lanes >> l & 1) != 0 ? 1 / problem_.scale[l] : 0.0;
}

void WideSolver::fill_unit(const Data& data, const WideSolveArrays& arrays, int lane, int row) {
  const int begin = data.efc_J_rowadr[row], dof = data.efc_J_colind[begin];
  const bool is_friction = data.efc_type[row] == static_cast<int>(RowType::kFrictionDof);
  const int which = is_friction ? 0 : data.efc_J[begin] > 0 ? 1 : 2;  // both limits of a narrow range may be active
  int& slot = unit_slot_[static_cast<size_t>(3 * dof + which)];
  solver::WideUnits<double>& units = problem_.units;
  const size_t width = static_cast<size_t>(width_);
  if (slot < 0) {
    slot = units.count++;
    units.dof[slot] = place_of(dof);
    for (double* array : {units.sign, units.b, units.D, units.R, units.lower, units.upper})
      std::fill_n(array + static_cast<size_t>(slot) * width, width, 0.0);
  }
  const size_t at = static_cast<size_t>(slot) * width + static_cast<size_t>(lane);
  units.sign[at] = data.efc_J[begin];
  units.b[at] = residual(data, arrays, width_, lane, row);
  units.D[at] = data.efc_D[row];
  units.R[at] = data.efc_R[row];
  units.lower[at] = is_friction ? -data.efc_frictionloss[row] : -kInfinity;
  units.upper[at] = is_friction ? data.efc_frictionloss[row] : 0;
}

namespace {

// The tiles of a row, and its numbers into row `a` of a slot times a factor; `sign` adds to what is there.
struct RowWriter {
  const Data& data;
  const solver::WideSlots<double>& slots;
  size_t width, lane;

  double& at(int slot, int a, int place) const {
    const size_t tile =
        static_cast<size_t>(slot) * static_cast<size_t>(slots.tiles) + static_cast<size_t>(place / kWideTile);
    const size_t element =
        tile * static_cast<size_t>(kWideTile * slots.dim) + static_cast<size_t>(kWideTile * a + place % kWideTile);
    return slots.J[element * width + lane];
  }
};

}  // namespace

// Lets a slot use the tiles of a row of this lane.
static void add_tiles(const solver::WideSlots<double>& slots, int slot, std::uint64_t set, size_t width) {
  const size_t numbers = static_cast<size_t>(kWideTile * slots.dim) * width;
  for (const int t : solver::bits_of(set & ~slots.slot_tiles[slot])) {
    const size_t tile = static_cast<size_t>(slot) * static_cast<size_t>(slots.tiles) + static_cast<size_t>(t);
    std::fill_n(slots.J + tile * numbers, numbers, 0.0);
  }
  slots.slot_tiles[slot] |= set;
}

void WideSolver::fill_single(const Data& data, const WideSolveArrays& arrays, int lane, int row, int slot) {
  solver::WideSingles<double>& singles = problem_.singles;
  const size_t width = static_cast<size_t>(width_), at = static_cast<size_t>(slot) * width + static_cast<size_t>(lane);
  const int begin = data.efc_J_rowadr[row], end = begin + data.efc_J_rownnz[row];
  std::uint64_t set = 0;
  for (int k = begin; k < end; ++k) set |= std::uint64_t{1} << place_of(data.efc_J_colind[k]) / kWideTile;
  add_tiles(singles, slot, set, width);
  problem_.couple(set);
  const RowWriter writer{data, singles, width, static_cast<size_t>(lane)};
  for (int k = begin; k < end; ++k) writer.at(slot, 0, place_of(data.efc_J_colind[k])) = data.efc_J[k];
  singles.b[at] = residual(data, arrays, width_, lane, row);
  singles.D[at] = data.efc_D[row];
  singles.R[at] = data.efc_R[row];
  const double loss = data.efc_frictionloss[row];
  const bool is_equality = row < data.ne, is_friction = !is_equality && row < data.ne + data.nf;
  singles.lower[at] = is_friction ? -loss : -kInfinity;
  singles.upper[at] = is_equality ? kInfinity : is_friction ? loss : 0;
}

// Edges 2 k and 2 k + 1 of a pyramid are the normal plus and minus the scaled tangent k. Returns how many rows it took.
int WideSolver::fill_contact(const Data& data, const WideSolveArrays& arrays, int lane, int row, int (&next)[3]) {
  const auto type = static_cast<RowType>(data.efc_type[row]);
  const Contact& contact = data.contact[data.efc_id[row]];
  const int kind = kind_of(contact.dim), slot = next[kind]++, dim = contact.dim;
  solver::WideContacts<double>& slots = problem_.contacts[kind];
  const size_t width = static_cast<size_t>(width_), at = static_cast<size_t>(slot) * width + static_cast<size_t>(lane);
  const int begin = data.efc_J_rowadr[row], count = data.efc_J_rownnz[row];
  std::uint64_t set = 0;
  for (int k = begin; k < begin + count; ++k) set |= std::uint64_t{1} << place_of(data.efc_J_colind[k]) / kWideTile;
  add_tiles(slots, slot, set, width);
  problem_.couple(set);
  const RowWriter writer{data, slots, width, static_cast<size_t>(lane)};
  const bool is_pyramid = type == RowType::kContactPyramidal;
  const auto b_at = [&](int a) -> double& {
    return slots.b[(static_cast<size_t>(slot) * static_cast<size_t>(dim) + static_cast<size_t>(a)) * width +
                   static_cast<size_t>(lane)];
  };
  double edge[10];
  for (int r = 0; r < rows_of_contact(type, dim); ++r) edge[r] = residual(data, arrays, width_, lane, row + r);
  b_at(0) = is_pyramid ? 0.5 * (edge[0] + edge[1]) : edge[0];
  for (int a = 1; a < dim; ++a)
    b_at(a) = is_pyramid ? 0.5 * (edge[2 * a - 2] - edge[2 * a - 1]) : contact.friction[a - 1] * edge[a];
  for (int k = 0; k < count; ++k) {
    const int place = place_of(data.efc_J_colind[begin + k]);
    const auto J = [&](int r) { return data.efc_J[data.efc_J_rowadr[row + r] + k]; };
    writer.at(slot, 0, place) = is_pyramid ? 0.5 * (J(0) + J(1)) : J(0);
    for (int a = 1; a < dim; ++a)
      writer.at(slot, a, place) = is_pyramid ? 0.5 * (J(2 * a - 2) - J(2 * a - 1)) : contact.friction[a - 1] * J(a);
  }
  slots.D[at] = data.efc_D[row];
  slots.mu[at] = contact.mu;
  return rows_of_contact(type, dim);
}

void WideSolver::fill_rows(const Model&, const Data& data, const WideSolveArrays& arrays, const Island& island) {
  int single = 0, next[solver::kContactKinds] = {};
  for (int k = island.row_begin; k < island.row_end;) {
    const int row = rows_[static_cast<size_t>(k)];
    const auto type = static_cast<RowType>(data.efc_type[row]);
    if (is_friction_contact(type)) {
      k += fill_contact(data, arrays, island.lane, row, next);
      continue;
    }
    if (is_unit(type, data.efc_J_rownnz[row]))
      fill_unit(data, arrays, island.lane, row);
    else
      fill_single(data, arrays, island.lane, row, single++);
    ++k;
  }
}

void WideSolver::write_results(const WideSolveArrays& arrays, std::uint64_t trees, unsigned lanes) const {
  const size_t width = static_cast<size_t>(width_);
  for (size_t t = 0; t < layouts_.size(); ++t) {
    if (!(trees >> t & 1)) continue;
    for (size_t p = 0; p < layouts_[t].dof.size(); ++p) {
      if (layouts_[t].dof[p] < 0) continue;
      const size_t from = (static_cast<size_t>(kWideTile * tree_tile_[t]) + p) * width,
                   to = static_cast<size_t>(layouts_[t].dof[p]) * width;
      for (size_t l = 0; l < width; ++l) {
        if (!(lanes >> l & 1)) continue;
        arrays.qacc[to + l] = arrays.qacc_smooth[to + l] + solution_.d[from + l];
        arrays.qfrc_constraint[to + l] = solution_.qfrc[from + l];
      }
    }
  }
}

void WideSolver::solve_group(const Model& model, std::vector<Data>& worlds, const WideSolveArrays& arrays,
                             const std::vector<Island*>& group) {
  const std::uint64_t trees = group.front()->trees;
  unsigned lanes = 0;
  for (const Island* island : group) lanes |= 1u << island->lane;
  place_trees(trees);
  make_room(model, worlds, group);
  problem_.elliptic = !is_pyramidal(model);
  problem_.units.count = 0;
  unit_slot_.assign(static_cast<size_t>(3 * model.nv), -1);
  fill_dofs(model, arrays, trees, lanes);
  const size_t width = static_cast<size_t>(width_);
  const auto clear = [width](solver::WideSlots<double>& slots) {
    const size_t count = static_cast<size_t>(slots.count);
    std::fill_n(slots.slot_tiles, count, std::uint64_t{0});
    std::fill_n(slots.D, count * width, 0.0);
    std::fill_n(slots.b, count * static_cast<size_t>(slots.dim) * width, 0.0);
  };
  clear(problem_.singles);
  for (double* array : {problem_.singles.R, problem_.singles.lower, problem_.singles.upper})
    std::fill_n(array, static_cast<size_t>(problem_.singles.count) * width, 0.0);
  for (solver::WideContacts<double>& slots : problem_.contacts) {
    clear(slots);
    std::fill_n(slots.mu, static_cast<size_t>(slots.count) * width, 0.0);
  }
  for (const Island* island : group) fill_rows(model, worlds[static_cast<size_t>(island->lane)], arrays, *island);
  const solver::Options options = solver_options(model, 1);
  const bool is_newton = model.opt.solver == static_cast<int>(SolverType::kNewton);
  (is_newton ? kernels_.newton : kernels_.cg)(problem_, options, sizes_, lanes, scratch_.data(), solution_);
  write_results(arrays, trees, lanes);
}

}  // namespace torsor
