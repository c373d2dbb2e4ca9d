// Inputs that differ from step to step, and fields that are recorded after each, as kernels read them from the memory
// of the device: a step is recorded once, and each call may have other arrays.
#pragma once

#include "torsor/gpu/config.hpp"

namespace torsor::gpu {

template <class S>
struct StepSeries {
  static constexpr int kMost = 64;
  struct Entry {
    int place, count;  // numbers of a world, see WorldView::numbers; place -1: eq_active
    int stride;        // of the array, from one step to the next
    S* values;         // [row][steps][stride]
  };
  int steps = 0;              // of the arrays, in each row
  int first = 0;              // step of the arrays that the call begins with
  int of_call = 0;            // steps of the call
  const int* rows = nullptr;  // [world]: which row is the world's, -1 for none; null: each world has its own
  int controls = 0;           // entries that are written before a step; those after them are recorded
  int count = 0;
  Entry entries[kMost];
};

}  // namespace torsor::gpu
