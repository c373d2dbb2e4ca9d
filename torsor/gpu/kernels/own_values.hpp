// The values of one world: what the user wrote is checked and becomes part of the world's view of the model.
#pragma once

#include <cmath>

#include "torsor/batch/value_rules.hpp"
#include "torsor/gpu/kernels/atomics.hpp"
#include "torsor/gpu/value_list.hpp"
#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

TORSOR_INLINE void copy_bytes(const std::byte* from, int count, std::byte* to) {
  for (int i = 0; i < count; ++i) to[i] = from[i];
}

// False for numbers that no model can have. The values may be the user's numbers themselves.
template <class S>
TORSOR_INLINE bool take_numbers(const typename ValueList<S>::Entry& entry, int world) {
  const S* const given = entry.given + std::ptrdiff_t(entry.count) * world;
  double* const values = reinterpret_cast<double*>(entry.values + std::ptrdiff_t(entry.bytes) * world);
  bool sound = true;
  for (int i = 0; i < entry.count; ++i) {
    const double value = given[i];
    sound = sound && obeys(entry.rules[i], value, (entry.rules[i] & kNotAboveNext) ? double(given[i + 1]) : 0);
    values[i] = value;
  }
  return sound;
}

template <class S>
TORSOR_INLINE void take_values(const WorldView<S>& view, const ValueList<S>& list, int world) {
  ModelView& model = list.models[world];
  if (list.anew) model = view.model;
  bool sound = true;
  for (int k = 0; k < list.count; ++k) {
    const auto& entry = list.entries[k];
    if (entry.given) sound = take_numbers<S>(entry, world) && sound;
    std::byte* const values = entry.values + std::ptrdiff_t(entry.bytes) * world;
    std::byte* const place = reinterpret_cast<std::byte*>(&model) + entry.place;
    if (!entry.is_array)
      copy_bytes(values, entry.bytes, place);
    else if (list.anew)
      *reinterpret_cast<std::byte**>(place) = values;  // the pointer of its Field
  }
  if (!sound) raise_to(list.fault, view.worlds - world);
}

}  // namespace torsor::gpu
