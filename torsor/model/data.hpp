// Data: everything that changes over time, as the sum of its stages. One Model serves many Datas.
// The lists of arrays are fields/{state,input,switches,position,indices,velocity,acceleration}.inc.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "torsor/core/arena.hpp"
#include "torsor/core/buffer.hpp"
#include "torsor/core/field.hpp"
#include "torsor/model/awake.hpp"
#include "torsor/model/contact.hpp"
#include "torsor/model/friction_plan.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/separations.hpp"

namespace torsor {

#define FIELD(type, name, rows, columns, unit, meaning, ...) Field<type> name;
template <class T>
struct State {
  using Real = T;
  typename NumberOf<T>::Type time{T(0)};  // s
#include "torsor/model/fields/state.inc"
};
template <class T>
struct Input {
  using Real = T;
#include "torsor/model/fields/input.inc"
};
template <class T>
struct PositionStage {
  using Real = T;
#include "torsor/model/fields/position.inc"
};
template <class T>
struct VelocityStage {
  using Real = T;
  T energy[2] = {T(0), T(0)};  // J, potential and kinetic
#include "torsor/model/fields/velocity.inc"
};
template <class T>
struct AccelerationStage {
  using Real = T;
#include "torsor/model/fields/acceleration.inc"
};
struct PositionIndices {
#include "torsor/model/fields/indices.inc"
};
struct InputSwitches {
#include "torsor/model/fields/switches.inc"
};
// One iteration of the constraint solver; costs and slopes are scaled so that they compare with the tolerance.
struct SolverStatistic {
  double improvement = 0, gradient = 0, lineslope = 0;
  int nactive = 0, nchange = 0, neval = 0, nupdate = 0;
};
// Contacts and constraint rows of the present state, in an arena of their own: their number changes from step to step.
struct ConstraintStage {
  using Real = double;
  int ncon = 0;  // contacts
  int nefc = 0, ne = 0, nf = 0,
      nl = 0;       // all rows, and of these: equality, friction loss, limits; the rest are contacts
  int nJ = 0;       // numbers in efc_J
  int nisland = 0;  // groups of trees that rows connect
  static constexpr int kIslandsWithStatistics = 20;
  int solver_niter[kIslandsWithStatistics] = {};       // iterations of the first islands
  bool solver_converged[kIslandsWithStatistics] = {};  // whether they ended by their tolerance
  int solver_unconverged = 0;                          // islands, of all, that did not
  int solver_capacity = 0;                             // statistics per island in `solver`
  double solver_fwdinv[2] = {0, 0};  // forward minus inverse dynamics: norms of constraint and of given force
  Field<Contact> contact;
  Field<SolverStatistic> solver;  // island by island
#include "torsor/model/fields/rows.inc"
};
#undef FIELD

// What kernels read and write: one world (T = double) or one world per lane (T = Pack).
template <class T>
struct DataView : ModelSizes,
                  State<T>,
                  Input<T>,
                  InputSwitches,
                  PositionStage<T>,
                  PositionIndices,
                  VelocityStage<T>,
                  AccelerationStage<T> {
  using Real = T;
  // Calls f(FieldInfo, Field<T>&) for every array of numbers of one stage.
  template <class F>
  void for_each_field(Stage stage, F&& f) {
    struct Slot {
      FieldInfo info;
      Field<T>* field;
    };
#define FIELD(type, name, rows, columns, unit, meaning, ...) \
  {FieldInfo{#name, rows, columns, stage, Access::kFree, unit, meaning}, &this->name},
    const auto visit = [&f](const Slot* begin, const Slot* end) {
      for (const Slot* slot = begin; slot != end; ++slot) f(slot->info, *slot->field);
    };
    switch (stage) {
      case Stage::kState: {
        const Slot slots[] = {
#include "torsor/model/fields/state.inc"
        };
        return visit(slots, slots + sizeof(slots) / sizeof(Slot));
      }
      case Stage::kInput: {
        const Slot slots[] = {
#include "torsor/model/fields/input.inc"
        };
        return visit(slots, slots + sizeof(slots) / sizeof(Slot));
      }
      case Stage::kPosition: {
        const Slot slots[] = {
#include "torsor/model/fields/position.inc"
        };
        return visit(slots, slots + sizeof(slots) / sizeof(Slot));
      }
      case Stage::kVelocity: {
        const Slot slots[] = {
#include "torsor/model/fields/velocity.inc"
        };
        return visit(slots, slots + sizeof(slots) / sizeof(Slot));
      }
      case Stage::kAcceleration: {
        const Slot slots[] = {
#include "torsor/model/fields/acceleration.inc"
        };
        return visit(slots, slots + sizeof(slots) / sizeof(Slot));
      }
      case Stage::kModel:
        break;
    }
#undef FIELD
  }
  template <class F>
  void for_each_field(F&& f) {
    for (const Stage stage : {Stage::kState, Stage::kInput, Stage::kPosition, Stage::kVelocity, Stage::kAcceleration})
      for_each_field(stage, f);
  }
  // Calls f(FieldInfo, Field<int>&) for every array of whole numbers.
  template <class F>
  void for_each_index_field(F&& f) {
#define FIELD(type, name, rows, columns, unit, meaning, ...) \
  f(FieldInfo{#name, rows, columns, Stage::kPosition, Access::kFree, unit, meaning}, this->name);
#include "torsor/model/fields/indices.inc"
#undef FIELD
  }
  // Calls f(FieldInfo, Field<bool>&) for every array of switches.
  template <class F>
  void for_each_switch_field(F&& f) {
#define FIELD(type, name, rows, columns, unit, meaning, ...) \
  f(FieldInfo{#name, rows, columns, Stage::kInput, Access::kFree, unit, meaning}, this->name);
#include "torsor/model/fields/switches.inc"
#undef FIELD
  }
};

struct WarningCount {
  int number = 0;
  int lastinfo = 0;  // index of the culprit
};

struct TimerCount {
  double duration = 0;  // s
  int64_t number = 0;
};

struct ContactPoint;  // torsor/contact/shape.hpp

// Owns the arrays and the arena. Copies are deep; the arena's scratch is not part of a copy.
class Data : public DataView<double>, public ConstraintStage {
 public:
  // Arrays for the model, in its reference pose.
  explicit Data(const Model& model);
  Data(const Data& other);
  Data& operator=(const Data& other);
  Data(Data&& other) noexcept = default;
  Data& operator=(Data&& other) noexcept = default;

  Arena& arena() { return arena_; }
  const Arena& arena() const { return arena_; }
  // Where contacts and rows are; forward_position() empties it.
  Arena& results() { return results_; }
  const Arena& results() const { return results_; }
  // With an explicit `memory` in the model: how many bytes the results need, when that is more than the model allows;
  // 0 when all is well. Also after the system had no memory left, without an explicit limit. Steps from such results
  // are not taken. Cleared when positions are computed anew.
  size_t memory_needed() const { return arena_.needed() > results_.needed() ? arena_.needed() : results_.needed(); }
  void clear_memory_needed() {
    arena_.clear_needed();
    results_.clear_needed();
  }
  // Room for the scratch of smooth dynamics and integrators, which is not asked for again on the way. False when the
  // system has no memory left.
  bool ensure_smooth_scratch() { return arena_.ensure(smooth_bytes_); }
  // Calls f(FieldInfo, Field<T>&) for every array of rows.
  template <class F>
  void for_each_row_field(F&& f) {
#define FIELD(type, name, rows, columns, unit, meaning, ...) \
  f(FieldInfo{#name, rows, columns, Stage::kPosition, Access::kFree, unit, meaning}, this->name);
#include "torsor/model/fields/rows.inc"
#undef FIELD
  }
  size_t bytes() const { return buffer_.size() + indices_.size() + separations.bytes() + friction_plan.bytes(); }
  uint64_t signature() const { return signature_; }

  WarningCount warning[static_cast<int>(Warning::kCount)];
  TimerCount timer[static_cast<int>(Timer::kCount)];
  bool timers_on = false;  // step() reads no clock while this is off
  // Largest numbers of contacts and of rows since the reset; for bytes see arena() and results().
  int maxuse_con = 0, maxuse_efc = 0;

  // Called by forward dynamics when the controls are needed, after all that depends on the state alone. May write ctrl,
  // qfrc_applied and xfrc_applied. What it throws leaves the state as it was and reaches the caller of step().
  // Not part of a copy.
  std::function<void(const Model&, Data&)> control;

  // Actuators whose dynamics, gain or bias are of the type user, by id. Without a callback the rate is 0, the gain 1
  // and the bias 0. The rate of an actuator with several activations is written into act_dot. Not part of a copy.
  using ActuatorCallback = std::function<double(const Model&, Data&, int actuator)>;
  ActuatorCallback act_dyn, act_gain, act_bias;

  // Sensors of the type user, by id and in the stage that they need: writes its numbers into `reading`. Without a
  // callback these are 0. Not part of a copy.
  std::function<void(const Model&, Data&, int sensor, double* reading)> sensor;

  // Called by forward and inverse dynamics after the engine's own passive forces: may add to qfrc_passive. What it
  // throws leaves the state as it was. Not part of a copy.
  std::function<void(const Model&, Data&)> passive;

  // Whether a pair of geoms that passed the model's own filters (masks, families, exclusions) is left out of collision
  // nevertheless. What it throws leaves the state as it was. Not part of a copy.
  std::function<bool(const Model&, const Data&, int geom1, int geom2)> contact_filter;

  // Writes the points of contact of two geoms that are at most `margin` apart, and returns how many; see
  // set_collision_function() in torsor/contact/hooks.hpp, which fills the table: by types of geoms, the smaller first.
  // What a function throws leaves the state as it was. Not part of a copy.
  using CollisionFunction =
      std::function<int(const Model&, Data&, int geom1, int geom2, double margin, ContactPoint* out)>;
  std::map<std::pair<int, int>, CollisionFunction> collision;

  // In place of the search for contacts: adds those that there are with add_contact_point(), whenever positions are
  // new. What it throws leaves the state as it was. Not part of a copy.
  std::function<void(const Model&, Data&)> contact_source;

  // Seconds, for the timers; the system's steady clock without one. What it throws, and a clock that runs backwards,
  // leaves the state as it was and reaches the caller. Not part of a copy.
  std::function<double()> clock;

  // Told about the first warning of each kind since the last reset; warning_text() has words for it. Without one,
  // warnings are only counted. What it throws abandons the step with the state as it was. Not part of a copy.
  std::function<void(const Data&, Warning kind, int info)> on_warning;

  // For speed alone: results do not depend on it. Not part of a copy.
  SeparationTable separations;
  FrictionPlan friction_plan;

  // How many trees, bodies, bodies with a parent that is not asleep, and dofs are in the lists of indices of what is
  // awake. Static bodies are in these lists.
  int ntree_awake = 0, nbody_awake = 0, nparent_awake = 0, nv_awake = 0;
  // The same as lists for the stages. Follows from tree_asleep: update_awake().
  AwakeParts awake;

  // Discrete: 1 while the metric of dynamics/metric.hpp is in use, and how many tendons and actuators are part of it.
  int efm_active = 0, nefmT = 0, nefmA = 0;

  // The noise of sensors follows from seed, number of steps and sensor alone, so that these two are all of its state.
  // reset() sets the number of steps to 0 and keeps the seed.
  uint64_t noise_seed = 0, noise_step = 0;

  // Where the solution begins in results(): solving again writes it anew. A position, not an address.
  size_t rows_end = 0;

  // Set by step() while it knows that its integrator will use M with implicit damping: qH holds that factor already.
  bool has_damped_factor = false;

  // What the clock threw at the end of a timed scope, where nothing can be thrown: the call that it belongs to throws
  // it.
  std::exception_ptr clock_failure;
  // Kinds of warnings that on_warning was told, one bit each.
  unsigned told = 0;

  // Whether results that are computed on demand belong to the present state.
  bool has_energy_position = false, has_energy_velocity = false, has_subtree_velocity = false, has_rne_post = false;

 private:
  void place();
  void make_arenas(size_t capacity);
  void copy_values(const Data& other);

  void copy_rows(const Data& other);

  size_t smooth_bytes_ = 0;
  Buffer buffer_, indices_, first_scratch_;
  Arena arena_, results_;
  uint64_t signature_ = 0;
};

// Forgets all contacts and rows.
void clear_contacts(Data& data);
// Forgets all rows and what follows from them.
void clear_rows(Data& data);
// Adds a contact, new or a copy of the last one; the contacts may move. Null when the system has no memory left, which
// data.memory_needed() tells. Only before the rows are made.
Contact* add_contact(Data& data);
Contact* repeat_contact(Data& data);
// Room for data.nefc rows with data.nJ numbers in all, contents unspecified. Without memory: no rows, and
// data.memory_needed() tells.
bool allocate_rows(Data& data);
// Room for what is known about the iterations of the solver, after the rows; none without memory.
void allocate_solver_statistics(Data& data, int count);

// Counts a warning when the results need more memory than there is (data.memory_needed()); returns whether they do.
bool warn_of_memory(Data& data);
// Throws Error in that case, with the number of bytes that would be enough.
void require_memory(const Model& model, const Data& data);

// Counts a warning with the index of the culprit, and tells data.on_warning about the first of its kind.
void warn(Data& data, Warning kind, int info);
// Tells data.on_warning about kinds that were counted and not told yet.
void tell_warnings(Data& data);
// "bad number in qvel", and the same with the culprit: "bad number in qvel, at 3".
const char* warning_meaning(Warning kind);
std::string warning_text(Warning kind, int info);

// Throws Error when the data was made for a model of another structure.
void require_fit(const Model& model, const Data& data);

// Sets every number of a stage to NaN in development builds, so that a stale read shows; nothing in release builds.
// Without sensors, what only they compute stays.
void poison(Data& data, Stage stage, bool with_sensors = true);

// Back to the reference pose; inputs, warnings and results are cleared.
void reset(const Model& model, Data& data);
// Back to a keyframe. Throws Error when the model has no such keyframe.
void reset_to_key(const Model& model, Data& data, int key);

}  // namespace torsor
