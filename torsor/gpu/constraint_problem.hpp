// The constraint problem of every world, as the kernel that writes the rows leaves it for the solver. The problem is
// that of solver/wide_problem.hpp, and so are the kinds of rows; here each world, more exactly each of its islands, has
// its own sizes: nothing is padded to what other worlds need.
//
//     unit      friction, lower limit, upper limit of a dof: one number each, by dof of the model. J is 1, 1 and -1
//     single    one dense row, with bounds of D x = minus the force
//     contact   3, 4 or 6 dense rows: the normal, then the tangents, each times its friction coefficient
//
// Rows of an island follow each other: singles, then contacts of 3 rows, then those of 4, then those of 6. An item is a
// single or a contact.
#pragma once

#include "torsor/gpu/config.hpp"
#include "torsor/solver/wide_problem.hpp"

namespace torsor::gpu {

// Trees that rows connect. Its dofs, rows and items are consecutive parts of those of its world.
struct Island {
  int world;
  int first_dof, dofs;  // into ConstraintArrays::dofs of the world
  int first_row, first_item;
  int singles;
  int contacts[solver::kContactKinds];  // of 3, 4 and 6 rows
  int turns;                            // Gauss-Seidel: see Turn
};

enum UnitKind { kUnitFriction, kUnitLower, kUnitUpper, kUnitKinds };

// Gauss-Seidel: a row or contact of an island, which are listed in the order of one world.
struct Turn {
  enum Kind { kSingle = kUnitKinds, kContact };  // after those of units; contacts of 3, 4 and 6 rows
  int number;

  static TORSOR_INLINE Turn make(int kind, int index) { return {index * kKinds + kind}; }
  TORSOR_INLINE int kind() const { return number % kKinds; }
  // Of a unit, its dof's place in the island; of others, which of their kind.
  TORSOR_INLINE int index() const { return number / kKinds; }

 private:
  static constexpr int kKinds = kContact + solver::kContactKinds;
};

// How islands are solved.
enum class IslandSolver { kNewton, kCg, kPgs, kSap };

template <class S>
struct ConstraintArrays {
  int worlds = 0;
  int nv = 0;
  int row_capacity = 0, item_capacity = 0;  // of each world
  int stride = 0;                           // of rows of J: nv rounded up to a multiple of 4

  const int* dofs = nullptr;  // [world][nv], island after island, ascending in each: dofs of the model
  // [world][row][stride]: column k belongs to the k-th dof of the island. Columns up to the next multiple of 4 after
  // the last one are zero, those beyond are not written.
  const S* J = nullptr;
  const S* b = nullptr;                          // [world][row]
  const S *D = nullptr, *R = nullptr;            // [world][item]; R = 1 / D, of singles alone
  const S *lower = nullptr, *upper = nullptr;    // [world][item], of singles
  const S* mu = nullptr;                         // [world][item], of contacts with elliptic cones
  const S *unit_D = nullptr, *unit_b = nullptr;  // [world][kUnitKinds][nv]; D = 0 where there is no row
  const S* unit_loss = nullptr;                  // [nv], bound of friction, of all worlds or of each
  int loss_stride = 0;                           // from one world to the next: 0 where they share it
  // Gauss-Seidel, else null. Turns of an island begin at its first_item + kUnitKinds first_dof.
  Turn* turns = nullptr;       // [world][turn_capacity()]
  double* friction = nullptr;  // [world][item][kMostTangents], of contacts; null with pyramids
  static constexpr int kMostTangents = 5;
  TORSOR_INLINE int turn_capacity() const { return item_capacity + kUnitKinds * nv; }
  TORSOR_INLINE std::ptrdiff_t first_turn(const Island& island) const {
    return std::ptrdiff_t(turn_capacity()) * island.world + island.first_item + kUnitKinds * island.first_dof;
  }

  // Arrays in blocks of worlds.
  WorldNumbers<S> M;  // as DataView::M: lower rows of the tree's sparsity, see the model below
  WorldNumbers<S> qacc_smooth, qacc_warmstart;
  WorldNumbers<S> qacc, qfrc_constraint;  // results; of dofs in islands alone
  // SAP, else null: h times the damping of each dof, which is part of its mass matrix A, and 1 / diag(A).
  WorldNumbers<S> implicit, inverse;
  WorldNumbers<S> qvel;
  double timestep = 0;

  // of the model
  const int *M_rowadr = nullptr, *M_rownnz = nullptr, *M_colind = nullptr;
  IslandSolver method = IslandSolver::kNewton;
  bool elliptic = false;
  bool cold = false;        // starts from a_smooth whatever qacc_warmstart is; Gauss-Seidel without forces
  solver::Options options;  // `scale` is that of the island: 1 / trace of its part of M, see batch/wide_builder.cpp

  // results per island, in the order of the islands
  int* iterations = nullptr;
  // Force of each row and item in the order of the rows, where somebody reads them; else null.
  S* force = nullptr;       // [world][row], as WideRows::force
  S* unit_force = nullptr;  // [world][kUnitKinds][nv]
};

}  // namespace torsor::gpu
