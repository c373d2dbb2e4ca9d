// Values of the model that differ from world to world, as kernels get them by value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "torsor/gpu/config.hpp"

namespace torsor::gpu {

// What a number must be that a user has written; see WorldValues::rules().
template <class S>
struct ValueList {
  static constexpr int kMost = 96;  // at least as many as there are fields that may differ, see device_values.cpp
  struct Entry {
    const S* given;             // [world][count], the user's numbers; null: `values` is all there is
    const std::uint8_t* rules;  // [count], of the user's numbers
    std::byte* values;          // [world][bytes], what kernels read
    int count;
    int bytes;
    int place;      // in a ModelView
    bool is_array;  // there is a Field at `place`; else the numbers themselves
  };
  int count = 0;
  bool anew = false;            // the views of the models are made from the shared one
  ModelView* models = nullptr;  // [world]
  int* fault = nullptr;         // [1]: worlds minus the first world with a number that no model can have; else 0
  Entry entries[kMost];
};

}  // namespace torsor::gpu
