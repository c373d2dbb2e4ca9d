// Fills the problem of the solver for worlds in lanes, for islands that join the same trees. Arrays are those of packs:
// number i of lane k is at [i * lanes + k].
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "torsor/batch/kernels/rows.hpp"
#include "torsor/batch/tree_layout.hpp"
#include "torsor/core/buffer.hpp"
#include "torsor/solver/wide.hpp"

namespace torsor {

template <class S>
struct WideSolveArrays {
  const S *M, *qacc_smooth, *qacc_warmstart;
  S *qacc, *qfrc_constraint;
  // SAP, else null: h times the damping of each dof, which is part of its mass matrix A, 1 / diag(A), and qvel.
  const S *implicit = nullptr, *inverse = nullptr, *qvel = nullptr;
};

// Pyramids are stored as normal and tangents, whose sums are the edges: the forces of edges are rounded by eps D |x|.
// For D beyond this, which means a contact of bodies without inertia along its normal, that would be seen: one world,
// in double, keeps each edge.
template <class S>
constexpr double kStiffestPyramid = sizeof(S) == 8 ? 1e10 : 1e6;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr int contact_kind(int dim) { return dim == 3 ? 0 : dim == 4 ? 1 : 2; }  // of contacts with friction

// The numbers of a row besides J.
struct RowNumbers {
  double b, D, R, lower, upper;
};

template <class S>
class WideBuilder {
 public:
  WideBuilder(const Model& model, const solver::WideKernels<S>& kernels);

  int lanes() const { return width_; }
  // Begins a problem of these trees, with room for so many dense rows and contacts in any lane. Bit l of tree_lanes[t]:
  // tree t is part of what lane l solves. Not every lane needs to have all trees: those that it does not have do not
  // move, and no bit of the others depends on them.
  void begin(const Model& model, const WideSolveArrays<S>& arrays, std::uint64_t trees, const unsigned* tree_lanes,
             int singles, const int (&contacts)[solver::kContactKinds]);
  int tiles_of(std::uint64_t trees) const {
    int tiles = 0;
    for (const int t : solver::bits_of(trees)) tiles += layouts_[static_cast<size_t>(t)].tiles;
    return tiles;
  }

  solver::WideProblem<S>& problem() { return problem_; }
  const solver::WideSolution<S>& solution() const { return solution_; }
  // Of the dofs of its trees.
  const int* places() const { return place_.data(); }
  int place_of(int dof) const { return place_[static_cast<size_t>(dof)]; }
  std::uint64_t tile_of(int dof) const { return std::uint64_t{1} << place_of(dof) / solver::kWideTile; }
  // All unit rows of all lanes are announced first, then placed in an order that does not depend on the lanes, then
  // added.
  void announce_unit(int dof, UnitRow kind) { unit_slot_[unit_key(dof, kind)] = 0; }
  void place_units();
  int unit_slot(int dof, UnitRow kind) const { return unit_slot_[unit_key(dof, kind)]; }
  void add_unit(int lane, int dof, UnitRow kind, double sign, const RowNumbers& row);
  // Lets a slot use these tiles, in which J is zero until somebody writes it, and couples them.
  void add_tiles(const solver::WideSlots<S>& slots, int slot, std::uint64_t tiles);
  // Row `slot` of the dense rows of a lane: first its tiles, then its numbers, J through single_at().
  void open_single(int lane, int slot, std::uint64_t tiles, const RowNumbers& row);
  S& single_at(int lane, int slot, int place) { return *J_at(problem_.singles, lane, slot, place); }
  // The same for contacts; J and b of tangents are those of the rows times their friction coefficients.
  void open_contact(int lane, int kind, int slot, std::uint64_t tiles, double D, double mu);
  // Of row 0; those of the rows after it are row_stride() apart.
  S* contact_at(int lane, int kind, int slot, int place) { return J_at(problem_.contacts[kind], lane, slot, place); }
  int row_stride() const { return solver::kWideTile * width_; }
  S& contact_b(int lane, int kind, int slot, int row) {
    const solver::WideSlots<S>& slots = problem_.contacts[kind];
    return slots.b[static_cast<size_t>((slot * slots.dim + row) * width_ + lane)];
  }

  // Gauss-Seidel only: the rows of each lane in the order of one world, after they have slots.
  bool needs_turns(const Model& model) const { return model.opt.solver == static_cast<int>(SolverType::kPgs); }
  void add_turn(int lane, int kind, int slot, const double* friction = nullptr) {
    lane_turns_[static_cast<size_t>(lane)].push_back({kind, slot, friction});
  }

  // Lanes with a contact whose D is beyond what cones of SAP and Gauss-Seidel can take; these are not solved.
  unsigned leave_stiff_lanes(const Model& model);
  // Solves, and writes qacc and qfrc_constraint of the lanes.
  void solve(const Model& model, const WideSolveArrays<S>& arrays);

  // Memory that problems have needed so far, and as much as another builder of the model has needed.
  struct Room {
    size_t memory = 0, scratch = 0, entries = 0, dofs = 0, turns_of_lane = 0;
    void include(const Room& other);
  };
  Room room() const;
  void make_room(const Room& room);

 private:
  static size_t unit_key(int dof, UnitRow kind) { return static_cast<size_t>(3 * dof + static_cast<int>(kind)); }
  S* J_at(const solver::WideSlots<S>& slots, int lane, int slot, int place) const {
    const int tile = slot * slots.tiles + place / solver::kWideTile;
    const int element = tile * slots.dim * solver::kWideTile + place % solver::kWideTile;
    return slots.J + static_cast<size_t>(element) * static_cast<size_t>(width_) + static_cast<size_t>(lane);
  }
  void make_room(const Model& model, int tiles, int singles, const int (&contacts)[solver::kContactKinds]);
  void place_arrays();
  void clear_slots();
  void lay_out();
  void fill_mass(const WideSolveArrays<S>& arrays);
  void fill_start(const Model& model, const WideSolveArrays<S>& arrays);
  void fill_scales(const Model& model, const WideSolveArrays<S>& arrays);
  void solve_dual(const solver::Options& options);
  template <class F>
  void for_each_tree(F&& f) const {
    for (size_t t = 0; t < layouts_.size(); ++t)
      if (trees_ >> t & 1) f(layouts_[t], tree_tile_[t]);
  }

  const solver::WideKernels<S>& kernels_;
  const int width_;
  std::vector<TreeLayout> layouts_;
  std::vector<int> place_in_tree_, dof_tree_;
  std::vector<int> place_;           // of each dof of the present problem
  std::uint64_t trees_ = 0;          // of the present problem
  unsigned lanes_ = 0;               // that it has rows for
  std::vector<int> tree_tile_;       // first tile of each of its trees
  std::vector<unsigned> dof_lanes_;  // lanes that solve each dof
  std::vector<int> unit_slot_;       // by dof and UnitRow, -1 without
  solver::WideSizes sizes_;
  solver::WideProblem<S> problem_;
  solver::WideSolution<S> solution_;
  Buffer memory_, scratch_;
  bool is_placed_ = false;            // arrays have addresses for sizes_
  std::uint64_t laid_out_trees_ = 0;  // those of the lists that follow, and of zeros and tiles in problem_.M
  const S* laid_out_M_ = nullptr;
  std::vector<solver::WideMassEntry> entries_;
  std::vector<int> dofs_;                                  // by place
  std::vector<std::vector<solver::WideTurn>> lane_turns_;  // by lane
  std::vector<solver::WideTurns> turns_;                   // the same
};

}  // namespace torsor
