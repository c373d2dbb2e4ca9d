// NumPy's arrays as its C interface lays them out in memory (the part that is fixed for all versions), read in place:
// the buffer protocol takes several times as long, which matters for functions of three numbers.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python::mj {

struct NumpyArray {
  PyObject_HEAD char* data;
  int nd;
  Py_ssize_t* dimensions;
  Py_ssize_t* strides;
  PyObject* base;
  PyObject* descriptor;
  int flags;
};

struct NumpyDescriptor {
  PyObject_HEAD PyTypeObject* scalar;
  char kind, type, byteorder, former_flags;
  int number;
};

namespace numpy_type {
constexpr int kUint8 = 2, kInt32 = 5, kFloat32 = 11, kFloat64 = 12;
}
namespace numpy_flag {
constexpr int kContiguous = 1, kAligned = 0x100, kWriteable = 0x400;
}

extern PyTypeObject* ndarray_type;
// Called once by the module.
void import_numpy_arrays();

inline bool is_numpy_array(PyObject* object) {
  return Py_TYPE(object) == ndarray_type || PyType_IsSubtype(Py_TYPE(object), ndarray_type);
}
inline const NumpyArray* as_array(PyObject* object) { return reinterpret_cast<const NumpyArray*>(object); }

// Whether the numbers can be used where they lie. int is int32 on all platforms of the package; bool counts as uint8.
inline bool fits(const NumpyArray& array, int type, bool writes) {
  const int flags = numpy_flag::kContiguous | numpy_flag::kAligned | (writes ? numpy_flag::kWriteable : 0);
  const auto* descriptor = reinterpret_cast<const NumpyDescriptor*>(array.descriptor);
  return descriptor->number == type && (array.flags & flags) == flags && descriptor->byteorder != '>';
}

// A contiguous array of the type, converted by NumPy: a new reference; null, with an exception set, where it cannot.
PyObject* make_contiguous(PyObject* value, int type);

}  // namespace torsor::python::mj
