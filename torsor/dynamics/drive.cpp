#include "torsor/dynamics/drive.hpp"

#include <algorithm>
#include <limits>

#include "torsor/dynamics/actuation.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

// The joint of which this is the only actuator, -1 otherwise.
int joint_of(const Model& model, int a) {
  const auto type = static_cast<Transmission>(model.actuator_trntype[a]);
  return type == Transmission::kJoint || type == Transmission::kJointInParent ? model.actuator_trnid[2 * a] : -1;
}

bool shares_joint(const Model& model, int a, int joint) {
  for (int other = 0; other < model.nactuator; ++other) {
    const auto type = static_cast<Transmission>(model.actuator_trntype[other]);
    const bool is_simple = type == Transmission::kJoint || type == Transmission::kJointInParent;
    if (other != a && (!is_simple || model.actuator_trnid[2 * other] == joint)) return true;
  }
  return false;
}

// Whether the force is limited elsewhere: by a tendon, or by a joint that sums over several actuators.
bool is_limited_elsewhere(const Model& model, int a) {
  if (static_cast<Transmission>(model.actuator_trntype[a]) == Transmission::kTendon)
    return model.tendon_actfrclimited[model.actuator_trnid[2 * a]];
  for (int k = model.moment_rowadr[model.actuator_outadr[a]], end = k + model.moment_rownnz[model.actuator_outadr[a]];
       k < end; ++k) {
    const int joint = model.dof_jntid[model.moment_colind[k]];
    if (!model.jnt_actfrclimited[joint]) continue;
    if (joint != joint_of(model, a) || model.jnt_actgravcomp[joint] || shares_joint(model, a, joint)) return true;
  }
  return false;
}

// Calls f(row, actuator) for the rows of drives.
template <class F>
void for_each_drive(const Data& data, F&& f) {
  for (int row = data.ne; row < data.ne + data.nf; ++row)
    if (data.efc_type[row] == static_cast<int>(RowType::kDrive)) f(row, data.efc_id[row]);
}

}  // namespace

bool is_implicit_drive(const Model& model, int a) {
  if (!formulation(model.opt).solves_for_drives || model.opt.disabled(kDisableActuation) || is_disabled(model, a))
    return false;
  // its moment is that of contacts, which are found together with the rows
  if (model.actuator_trntype[a] == static_cast<int>(Transmission::kBody)) return false;
  if (model.actuator_gaintype[a] != static_cast<int>(ActuatorGain::kFixed)) return false;
  if (model.actuator_biastype[a] != static_cast<int>(ActuatorBias::kAffine)) return false;
  const double *bias = model.actuator_biasprm.row(a, 10), stiffness = -bias[1], damping = -bias[2];
  return stiffness >= 0 && damping >= 0 && stiffness + damping > 0 && !is_limited_elsewhere(model, a);
}

bool has_implicit_drives(const Model& model) {
  if (!formulation(model.opt).solves_for_drives) return false;
  for (int a = 0; a < model.nactuator; ++a)
    if (is_implicit_drive(model, a)) return true;
  return false;
}

DriveRange drive_range(const Model& model, int a) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double low = -kInfinity, high = kInfinity;
  if (model.actuator_forcelimited[a]) {
    low = model.actuator_forcerange[2 * a];
    high = model.actuator_forcerange[2 * a + 1];
  }
  const int joint = joint_of(model, a);
  const double gear = model.actuator_gear[6 * model.actuator_outadr[a]];
  if (joint >= 0 && model.jnt_actfrclimited[joint] && gear != 0) {  // the joint's range, as force of the actuator
    const double *range = model.jnt_actfrcrange.row(joint, 2), end1 = range[0] / gear, end2 = range[1] / gear;
    low = std::max(low, std::min(end1, end2));
    high = std::max(low, std::min(high, std::max(end1, end2)));
  }
  if (low == -kInfinity || high == kInfinity) return {0, kInfinity};
  return {0.5 * (low + high), 0.5 * (high - low)};
}

double drive_gain(const Model& model, int a) {
  const double* bias = model.actuator_biasprm.row(a, 10);
  return -model.opt.timestep * bias[1] - bias[2];
}

// With v = v0 + h a: f - centre = -gain h (moment . a - aref).
void set_drive_references(const Model& model, Data& data) {
  const double h = model.opt.timestep;
  for_each_drive(data, [&](int row, int a) {
    const int out = model.actuator_outadr[a];
    const double ahead = h * model.actuator_biasprm[10 * a + 1] * data.actuator_velocity[out];
    const double centre = drive_range(model, a).centre;
    data.efc_aref[row] = (data.actuator_force[out] + ahead - centre) / (h * drive_gain(model, a));
    data.actuator_force[out] = centre;
  });
}

void give_drive_forces(const Model& model, Data& data) {
  for_each_drive(data, [&](int row, int a) {
    const int out = model.actuator_outadr[a];
    const double force = data.efc_force[row], total = drive_range(model, a).centre + force;
    const double more = total - data.actuator_force[out];
    data.actuator_force[out] = total;
    for (int k = model.moment_rowadr[out], end = k + model.moment_rownnz[out]; k < end; ++k) {
      data.qfrc_actuator[model.moment_colind[k]] += more * data.actuator_moment[k];
      data.qfrc_constraint[model.moment_colind[k]] -= force * data.actuator_moment[k];
    }
  });
}

}  // namespace torsor
