// Which trees may sleep where their author leaves it open. set_const() decides it anew, because stiffness and damping
// of tendons can be edited.
#include "torsor/compile/sleep_policy.hpp"

#include "torsor/model/awake.hpp"
#include "torsor/model/types.hpp"

namespace torsor::compiler {
namespace {

void forbid_sleep(int tree, Model& model) {
  constexpr int kAllowed = static_cast<int>(SleepPolicy::kAutoAllowed);
  if (tree >= 0 && model.tree_sleep_policy[tree] == kAllowed)
    model.tree_sleep_policy[tree] = static_cast<int>(SleepPolicy::kAutoNever);
}

// The body of an element of a tendon's path; -1 for a pulley.
int wrapped_body(const Model& model, int element) {
  const int id = model.wrap_objid[element];
  switch (static_cast<WrapType>(model.wrap_type[element])) {
    case WrapType::kJoint:
      return model.jnt_bodyid[id];
    case WrapType::kSite:
      return model.site_bodyid[id];
    case WrapType::kSphere:
    case WrapType::kCylinder:
      return model.geom_bodyid[id];
    default:
      return -1;
  }
}

void forbid_sleep_along(int tendon, Model& model) {
  const int first = model.tendon_adr[tendon], last = first + model.tendon_num[tendon];
  for (int element = first; element < last; ++element) {
    if (const int body = wrapped_body(model, element); body >= 0) forbid_sleep(model.body_treeid[body], model);
  }
}

// Springs and dampers between trees keep them awake, and so does any tendon across more trees than tendon_treeid holds.
bool couples_trees(const Model& model, int t) {
  if (model.tendon_treenum[t] != 2) return model.tendon_treenum[t] > 2;
  const double* springs = model.tendon_stiffnesspoly.row(t, 2);
  const double* dampers = model.tendon_dampingpoly.row(t, 2);
  return model.tendon_stiffness[t] != 0 || springs[0] != 0 || springs[1] != 0 || model.tendon_damping[t] != 0 ||
         dampers[0] != 0 || dampers[1] != 0;
}

// The trees that an actuator drives stay awake; also that of a reference or slider site.
void forbid_sleep_of_driven(int actuator, Model& model) {
  const int target = model.actuator_trnid[2 * actuator], reference = model.actuator_trnid[2 * actuator + 1];
  switch (static_cast<Transmission>(model.actuator_trntype[actuator])) {
    case Transmission::kJoint:
    case Transmission::kJointInParent:
      return forbid_sleep(model.body_treeid[model.jnt_bodyid[target]], model);
    case Transmission::kSliderCrank:
    case Transmission::kSite:
      if (reference >= 0) forbid_sleep(model.body_treeid[model.site_bodyid[reference]], model);
      return forbid_sleep(model.body_treeid[model.site_bodyid[target]], model);
    case Transmission::kBody:
      return forbid_sleep(model.body_treeid[target], model);
    case Transmission::kTendon:
      return forbid_sleep_along(target, model);
    case Transmission::kSo3:  // a ball joint, or a site relative to another
      if (reference >= 0) forbid_sleep(model.body_treeid[model.site_bodyid[reference]], model);
      return forbid_sleep(model.body_treeid[reference < 0 ? model.jnt_bodyid[target] : model.site_bodyid[target]],
                          model);
  }
}

}  // namespace

void refresh_sleep_policies(Model& model) {
  for (int tree = 0; tree < model.ntree; ++tree) {
    int& policy = model.tree_sleep_policy[tree];
    if (policy == static_cast<int>(SleepPolicy::kAutoNever)) policy = static_cast<int>(SleepPolicy::kAutoAllowed);
  }
  for (int t = 0; t < model.ntendon; ++t) {
    if (couples_trees(model, t)) forbid_sleep_along(t, model);
  }
  for (int a = 0; a < model.nactuator; ++a) forbid_sleep_of_driven(a, model);
}

}  // namespace torsor::compiler
