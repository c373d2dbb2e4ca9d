// What rows have in common in all states.
#include <algorithm>

#include "torsor/batch/pack_rows.hpp"
#include "torsor/batch/wide_solve.hpp"
#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/contact/filter.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

constexpr size_t kMostPairs = 4096;  // beyond which the search of one world costs less

// Dofs that move one of two bodies and not the other, ascending.
void list_dofs(const Model& model, int body1, int body2, std::vector<PairDof>& to) {
  const auto first = static_cast<ptrdiff_t>(to.size());
  for_each_pair_dof(model, body1, body2, false, [&](int dof, int side) {
    to.push_back({dof, model.body_rootid[side == 1 ? body1 : body2], side == 1 ? -1.0 : 1.0});
  });
  std::reverse(to.begin() + first, to.end());
}

bool has_rows_of_other_kinds(const Model& model) {
  if (model.neq > 0 && !model.opt.disabled(kDisableEquality)) return true;
  for (int j = 0; j < model.njnt; ++j) {
    if (model.jnt_limited[j] && model.jnt_type[j] == static_cast<int>(JointType::kBall)) return true;
  }
  return false;
}

// At the largest impedance.
bool is_too_stiff(const Model& model, const PairPlan& pair) {
  constexpr double kLeastRatio = 1e-4;  // of R to the inverse inertia
  const double mu = pair.parameters.friction[0], R = kLeastRatio * pair.weight * 2 * mu * mu / model.opt.impratio;
  return is_pyramidal(model) && pair.parameters.dim > 1 && !(R * kStiffestPyramid > 1);
}

}  // namespace

std::string why_no_wide_solver(const Model& model, const RowPlan& plan) {
  const auto type = static_cast<SolverType>(model.opt.solver);
  if (type != SolverType::kNewton && type != SolverType::kCg) return "only Newton and CG run wide";
  if (model.opt.noslip_iterations > 0) return "noslip runs for one world at a time";
  if (model.ntree > 64) return "the model has more than 64 trees";
  return plan.tiles > solver::kMaxWideTiles ? "the model has more dofs than the wide solver takes" : std::string();
}

std::string why_no_pack_rows(const Model& model, const RowPlan& plan) {
  if (std::string why = why_no_wide_solver(model, plan); !why.empty()) return why;
  if (has_rows_of_other_kinds(model)) return "it has equalities or limits of ball joints";
  if (model.memory >= 0) return "the model limits the memory of contacts and rows";
  if (model.flg_adhesion || model.flg_surfacevel) return "surfaces move or stick";
  if (model.opt.enabled(kEnableDiagExact)) return "the inverse inertia of rows is computed exactly";
  for (int g = 0; g < model.ngeom; ++g) {
    const auto type = static_cast<GeomType>(model.geom_type[g]);
    if (type == GeomType::kHfield || (type == GeomType::kMesh && model.geom_meshcollision[g] != 0))
      return "height fields and triangles are searched for one world at a time";
  }
  if (plan.pairs.size() > kMostPairs) return "too many pairs of geoms may touch";
  for (const PairPlan& pair : plan.pairs) {
    if (is_too_stiff(model, pair)) return "contacts between bodies without inertia are too stiff";
  }
  return {};
}

RowPlan::RowPlan(const Model& model) {
  for (int t = 0; t < model.ntree; ++t) tiles += TreeLayout(model, t).tiles;
  refresh(model);
}

void RowPlan::add_pair(const Model& model, const ContactPair& given) {
  PairPlan plan{};
  plan.pair = given;
  if (model.geom_type[given.geom1] > model.geom_type[given.geom2]) std::swap(plan.pair.geom1, plan.pair.geom2);
  const int geom1 = plan.pair.geom1, geom2 = plan.pair.geom2;
  const auto type = [&model](int geom) { return static_cast<GeomType>(model.geom_type[geom]); };
  plan.function = find_pair_function(type(geom1), type(geom2));
  plan.first_dof = static_cast<int>(dofs.size());
  list_dofs(model, model.geom_bodyid[geom1], model.geom_bodyid[geom2], dofs);
  plan.dofs = static_cast<int>(dofs.size()) - plan.first_dof;
  if (!plan.function || plan.dofs == 0) return dofs.resize(static_cast<size_t>(plan.first_dof));
  for (int k = plan.first_dof; k < plan.first_dof + plan.dofs; ++k)
    plan.trees |= std::uint64_t{1} << model.dof_treeid[dofs[static_cast<size_t>(k)].dof];
  plan.range = contact_range(model, plan.pair);
  plan.has_plane = type(geom1) == GeomType::kPlane;
  plan.reach = model.geom_rbound[geom1] + model.geom_rbound[geom2] + plan.range.detection;
  ContactPoint anywhere{};
  anywhere.dist = plan.range.margin - 1;  // not in the gap
  anywhere.normal_W = {0, 0, 1};
  fill_contact(model, plan.pair, plan.range, anywhere, plan.parameters);
  const Contact& contact = plan.parameters;
  const bool has_slip = contact.solreffriction[0] != 0 || contact.solreffriction[1] != 0;
  plan.normal = row_reference(model, contact.solref, contact.solimp);
  plan.slip = row_reference(model, has_slip ? contact.solreffriction : contact.solref, contact.solimp);
  plan.weight = contact_weight(model, contact, is_pyramidal(model) && contact.dim > 1, 0);
  pairs.push_back(plan);
}

