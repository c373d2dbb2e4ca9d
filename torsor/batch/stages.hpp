// The stages of a step of many worlds in order: which of them run wide, all lanes of a pack at once, which lane by lane
// and why, and which arrays each reads and writes.
#pragma once

#include <string>
#include <vector>

#include "torsor/batch/field_list.hpp"
#include "torsor/batch/value_stages.hpp"
#include "torsor/dynamics/kernels/lanes.hpp"

namespace torsor {

class RowPlan;

struct BatchStage {
  const char* name;
  bool is_wide = true;
  std::string why;  // it runs lane by lane
  FieldSet reads{}, writes{};
  WideStage kernel = WideStage::kCount;                        // of a wide stage; kCount: constraints
  void (*function)(const Model& model, Data& data) = nullptr;  // of the others; null: part of the solver
  WorldStage on_device = WorldStage::kNone;                    // what a device has in place of that function
};

// Forward dynamics, what is read from it, then the integrator. Runge-Kutta evaluates forward dynamics several times,
// with `between` after each evaluation; only the first is observed, and only the last reported. `start` is what a step
// does with the first one alone.
struct BatchStages {
  std::vector<BatchStage> forward, observe, start, report, between, finish;
  int evaluations = 1;
  bool writes_pack_rows = false;  // contacts and rows go straight into the wide problem
  bool keeps_forces = false;      // and sensors or the report read their forces
  bool is_simple = false;         // no tendons; motors and servos of hinges and slides only
};

// What the list depends on besides the structure of the model: it is made anew when any of this changes.
struct BatchFeatures {
  BatchFeatures(const Model& model, const RowPlan& plan);
  bool operator==(const BatchFeatures&) const = default;

  bool has_rows, has_wide_actuation, has_sensor_history, reads_sensors;
  bool tendons_pull, tendons_damp, tendons_have_armature;
  bool actuators_carry_weights;  // gravity compensation of some joint counts as an actuator's force
  bool has_adhesion, has_actuated_contacts;
  bool is_sap, is_damped, is_dual, is_exact, is_in_medium, is_solved_wide, has_pack_rows;
  int integrator;
  bool is_discrete;                   // integrator discrete: the solver runs in its metric
  bool is_speculative;                // contacts depend on velocities
  std::vector<bool> plain_sensors;    // without history and noise
  std::string contacts_without_rows;  // see row_plan.hpp
};

enum class BatchPurpose {
  kStep,           // only what the next state depends on
  kStepAndForces,  // and the forces on bodies of the last evaluation
  kRead,           // forward dynamics with all its results, sensors included
};

// `wanted` are results that somebody reads besides, `own` the stages for which worlds have values of their own.
BatchStages list_stages(const Model& model, const FieldList& fields, BatchPurpose purpose, const FieldSet& wanted = {},
                        const ValueStages& own = {});

}  // namespace torsor
