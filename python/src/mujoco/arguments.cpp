// Conversion of arguments, with the rules of MuJoCo's module: what is read may be anything that NumPy can convert; what
// is written must be a writable, contiguous array of the exact type. Everything else is a TypeError.
#include <algorithm>
#include <charconv>
#include <climits>
#include <cstring>

#include <fmt/format.h>

#include "call.hpp"
#include "mj_objects.hpp"
#include "numpy_array.hpp"

namespace torsor::python::mj {
namespace {

constexpr const char* kWanted[][2] = {{"m", "an MjModel"},       {"d", "an MjData"},        {"i", "a whole number"},
                                      {"f", "a number"},         {"b", "a truth value"},    {"s", "text"},
                                      {"v", "a vector"},         {"w", "a matrix"},         {"n", "a vector of int32"},
                                      {"g", "a float32 vector"}, {"u", "a vector of uint8"}};

const char* wanted(char kind) {
  const char lower = static_cast<char>(kind | 0x20);
  for (const auto& [key, words] : kWanted)
    if (key[0] == lower) return words;
  return "an object";
}

bool is_written(char kind) { return kind >= 'A' && kind <= 'Z'; }
bool is_matrix(char kind) { return (kind | 0x20) == 'w'; }

int numpy_type_of(char kind) {
  switch (kind | 0x20) {
    case 'n':
      return numpy_type::kInt32;
    case 'g':
      return numpy_type::kFloat32;
    case 'u':
      return numpy_type::kUint8;
    default:
      return numpy_type::kFloat64;
  }
}

// Rows and columns of an array; false for one that is not of the form.
bool read_shape(const NumpyArray& array, char kind, int length, ArrayMemory& out) {
  const bool matrix = is_matrix(kind);
  if (array.nd < 1 || array.nd > 2 || (array.nd == 2 && !matrix && array.dimensions[1] != 1)) return false;
  const auto rows = array.dimensions[0], columns = array.nd == 2 ? array.dimensions[1] : 1;
  if (rows > INT_MAX || columns > INT_MAX || rows * columns > INT_MAX) return false;
  if (length >= 0 && rows != length) return false;
  out = {array.data, static_cast<int>(rows), static_cast<int>(columns)};
  static double nothing = 0;  // an empty array may have no memory, which must not look like None
  if (!out.data) out.data = &nothing;
  return true;
}

}  // namespace

Args::~Args() {
  for (int i = 0; i < kept_count_; ++i) Py_DECREF(kept_[i]);
}

std::string_view Args::text(int i) const {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(values_[i], &size);
  if (!bytes) throw nb::python_error();
  return {bytes, static_cast<size_t>(size)};
}

void throw_type_error(const std::string& message) { throw nb::type_error(message.c_str()); }

void Args::require_size(int i, int size, const char* size_name) const {
  if (!is_given(i) || this->size(i) == size) return;
  throw_type_error(fmt::format("{} should be of size {}", bound_.parameters[static_cast<size_t>(i)].name, size_name));
}

void Args::require_shape(int i, int rows, int columns, const char* shape_name) const {
  if (!is_given(i) || (this->rows(i) == rows && this->columns(i) == columns)) return;
  throw_type_error(fmt::format("{} should be of shape {}", bound_.parameters[static_cast<size_t>(i)].name, shape_name));
}

void Args::require_same_size(int i, int other) const {
  if (!is_given(i) || !is_given(other) || size(i) == size(other)) return;
  const auto& parameters = bound_.parameters;
  throw_type_error(fmt::format("{} and {} should have the same size", parameters[static_cast<size_t>(i)].name,
                               parameters[static_cast<size_t>(other)].name));
}

bool Args::fail(const std::string& message) const {
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "%s(): incompatible function arguments: %s. It is called as %s", bound_.row.name,
               message.c_str(), bound_.signature.c_str());
  return false;
}

bool Args::expected(int i, const char* what) const {
  const Parameter& parameter = bound_.parameters[static_cast<size_t>(i)];
  const std::string length = parameter.length < 0 ? "" : fmt::format(" of length {}", parameter.length);
  const char* to_write = is_written(parameter.kind) ? ", contiguous, of the exact type, to write to" : "";
  return fail(
      fmt::format("{} must be {}{}{}, not {}", parameter.name, what, length, to_write, Py_TYPE(values_[i])->tp_name));
}

