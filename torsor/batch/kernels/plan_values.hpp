// What a plan of rows takes from the values of the model: of the one that all worlds share or, on a device, of the view
// of one world. Which rows there are, and of what, is structure: batch/row_plan.cpp.
#pragma once

#include <cmath>

#include "torsor/batch/kernels/rows.hpp"
#include "torsor/constraint/kernels/row_values.hpp"
#include "torsor/contact/box_around.hpp"
#include "torsor/contact/kernels/mixing.hpp"

namespace torsor {

TORSOR_HD inline ImpedancePlan plan_impedance(const double solimp[5]) {
  const double dmin = bounded_impedance(solimp[0]), dmax = bounded_impedance(solimp[1]);
  const double middle = bounded_impedance(solimp[3]), power = 1 < solimp[4] ? solimp[4] : 1;
  if (dmin == dmax || !(solimp[2] > kMinValue)) return {0.5 * (dmin + dmax), 0.5 * (dmin + dmax), middle, power, 0};
  return {dmin, dmax, middle, power, 1 / solimp[2]};
}

TORSOR_HD inline ReferencePlan plan_reference(const ModelView& model, const double* solref, const double* solimp) {
  const RowReference reference = reference_of(model.opt, solref, solimp);
  return {reference.stiffness, reference.damping};
}

// Boxes around both shapes; not around a plane, which has none.
TORSOR_HD inline void set_boxes(const ModelView& model, PairPlan& plan) {
  for (int k = 0; plan.has_boxes && k < 2; ++k) {
    const int geom = k == 0 ? plan.pair.geom1 : plan.pair.geom2;
    Shape shape{};
    shape.type = static_cast<GeomType>(model.geom_type[geom]);
    shape.size = plan.size[k];
    shape.bounds = model.geom_aabb.row(geom, 6);
    if (shape.type == GeomType::kPlane) continue;
    const Box box = box_around(shape);
    for (int i = 0; i < 3; ++i) plan.box[k][i] = box.center[i], plan.box[k][3 + i] = box.half[i];
  }
}

// How large the shapes of a pair are, and how near they must be.
TORSOR_HD inline void set_pair_range(const ModelView& model, PairPlan& plan) {
  const int geom1 = plan.pair.geom1, geom2 = plan.pair.geom2;
  plan.size[0] = model.geom_size.row(geom1, 3);
  plan.size[1] = model.geom_size.row(geom2, 3);
  set_boxes(model, plan);
  plan.range = mixed_range(model, plan.pair);
  plan.reach = model.geom_rbound[geom1] + model.geom_rbound[geom2] + plan.range.detection;
}

TORSOR_HD inline PairReach reach_of(const PairPlan& plan) {
  PairReach reach{plan.pair.geom1, plan.pair.geom2, plan.reach, plan.has_plane, false, {0, 0}, 0};
  const bool has_capsule[2] = {plan.kind == PackPair::kCapsuleCapsule,
                               plan.kind == PackPair::kCapsuleCapsule || plan.kind == PackPair::kSphereCapsule};
  reach.has_axes = has_capsule[1];
  reach.thickness = plan.size[0][0] + plan.size[1][0] + plan.range.detection;
  for (int k = 0; k < 2; ++k)  // rounded up
    reach.half[k] = has_capsule[k] ? nextafterf(static_cast<float>(plan.size[k][1]), INFINITY) : 0;
  return reach;
}

// What the rows of a contact follow from, but for SAP's. The size and the range are there.
TORSOR_HD inline void set_pair_contact(const ModelView& model, bool is_pyramidal, PairPlan& plan) {
  Contact contact{};
  mix_contact(model, plan.pair, contact);
  plan.dim = contact.dim;
  for (int i = 0; i < 5; ++i) plan.friction[i] = contact.friction[i];
  plan.impedance = plan_impedance(contact.solimp);
  const bool has_slip = contact.solreffriction[0] != 0 || contact.solreffriction[1] != 0;
  plan.normal = plan_reference(model, contact.solref, contact.solimp);
  plan.slip = plan_reference(model, has_slip ? contact.solreffriction : contact.solref, contact.solimp);
  const bool is_pyramid = is_pyramidal && contact.dim > 1;
  plan.weight = weight_of_contact(model, contact, is_pyramid, 0);
  const double mu = plan.friction[0];
  const double dmax = plan.impedance.dmin < plan.impedance.dmax ? plan.impedance.dmax : plan.impedance.dmin;
  plan.stiffest = is_pyramid ? dmax / (1 - dmax) * model.opt.impratio / (2 * mu * mu * plan.weight) : 0;
}

namespace plan_values {

// Friction has no position that a stiffness could act on.
TORSOR_HD inline void set_parameters(const ModelView& model, const double* solref, const double* solimp,
                                     ScalarPlan& row) {
  row.impedance = plan_impedance(solimp);
  row.reference = plan_reference(model, solref, solimp);
  if (row.is_friction) row.reference.stiffness = 0;
}
TORSOR_HD inline void set_range(const double* range, double margin, ScalarPlan& row) {
  row.range[0] = range[0];
  row.range[1] = row.is_ball && range[1] < range[0] ? range[0] : range[1];
  row.margin = margin;
}

}  // namespace plan_values

// Of which joint or tendon it is, and whether it is friction or limits, is there.
TORSOR_HD inline void set_scalar_values(const ModelView& model, ScalarPlan& row) {
  if (const int t = row.tendon; t >= 0) {
    row.weight = model.tendon_invweight0[t];
    if (row.is_friction) {
      row.loss = model.tendon_frictionloss[t];
      return plan_values::set_parameters(model, model.tendon_solref_fri.row(t, 2), model.tendon_solimp_fri.row(t, 5),
                                         row);
    }
    plan_values::set_range(model.tendon_range.row(t, 2), model.tendon_margin[t], row);
    return plan_values::set_parameters(model, model.tendon_solref_lim.row(t, 2), model.tendon_solimp_lim.row(t, 5),
                                       row);
  }
  row.weight = model.dof_invweight0[row.dof];
  if (row.is_friction) {
    row.loss = model.dof_frictionloss[row.dof];
    return plan_values::set_parameters(model, model.dof_solref.row(row.dof, 2), model.dof_solimp.row(row.dof, 5), row);
  }
  const int joint = model.dof_jntid[row.dof];
  plan_values::set_range(model.jnt_range.row(joint, 2), model.jnt_margin[joint], row);
  plan_values::set_parameters(model, model.jnt_solref.row(joint, 2), model.jnt_solimp.row(joint, 5), row);
}

// Its objects and bodies are there.
TORSOR_HD inline void set_equality_values(const ModelView& model, EqualityPlan& plan) {
  plan.data = model.eq_data.row(plan.id, kEqualityNumbers);
  plan.impedance = plan_impedance(model.eq_solimp.row(plan.id, 5));
  plan.normal = plan_reference(model, model.eq_solref.row(plan.id, 2), model.eq_solimp.row(plan.id, 5));
  plan.weight[0] = plan.weight[1] = 0;
  for (int k = 0; k < 2; ++k) {
    const int object = plan.object[k];
    if (plan.rows > 1) {
      if (plan.has_sites) plan.site_quat[k] = model.site_quat.row(object, 4);
      for (int r = 0; r < 2; ++r) plan.weight[r] += model.body_invweight0[2 * plan.body[k] + r];
    } else if (object >= 0 && plan.type == EqualityType::kTendon) {
      plan.reference[k] = model.tendon_length0[object];
      plan.weight[0] += model.tendon_invweight0[object];
    } else if (object >= 0) {
      plan.reference[k] = model.qpos0[model.jnt_qposadr[object]];
      plan.weight[0] += model.dof_invweight0[model.jnt_dofadr[object]];
    }
  }
}

}  // namespace torsor
