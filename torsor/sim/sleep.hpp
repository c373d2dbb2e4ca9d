// Which trees fall asleep and wake up, and when. docs/decisions/0046 has the rules and the data flow; the lists of what
// is awake, which all stages walk, are in model/awake.hpp.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Whether trees of this simulation may fall asleep: the flag `sleep`, and an integrator that evaluates forces once per
// step.
bool can_sleep(const Model& model, const Data& data);

// Puts trees with the policy `init` to sleep, in the reference pose, if that was not done since the reset; forward()
// and step() do so themselves. Trees that touch others without that policy stay awake and are counted as a warning.
void start_sleep(const Model& model, Data& data);

// At the beginning of the position stage: start_sleep(), and wakes trees whose coordinates, velocities, applied forces
// or frames in the model were changed by the user; all trees if the flag is no longer set.
void begin_sleep_of_position(const Model& model, Data& data);

// Keeps the frames of the model, so that edits of sleeping trees are noticed.
void remember_frames(const Model& model, Data& data);

// These wake sleeping trees that something awake pulls at by a tendon that is tight or rubs, that it touches, or that
// an active equality ties to it. They return whether any woke up.
bool wake_pulled_trees(const Model& model, Data& data);
bool wake_touched_trees(const Model& model, Data& data);
bool wake_tied_trees(const Model& model, Data& data);

// At the end of a step, before it is integrated: counts the steps at rest of each tree, and puts islands of which all
// trees are ready to sleep. Their velocity is zero from then on; results of this state are computed again with that.
// When data.memory_needed() is set afterwards, or a callback throws, nothing fell asleep and the step cannot be taken.
void put_resting_trees_to_sleep(const Model& model, Data& data);

}  // namespace torsor
