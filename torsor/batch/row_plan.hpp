// What contacts and rows have in common in all states of a model: which geoms may touch, their mixed parameters, the
// dofs that move them against each other, limits and friction.
#pragma once

#include <string>
#include <vector>

#include "torsor/batch/kernels/rows.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

inline constexpr const char* kDiscreteLanes = "the integrator discrete solves in a metric of each world";

// Follows from the values of the model; refresh() when they may have changed.
class RowPlan {
 public:
  explicit RowPlan(const Model& model);
  void refresh(const Model& model);

  int tiles = 0;  // of all trees
  std::vector<PairPlan> pairs;
  std::vector<PairReach> reaches;  // of the same pairs
  std::vector<PairDof> dofs;
  std::vector<ScalarPlan> scalars;
  std::vector<EqualityPlan> equalities;
  std::vector<EqualityDof> equality_dofs;
  bool has_hulls = false;          // a pair whose separation saves a search
  int version = 0;                 // of the values that it follows from
  bool has_dropped_pairs = false;  // of the model's own: no dof moves the geoms against each other

 private:
  void add_pair(const Model& model, const ContactPair& pair);
  void add_equality(const Model& model, int id);
  void add_frame_dofs(const Model& model, EqualityPlan& plan);
  void add_coupled_dofs(const Model& model, EqualityPlan& plan);
  void add_joints(const Model& model);
  void add_tendons(const Model& model);
};

// Why the rows of a model cannot be solved wide, or must be made lane by lane; "" if that is not so.
std::string why_no_wide_solver(const Model& model, const RowPlan& plan);
std::string why_no_pack_rows(const Model& model, const RowPlan& plan);
// What contacts of one world have no rows, so that they are not among the contacts of a pack; "" if all have.
std::string contacts_without_rows(const Model& model, const RowPlan& plan);

}  // namespace torsor
