// Contacts and rows of a pack of worlds, written straight into the problem of the wide solver: friction of joints and
// tendons, limits of joints and tendons, equalities, contacts.
#pragma once

#include <vector>

#include "torsor/batch/row_plan.hpp"
#include "torsor/batch/wide_builder.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/dispatch.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/still_apart.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// The kernels of one instruction set that constraints need.
template <class S>
struct ConstraintKernels {
  const solver::WideKernels<S>* solver;
  const RowKernels<S>* rows;

  // Those of the current set.
  static ConstraintKernels current() { return {&solver::wide_kernels<S>(), &row_kernels<S>()}; }
};

// The constraints of one pack at a time.
template <class S>
class PackRows {
 public:
  PackRows(const Model& model, const ConstraintKernels<S>& kernels);

  // Contacts, rows and their solution; `active` are the lanes in which each equality of the model is active. Returns
  // the lanes whose numbers are not all finite: nothing was done for them. Forces of contacts and equalities are kept
  // if somebody will ask for them.
  unsigned solve(const Model& model, const RowPlan& plan, const RowState<S>& state, const WideSolveArrays<S>& arrays,
                 const unsigned* active, bool keeps_forces);
  // What a lane has that was left to the solver of one world.
  void take_forces(const Model& model, const RowPlan& plan, const Data& data, int lane);

  // Memory that packs have needed so far, and as much as another worker has needed: the next pack may be like any of
  // the packs before.
  struct Room {
    size_t contacts = 0;
    typename WideBuilder<S>::Room problem;
  };
  void include_in(Room& room) const;
  void make_room(const RowPlan& plan, const Room& room);

  // Contacts per step of a lane since then, in quarters.
  void count_from_here();
  int contacts_of(int lane) const { return steps_ == 0 ? 0 : 4 * found_[lane] / steps_; }
  // With the forces that were kept: the contacts of all lanes, and what constraints exert on bodies.
  const PackContact<S>* contacts() const { return contacts_.data(); }
  int contact_count() const { return static_cast<int>(contact_count_); }
  void add_wrenches(const Model& model, const RowPlan& plan, const RowState<S>& state, S* cfrc_ext) const;

 private:
  struct FoundScalar {
    int plan;
    unsigned rows[3];  // lanes, by UnitRow
    unsigned lanes() const { return rows[0] | rows[1] | rows[2]; }
  };

