// Solves the rows of a pack of worlds wide. Islands of the worlds that have the same trees are solved together, one per
// lane, so that each is the same problem as for one world.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "torsor/batch/tree_layout.hpp"
#include "torsor/constraint/islands.hpp"
#include "torsor/core/buffer.hpp"
#include "torsor/solver/wide.hpp"

namespace torsor {

// Why the rows of a model cannot be solved wide; "" if they can.
std::string why_no_wide_solver(const Model& model);

// Arrays of a pack: number i of lane k is at [i * lanes + k].
struct WideSolveArrays {
  const double *M, *qacc_smooth, *qacc_warmstart;
  double *qacc, *qfrc_constraint;
};

class WideSolver {
 public:
  explicit WideSolver(const Model& model);

  // The rows are those in `worlds`, which are as many as there are lanes. Returns the lanes whose numbers are not all
  // finite, which are left to the solver for one world.
  unsigned solve(const Model& model, std::vector<Data>& worlds, const WideSolveArrays& arrays);

 private:
  struct Island {
    int lane, row_begin, row_end;  // into rows_
    std::uint64_t trees;
  };
  struct Group;

  bool list_islands(const Model& model, Data& data, int lane);
  void solve_group(const Model& model, std::vector<Data>& worlds, const WideSolveArrays& arrays,
                   const std::vector<Island*>& group);
  void make_room(const Model& model, const std::vector<Data>& worlds, const std::vector<Island*>& group);
  void place_trees(std::uint64_t trees);
  void fill_dofs(const Model& model, const WideSolveArrays& arrays, std::uint64_t trees, unsigned lanes);
  void fill_rows(const Model& model, const Data& data, const WideSolveArrays& arrays, const Island& island);
  void fill_unit(const Data& data, const WideSolveArrays& arrays, int lane, int row);
  void fill_single(const Data& data, const WideSolveArrays& arrays, int lane, int row, int slot);
  int fill_contact(const Data& data, const WideSolveArrays& arrays, int lane, int row, int (&next)[3]);
  void write_results(const WideSolveArrays& arrays, std::uint64_t trees, unsigned lanes) const;
  int place_of(int dof) const {
    return 3 * tree_tile_[static_cast<size_t>(dof_tree_[static_cast<size_t>(dof)])] + places_[static_cast<size_t>(dof)];
  }

  const solver::WideKernels<double>& kernels_;
  const int width_;
  std::vector<TreeLayout> layouts_;
  std::vector<int> places_, dof_tree_;
  std::vector<int> tree_tile_;  // first tile of each tree in the present group
  std::vector<Island> islands_;
  std::vector<Island*> group_;
  std::vector<int> rows_;
  std::vector<int> unit_slot_;  // of friction, lower and upper limit of each dof; -1 without
  solver::WideSizes sizes_;
  solver::WideProblem<double> problem_;
  solver::WideSolution<double> solution_;
  Buffer memory_, scratch_;
};

}  // namespace torsor
