#include "torsor/batch/value_stages.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "torsor/constraint/constraint.hpp"
#include "torsor/model/formulation.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

enum Reader {
  kKinematics = 1,
  kMassMatrix = 2,
  kVelocity = 4,
  kPassive = 8,
  kActuators = 16,
  kRows = 32,
  kInertia = 64
};

// The wide stages that read a field. What only stages of one world read needs none; kInertia also concerns gravity
// compensation, the medium and implicitfast. Fields that are missing here may change the list of stages.
constexpr struct {
  std::string_view name;
  int readers;
} kFields[] = {
    {"body_pos", kKinematics},
    {"body_quat", kKinematics},
    {"body_ipos", kKinematics},
    {"body_iquat", kKinematics},
    {"body_mass", kKinematics | kInertia},
    {"body_inertia", kKinematics | kInertia},
    {"body_subtreemass", kKinematics | kInertia},
    {"body_sameframe", kKinematics},
    {"geom_sameframe", kKinematics},
    {"site_sameframe", kKinematics},
    {"jnt_pos", kKinematics},
    {"jnt_axis", kKinematics},
    {"geom_pos", kKinematics},
    {"geom_quat", kKinematics},
    {"site_pos", kKinematics},
    {"site_quat", kKinematics},
    {"dof_armature", kMassMatrix},
    {"opt.gravity", kVelocity | kInertia},
    {"jnt_stiffness", kPassive},
    {"qpos_spring", kPassive},
    {"actuator_gainprm", kActuators},
    {"actuator_biasprm", kActuators},
    {"actuator_dynprm", kActuators},
    {"actuator_gear", kActuators},
    {"actuator_ctrlrange", kActuators},
    {"actuator_forcerange", kActuators},
    {"jnt_actfrcrange", kActuators},
    {"geom_friction", kRows},
    {"geom_solref", kRows},
    {"geom_solimp", kRows},
    {"geom_solmix", kRows},
    {"geom_margin", kRows},
    {"geom_gap", kRows},
    {"geom_size", kRows | kInertia},
    {"geom_rbound", kRows},
    {"geom_aabb", kRows},
    {"pair_friction", kRows},
    {"pair_solref", kRows},
    {"pair_solimp", kRows},
    {"pair_margin", kRows},
    {"jnt_range", kRows},
    {"jnt_margin", kRows},
    {"jnt_solref", kRows},
    {"jnt_solimp", kRows},
    {"dof_solref", kRows},
    {"dof_solimp", kRows},
    {"body_invweight0", kRows},
    {"dof_invweight0", kRows},
    {"dof_M0", 0},
    {"dof_length", 0},
    {"actuator_acc0", kActuators},
    {"cam_poscom0", 0},
    {"cam_pos0", 0},
    {"cam_mat0", 0},
    {"light_poscom0", 0},
    {"light_pos0", 0},
    {"light_dir0", 0},
    {"sensor_noise", 0},
    {"stat", 0},
};

void add(std::string& why, const std::string& name) { why += (why.empty() ? "values per world: " : ", ") + name; }

}  // namespace

std::optional<ValueStages> find_value_stages(const Model& model, const WorldValues& values) {
  ValueStages stages;
  const bool is_fast = model.opt.integrator == static_cast<int>(Integrator::kImplicitFast);
  const bool has_medium = model.opt.density != 0 || model.opt.viscosity != 0;
  for (const WorldValues::Entry& entry : values.entries()) {
    const auto* field =
        std::find_if(std::begin(kFields), std::end(kFields), [&](const auto& each) { return each.name == entry.name; });
    if (field == std::end(kFields) || is_sap(model.opt)) return std::nullopt;
    if (entry.name == "body_pos" && model.nmocap > 0) return std::nullopt;  // the pose after a reset
    if ((field->readers & kKinematics) != 0) add(stages.kinematics, entry.name);
    if ((field->readers & kMassMatrix) != 0) add(stages.mass_matrix, entry.name);
    if ((field->readers & kVelocity) != 0) add(stages.velocity, entry.name);
    if ((field->readers & kActuators) != 0) add(stages.actuators, entry.name);
    if ((field->readers & kRows) != 0 && can_have_rows(model)) add(stages.rows, entry.name);
    const bool is_inertia = (field->readers & kInertia) != 0;
    if ((field->readers & kPassive) != 0 || (is_inertia && (model.flg_gravcomp || has_medium)))
      add(stages.passive, entry.name);
    if (is_inertia || (field->readers & (kKinematics | kVelocity)) != 0 || entry.name == "sensor_noise")
      add(stages.sensors, entry.name);
    if (is_inertia && is_fast) add(stages.integrator, entry.name);
  }
  return stages;
}

}  // namespace torsor
