// Rows of dry friction that are kept from step to step.
#include <algorithm>

#include "torsor/constraint/row_writer.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

FrictionPlan::Key key_of(const Model& model) {
  return {model.dof_solref.data(),
          model.dof_solimp.data(),
          model.dof_invweight0.data(),
          model.dof_frictionloss.data(),
          {model.opt.timestep, model.opt.disabled(kDisableRefSafe) ? 1.0 : 0.0}};
}

// SAP's compliance, that of discrete time and the exact inverse inertia depend on the state.
bool are_static(const Model& model) {
  return !formulation(model.opt).is_compliant && !formulation(model.opt).solves_in_metric &&
         !model.opt.enabled(kEnableDiagExact) && !model.opt.disabled(kDisableFrictionLoss);
}

}  // namespace

const FrictionPlan* find_kept_friction(const Model& model, const Data& data) {
  return data.awake.all && are_static(model) && data.friction_plan.is_of(model.nv, key_of(model)) ? &data.friction_plan
                                                                                                  : nullptr;
}

void keep_friction(const Model& model, Data& data) {
  FrictionPlan& plan = data.friction_plan;
  if (!data.awake.all || !are_static(model)) return;
  const int first = data.ne;
  int count = 0;
  while (count < data.nf && data.efc_type[first + count] == static_cast<int>(RowType::kFrictionDof)) ++count;
  if (!plan.take(model.nv, key_of(model), count)) return;
  std::copy_n(data.efc_id.row(first, 1), count, plan.dof());
  std::copy_n(data.efc_KBIP.row(first, 4), 4 * count, plan.KBIP());
  std::copy_n(data.efc_R.row(first, 1), count, plan.R());
  std::copy_n(data.efc_D.row(first, 1), count, plan.D());
  std::copy_n(data.efc_diagA.row(first, 1), count, plan.diagA());
  std::copy_n(data.efc_frictionloss.row(first, 1), count, plan.frictionloss());
}

}  // namespace torsor
