// NumPy arrays as arguments and results: which are accepted, their checks, and error messages.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "text.hpp"

namespace torsor::python {

namespace nb = nanobind;

inline bool accept_any(PyObject*) { return true; }

// Types of arguments and results as type checkers see them. Input and Output below check the contents.
class ArrayLike : public nb::object {
 public:
  NB_OBJECT_DEFAULT(ArrayLike, nb::object, "numpy.typing.ArrayLike", accept_any)
};
class Array : public nb::object {
 public:
  NB_OBJECT_DEFAULT(Array, nb::object, "numpy.typing.NDArray[numpy.float64]", accept_any)
};
class OptionalArray : public nb::object {
 public:
  NB_OBJECT_DEFAULT(OptionalArray, nb::object, "numpy.typing.NDArray[numpy.float64]", accept_any)  // None by default
};

using Shape = std::vector<size_t>;
std::string to_text(const Shape& shape);  // "(3, 7)"

// Access to the memory of an array of float64 in C order, through Python's buffer protocol.
class Memory {
 public:
  Memory() = default;
  ~Memory() { close(); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // False if the object is not such an array, or not writable although required.
  bool open(nb::handle array, bool writable);
  double* data() const { return static_cast<double*>(buffer_.buf); }
  Shape shape() const { return Shape(buffer_.shape, buffer_.shape + buffer_.ndim); }
  bool has_shape(const Shape& shape) const;
  size_t size() const { return static_cast<size_t>(buffer_.len) / sizeof(double); }

 private:
  void close();
  Py_buffer buffer_{};
  bool is_open_ = false;
};

// A read-only argument: anything that NumPy can convert to an array of numbers. Throws ValueError for a wrong shape.
class Input {
 public:
  Input(const char* name, const ArrayLike& value, const Shape& shape);
  Input(const char* name, const ArrayLike& value, const Shape& shape, const Shape& other_shape);
  const double* data() const { return copy_.empty() ? memory_.data() : copy_.data(); }

 private:
  friend class Output;
  nb::object array_;
  Memory memory_;
  std::vector<double> copy_;  // used if not empty
};

// A result: the caller's array if one was passed, which must fit exactly, or a new one.
class Output {
 public:
  Output(const char* name, const OptionalArray& wanted, const Shape& shape);
  explicit Output(const Shape& shape) : Output("out", nb::borrow<OptionalArray>(nb::none()), shape) {}  // a new one
  double* data() const { return memory_.data(); }
  Array array() const { return nb::borrow<Array>(array_); }
  // Results are written while inputs are still read: an input in the same memory is copied first.
  void keep_apart(Input& input) const;

 private:
  nb::object array_;
  Memory memory_;
};

Array make_array(std::initializer_list<double> values);
Array make_matrix3(const double values[9]);

// A zero-based index; throws IndexError with the valid range.
int checked_id(const char* what, int id, int count);

// Called once by the module: imports the parts of NumPy that are used.
void import_numpy();
// array[...] = value, as NumPy does it, with its errors.
void assign(nb::handle array, nb::handle value);

}  // namespace torsor::python