void RowPlan::add_joints(const Model& model) {
  for (int i = 0; !model.opt.disabled(kDisableFrictionLoss) && i < model.nv; ++i) {
    if (!has_friction_row(model.dof_frictionloss[i])) continue;
    ScalarPlan row{.dof = i, .tendon = -1, .is_friction = true};
    row.loss = model.dof_frictionloss[i];
    row.weight = model.dof_invweight0[i];
    row.solimp = model.dof_solimp.row(i, 5);
    row.reference = {0, row_reference(model, model.dof_solref.row(i, 2), row.solimp).damping};
    row.trees = std::uint64_t{1} << model.dof_treeid[i];
    scalars.push_back(row);
  }
  for (int j = 0; !model.opt.disabled(kDisableLimit) && j < model.njnt; ++j) {
    if (!model.jnt_limited[j] || model.jnt_type[j] == static_cast<int>(JointType::kFree)) continue;
    ScalarPlan row{.dof = model.jnt_dofadr[j], .qpos = model.jnt_qposadr[j], .tendon = -1};
    std::copy_n(model.jnt_range.row(j, 2), 2, row.range);
    row.margin = model.jnt_margin[j];
    row.weight = model.dof_invweight0[row.dof];
    row.solimp = model.jnt_solimp.row(j, 5);
    row.reference = row_reference(model, model.jnt_solref.row(j, 2), row.solimp);
    row.trees = std::uint64_t{1} << model.dof_treeid[row.dof];
    scalars.push_back(row);
  }
}

void RowPlan::add_tendons(const Model& model) {
  for (int t = 0; t < model.ntendon; ++t) {
    ScalarPlan row{.tendon = t};
    row.weight = model.tendon_invweight0[t];
    for (int k = model.ten_J_rowadr[t]; k < model.ten_J_rowadr[t] + model.ten_J_rownnz[t]; ++k)
      row.trees |= std::uint64_t{1} << model.dof_treeid[model.ten_J_colind[k]];
    if (row.trees == 0) continue;
    if (!model.opt.disabled(kDisableFrictionLoss) && has_friction_row(model.tendon_frictionloss[t])) {
      row.is_friction = true;
      row.loss = model.tendon_frictionloss[t];
      row.solimp = model.tendon_solimp_fri.row(t, 5);
      row.reference = {0, row_reference(model, model.tendon_solref_fri.row(t, 2), row.solimp).damping};
      scalars.push_back(row);
    }
    if (model.opt.disabled(kDisableLimit) || !model.tendon_limited[t]) continue;
    row.is_friction = false;
    std::copy_n(model.tendon_range.row(t, 2), 2, row.range);
    row.margin = model.tendon_margin[t];
    row.solimp = model.tendon_solimp_lim.row(t, 5);
    row.reference = row_reference(model, model.tendon_solref_lim.row(t, 2), row.solimp);
    scalars.push_back(row);
  }
}

void RowPlan::refresh(const Model& model) {
  pairs.clear();
  dofs.clear();
  scalars.clear();
  if (model.opt.disabled(kDisableConstraint)) return;
  add_joints(model);
  add_tendons(model);
  if (model.opt.disabled(kDisableContact)) return;
  for (int p = 0; p < model.npair; ++p) add_pair(model, {model.pair_geom1[p], model.pair_geom2[p], p});
  const bool filter_parents = !model.opt.disabled(kDisableFilterParent);
  std::vector<ContactTag> tags;
  for (int g = 0; g < model.ngeom; ++g) tags.push_back(make_tag(model, g, filter_parents));
  for (size_t a = 0; a < tags.size(); ++a) {
    for (size_t b = a + 1; b < tags.size() && pairs.size() <= kMostPairs; ++b) {
      if (may_touch(tags[a], tags[b]) && !is_listed(model, tags[a], tags[b]))
        add_pair(model, {tags[a].geom, tags[b].geom, -1});
    }
  }
}

}  // namespace torsor
