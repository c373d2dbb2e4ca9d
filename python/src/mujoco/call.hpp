// Calls from Python to the functions of torsor.mujoco. A function is a row of a table: its name, its parameters as
// text, and code that reads converted arguments. One dispatcher serves all rows, so that a row costs little to compile
// and a call costs less than one through templates.
//
// Parameters are written "res:V3 vec:v3 quat:v4 dt:f", in order, with these kinds:
//   m model            d data             i whole number     f real number      b truth value      s text
//   v vector to read   V vector to write  w matrix to read   W matrix to write  (of float64)
//   n, N the same for vectors of int32;   g, G of float32;   u vector of bytes to read;  o any object
// A number after a vector is its length. A question mark allows None. "=3" is a default value.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "../objects.hpp"

namespace torsor::python::mj {

// The memory of an array argument. A vector has one column.
struct ArrayMemory {
  void* data;  // null: None was passed
  int rows, columns;
};

struct Parameter {
  std::string name;
  char kind = 0;
  int length = -1;  // of a vector; -1: any
  bool may_be_none = false;
  std::string default_text;
};

struct Bound;

// The arguments of one call.
class Args {
 public:
  static constexpr int kMost = 16;
  explicit Args(const Bound& bound) : bound_(bound) {}
  ~Args();
  Args(const Args&) = delete;
  Args& operator=(const Args&) = delete;

  // Converts all arguments. False, with a Python exception set, if they do not fit.
  bool read(PyObject* const* values, Py_ssize_t count, PyObject* names);

  ModelObject& model(int i = 0) const { return *static_cast<ModelObject*>(slots_[i].array.data); }
  DataObject& data(int i = 1) const { return *static_cast<DataObject*>(slots_[i].array.data); }
  const Model& engine_model(int i = 0) const { return *model(i).model; }
  Data& engine_data(int i = 1) const { return *data(i).data; }
  int integer(int i) const { return slots_[i].integer; }
  bool truth(int i) const { return slots_[i].integer != 0; }
  double real(int i) const { return slots_[i].real; }
  std::string_view text(int i) const;
  nb::handle object(int i) const { return values_[i]; }
  bool is_given(int i) const { return slots_[i].array.data != nullptr; }

  double* reals(int i) const { return static_cast<double*>(slots_[i].array.data); }
  int* ints(int i) const { return static_cast<int*>(slots_[i].array.data); }
  float* floats(int i) const { return static_cast<float*>(slots_[i].array.data); }
  const unsigned char* bytes(int i) const { return static_cast<const unsigned char*>(slots_[i].array.data); }
  int rows(int i) const { return slots_[i].array.rows; }
  int columns(int i) const { return slots_[i].array.columns; }
  int size(int i) const { return rows(i) * columns(i); }

  // Throw TypeError, as MuJoCo does for arrays of the wrong size; arguments that are None pass.
  void require_size(int i, int size, const char* size_name) const;
  void require_shape(int i, int rows, int columns, const char* shape_name) const;
  void require_same_size(int i, int other) const;

 private:
  struct Slot {
    ArrayMemory array;
    double real;
    int integer;
  };
  bool place(PyObject* const* values, Py_ssize_t count, PyObject* names);
  bool convert(int i);
  bool convert_object(int i);
  bool convert_number(int i);
  bool convert_array(int i);
  bool fail(const std::string& message) const;
  bool expected(int i, const char* what) const;

  // Only what the parameters need is filled: clearing all of it would take longer than a short call.
  const Bound& bound_;
  PyObject* values_[kMost];  // borrowed
  Slot slots_[kMost];
  PyObject* kept_[kMost];  // copies of arguments that were not arrays of the right type
  int kept_count_ = 0;
};

using Run = PyObject* (*)(Args&);  // a new reference
using StageRun = void (*)(const Model&, Data&);

struct Function {
  const char* name;
  const char* parameters;
  Run run;
  StageRun stage = nullptr;  // in place of run: a stage of the pipeline, with parameters "m:m d:d"
  Effect effect = Effect::kNumbers;
  bool is_short =
      false;  // a stage that takes less time than letting other Python threads run meanwhile, in a small model
};

inline Function stage_row(const char* name, StageRun stage, Effect effect = Effect::kNumbers) {
  return {name, "m:m d:d", nullptr, stage, effect, effect == Effect::kNumbers};
}
inline Function check_row(const char* name, StageRun stage) {
  return {name, "m:m d:d", nullptr, stage, Effect::kRows, true};
}

// A row that has been added to a module.
struct Bound {
  Function row;
  std::vector<Parameter> parameters;
  std::string signature;           // "mju_rotVecQuat(res, vec, quat)"
  const Bound* another = nullptr;  // the next row of this name
};

// Adds rows to a module. A later row of the same name is tried where the arguments do not fit the earlier one.
void add_functions(nb::module_& m, std::span<const Function> rows);

// Name and parameters of every row, for the tests.
nb::list list_functions();

// Results of rows.
inline PyObject* none() { return Py_NewRef(Py_None); }
inline PyObject* number(double value) { return PyFloat_FromDouble(value); }
inline PyObject* whole(long value) { return PyLong_FromLong(value); }
inline PyObject* text(std::string_view value) { return decode(value); }

// FatalError and UnexpectedError of the Python package, which errors of the engine become.
void set_error_types(nb::handle fatal, nb::handle unexpected);
[[noreturn]] void throw_type_error(const std::string& message);

}  // namespace torsor::python::mj
