// Checks the numbers of an axis that is added, and those of a builder's lists, which users may have edited.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "torsor/bridge/newton/layout.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

enum class Rule { kFinite, kNotNegative };

// `name` with an index of its list, -1 for none.
void require(double value, Rule rule, std::string_view name, int index = -1) {
  if (std::isfinite(value) && (rule == Rule::kFinite || value >= 0)) return;
  throw Error(fmt::format("{}{} is {}; it must be {}", name, index < 0 ? "" : fmt::format("[{}]", index), value,
                          rule == Rule::kFinite ? "finite" : "zero or positive"));
}

// Numbers of a joint axis: `name` in a DofConfig is joint_`name` in the lists.
struct AxisNumber {
  const char* list;
  double DofConfig::*in_config;
  std::vector<double> ModelBuilder::*in_list;
  Rule rule;
  std::string_view name() const { return list + std::string_view("joint_").size(); }
};
#define AXIS(name, rule) \
  { "joint_" #name, &DofConfig::name, &ModelBuilder::joint_##name, Rule::rule }
constexpr AxisNumber kAxisNumbers[] = {AXIS(limit_ke, kNotNegative),  AXIS(limit_kd, kNotNegative),
                                       AXIS(target_ke, kNotNegative), AXIS(target_kd, kNotNegative),
                                       AXIS(damping, kNotNegative),   AXIS(armature, kNotNegative),
                                       AXIS(friction, kNotNegative),  AXIS(effort_limit, kNotNegative),
                                       AXIS(target_pos, kFinite),     AXIS(target_vel, kFinite)};
#undef AXIS

struct NamedList {
  const char* name;
  std::vector<double> ModelBuilder::*values;
  Rule rule;
};
#define LIST(name, rule) \
  { #name, &ModelBuilder::name, Rule::rule }
constexpr NamedList kLists[] = {LIST(joint_q, kFinite),
                                LIST(joint_qd, kFinite),
                                LIST(joint_f, kFinite),
                                LIST(body_mass, kNotNegative),
                                LIST(shape_material_ke, kNotNegative),
                                LIST(shape_material_kd, kNotNegative),
                                LIST(shape_material_mu, kNotNegative),
                                LIST(shape_material_mu_torsional, kNotNegative),
                                LIST(shape_material_mu_rolling, kNotNegative),
                                LIST(shape_gap, kNotNegative),
                                LIST(shape_margin, kFinite)};  // may be negative in MJCF
#undef LIST

void require(const std::vector<double>& values, Rule rule, const char* name) {
  for (size_t i = 0; i < values.size(); ++i) require(values[i], rule, name, static_cast<int>(i));
}

// The prefix is "" for a DofConfig, "joint_" for the lists. Bounds of a distance are not compared, since a negative one
// means no bound.
void check_direction_and_limits(const Vector3& axis, double lower, double upper, bool has_order, const char* prefix,
                                const std::string& index) {
  if (!(norm(to_vec(axis)) > 1e-12)) throw Error(fmt::format("{}axis{} has no direction", prefix, index));
  if (std::isnan(lower) || std::isnan(upper))
    throw Error(fmt::format("{0}limit_lower{1} is {2} and {0}limit_upper{1} is {3}; a limit must be a number", prefix,
                            index, lower, upper));
  if (has_order && lower > upper)
    throw Error(fmt::format("{0}limit_lower{1} {2} is above {0}limit_upper{1} {3}", prefix, index, lower, upper));
}

template <class Rows>
void require_finite_rows(const Rows& rows, const char* name) {
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const double number : rows[i]) {
      if (!std::isfinite(number)) throw Error(fmt::format("{}[{}] has {}, which is not a number", name, i, number));
    }
  }
}

void require_poses(const std::vector<Transform>& poses, const char* name) {
  for (size_t i = 0; i < poses.size(); ++i) {
    try {
      to_pose(poses[i]);
    } catch (const Error& error) {
      throw Error(fmt::format("{}[{}]: {}", name, i, error.what()));
    }
  }
}

// A ball joint of the engine has one number for all its axes, which turn with it.
void check_ball(const ModelBuilder& builder, int j) {
  const size_t dof = static_cast<size_t>(builder.joint_qd_start[j]);
  for (const auto& [name, list] :
       {std::pair{"joint_armature", &builder.joint_armature}, std::pair{"joint_damping", &builder.joint_damping},
        std::pair{"joint_friction", &builder.joint_friction}}) {
    if ((*list)[dof] != (*list)[dof + 1] || (*list)[dof] != (*list)[dof + 2])
      throw Error(fmt::format("{}[{}] to [{}] belong to ball joint {} ('{}') and must be equal", name, dof, dof + 2, j,
                              builder.joint_key[j]));
  }
}

void check_axes(const ModelBuilder& builder) {
  for (const AxisNumber& number : kAxisNumbers) require(builder.*number.in_list, number.rule, number.list);
  for (int j = 0; j < builder.joint_count(); ++j) {
    if (builder.joint_type[j] == JointKind::kBall) check_ball(builder, j);
    for (int i = builder.joint_qd_start[j]; i < builder.qd_end(j); ++i) {
      check_direction_and_limits(builder.joint_axis[i], builder.joint_limit_lower[i], builder.joint_limit_upper[i],
                                 builder.joint_type[j] != JointKind::kDistance, "joint_", fmt::format("[{}]", i));
    }
  }
}

}  // namespace

void check_axis(const DofConfig& axis) {
  for (const AxisNumber& number : kAxisNumbers) require(axis.*number.in_config, number.rule, number.name());
  to_target_mode(static_cast<int>(axis.mode));
  check_direction_and_limits(axis.axis, axis.limit_lower, axis.limit_upper, true, "", "");
}

void check_lists(const ModelBuilder& builder) {
  for (const NamedList& list : kLists) require(builder.*list.values, list.rule, list.name);
  require_finite_rows(builder.body_com, "body_com");
  require_finite_rows(builder.body_inertia, "body_inertia");
  require_finite_rows(builder.body_qd, "body_qd");
  require_poses(builder.body_q, "body_q");
  require_poses(builder.joint_X_p, "joint_X_p");
  require_poses(builder.joint_X_c, "joint_X_c");
  require_poses(builder.shape_transform, "shape_transform");
  require_finite_rows(std::vector{builder.gravity}, "gravity");
  for (const int mode : builder.joint_target_mode) to_target_mode(mode);
  check_axes(builder);
  for (int s = 0; s < builder.shape_count(); ++s) check_shape_size(builder.shape_type[s], builder.shape_scale[s]);
}

}  // namespace torsor::newton
