// Walks over what is awake. While nothing sleeps these are loops over the whole model.
#pragma once

#include "torsor/model/awake.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Calls f(Range) for neighbouring bodies that are awake.
template <class F>
inline void for_each_awake_run(const Model& model, const Data& data, F&& f) {
  if (data.awake.all) return f(whole(model));
  for (int k = 0; k < data.awake.run_count; ++k) f(data.awake.runs[static_cast<size_t>(k)]);
}

template <class F>
inline void for_each_awake_tendon(const Model& model, const Data& data, F&& f) {
  const int count = data.awake.all ? model.ntendon : data.awake.tendon_count;
  const int* list = data.awake.all ? nullptr : data.awake.tendons.data();
  for (int k = 0; k < count; ++k) f(list ? list[k] : k);
}

template <class F>
inline void for_each_awake_actuator(const Model& model, const Data& data, F&& f) {
  const int count = data.awake.all ? model.nactuator : data.awake.actuator_count;
  const int* list = data.awake.all ? nullptr : data.awake.actuators.data();
  for (int k = 0; k < count; ++k) f(list ? list[k] : k);
}

inline bool is_asleep(const Data& data, int body) {
  return data.body_awake[body] == static_cast<int>(SleepState::kAsleep);
}
inline bool is_dof_awake(const Model& model, const Data& data, int dof) {
  return data.awake.all || data.tree_awake[model.dof_treeid[dof]] == static_cast<int>(SleepState::kAwake);
}
inline bool is_awake(const Data& data, int body) {
  return data.body_awake[body] == static_cast<int>(SleepState::kAwake);
}

}  // namespace torsor
