// Arrays in the memory of a device: what stands behind torsor.DeviceArray.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>

#include "arrays.hpp"
#include "torsor/gpu/devices.hpp"

namespace torsor::python {

struct DeviceArrayObject {
  void* data;
  Shape shape;
  nb::dlpack::dtype type;
  gpu::Device device;
  nb::object keeper;                    // owns the memory
  std::vector<std::int64_t> strides{};  // in elements; none: dense

  std::size_t size() const;
  std::size_t bytes() const { return size() * type.bits / 8; }
};

inline void* stream_of(std::uintptr_t handle) { return reinterpret_cast<void*>(handle); }

void bind_device_array(nb::module_& m);

}  // namespace torsor::python
