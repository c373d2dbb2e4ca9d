// Checks of arrays, and the few calls into NumPy.
#include "arrays.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace torsor::python {
namespace {

// Kept for as long as the process lives, like the module that uses them.
PyObject *numpy_zeros = nullptr, *numpy_asarray = nullptr, *float64 = nullptr;

[[noreturn]] void fail(const char* name, const std::string& message) {
  throw nb::value_error(fmt::format("{}: {}", name, message).c_str());
}

// Converts an argument to a contiguous NumPy array of numbers.
nb::object as_numbers(const char* name, nb::handle value) {
  PyObject* array =
      value.is_none() ? nullptr : PyObject_CallFunctionObjArgs(numpy_asarray, value.ptr(), float64, nullptr);
  if (array) return nb::steal(array);
  PyErr_Clear();
  fail(name, "expected an array of numbers");
}

}  // namespace

bool Memory::open(nb::handle array, bool writable) {
  close();
  const int flags = PyBUF_FORMAT | PyBUF_ND | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
  if (!PyObject_CheckBuffer(array.ptr()) || PyObject_GetBuffer(array.ptr(), &buffer_, flags) != 0) {
    PyErr_Clear();
    return false;
  }
  is_open_ = true;
  const bool are_numbers = buffer_.format && std::strcmp(buffer_.format, "d") == 0;
  if (!are_numbers) close();
  return are_numbers;
}

void Memory::close() {
  if (is_open_) PyBuffer_Release(&buffer_);
  is_open_ = false;
}

bool Memory::has_shape(const Shape& shape) const {
  const auto equal = [](Py_ssize_t a, size_t b) { return static_cast<size_t>(a) == b; };
  return std::equal(buffer_.shape, buffer_.shape + buffer_.ndim, shape.begin(), shape.end(), equal);
}

std::string to_text(const Shape& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

Input::Input(const char* name, const ArrayLike& value, const Shape& shape) : Input(name, value, shape, shape) {}

Input::Input(const char* name, const ArrayLike& value, const Shape& shape, const Shape& other_shape) : array_(value) {
  if (!memory_.open(array_, false)) {
    array_ = as_numbers(name, value);
    if (!memory_.open(array_, false)) fail(name, "expected an array of numbers");
  }
  if (!memory_.has_shape(shape) && !memory_.has_shape(other_shape))
    fail(name, fmt::format("expected shape {}, got {}", to_text(shape), to_text(memory_.shape())));
}

Output::Output(const char* name, const OptionalArray& wanted, const Shape& shape) : array_(wanted) {
  if (wanted.is_none()) {
    nb::object dimensions = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
    for (size_t i = 0; i < shape.size(); ++i)
      PyTuple_SetItem(dimensions.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromSize_t(shape[i]));
    array_ = nb::steal(PyObject_CallOneArg(numpy_zeros, dimensions.ptr()));
    if (!array_.is_valid()) throw nb::python_error();
  }
  if (!memory_.open(array_, true))
    fail(name, "expected a writable, C-contiguous array of float64, which results are written into");
  if (!memory_.has_shape(shape))
    fail(name, fmt::format("expected shape {}, got {}", to_text(shape), to_text(memory_.shape())));
}

void Output::keep_apart(Input& input) const {
  const std::less<const double*> before;  // a total order over unrelated pointers too
  const double *first = input.data(), *last = first + input.memory_.size();
  if (before(first, data() + memory_.size()) && before(data(), last)) input.copy_.assign(first, last);
}

Array make_array(std::initializer_list<double> values) {
  const Output result("", nb::borrow<OptionalArray>(nb::none()), {values.size()});
  std::copy(values.begin(), values.end(), result.data());
  return result.array();
}

Array make_matrix3(const double values[9]) {
  const Output result("", nb::borrow<OptionalArray>(nb::none()), {3, 3});
  std::copy(values, values + 9, result.data());
  return result.array();
}

int checked_id(const char* what, int id, int count) {
  if (id < 0 || id >= count)
    throw nb::index_error(fmt::format("{} {} does not exist: the model has {}", what, id, count).c_str());
  return id;
}

void import_numpy() {
  const nb::module_ numpy = nb::module_::import_("numpy");
  numpy_zeros = nb::object(numpy.attr("zeros")).release().ptr();
  numpy_asarray = nb::object(numpy.attr("ascontiguousarray")).release().ptr();
  float64 = nb::object(numpy.attr("float64")).release().ptr();
}

void assign(nb::handle array, nb::handle value) {
  if (array.is(value)) return;  // the last step of `data.qpos += 1`
  if (PyObject_SetItem(array.ptr(), nb::ellipsis().ptr(), value.ptr()) != 0) throw nb::python_error();
}

}  // namespace torsor::python