  void find_contacts(const Model& model, const RowPlan& plan, const RowState<S>& state, unsigned lanes);
  struct LanePair;  // the shapes of a pair in one lane
  // A lane of a pair that takes a search for nearest points.
  struct Search {
    double R[2][9];
    const PairPlan* plan;
    PackSeparation<S>* kept;  // null where none is
    int lane;
    bool is_apart;  // for the reason that was kept
    ConvexTouch touch;
  };
  static bool is_searched(const PairPlan& pair) {
    return pair.kind == PackPair::kLaneByLane && pair.function == convex_convex;
  }
  void add_searches(const Model& model, const RowPlan& plan, const RowState<S>& state, NearPair& pair);
  void take_pairs(const Model& model, const RowPlan& plan, const RowState<S>& state, int first, int end);
  void search_pairs();
  template <class Wants, class Take>
  void find_reaches(Wants&& wants, Take&& take);
  Shape place(const Model& model, const PairPlan& pair, const RowState<S>& state, int lane, int side, double* R) const;
  bool is_still_apart(const PairPlan& pair, const Shape& a, const Shape& b, int lane, PackSeparation<S>& kept) const;
  bool keep_if_apart(const PairPlan& pair, const Shape& a, const Shape& b, const FacingReach& facing, int lane,
                     PackSeparation<S>& kept) const;
  void keep(const FacingReach& facing, int lane, PackSeparation<S>& kept) const;
  void keep_direction(const Shape& a, const Shape& b, const Vec3<double>& apart_W, int lane,
                      PackSeparation<S>& kept) const;
  int add_points(const PairPlan& pair, int lane, ContactPoint* points, int found, PackContact<S>* contacts,
                 int count) const;
  int touch_lane(const Model& model, const PairPlan& pair, const RowState<S>& state, int lane, PackSeparation<S>* kept,
                 PackContact<S>* contacts, int count);
  int touch_or_keep(const PairPlan& pair, const Shape& a, const Shape& b, int lane, PackSeparation<S>& kept,
                    ContactPoint* points);
  void follow(const RowPlan& plan);
  unsigned find_stiff_lanes(const RowPlan& plan) const;
  void find_scalars(const RowPlan& plan, const RowState<S>& state, const RowTarget<S>& target, unsigned lanes);
  RowTarget<S> make_target(const Model& model, const RowPlan& plan, const WideSolveArrays<S>& arrays);
  unsigned lanes_with_rows(const RowPlan& plan) const;
  void find_islands(const Model& model, const RowPlan& plan, unsigned lanes);
  void join(bool all, std::uint64_t trees, unsigned lanes);
  std::uint64_t choose_group(unsigned sound);
  // Lanes whose part of the present problem has a row that touches these trees: an island has all of them or none.
  unsigned lanes_with(std::uint64_t trees) const { return trees == 0 ? 0 : tree_lanes_[__builtin_ctzll(trees)]; }
  unsigned active_in(const EqualityPlan& equality) const { return active_[equality.id] & lanes_with(equality.trees); }
  void count_singles(const RowPlan& plan);
  void solve_group(const Model& model, const RowPlan& plan, const RowState<S>& state, const WideSolveArrays<S>& arrays,
                   std::uint64_t trees);
  void open_problem(const Model& model, const RowPlan& plan, const WideSolveArrays<S>& arrays, std::uint64_t trees);
  void write_equalities(const RowPlan& plan, const RowState<S>& state, const RowTarget<S>& target);
  void write_scalars(const RowPlan& plan, const RowState<S>& state, const RowTarget<S>& target);
  void write_contacts(const RowPlan& plan, const RowState<S>& state, const RowTarget<S>& target);
  void keep_forces(const RowPlan& plan);
  void keep_equality_forces(const RowPlan& plan);
  void add_turns(unsigned lanes, int kind, const int* slot_of_lane, const double* friction = nullptr);
  void open_slots(const solver::WideSlots<S>& slots, std::uint64_t tiles, unsigned lanes, const int* slot_of_lane);

  const RowKernels<S>& kernels_;
  WideBuilder<S> builder_;
  std::vector<NearPair> near_;
  static constexpr size_t kMostSearches = 48;
  std::vector<Search> searches_;       // of pairs in order, lane by lane
  std::vector<ConvexTouch*> touches_;  // of some of them
  std::vector<ReachJob> reaches_;      // the same
  std::vector<Search*> reached_;
  std::vector<PackContact<S>> contacts_;
  size_t contact_count_ = 0;
  std::vector<FoundScalar> scalars_;
  const unsigned* active_ = nullptr;
  bool keeps_forces_ = false, has_turns_ = false;
  bool shares_problems_ = false;  // lanes with islands that are part of those of other lanes join them
  unsigned tree_lanes_[solver::kMaxWideTiles] = {};  // of the present problem: lanes that solve each tree
  struct alignas(64) RowForces {
    S of_row[6 * PackContact<S>::kMostLanes];
  };
  std::vector<RowForces> equality_forces_;           // of each of the plan
  unsigned left_ = 0;                                // lanes that turned out to be too stiff
  unsigned solved_ = 0;                              // lanes
  std::vector<std::vector<std::uint64_t>> islands_;  // by lane: the trees of each; 0 when it was joined to another
  std::vector<PackSeparation<S>> separations_;       // by pair of the plan
  int plan_version_ = -1;
  std::vector<ShapeParts> parts_;  // by geom: hulls, which are the same in all lanes and steps
  static constexpr int kMostLanes = PackContact<S>::kMostLanes;
  int steps_ = 0, found_[kMostLanes] = {};  // contacts of each lane in so many steps
  // Rows that each lane has so far: singles, then contacts by kind.
  int used_[1 + solver::kContactKinds][kMostLanes];
};

}  // namespace torsor
