// Equalities: what they constrain, and their numbers. Poses that are left open follow from qpos0 in set_const().
#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/names.hpp"
#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

constexpr int kNumbers = 11, kTorqueScale = 10;  // in a row of eq_data

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

int find_object(Draft& draft, const Model& model, const EqualitySpec& spec, const std::string& name) {
  const int id = model.find(spec.objtype, name);
  if (id < 0) {
    draft.error("equality", spec, fmt::format("unknown {} '{}'", name_of(spec.objtype), name),
                hint_at_name(model, spec.objtype, name));
  }
  return id;
}

void check_joint(Draft& draft, const Model& model, const EqualitySpec& spec, int joint) {
  if (joint < 0) return;
  const auto type = static_cast<JointType>(model.jnt_type[joint]);
  if (type != JointType::kHinge && type != JointType::kSlide)
    draft.error("equality", spec,
                fmt::format("joint '{}' is neither a hinge nor a slide joint", model.name(ObjectType::kJoint, joint)));
}

// Without a second object bodies are held at the world, coordinates and lengths still.
void write_objects(Draft& draft, const EqualitySpec& spec, int e, Model& model) {
  const bool of_bodies = spec.objtype == ObjectType::kBody;
  const bool needs_second = spec.objtype == ObjectType::kSite;
  if (spec.object1.empty() || (needs_second && spec.object2.empty()))
    draft.error("equality", spec, fmt::format("does not say which {} it is about", name_of(spec.objtype)));
  int& first = model.eq_obj1id[e] = -1;
  int& second = model.eq_obj2id[e] = of_bodies ? 0 : -1;
  if (!spec.object1.empty()) first = find_object(draft, model, spec, spec.object1);
  if (!spec.object2.empty()) second = find_object(draft, model, spec, spec.object2);
  if (first >= 0 && first == second)
    draft.error("equality", spec,
                fmt::format("{} '{}' cannot be constrained to itself", name_of(spec.objtype), spec.object1));
  if (spec.objtype == ObjectType::kJoint) {
    check_joint(draft, model, spec, first);
    check_joint(draft, model, spec, second);
  }
}

void write_connect(const EqualitySpec& spec, double* data) {
  write_list(data, spec.anchor);
  std::fill(data + 3, data + kTorqueScale, 0.0);
  data[kTorqueScale] = 1;
}

// A quaternion of length 0 stays 0, for set_const().
void write_weld(const EqualitySpec& spec, double* data) {
  write_list(data, spec.anchor);
  write_list(data + 3, spec.relpose);
  const Rotation R_12 = load4(data + 6);
  if (dot(R_12, R_12) > 0) store4(data + 6, normalized(R_12));
  data[kTorqueScale] = spec.torquescale;
}

// What the type leaves open has the numbers that MuJoCo leaves there.
void write_data(const EqualitySpec& spec, double* data) {
  const bool of_sites = spec.objtype == ObjectType::kSite;
  data[1] = data[kTorqueScale] = 1;
  switch (spec.type) {
    case EqualityType::kConnect:
      if (of_sites) return std::fill(data, data + kNumbers, 0.0);
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

void write_equalities(Draft& draft, Model& model) {
  for (int e = 0; e < model.neq; ++e) {
    const EqualitySpec& spec = draft.spec.equalities[static_cast<size_t>(e)];
    const bool in_space = spec.type == EqualityType::kConnect || spec.type == EqualityType::kWeld;
    model.eq_type[e] = static_cast<int>(spec.type);
    model.eq_objtype[e] = in_space ? static_cast<int>(spec.objtype) : 0;
    model.eq_active0[e] = spec.active;
    write_list(model.eq_solref.row(e, 2), spec.solref);
    write_list(model.eq_solimp.row(e, 5), spec.solimp);
    model.eq_sapstiffness[e] = spec.sapstiffness.value_or(-1);
    model.eq_sapdissipation[e] = spec.sapdissipation.value_or(-1);
    check_compliance(draft, "equality", spec, "a near-rigid equality");
    write_objects(draft, spec, e, model);
    write_data(spec, model.eq_data.row(e, kNumbers));
  }
}

}  // namespace torsor::compiler