bool Args::read(PyObject* const* values, Py_ssize_t count, PyObject* names) {
  if (!place(values, count, names)) return false;
  const int size = static_cast<int>(bound_.parameters.size());
  for (int i = 0; i < size; ++i)
    if (!convert(i)) return false;
  return true;
}

bool Args::place(PyObject* const* values, Py_ssize_t count, PyObject* names) {
  const auto& parameters = bound_.parameters;
  const Py_ssize_t size = static_cast<Py_ssize_t>(parameters.size());
  if (count > size) return fail(fmt::format("expected at most {}, got {}", size, count));
  std::copy_n(values, count, values_);
  std::fill(values_ + count, values_ + size, nullptr);
  std::fill_n(slots_, size, Slot{{nullptr, 0, 1}, 0, 0});
  const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(names, k);
    const auto found = std::find_if(parameters.begin(), parameters.end(), [name](const Parameter& parameter) {
      return PyUnicode_CompareWithASCIIString(name, parameter.name.c_str()) == 0;
    });
    if (found == parameters.end()) return fail(fmt::format("there is no '{}'", PyUnicode_AsUTF8(name)));
    PyObject*& place = values_[found - parameters.begin()];
    if (place) return fail(fmt::format("'{}' is given twice", found->name));
    place = values[count + k];
  }
  return true;
}

bool Args::convert(int i) {
  const Parameter& parameter = bound_.parameters[static_cast<size_t>(i)];
  Slot& slot = slots_[i];
  if (!values_[i]) {
    if (parameter.default_text.empty()) return fail(fmt::format("'{}' is missing", parameter.name));
    values_[i] = Py_None;
    if (parameter.default_text == "None") return true;
    slot.real = std::stod(parameter.default_text);
    slot.integer = static_cast<int>(slot.real);
    return true;
  }
  if (values_[i] == Py_None && parameter.may_be_none) return true;
  switch (parameter.kind) {
    case 'm':
    case 'd':
    case 's':
    case 'o':
      return convert_object(i);
    case 'i':
    case 'f':
    case 'b':
      return convert_number(i);
    default:
      return convert_array(i);
  }
}

bool Args::convert_object(int i) {
  const char kind = bound_.parameters[static_cast<size_t>(i)].kind;
  PyObject* value = values_[i];
  void*& place = slots_[i].array.data;
  if (kind == 'm')
    place = as_model(value);
  else if (kind == 'd')
    place = as_data(value);
  else if (kind == 'o' || (kind == 's' && PyUnicode_Check(value)))
    place = value;
  return place ? true : expected(i, wanted(kind));
}

bool Args::convert_number(int i) {
  const char kind = bound_.parameters[static_cast<size_t>(i)].kind;
  PyObject* value = values_[i];
  Slot& slot = slots_[i];
  if (kind == 'f') {
    slot.real = PyFloat_AsDouble(value);
    return slot.real != -1 || !PyErr_Occurred() ? true : expected(i, wanted(kind));
  }
  if (kind == 'b') {
    slot.integer = PyObject_IsTrue(value);
    return slot.integer >= 0 ? true : expected(i, wanted(kind));
  }
  if (PyFloat_Check(value)) return expected(i, wanted(kind));
  PyObject* number = PyNumber_Index(value);
  if (!number) {
    PyErr_Clear();
    number = PyNumber_Long(value);
  }
  if (!number || PyUnicode_Check(value)) {
    Py_XDECREF(number);
    return expected(i, wanted(kind));
  }
  const long whole = PyLong_AsLong(number);
  Py_DECREF(number);
  if ((whole == -1 && PyErr_Occurred()) || whole < INT_MIN || whole > INT_MAX)
    return expected(i, "a whole number of 32 bits");
  slot.integer = static_cast<int>(whole);
  return true;
}

bool Args::convert_array(int i) {
  const Parameter& parameter = bound_.parameters[static_cast<size_t>(i)];
  const int type = numpy_type_of(parameter.kind);
  const bool writes = is_written(parameter.kind);
  PyObject* value = values_[i];
  if (!is_numpy_array(value) || !fits(*as_array(value), type, writes)) {
    if (writes || PyUnicode_Check(value) || value == Py_None || kept_count_ == kMost)
      return expected(i, wanted(parameter.kind));
    value = make_contiguous(value, type);
    if (!value) return expected(i, wanted(parameter.kind));
    kept_[kept_count_++] = value;
  }
  if (!read_shape(*as_array(value), parameter.kind, parameter.length, slots_[i].array))
    return expected(i, wanted(parameter.kind));
  return true;
}

}  // namespace torsor::python::mj
