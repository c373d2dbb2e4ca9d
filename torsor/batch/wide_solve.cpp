#include "torsor/batch/wide_solve.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/islands.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

bool is_unit(RowType type, int count) {
  return type == RowType::kFrictionDof || (type == RowType::kLimitJoint && count == 1);
}
bool has_friction(RowType type) { return type == RowType::kContactPyramidal || type == RowType::kContactElliptic; }
// Rows of a contact in efc_*.
int rows_of_contact(RowType type, int dim) { return type == RowType::kContactPyramidal ? 2 * (dim - 1) : dim; }

// J a_smooth - aref of a row.
template <class S>
double residual(const Data& data, const WideSolveArrays<S>& arrays, int width, int lane, int row) {
  double sum = -data.efc_aref[row];
  const int begin = data.efc_J_rowadr[row];
  for (int k = begin; k < begin + data.efc_J_rownnz[row]; ++k)
    sum += data.efc_J[k] * arrays.qacc_smooth[data.efc_J_colind[k] * width + lane];
  return sum;
}

// Bounds of D x = minus the force.
template <class S>
RowNumbers numbers_of(const Data& data, const WideSolveArrays<S>& arrays, int width, int lane, int row) {
  const double loss = data.efc_frictionloss[row];
  const bool is_equality = row < data.ne, is_friction = !is_equality && row < data.ne + data.nf;
  return {residual(data, arrays, width, lane, row), data.efc_D[row], data.efc_R[row], is_friction ? -loss : -kUnbounded,
          is_equality   ? kUnbounded
          : is_friction ? loss
                        : 0};
}

// Cheap, and true as a rule: sums of all numbers are finite.
bool are_rows_sound(const Data& data, double stiffest) {
  double sum = 0;
  bool sound = true;
  for (int r = 0; r < data.nefc; ++r) {
    sum += data.efc_aref[r] + data.efc_D[r] + data.efc_frictionloss[r];
    sound = sound && data.efc_D[r] > 0 && data.efc_frictionloss[r] >= 0;
    sound = sound && (data.efc_type[r] != static_cast<int>(RowType::kContactPyramidal) || data.efc_D[r] < stiffest);
  }
  for (int k = 0; k < data.nJ; ++k) sum += data.efc_J[k];
  return sound && std::isfinite(sum);
}

template <class S>
bool are_dofs_sound(const WideSolveArrays<S>& arrays, int nv, int width, int lane) {
  double sum = 0;
  for (int i = 0; i < nv; ++i) sum += arrays.qacc_smooth[i * width + lane] + arrays.qacc_warmstart[i * width + lane];
  return std::isfinite(sum);
}

}  // namespace

