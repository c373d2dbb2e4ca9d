// The plan of rows as one world has it: the plan that all share or, where worlds have values of the model of their own,
// its structure with the values of this world. What is asked for then is a copy, made when it is needed: few pairs are
// near each other, and a plan for each world would take more memory than the world.
#pragma once

#include "torsor/batch/kernels/plan_values.hpp"
#include "torsor/gpu/constraint_view.hpp"

namespace torsor::gpu {

template <bool kOwnValues>
class PlanOfWorld;

template <>
class PlanOfWorld<false> {
 public:
  TORSOR_INLINE PlanOfWorld(const ConstraintPlan& plan, int) : plan_(plan) {}
  TORSOR_INLINE const PairReach& reach(int k) const { return plan_.reaches[k]; }
  TORSOR_INLINE const PairPlan& shapes(int k) const { return plan_.pairs[k]; }
  TORSOR_INLINE const PairPlan& pair(int k) const { return plan_.pairs[k]; }
  TORSOR_INLINE const ScalarPlan& scalar(int k) const { return plan_.scalars[k]; }
  TORSOR_INLINE const EqualityPlan& equality(int k) const { return plan_.equalities[k]; }
  TORSOR_INLINE double impratio() const { return plan_.impratio; }

 private:
  const ConstraintPlan& plan_;
};

template <>
class PlanOfWorld<true> {
 public:
  TORSOR_INLINE PlanOfWorld(const ConstraintPlan& plan, int world) : plan_(plan), model_(plan.models[world]) {}
  TORSOR_INLINE PairReach reach(int k) const { return plan_.has_own_reaches ? reach_of(shapes(k)) : plan_.reaches[k]; }
  // What points of contact depend on.
  TORSOR_INLINE PairPlan shapes(int k) const {
    PairPlan pair = plan_.pairs[k];
    set_pair_range(model_, pair);
    return pair;
  }
  // What rows depend on, besides.
  TORSOR_INLINE PairPlan pair(int k) const {
    PairPlan pair = shapes(k);
    set_pair_contact(model_, plan_.is_pyramidal, pair);
    return pair;
  }
  TORSOR_INLINE ScalarPlan scalar(int k) const {
    ScalarPlan scalar = plan_.scalars[k];
    set_scalar_values(model_, scalar);
    return scalar;
  }
  TORSOR_INLINE EqualityPlan equality(int k) const {
    EqualityPlan equality = plan_.equalities[k];
    set_equality_values(model_, equality);
    return equality;
  }
  TORSOR_INLINE double impratio() const { return model_.opt.impratio; }

 private:
  const ConstraintPlan& plan_;
  const ModelView& model_;
};

}  // namespace torsor::gpu
