// Parts of a model that kernels work on: ranges of bodies, so that trees, islands and threads can be done apart, and
// the dofs that move a body.
#pragma once

#include "torsor/model/body_range.hpp"

namespace torsor {

// The last of the dofs that move a body; the others follow by dof_parentid. -1 for a static body.
template <class Model>
TORSOR_HD __attribute__((always_inline)) inline int last_dof(const Model& model, int body) {
  const int moved = model.body_weldid[body], count = model.body_dofnum[moved];
  return count > 0 ? model.body_dofadr[moved] + count - 1 : -1;
}

// Calls f(actuator, gear squared) for every actuator that adds damping or armature to a joint, or to a tendon.
template <class Model, class F>
TORSOR_HD __attribute__((always_inline)) inline void for_each_contributor(const Model& model, int joint, F&& f) {
  constexpr int kSeveral = -2, kInParent = 1;  // transmissions up to this one drive a joint
  const int id = model.jnt_actuatorid[joint];
  const int begin = id == kSeveral ? 0 : id, end = id == kSeveral ? model.nactuator : id + 1;
  if (id == -1) return;
  for (int a = begin; a < end; ++a) {
    if (model.actuator_trntype[a] > kInParent || model.actuator_trnid[2 * a] != joint) continue;
    const auto gear = model.actuator_gear[6 * model.actuator_outadr[a]];
    f(a, gear * gear);
  }
}

template <class Model, class F>
TORSOR_HD __attribute__((always_inline)) inline void for_each_tendon_contributor(const Model& model, int tendon,
                                                                                 F&& f) {
  constexpr int kSeveral = -2, kTendon = 3;
  const int id = model.tendon_actuatorid[tendon];
  const int begin = id == kSeveral ? 0 : id, end = id == kSeveral ? model.nactuator : id + 1;
  if (id == -1) return;
  for (int a = begin; a < end; ++a) {
    if (model.actuator_trntype[a] != kTendon || model.actuator_trnid[2 * a] != tendon) continue;
    const auto gear = model.actuator_gear[6 * model.actuator_outadr[a]];
    f(a, gear * gear);
  }
}

}  // namespace torsor
