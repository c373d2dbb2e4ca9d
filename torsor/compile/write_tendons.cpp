// Arrays of tendons and of the elements of their paths.
#include <algorithm>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

// After those of joints and of tendons before this one.
int next_plastic(const Model& model, int t) {
  int next = 0;
  for (int j = 0; j < model.njnt; ++j)
    if (model.jnt_plasticadr[j] >= 0) next += model.jnt_type[j] == static_cast<int>(JointType::kBall) ? 4 : 1;
  for (int before = 0; before < t; ++before) next += model.tendon_plasticadr[before] >= 0 ? 2 : 0;
  return next;
}

void write_numbers(const TendonDraft& tendon, int t, Model& model) {
  const TendonSpec& spec = *tendon.spec;
  model.tendon_type[t] = static_cast<int>(spec.spatial ? TendonType::kSpatial : TendonType::kFixed);
  model.tendon_matid[t] = tendon.material;
  model.tendon_group[t] = spec.group;
  model.tendon_limited[t] = tendon.limited;
  model.tendon_actfrclimited[t] = tendon.force_limited;
  model.tendon_width[t] = spec.width;
  write_list(model.tendon_solref_lim.row(t, 2), spec.solref_limit);
  write_list(model.tendon_solimp_lim.row(t, 5), spec.solimp_limit);
  write_list(model.tendon_solref_fri.row(t, 2), spec.solref_friction);
  write_list(model.tendon_solimp_fri.row(t, 5), spec.solimp_friction);
  write_list(model.tendon_range.row(t, 2), spec.range);
  write_list(model.tendon_actfrcrange.row(t, 2), spec.actfrcrange);
  model.tendon_margin[t] = spec.margin;
  model.tendon_sapstiffness[t] = spec.sapstiffness.value_or(-1);
  model.tendon_sapdissipation[t] = spec.sapdissipation.value_or(-1);
  model.tendon_stiffness[t] = spec.stiffness[0];
  model.tendon_damping[t] = spec.damping[0];
  for (int k = 0; k < 2; ++k) {
    model.tendon_stiffnesspoly[2 * t + k] = spec.stiffness[static_cast<size_t>(k) + 1];
    model.tendon_dampingpoly[2 * t + k] = spec.damping[static_cast<size_t>(k) + 1];
  }
  model.tendon_armature[t] = spec.armature;
  model.tendon_frictionloss[t] = spec.frictionloss;
  write_list(model.tendon_lengthspring.row(t, 2), spec.springlength);
  model.tendon_springyield[t] = spec.springyield;
  model.tendon_plasticadr[t] = spec.springyield > 0 ? next_plastic(model, t) : -1;
  write_list(model.tendon_user.row(t, model.nuser_tendon), spec.user);
  write_list(model.tendon_rgba.row(t, 4), spec.rgba);
}

void write_references(const TendonDraft& tendon, int t, Model& model) {
  model.tendon_actuatorid[t] = -1;
  model.tendon_treenum[t] = static_cast<int>(tendon.trees.size());
  for (size_t k = 0; k < 2; ++k)
    model.tendon_treeid[2 * t + static_cast<int>(k)] = k < tendon.trees.size() ? tendon.trees[k] : -1;
}

}  // namespace

void write_tendons(const Draft& draft, Model& model) {
  int element = 0, number = 0;
  for (int t = 0; t < model.ntendon; ++t) {
    const TendonDraft& tendon = draft.tendons[static_cast<size_t>(t)];
    write_numbers(tendon, t, model);
    write_references(tendon, t, model);
    model.tendon_adr[t] = element;
    model.tendon_num[t] = static_cast<int>(tendon.path.size());
    for (const WrapDraft& wrap : tendon.path) {
      model.wrap_type[element] = static_cast<int>(wrap.type);
      model.wrap_objid[element] = wrap.id;
      model.wrap_prm[element++] = wrap.parameter;
    }
    model.ten_J_rowadr[t] = number;
    model.ten_J_rownnz[t] = static_cast<int>(tendon.dofs.size());
    number = static_cast<int>(std::copy(tendon.dofs.begin(), tendon.dofs.end(), model.ten_J_colind.begin() + number) -
                              model.ten_J_colind.begin());
  }
}

}  // namespace torsor::compiler
