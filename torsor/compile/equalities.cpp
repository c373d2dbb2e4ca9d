// Equalities: their objects and their data. Unspecified poses are computed from qpos0 in set_const().
#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/targets.hpp"
#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

std::string_view name_of(ObjectType type) {
  switch (type) {
    case ObjectType::kSite:
      return "site";
    case ObjectType::kJoint:
      return "joint";
    case ObjectType::kTendon:
      return "tendon";
    default:
      return "body";
  }
}

void check_joint(Draft& draft, const Targets& targets, const EqualitySpec& spec, int joint) {
  if (joint < 0) return;
  const JointSpec& target = *targets.joints[at(joint)].draft->spec;
  if (target.type != JointType::kHinge && target.type != JointType::kSlide)
    draft.error("equality", spec, fmt::format("joint '{}' is neither a hinge nor a slide joint", target.name));
}

// Without a second object, bodies are held at the world, and coordinates and lengths are held constant.
void find_objects(Draft& draft, const Targets& targets, EqualityDraft& equality) {
  const EqualitySpec& spec = *equality.spec;
  const bool of_bodies = spec.objtype == ObjectType::kBody;
  const bool needs_second = spec.objtype == ObjectType::kSite;
  if (spec.object1.empty() || (needs_second && spec.object2.empty()))
    draft.error("equality", spec, fmt::format("does not name its {}", name_of(spec.objtype)));
  const auto find = [&](const std::string& name) {
    return draft.resolve(targets.names(spec.objtype), name_of(spec.objtype), name, "equality", spec);
  };
  int &first = equality.object1, &second = equality.object2;
  first = find(spec.object1);
  second = spec.object2.empty() && of_bodies ? 0 : find(spec.object2);
  if (first >= 0 && first == second)
    draft.error("equality", spec,
                fmt::format("{} '{}' cannot be constrained to itself", name_of(spec.objtype), spec.object1));
  if (spec.objtype == ObjectType::kJoint) {
    check_joint(draft, targets, spec, first);
    check_joint(draft, targets, spec, second);
  }
}

void write_connect(const EqualitySpec& spec, double* data) {
  write_list(data, spec.anchor);
  std::fill(data + 3, data + kTorqueScale, 0.0);
  data[kTorqueScale] = 1;
}

// Without an orientation, the pose is that in qpos0, by set_const().
void write_weld(const EqualitySpec& spec, double* data) {
  write_list(data, spec.anchor);
  write_list(data + 3, spec.relpose);
  const Rotation R_12 = load4(data + 6);
  const bool is_given = dot(R_12, R_12) > 0;
  if (is_given) store4(data + 6, normalized(R_12));
  data[kFollowsQpos0] = !is_given;
  data[kTorqueScale] = spec.torquescale;
}

// Entries that the type does not use have the same values as in MuJoCo.
void write_data(const EqualitySpec& spec, double* data) {
  const bool of_sites = spec.objtype == ObjectType::kSite;
  data[1] = data[kTorqueScale] = 1;
  switch (spec.type) {
    case EqualityType::kConnect:
      if (of_sites) return std::fill(data, data + kEqualityNumbers, 0.0);
      return write_connect(spec, data);
    case EqualityType::kWeld:
      if (!of_sites) return write_weld(spec, data);
      data[kTorqueScale] = spec.torquescale;
      return;
    case EqualityType::kJoint:
    case EqualityType::kTendon:
      write_list(data, spec.polycoef);
  }
}

}  // namespace

void settle_equalities(Draft& draft, const Targets& targets) {
  for (const EqualitySpec& spec : draft.spec.equalities) {
    EqualityDraft& equality = draft.equalities.emplace_back();
    equality.spec = &spec;
    check_compliance(draft, "equality", spec, "a near-rigid equality");
    find_objects(draft, targets, equality);
  }
}

void write_equalities(const Draft& draft, Model& model) {
  for (int e = 0; e < model.neq; ++e) {
    const EqualityDraft& equality = draft.equalities[at(e)];
    const EqualitySpec& spec = *equality.spec;
    model.eq_obj1id[e] = equality.object1;
    model.eq_obj2id[e] = equality.object2;
    const bool in_space = spec.type == EqualityType::kConnect || spec.type == EqualityType::kWeld;
    model.eq_type[e] = static_cast<int>(spec.type);
    model.eq_objtype[e] = in_space ? static_cast<int>(spec.objtype) : 0;
    model.eq_active0[e] = spec.active;
    write_list(model.eq_solref.row(e, 2), spec.solref);
    write_list(model.eq_solimp.row(e, 5), spec.solimp);
    model.eq_sapstiffness[e] = spec.sapstiffness.value_or(-1);
    model.eq_sapdissipation[e] = spec.sapdissipation.value_or(-1);
    write_data(spec, model.eq_data.row(e, kEqualityNumbers));
  }
}

}  // namespace torsor::compiler
