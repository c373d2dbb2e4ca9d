// Contacts and rows of a pack of worlds, written straight into the problem of the wide solver: friction of joints and
// tendons, limits of hinges, slides and tendons, contacts. What does not depend on the state, such as which geoms may
// touch, their mixed parameters and the dofs that move them, is worked out once.
#pragma once

#include <string>
#include <vector>

#include "torsor/batch/wide_builder.hpp"
#include "torsor/constraint/impedance.hpp"
#include "torsor/contact/parameters.hpp"
#include "torsor/contact/shape.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Two geoms that may touch.
struct PairPlan {
  ContactPair pair;
  PairFunction function;
  ContactRange range;
  double reach;               // sum of the bounding radii and of the distance up to which contacts are listed
  bool has_plane;             // the first is a plane
  Contact parameters;         // of every contact of the pair
  RowReference normal, slip;  // reference accelerations
  double weight;              // inverse inertia that R follows from
  int first_dof, dofs;        // into RowPlan::dofs: those that move the pair against each other
  std::uint64_t trees;
};

struct PairDof {
  int dof;
  int root;     // body whose COM its axis is read at
  double sign;  // 1 where it moves the second geom, -1 the first
};

// Friction, or the limits, of one number: a joint's coordinate or the length of a tendon.
struct ScalarPlan {
  int dof = 0, qpos = 0;  // of a hinge or slide
  int tendon = -1;        // -1 for joints
  bool is_friction = false;
  double range[2] = {0, 0}, margin = 0, loss = 0, weight = 0;
  const double* solimp = nullptr;
  RowReference reference{};
  std::uint64_t trees = 0;
};

// Follows from the values of the model; refresh() when they may have changed.
class RowPlan {
 public:
  explicit RowPlan(const Model& model);
  void refresh(const Model& model);

  int tiles = 0;  // of all trees
  std::vector<PairPlan> pairs;
  std::vector<PairDof> dofs;
  std::vector<ScalarPlan> scalars;

 private:
  void add_pair(const Model& model, const ContactPair& pair);
  void add_joints(const Model& model);
  void add_tendons(const Model& model);
};

// Why the rows of a model cannot be solved wide, or must be made lane by lane; "" if that is not so.
std::string why_no_wide_solver(const Model& model, const RowPlan& plan);
std::string why_no_pack_rows(const Model& model, const RowPlan& plan);

struct PackRowArrays {
  const double *qpos, *qvel, *geom_xpos, *geom_xmat, *cdof, *subtree_com, *ten_length, *ten_J;
};

// The constraints of one pack at a time.
class PackRows {
 public:
  PackRows(const Model& model, const solver::WideKernels<double>& kernels) : builder_(model, kernels) {}

  // Contacts, rows and their solution. Returns the lanes whose numbers are not all finite: nothing was done for them.
  unsigned solve(const Model& model, const RowPlan& plan, const PackRowArrays& state, const WideSolveArrays& arrays);

 private:
  struct LaneContact {
    int pair, island;
    double dist, pos[3], frame[9];
  };
  struct LaneScalar {
    int plan, island;
    int side;  // of a limit: -1 lower, 1 upper; 0 for friction
    double distance;
    UnitRow kind() const { return side == 0 ? UnitRow::kFriction : side < 0 ? UnitRow::kLower : UnitRow::kUpper; }
  };
  struct Lane {
    std::vector<LaneContact> contacts;
    std::vector<LaneScalar> scalars;
    std::vector<std::uint64_t> islands;  // trees of each; 0 when it was joined to another
  };

  void find_contacts(const Model& model, const RowPlan& plan, const PackRowArrays& state, unsigned lanes);
  void touch(const Model& model, const PairPlan& pair, int index, const PackRowArrays& state, int lane);
  void find_scalars(const RowPlan& plan, const PackRowArrays& state, int lane);
  void find_islands(const Model& model, const RowPlan& plan, Lane& lane) const;
  void solve_group(const Model& model, const RowPlan& plan, const PackRowArrays& state, const WideSolveArrays& arrays,
                   std::uint64_t trees, unsigned lanes);
  void write_scalar(const Model& model, const RowPlan& plan, const PackRowArrays& state, const WideSolveArrays& arrays,
                    int lane, const LaneScalar& row, int& single);
  void write_contact(const Model& model, const RowPlan& plan, const PackRowArrays& state, const WideSolveArrays& arrays,
                     int lane, const LaneContact& contact, int& single, int (&next)[solver::kContactKinds]);

  WideBuilder builder_;
  std::vector<Lane> lanes_;
};

}  // namespace torsor
