// The numbers of a builder's lists, which anybody may have edited, before they become a model.
#include <fmt/format.h>

#include <cmath>

#include "torsor/bridge/newton/layout.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

struct NamedList {
  const char* name;
  std::vector<double> ModelBuilder::*values;
};
#define LIST(name) \
  { #name, &ModelBuilder::name }
constexpr NamedList kFinite[] = {LIST(joint_q), LIST(joint_qd), LIST(joint_f), LIST(joint_target_pos),
                                 LIST(joint_target_vel)};
constexpr NamedList kNotNegative[] = {LIST(body_mass),
                                      LIST(joint_target_ke),
                                      LIST(joint_target_kd),
                                      LIST(joint_limit_ke),
                                      LIST(joint_limit_kd),
                                      LIST(joint_armature),
                                      LIST(joint_damping),
                                      LIST(joint_friction),
                                      LIST(joint_effort_limit),
                                      LIST(shape_material_ke),
                                      LIST(shape_material_kd),
                                      LIST(shape_material_mu),
                                      LIST(shape_material_mu_torsional),
                                      LIST(shape_material_mu_rolling),
                                      LIST(shape_gap)};
#undef LIST

void require(const ModelBuilder& builder, const NamedList& list, bool (*is_good)(double), const char* rule) {
  const std::vector<double>& values = builder.*list.values;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!is_good(values[i])) throw Error(fmt::format("{}[{}] is {}; it must be {}", list.name, i, values[i], rule));
  }
}

template <class Rows>
void require_finite(const Rows& rows, const char* name) {
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

void check_axes(const ModelBuilder& builder) {
  for (int j = 0; j < builder.joint_count(); ++j) {
    for (int i = builder.joint_qd_start[j]; i < builder.qd_end(j); ++i) {
      const double low = builder.joint_limit_lower[i], high = builder.joint_limit_upper[i];
      const bool has_order = builder.joint_type[j] != JointKind::kDistance;  // there a negative bound is none
      if (std::isnan(low) || std::isnan(high) || (has_order && low > high))
        throw Error(
            fmt::format("limits of axis {} are {} and {}; the lower must not be above the upper", i, low, high));
      if (!(norm(to_vec(builder.joint_axis[i])) > 1e-12))
        throw Error(fmt::format("joint_axis[{}] has no direction", i));
    }
  }
}

}  // namespace

void check_lists(const ModelBuilder& builder) {
  constexpr auto is_finite = [](double value) { return std::isfinite(value); };
  constexpr auto is_not_negative = [](double value) { return std::isfinite(value) && value >= 0; };
  for (const NamedList& list : kFinite) require(builder, list, is_finite, "finite");
  for (const NamedList& list : kNotNegative) require(builder, list, is_not_negative, "zero or positive");
  require(builder, {"shape_margin", &ModelBuilder::shape_margin}, is_finite, "finite");  // MJCF has negative ones
  require_finite(builder.body_com, "body_com");
  require_finite(builder.body_inertia, "body_inertia");
  require_finite(builder.body_qd, "body_qd");
  require_poses(builder.body_q, "body_q");
  require_poses(builder.joint_X_p, "joint_X_p");
  require_poses(builder.joint_X_c, "joint_X_c");
  require_poses(builder.shape_transform, "shape_transform");
  check_axes(builder);
  for (int s = 0; s < builder.shape_count(); ++s) check_shape_size(builder.shape_type[s], builder.shape_scale[s]);
}

}  // namespace torsor::newton
