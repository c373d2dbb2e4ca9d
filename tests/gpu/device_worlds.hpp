// Worlds of a device whose kernels run on this machine's processor, beside the same worlds in lanes.
#pragma once

#include "tests/batch/worlds.hpp"
#include "torsor/core/error.hpp"
#include "torsor/gpu/device_batch.hpp"

namespace torsor::gpu {

constexpr Device kHost{DeviceKind::kHost, 0};

inline std::vector<double> get_numbers(DeviceBatch& batch, const std::string& field) {
  std::vector<double> values(static_cast<size_t>(batch.nworld() * batch.field_size(field)));
  batch.get(field, values.data());
  return values;
}

// Both in the same states, off the reference pose.
inline void stir_both(const Model& model, Batch& lanes, DeviceBatch& device) {
  make_worlds(model, lanes);
  for (const char* field : {"time", "qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"}) {
    const std::vector<double> values = get(lanes, field);
    if (!values.empty()) device.set(field, values.data());
  }
}

}  // namespace torsor::gpu
