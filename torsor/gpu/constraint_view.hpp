// What finding contacts and writing rows reads and writes on a device.
#pragma once

#include "torsor/batch/kernels/rows.hpp"
#include "torsor/gpu/narrow_plan.hpp"
#include "torsor/gpu/newton.hpp"
#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

// RowPlan, with arrays and pointers of the device.
struct ConstraintPlan {
  const PairReach* reaches = nullptr;
  const PairPlan* pairs = nullptr;
  const NarrowPair* narrow = nullptr;  // of the same pairs
  const HullView* hulls = nullptr;     // by mesh
  const HeightFieldView* fields = nullptr;
  const PairDof* dofs = nullptr;
  const ScalarPlan* scalars = nullptr;
  const EqualityPlan* equalities = nullptr;
  const EqualityDof* equality_dofs = nullptr;
  int pair_count = 0, scalar_count = 0, equality_count = 0;
  bool is_pyramidal = true;
  bool has_islands = true;          // else all trees are one
  bool has_one_point = false;       // of two convex shapes
  bool has_single_scalars = false;  // friction and limits of ball joints and tendons, beside those of one dof
  unsigned narrow_kinds = 0;        // bit k: some pair may be of NarrowKind k
  double impratio = 1;
  const ModelView* models = nullptr;  // as WorldView::models
  bool has_own_reaches = false;       // and values that decide how near pairs must be are among them
};

// Points of contact of each world, those without rows included.
template <class S>
struct ContactStore {
  static constexpr int kNumbers = PackContact<S>::kNumbers;  // dist, position, normal, first and second tangent
  int capacity = 0;
  WorldNumbers<S> numbers;  // [contact][kNumbers]
  WorldNumbers<int> pairs;  // [contact], of the plan; ~pair where a contact has no row
  int* order = nullptr;     // [world][contact]: contacts by the order of the plan, see WorldRows
  int* count = nullptr;     // [world]
};

// Forces of contacts and equalities, where somebody reads them; else all null.
template <class S>
struct ForceStore {
  int* contacts = nullptr;       // [world], those without rows included
  int* order = nullptr;          // [world][contact]: place of the contact that comes c-th in the plan
  S* of_contacts = nullptr;      // [world][place][6], force and torque in the frame of the contact
  int* equality_rows = nullptr;  // [world][equality of the plan]: its first row, -1 where it has none
  int* group = nullptr;          // [world][place], while the others are found
};

// Where islands go that worlds find. The lists are filled by whichever thread comes first; no result depends on that.
struct IslandSink {
  Island* islands = nullptr;                  // [world][trees]
  int trees = 0;                              // most islands of a world
  int *indices = nullptr, *counts = nullptr;  // as in IslandLists, the counts followed by those taken
  int capacity = 0;
};

// Room that the world needs which needs most, where there is less.
struct Room {
  int contacts = 0, candidates = 0, rows = 0, items = 0;
};

template <class S>
struct ConstraintView {
  ConstraintPlan plan;
  ContactStore<S> contacts;
  CandidateStore<S> candidates;
  ForceStore<S> forces;
  WorldNumbers<S> geom_xpos, geom_xmat;
  ConstraintArrays<S> problem;  // its arrays are written here
  int* place = nullptr;         // [world][nv]: of each dof in its island
  IslandSink islands;
  Room* needed = nullptr;  // [1]
};

}  // namespace torsor::gpu
