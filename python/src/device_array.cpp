// Implementation of torsor.DeviceArray: capsules for other libraries, and copies. Arguments were checked in Python, but
// for what only the capsule of another library says.
#include "device_array.hpp"

#include <algorithm>

#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "views.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// As NumPy spells it: "<f4".
std::string to_typestr(nb::dlpack::dtype type) {
  char kind = '?';
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
    case nb::dlpack::dtype_code::Int:
      kind = 'i';
      break;
    case nb::dlpack::dtype_code::UInt:
      kind = 'u';
      break;
    case nb::dlpack::dtype_code::Float:
      kind = 'f';
      break;
    case nb::dlpack::dtype_code::Bool:
      kind = 'b';
      break;
    default:
      return fmt::format("DLPack type {} of {} bits", type.code, type.bits);
  }
  return fmt::format("{}{}{}", type.bits == 8 ? '|' : '<', kind, type.bits / 8);
}

// An object with __dlpack__ and __dlpack_device__ that refers to the memory and keeps it.
nb::object share(const DeviceArrayObject& self) {
  static char nothing;  // of an array without numbers
  const bool is_host = self.device.kind == gpu::DeviceKind::kHost;
  const int type = is_host ? nb::device::cpu::value : nb::device::cuda::value;
  return nb::cast(nb::ndarray<nb::array_api>(
      self.size() > 0 ? self.data : &nothing, self.shape.size(), self.shape.data(), self.keeper,
      self.strides.empty() ? nullptr : self.strides.data(), self.type, type, self.device.number));
}

// Some of the second dimension: from `start` on, or that row alone.
DeviceArrayObject columns_of(const DeviceArrayObject& self, std::size_t start, std::size_t count, bool is_row) {
  if (self.shape.size() < 2 || !self.strides.empty() || start + count > self.shape[1])
    throw Error("these are no columns of the array");
  DeviceArrayObject part = self;
  std::vector<std::int64_t> strides(self.shape.size(), 1);
  for (std::size_t i = self.shape.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * static_cast<std::int64_t>(self.shape[i + 1]);
  part.data = static_cast<std::byte*>(self.data) + start * static_cast<std::size_t>(strides[1]) * self.type.bits / 8;
  part.shape[1] = count;
  if (is_row) {
    part.shape.erase(part.shape.begin() + 1);
    strides.erase(strides.begin() + 1);
  }
  part.strides = std::move(strides);
  return part;
}

// New memory for an array of the same shape.
DeviceArrayObject make_dense(const DeviceArrayObject& self) {
  const auto memory = gpu::allocate_bytes(self.device, std::max<std::size_t>(self.bytes(), 1));
  return {memory.get(), self.shape, self.type, self.device, make_keeper(memory)};
}

bool is_dense(const nb::ndarray<nb::ro>& source) {
  int64_t expected = 1;
  for (size_t i = source.ndim(); i-- > 0;) {
    if (source.shape(i) > 1 && source.stride(i) != expected) return false;
    expected *= static_cast<int64_t>(source.shape(i));
  }
  return true;
}

void require_fit(const DeviceArrayObject& self, const std::string& name, const Shape& shape, nb::dlpack::dtype type) {
  if (shape != self.shape)
    throw Error(fmt::format("{}: expected shape {}, got {}", name, to_text(self.shape), to_text(shape)));
  if (type != self.type)
    throw Error(fmt::format("{}: expected dtype {}, got {}", name, to_typestr(self.type), to_typestr(type)));
}

void copy(const DeviceArrayObject& self, void* to, const void* from, std::uintptr_t stream) {
  const nb::gil_scoped_release release;
  gpu::copy_bytes(self.device, to, from, self.bytes(), stream_of(stream));
}

// From the capsule that another library made of an array on the same device.
void copy_capsule(DeviceArrayObject& self, const std::string& name, const nb::ndarray<nb::ro>& source,
                  std::uintptr_t stream) {
  Shape shape;
  for (size_t i = 0; i < source.ndim(); ++i) shape.push_back(source.shape(i));
  require_fit(self, name, shape, source.dtype());
  if (!is_dense(source)) throw Error(fmt::format("{}: the array is not contiguous in C order; copy it first", name));
  copy(self, self.data, source.data(), stream);
}

// NumPy's arrays were given the right shape and type in Python.
void write(DeviceArrayObject& self, const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& values,
           std::uintptr_t stream) {
  if (values.nbytes() != self.bytes()) throw Error("the NumPy array has another size");
  copy(self, self.data, values.data(), stream);
}

void read(const DeviceArrayObject& self, const nb::ndarray<nb::c_contig, nb::device::cpu>& out) {
  if (out.nbytes() != self.bytes()) throw Error("the NumPy array has another size");
  copy(self, out.data(), self.data, 0);
}

}  // namespace

std::size_t DeviceArrayObject::size() const {
  std::size_t count = 1;
  for (const std::size_t each : shape) count *= each;
  return count;
}

void bind_device_array(nb::module_& m) {
  nb::class_<DeviceArrayObject>(m, "_DeviceArray", "What torsor.DeviceArray is made of.")
      .def_prop_ro("address", [](const DeviceArrayObject& self) { return reinterpret_cast<std::uintptr_t>(self.data); })
      .def_prop_ro("shape",
                   [](const DeviceArrayObject& self) {
                     nb::list sizes;
                     for (const std::size_t each : self.shape) sizes.append(each);
                     return nb::tuple(sizes);
                   })
      .def_prop_ro("typestr", [](const DeviceArrayObject& self) { return to_typestr(self.type); })
      .def_prop_ro("device", [](const DeviceArrayObject& self) { return gpu::to_text(self.device); })
      .def_prop_ro("strides",  // in bytes
                   [](const DeviceArrayObject& self) {
                     nb::list strides;
                     for (const std::int64_t each : self.strides) strides.append(each * self.type.bits / 8);
                     return nb::tuple(strides);
                   })
      .def("columns", &columns_of, "start"_a, "count"_a, "is_row"_a)
      .def("dense", &make_dense)
      .def("share", &share)
      .def("copy_capsule", &copy_capsule, "name"_a, "capsule"_a, "stream"_a)
      .def(
          "copy_address",
          [](DeviceArrayObject& self, std::uintptr_t address, std::uintptr_t stream) {
            copy(self, self.data, stream_of(address), stream);
          },
          "address"_a, "stream"_a)
      .def("write", &write, "values"_a, "stream"_a)
      .def("read", &read, "out"_a)
      .def(
          "wait",
          [](const DeviceArrayObject& self, std::uintptr_t stream) {
            const nb::gil_scoped_release release;
            gpu::wait_for_stream(self.device, stream_of(stream));
          },
          "stream"_a);
  m.def(
      "_card_of", [](std::uintptr_t address) { return gpu::find_card_of(stream_of(address)); }, "address"_a);
}

}  // namespace torsor::python
