// Constraints between bodies or axes in addition to joints, as equalities of the engine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

template <class Numbers>
void require_all_finite(const Numbers& numbers, const char* what) {
  if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); }))
    throw Error(fmt::format("{} must be finite numbers", what));
}

}  // namespace

std::string ModelBuilder::name_for_equality(int body) {
  if (body < -1 || body >= body_count())
    throw Error(fmt::format("body {} does not exist: there are {}", body, body_count()));
  if (body < 0) return "world";
  std::string& name = body_native_name[body];
  if (name.empty()) name = fmt::format("{}/body", copies_++);
  return name;
}

std::string ModelBuilder::name_of_only_axis(int joint) {
  if (joint < 0 || joint >= joint_count())
    throw Error(fmt::format("joint {} does not exist: there are {}", joint, joint_count()));
  if (joint_type[joint] != JointKind::kRevolute && joint_type[joint] != JointKind::kPrismatic)
    throw Error(fmt::format("joint {} cannot be coupled: it must be revolute or prismatic", joint));
  std::string& name = dof_native_name[joint_qd_start[joint]];
  if (name.empty()) name = fmt::format("{}/axis", copies_++);
  return name;
}

int ModelBuilder::add_equality(EqualitySpec equality, const std::string& key, bool enabled) {
  if (equality.object1 == equality.object2) throw Error("an equality needs two different bodies or joints");
  equality.name = key.empty() ? "" : fmt::format("{}/{}", copies_++, key);
  equality.active = enabled;
  native.equalities.push_back(std::move(equality));
  return static_cast<int>(native.equalities.size()) - 1;
}

int ModelBuilder::add_equality_constraint_connect(int body1, int body2, const Vector3& anchor, const std::string& key,
                                                  bool enabled) {
  require_all_finite(anchor, "an anchor");
  EqualitySpec equality;
  equality.object1 = name_for_equality(body1), equality.object2 = name_for_equality(body2);
  equality.anchor = anchor;
  return add_equality(std::move(equality), key, enabled);
}

int ModelBuilder::add_equality_constraint_weld(int body1, int body2, const Vector3& anchor, double torquescale,
                                               const Transform& relpose, const std::string& key, bool enabled) {
  require_all_finite(anchor, "an anchor");
  if (!(torquescale > 0) || !std::isfinite(torquescale))
    throw Error(fmt::format("torquescale is {}; it must be positive", torquescale));
  const Pose<double> X_12 = to_pose(relpose);
  EqualitySpec equality;
  equality.type = EqualityType::kWeld;
  equality.object1 = name_for_equality(body1), equality.object2 = name_for_equality(body2);
  equality.anchor = anchor;
  equality.relpose = {X_12.p.x, X_12.p.y, X_12.p.z, X_12.q.w, X_12.q.x, X_12.q.y, X_12.q.z};
  equality.torquescale = torquescale;
  return add_equality(std::move(equality), key, enabled);
}

int ModelBuilder::add_equality_constraint_joint(int joint1, int joint2, const std::array<double, 5>& polycoef,
                                                const std::string& key, bool enabled) {
  require_all_finite(polycoef, "coefficients");
  EqualitySpec equality;
  equality.type = EqualityType::kJoint;
  equality.objtype = ObjectType::kJoint;
  equality.object1 = name_of_only_axis(joint1);
  if (joint2 != -1) equality.object2 = name_of_only_axis(joint2);
  equality.polycoef = polycoef;
  return add_equality(std::move(equality), key, enabled);
}

}  // namespace torsor::newton
