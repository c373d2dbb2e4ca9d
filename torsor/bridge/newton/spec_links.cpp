// Elements between bodies: drives, distances, and joints that close loops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/spec_maker.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

constexpr double kLoopArm = 0.5;  // m between the two points that model a hinge that closes a loop

}  // namespace

void SpecMaker::add_drives() {
  for (int j = 0; j < builder_.joint_count(); ++j) {
    for (int dof = builder_.joint_qd_start[j]; dof < builder_.qd_end(j); ++dof) add_drive(j, dof);
  }
  layout_.native_control = static_cast<int>(spec_.actuators.size());
}

void SpecMaker::add_drive(int j, int dof) {
  const auto mode = static_cast<TargetMode>(builder_.joint_target_mode[dof]);
  double ke = builder_.joint_target_ke[dof], kd = builder_.joint_target_kd[dof];
  if (ke < 0 || kd < 0 || !std::isfinite(ke + kd))
    throw Error(fmt::format("the drive of axis {} has gains {} and {}; they must not be negative", dof, ke, kd));
  if (mode == TargetMode::kNone || mode == TargetMode::kEffort || layout_.joint_is_loop[j]) return;
  if (builder_.is_kinematic(builder_.joint_child[j])) return;
  if (mode == TargetMode::kVelocity) ke = 0;
  const double effort = builder_.joint_effort_limit[dof];
  if ((ke == 0 && kd == 0) || effort == 0 || is_pose(j)) return;  // gains of free joints have no effect
  ActuatorSpec drive;
  drive.name = fmt::format("drive{}", dof);
  drive.biastype = ActuatorBias::kAffine;
  drive.biasprm = {0, -ke, -kd};
  drive.forcelimited = Tristate::kTrue;
  drive.forcerange = {-effort, effort};
  double ref = 0;
  if (builder_.joint_type[j] == JointKind::kBall) {
    const Vec3<double> e_B = rotate(to_pose(builder_.joint_X_c[j]).q, to_vec(builder_.joint_axis[dof]));
    drive.jointinparent = dof_name(builder_.joint_qd_start[j]);
    drive.gear = {e_B.x, e_B.y, e_B.z, 0, 0, 0};
  } else {
    drive.joint = dof_name(dof);
    if (builder_.dof_native[dof]) ref = builder_.dof_native[dof]->ref;
  }
  layout_.drives[dof] = {static_cast<int>(spec_.actuators.size()), ke, mode == TargetMode::kPosition ? 0 : kd, ref};
  spec_.actuators.push_back(drive);
}

void SpecMaker::add_distance(int j) {
  const int dof = builder_.joint_qd_start[j];
  const double low = builder_.joint_limit_lower[dof], high = builder_.joint_limit_upper[dof];
  if (low <= 0 && high < 0) return;
  TendonSpec tendon;
  tendon.name = fmt::format("distance{}", j);
  tendon.spatial = true;
  tendon.limited = Tristate::kTrue;
  tendon.range = make_range(std::max(low, 0.0), high < 0 ? kUnlimited : high);
  tendon.range[0] = std::max(tendon.range[0], 0.0);
  tendon.solref_limit = {0.002, 1};  // as stiff as the step allows: the solver uses at least 2 dt
  tendon.solimp_limit = {0.95, 0.99, 0.001, 0.5, 2};
  set_sap_limit(tendon, builder_.joint_limit_ke[dof], builder_.joint_limit_kd[dof]);
  for (const bool of_parent : {true, false}) {
    WrapSpec wrap;
    wrap.target = add_anchor(j, of_parent, {0, 0, 0});
    tendon.path.push_back(wrap);
  }
  spec_.tendons.push_back(tendon);
}

void SpecMaker::close_loop(int j) {
  const int angular = builder_.qd_end(j) - builder_.joint_qd_start[j];
  connect(j, angular == 0 ? EqualityType::kWeld : EqualityType::kConnect, {0, 0, 0});
  if (angular == 1)  // a second point of the axis
    connect(j, EqualityType::kConnect, to_vec(builder_.joint_axis[builder_.joint_qd_start[j]]) * kLoopArm);
}

void SpecMaker::connect(int j, EqualityType type, const Vec3<double>& p_J) {
  EqualitySpec equality;
  equality.name = fmt::format("loop{}_{}", j, spec_.equalities.size());
  equality.type = type;
  equality.objtype = ObjectType::kSite;
  equality.object1 = add_anchor(j, true, p_J);
  equality.object2 = add_anchor(j, false, p_J);
  spec_.equalities.push_back(equality);
}

std::string SpecMaker::add_anchor(int joint, bool of_parent, const Vec3<double>& p_J) {
  const int body = of_parent ? builder_.joint_parent[joint] : builder_.joint_child[joint];
  const Pose<double> X_BJ = to_pose(of_parent ? builder_.joint_X_p[joint] : builder_.joint_X_c[joint]);
  SiteSpec site;
  site.name = fmt::format("anchor{}_{}_{}", joint, of_parent ? "parent" : "child", sites_++);
  place(site, X_BJ * Pose<double>{p_J, Quat<double>::identity()});
  body_spec(body).sites.push_back(site);
  return site.name;
}

}  // namespace torsor::newton
