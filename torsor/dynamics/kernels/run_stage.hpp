// A stage of a step for the worlds of a workspace: a pack on a processor, one world of a thread on a device.
#pragma once

#include "torsor/dynamics/kernels/body_forces.hpp"
#include "torsor/dynamics/kernels/com.hpp"
#include "torsor/dynamics/kernels/fluid.hpp"
#include "torsor/dynamics/kernels/force.hpp"
#include "torsor/dynamics/kernels/joint_drive.hpp"
#include "torsor/dynamics/kernels/kinematics.hpp"
#include "torsor/dynamics/kernels/lanes.hpp"
#include "torsor/dynamics/kernels/lanes_advance.hpp"
#include "torsor/dynamics/kernels/readings.hpp"
#include "torsor/dynamics/kernels/tendons.hpp"
#include "torsor/dynamics/kernels/transmission.hpp"
#include "torsor/dynamics/kernels/velocity.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class Workspace>
TORSOR_INLINE void run_stage(WideStage stage, const ModelView& model, Workspace& workspace) {
  using P = typename Workspace::Number;
  DataView<P>& data = workspace.data;
  const PointerTo<P> scratch = workspace.scratch;
  switch (stage) {
    case WideStage::kKinematics:
      compute_kinematics(model, data, whole(model));
      return compute_com_position(model, data, whole(model));
    case WideStage::kFixedTendons:
      return compute_fixed_tendons(model, data);
    case WideStage::kTransmission:
      return compute_transmissions(model, data);
    case WideStage::kTendonArmature:
      return add_tendon_armatures(model, data);
    case WideStage::kMassMatrix:
      return compute_mass_matrix(model, data);
    case WideStage::kFactor:
      return factor_mass_matrix(model, data, whole(model));
    case WideStage::kVelocity:
      return compute_velocity_and_bias<P>(model, data, scratch, whole(model));
    case WideStage::kTendonVelocity:
      return compute_tendon_velocities(model, data);
    case WideStage::kActuatorVelocity:
      return compute_actuator_velocities(model, data);
    case WideStage::kTendonForce:
      return add_tendon_forces(model, data);
    case WideStage::kPassive:
      return compute_passive(model, data, whole(model));
    case WideStage::kJointDrives:
      return compute_joint_drives(model, data, scratch);
    case WideStage::kDrives:
      return compute_drives(model, data, scratch);
    case WideStage::kAcceleration:
      return compute_acceleration(model, data, whole(model));
    case WideStage::kDampedAcceleration:
      return damp_acceleration(model, data);
    case WideStage::kFreeAcceleration:
      return free_acceleration(model, data);
    case WideStage::kAdvanceDrives:
      return advance_drives(model, data, data.act_dot.data());
    case WideStage::kEuler:
      return advance_euler(model, data, scratch);
    case WideStage::kEulerUndamped:
      return advance_and_remember(model, data, data.qacc.data());
    case WideStage::kEulerEnd:
      return advance_and_remember(model, data, scratch);
    case WideStage::kImplicitFast:
      return advance_implicit_fast<P, false>(model, data, scratch);
    case WideStage::kImplicitFastPulled:
      return advance_implicit_fast<P, true>(model, data, scratch);
    case WideStage::kImplicitFastBegin:
      return begin_implicit_fast<P, false>(model, data, scratch);
    case WideStage::kImplicitFastPulledBegin:
      return begin_implicit_fast<P, true>(model, data, scratch);
    case WideStage::kImplicitFastEnd:
      return end_implicit_fast(model, data, scratch);
    case WideStage::kRungeKuttaResult:
      return show_runge_kutta(model, workspace);
    case WideStage::kRungeKutta:
      return move_runge_kutta(model, workspace);
    case WideStage::kRungeKuttaEnd:
      return end_runge_kutta(model, workspace);
    case WideStage::kSubtreeVelocity:
      return compute_subtree_velocity_of(model, data);
    case WideStage::kBodyAccelerations:
      return compute_body_accelerations(model, data);
    case WideStage::kAppliedWrenches:
      return compute_applied_wrenches(model, data);
    case WideStage::kInteractionForces:
      return compute_interaction_forces(model, data);
    case WideStage::kReadings:
      return read_plain_sensors(model, data, true);
    case WideStage::kReadingsOfMotion:
      return read_plain_sensors(model, data, false);
    case WideStage::kBodyForces:
    case WideStage::kRows:
    case WideStage::kCount:
      break;
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
