// The kernels of many worlds, one per SIMD lane, compiled once per instruction set. Only state and input persist per
// world, in blocks that hold one pack of worlds each; all else is scratch that one thread uses for block after block.
#pragma once

#include <cstddef>

#include "torsor/model/data.hpp"

namespace torsor {

// Worlds whose numbers blow up during steps of a pack, as step() of one world treats them.
struct LaneResets {
  static constexpr int kMostLanes = 16;
  const double* reference = nullptr;  // numbers of a world after a reset, in the order of a block; null: no resets
  // Per dof. Where the sum of weight |qfrc_smooth| is below 1, no acceleration can be bad without damping, so that it
  // need not be computed beside the one with damping.
  const double* weight = nullptr;
  int count[kMostLanes] = {};  // steps with a reset, by lane
  int last[kMostLanes] = {};   // the last such step, where there was one
};

// Stages of a step that have a kernel for packs. What each reads and writes is listed in batch/stages.cpp, which puts
// them in order and runs the others lane by lane.
enum class WideStage {
  kKinematics,          // frames, centres of mass, dof axes
  kFixedTendons,        // wrap_xpos, ten_J, ten_length where all tendons are fixed
  kTransmission,        // actuator_length, actuator_moment where actuators act on joints and tendons
  kTendonArmature,      // added to M
  kMassMatrix,          // crb, M
  kFactor,              // qLD, qLDiagInv
  kVelocity,            // cvel, cdof_dot, qfrc_bias
  kTendonVelocity,      // ten_velocity
  kActuatorVelocity,    // actuator_velocity
  kPassive,             // springs, dampers, gravity compensation and the medium, without tendons
  kTendonForce,         // springs and dampers of tendons, added to the passive forces
  kJointDrives,         // motors and servos of hinges and slides
  kDrives,              // the same for any transmission
  kAcceleration,        // qfrc_smooth, qacc_smooth
  kDampedAcceleration,  // SAP: qacc_smooth with implicit damping, qH, qHDiagInv
  kFreeAcceleration,    // qacc without constraints
  kAdvanceDrives,       // activations of drives after the step
  kEuler,               // the state after the step; with implicit damping where the model has damping
  kEulerUndamped,       // the same without implicit damping
  kEulerEnd,            // the same with accelerations that are in scratch
  kImplicitFast,        // where dampers and drives of hinges and slides are the only forces with a derivative
  kImplicitFastPulled,  // the same with drives of any transmission and dampers of tendons
  // The same in parts: all but the solution of M x = x, for x in scratch; then what follows it.
  kImplicitFastBegin,
  kImplicitFastPulledBegin,
  kImplicitFastEnd,
  kRungeKuttaResult,   // qacc and actuator_velocity as step() leaves them
  kRungeKutta,         // from one evaluation to the next
  kRungeKuttaEnd,      // the state after the step
  kSubtreeVelocity,    // subtree_linvel, subtree_angmom
  kBodyAccelerations,  // cacc
  kAppliedWrenches,    // cfrc_ext without contacts and equalities
  kInteractionForces,  // cfrc_int
  kBodyForces,         // the last two with the wrenches of constraints in between, which batch/ adds
  kReadings,           // sensordata; batch/ adds the readings of contacts
  kReadingsOfMotion,   // the same without accelerations, forces and contacts
  kRows,               // contacts and rows, which are made with their solution: nothing to do
  kCount
};

// Stages without a kernel for packs that a device runs all the same, one thread for each world.
enum class WorldStage {
  kNone,
  kTendonPaths,   // wrap_xpos, ten_J, ten_length of any tendons
  kTransmission,  // actuator_length, actuator_moment of any transmission
  kActuation,     // act_dot, actuator_force, qfrc_actuator of any actuators but those of users, motors with states of
                  // their own and delays
  kActivations,   // their activations after the step
};

// Numbers of a world that stages use besides the fields: in one stage, and from one evaluation of Runge-Kutta to the
// next (see Kept).
inline int scratch_numbers(const ModelSizes& s) { return 2 * s.nv + 12 * s.nbody + s.nu; }
inline int kept_numbers(const ModelSizes& s) {
  const int tendons = s.nplastic > 0 ? s.ntendon + s.nJten : 0;
  return 1 + s.nq + 6 * s.nv + 2 * s.na + 2 * s.nout + tendons;
}

// Numbers are double or float.
template <class S>
struct LaneKernels {
  int lanes;  // worlds in a pack

  // A block: time, then every field of State and Input in the order of their lists, each number as `lanes` numbers.
  size_t (*block_numbers)(const ModelSizes&);  // all lanes together
  // Place of a field's first number in a block; -1 for an unknown name.
  ptrdiff_t (*block_offset)(const ModelSizes&, const char* field);

  // A workspace lives in memory of the caller, of this size and aligned to 64 bytes.
  size_t (*workspace_bytes)(const ModelSizes&);
  void (*make_workspace)(const ModelSizes&, void* workspace);

  // State and input of the workspace become views of the block; unbind() writes back the time, which is a copy.
  void (*bind)(void* workspace, S* block);
  void (*unbind)(void* workspace, S* block);
  // Addresses of the numbers of time and of every field of the workspace as bound, in the order of for_each_field().
  // Number i of lane k is at [i * lanes + k].
  void (*list_fields)(void* workspace, S** fields);
  void (*run)(WideStage stage, const ModelView&, void* workspace);
  // Lanes in which one of so many numbers is NaN or huge.
  unsigned (*find_bad)(const S* numbers, int count);

  // Whole steps for models without constraints and with nothing to do lane by lane: Euler, RK4 or, in the absence of a
  // medium, implicitfast, as the model's options say. Leaves qacc_warmstart alone: without constraints nothing starts
  // from it.
  void (*step)(const ModelView&, void* workspace, S* block, int steps, LaneResets& resets);
};

struct LaneTables {
  LaneKernels<double> of_double;
  LaneKernels<float> of_float;
};

}  // namespace torsor
