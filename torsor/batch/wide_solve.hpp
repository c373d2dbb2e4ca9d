// Solves the rows of a pack of worlds wide, from rows that were made lane by lane. Islands of the worlds that have the
// same trees are solved together, one per lane, so that each is the same problem as for one world.
#pragma once

#include <vector>

#include "torsor/batch/wide_builder.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

template <class S>
class WideSolver {
 public:
  WideSolver(const Model& model, const solver::WideKernels<S>& kernels) : builder_(model, kernels) {}

  // The rows are those in `worlds`, which are as many as there are lanes. Returns the lanes that are left to the
  // solver for one world: numbers are not all finite, or pyramids too stiff.
  unsigned solve(const Model& model, std::vector<Data>& worlds, const WideSolveArrays<S>& arrays);

 private:
  struct Island {
    int lane, row_begin, row_end;  // into rows_
    std::uint64_t trees;
  };
  bool list_islands(const Model& model, Data& data, int lane);
  void solve_group(const Model& model, std::vector<Data>& worlds, const WideSolveArrays<S>& arrays);
  void count_slots(const Data& data, const Island& island, int& singles, int (&contacts)[solver::kContactKinds]) const;
  void announce_units(const Data& data, const Island& island);
  void fill_rows(const Model& model, const Data& data, const WideSolveArrays<S>& arrays, const Island& island);
  std::uint64_t tiles_of(const Data& data, int row) const;
  void fill_single(const Data& data, const WideSolveArrays<S>& arrays, int lane, int row, int slot);
  int fill_contact(const Data& data, const WideSolveArrays<S>& arrays, int lane, int row,
                   int (&next)[solver::kContactKinds]);

  WideBuilder<S> builder_;
  std::vector<Island> islands_;
  std::vector<Island*> group_;
  std::vector<int> rows_;
  unsigned left_ = 0;  // lanes that turned out to be too stiff
};

}  // namespace torsor