// False when a number is not finite, or scratch ran out.
template <class S>
bool WideSolver<S>::list_islands(const Model& model, Data& data, int lane) {
  if (!are_rows_sound(data, kStiffestPyramid<S>)) return false;
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

template <class S>
unsigned WideSolver<S>::solve(const Model& model, std::vector<Data>& worlds, const WideSolveArrays<S>& arrays) {
  const int width = builder_.lanes();
  const size_t numbers = static_cast<size_t>(model.nv) * static_cast<size_t>(width);
  std::copy_n(arrays.qacc_smooth, numbers, arrays.qacc);
  std::fill_n(arrays.qfrc_constraint, numbers, S(0));
  islands_.clear();
  rows_.clear();
  left_ = 0;
  unsigned left = 0;
  for (int lane = 0; lane < width; ++lane) {
    Data& data = worlds[static_cast<size_t>(lane)];
    if (data.nefc == 0) continue;
    if (!are_dofs_sound(arrays, model.nv, width, lane) || !list_islands(model, data, lane)) left |= 1u << lane;
  }
  std::erase_if(islands_, [left](const Island& island) { return (left >> island.lane & 1) != 0; });
  for (size_t i = 0; i < islands_.size(); ++i) {
    if (islands_[i].lane < 0) continue;  // done
    group_.clear();
    for (size_t k = i; k < islands_.size(); ++k) {
      if (islands_[k].lane >= 0 && islands_[k].trees == islands_[i].trees) group_.push_back(&islands_[k]);
    }
    solve_group(model, worlds, arrays);
    for (Island* island : group_) island->lane = -1;
  }
  return left | left_;
}

template <class S>
void WideSolver<S>::count_slots(const Data& data, const Island& island, int& singles,
                                int (&contacts)[solver::kContactKinds]) const {
  int own_singles = 0, own_contacts[solver::kContactKinds] = {};
  for (int k = island.row_begin; k < island.row_end;) {
    const int row = rows_[static_cast<size_t>(k)];
    const auto type = static_cast<RowType>(data.efc_type[row]);
    if (has_friction(type)) {
      const int dim = data.contact[data.efc_id[row]].dim;
      ++own_contacts[contact_kind(dim)];
      k += rows_of_contact(type, dim);
    } else {
      own_singles += !is_unit(type, data.efc_J_rownnz[row]);
      ++k;
    }
  }
  singles = std::max(singles, own_singles);
  for (int kind = 0; kind < solver::kContactKinds; ++kind)
    contacts[kind] = std::max(contacts[kind], own_contacts[kind]);
}

template <class S>
std::uint64_t WideSolver<S>::tiles_of(const Data& data, int row) const {
  std::uint64_t tiles = 0;
  const int begin = data.efc_J_rowadr[row];
  for (int k = begin; k < begin + data.efc_J_rownnz[row]; ++k) tiles |= builder_.tile_of(data.efc_J_colind[k]);
  return tiles;
}

// J is zero before. A tendon that names a joint twice has two numbers for one dof.
template <class S>
void WideSolver<S>::fill_single(const Data& data, const WideSolveArrays<S>& arrays, int lane, int row, int slot) {
  builder_.open_single(lane, slot, tiles_of(data, row), numbers_of(data, arrays, builder_.lanes(), lane, row));
  const int begin = data.efc_J_rowadr[row];
  for (int k = begin; k < begin + data.efc_J_rownnz[row]; ++k)
    builder_.single_at(lane, slot, builder_.place_of(data.efc_J_colind[k])) += S(data.efc_J[k]);
}

// Edges 2 k and 2 k + 1 of a pyramid are the normal plus and minus the scaled tangent k. Returns how many rows it took.
template <class S>
int WideSolver<S>::fill_contact(const Data& data, const WideSolveArrays<S>& arrays, int lane, int row,
                                int (&next)[solver::kContactKinds]) {
  const auto type = static_cast<RowType>(data.efc_type[row]);
  const Contact& contact = data.contact[data.efc_id[row]];
  const int dim = contact.dim, kind = contact_kind(dim), slot = next[kind]++, count = data.efc_J_rownnz[row];
  builder_.open_contact(lane, kind, slot, tiles_of(data, row), data.efc_D[row], contact.mu);
  const bool is_pyramid = type == RowType::kContactPyramidal;
  // row a of the slot from the rows of Data, f(r) being a number of row r
  const auto combine = [&](int a, auto&& f) {
    if (a == 0) return is_pyramid ? 0.5 * (f(0) + f(1)) : f(0);
    return is_pyramid ? 0.5 * (f(2 * a - 2) - f(2 * a - 1)) : contact.friction[a - 1] * f(a);
  };
  for (int a = 0; a < dim; ++a) {
    builder_.contact_b(lane, kind, slot, a) =
        S(combine(a, [&](int r) { return residual(data, arrays, builder_.lanes(), lane, row + r); }));
    for (int k = 0; k < count; ++k) {
      const int place = builder_.place_of(data.efc_J_colind[data.efc_J_rowadr[row] + k]);
      builder_.contact_at(lane, kind, slot, place)[a * builder_.row_stride()] =
          S(combine(a, [&](int r) { return data.efc_J[data.efc_J_rowadr[row + r] + k]; }));
    }
  }
  return rows_of_contact(type, dim);
}

namespace {

struct UnitOfRow {
  int dof;
  UnitRow kind;
  double sign;
};

UnitOfRow unit_of(const Data& data, int row) {
  const double sign = data.efc_J[data.efc_J_rowadr[row]];
  const bool is_friction = data.efc_type[row] == static_cast<int>(RowType::kFrictionDof);
  return {data.efc_J_colind[data.efc_J_rowadr[row]],
          is_friction ? UnitRow::kFriction
          : sign > 0  ? UnitRow::kLower
                      : UnitRow::kUpper,
          sign};
}

}  // namespace

template <class S>
void WideSolver<S>::announce_units(const Data& data, const Island& island) {
  for (int k = island.row_begin; k < island.row_end; ++k) {
    const int row = rows_[static_cast<size_t>(k)];
    if (!is_unit(static_cast<RowType>(data.efc_type[row]), data.efc_J_rownnz[row])) continue;
    const UnitOfRow unit = unit_of(data, row);
    builder_.announce_unit(unit.dof, unit.kind);
  }
}

template <class S>
void WideSolver<S>::fill_rows(const Model& model, const Data& data, const WideSolveArrays<S>& arrays,
                              const Island& island) {
  int single = 0, next[solver::kContactKinds] = {};
  for (int k = island.row_begin; k < island.row_end;) {
    const int row = rows_[static_cast<size_t>(k)], lane = island.lane;
    const auto type = static_cast<RowType>(data.efc_type[row]);
    const bool has_turns = builder_.needs_turns(model);
    if (has_friction(type)) {
      const Contact& contact = data.contact[data.efc_id[row]];
      const int kind = contact_kind(contact.dim);
      if (has_turns) builder_.add_turn(lane, solver::WideTurn::kSingle + 1 + kind, next[kind], contact.friction);
      k += fill_contact(data, arrays, lane, row, next);
      continue;
    }
    if (is_unit(type, data.efc_J_rownnz[row])) {
      const UnitOfRow unit = unit_of(data, row);
      builder_.add_unit(lane, unit.dof, unit.kind, unit.sign, numbers_of(data, arrays, builder_.lanes(), lane, row));
      if (has_turns) builder_.add_turn(lane, solver::WideTurn::kUnit, builder_.unit_slot(unit.dof, unit.kind));
    } else {
      if (has_turns) builder_.add_turn(lane, solver::WideTurn::kSingle, single);
      fill_single(data, arrays, lane, row, single++);
    }
    ++k;
  }
}

template <class S>
void WideSolver<S>::solve_group(const Model& model, std::vector<Data>& worlds, const WideSolveArrays<S>& arrays) {
  unsigned tree_lanes[solver::kMaxWideTiles] = {};
  int singles = 0, contacts[solver::kContactKinds] = {};
  for (const Island* island : group_) {
    for (const int t : solver::bits_of(island->trees)) tree_lanes[t] |= 1u << island->lane;
    count_slots(worlds[static_cast<size_t>(island->lane)], *island, singles, contacts);
  }
  builder_.begin(model, arrays, group_.front()->trees, tree_lanes, singles, contacts);
  for (const Island* island : group_) announce_units(worlds[static_cast<size_t>(island->lane)], *island);
  builder_.place_units();
  for (const Island* island : group_) fill_rows(model, worlds[static_cast<size_t>(island->lane)], arrays, *island);
  left_ |= builder_.leave_stiff_lanes(model);
  builder_.solve(model, arrays);
}

template class WideSolver<double>;
template class WideSolver<float>;

}  // namespace torsor
