// The dispatcher: from a call in Python to a row of the table, and from exceptions of the engine to MuJoCo's.
#include "call.hpp"

#include <cctype>
#include <deque>
#include <new>
#include <sstream>

#include <fmt/format.h>

#include "numpy_array.hpp"
#include "torsor/core/error.hpp"
#include "torsor/sim/timing.hpp"

namespace torsor::python::mj {

PyTypeObject* ndarray_type = nullptr;

namespace {

// Kept for as long as the process lives, like the module that uses them.
PyObject *fatal_error = nullptr, *unexpected_error = nullptr, *as_contiguous = nullptr;
std::deque<Bound> kept;
PyObject *float64 = nullptr, *float32 = nullptr, *int32 = nullptr, *uint8 = nullptr;

// "geomid:N1?=None"
Parameter parse_parameter(const std::string& word) {
  const size_t colon = word.find(':'), equals = word.find('=');
  Parameter parameter;
  parameter.name = word.substr(0, colon);
  parameter.kind = word[colon + 1];
  if (equals != std::string::npos) parameter.default_text = word.substr(equals + 1);
  const std::string rest = word.substr(colon + 2, equals == std::string::npos ? equals : equals - colon - 2);
  parameter.may_be_none = rest.ends_with('?');
  if (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0]))) parameter.length = std::stoi(rest);
  return parameter;
}

Bound bind_row(const Function& row) {
  Bound bound{row, {}, {}, nullptr};
  std::istringstream words(row.parameters);
  for (std::string word; words >> word;) bound.parameters.push_back(parse_parameter(word));
  std::string list;
  for (const Parameter& parameter : bound.parameters) {
    list += (list.empty() ? "" : ", ") + parameter.name;
    if (!parameter.default_text.empty()) list += "=" + parameter.default_text;
  }
  bound.signature = fmt::format("{}({})", row.name, list);
  return bound;
}

PyObject* python_type_of(nb::exception_type type) {
  switch (type) {
    case nb::exception_type::index_error:
      return PyExc_IndexError;
    case nb::exception_type::key_error:
      return PyExc_KeyError;
    case nb::exception_type::value_error:
      return PyExc_ValueError;
    case nb::exception_type::type_error:
      return PyExc_TypeError;
    default:
      return PyExc_RuntimeError;
  }
}

void set_python_error() {
  try {
    throw;
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const nb::builtin_exception& error) {
    PyErr_SetString(python_type_of(error.type()), error.what());
  } catch (const Error& error) {
    PyErr_SetString(fatal_error ? fatal_error : PyExc_RuntimeError, to_utf8(error.what()).c_str());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(unexpected_error ? unexpected_error : PyExc_RuntimeError, error.what());
  }
}

bool is_small(const Model& model) { return model.nbody <= 32 && model.nv <= 64; }

bool has_callback(const DataObject& data) {
  const auto is_set = [](const nb::object& callback) { return !callback.is_none(); };
  return !data.collision.empty() || std::any_of(data.callbacks.begin(), data.callbacks.end(), is_set);
}

PyObject* run_stage(const Function& row, Args& args) {
  const Model& small = args.engine_model();
  if (row.is_short && is_small(small) && !has_callback(args.data())) {
    const Hold hold = check_fits(args.model(), args.data());
    Data& data = args.engine_data();
    row.stage(small, data);
    throw_clock_failure(data);
    return none();
  }
  {
    const EngineCall call(args.model(), args.data(), row.effect);
    const size_t needed = call.data.memory_needed();
    row.stage(call.model, call.data);
    throw_clock_failure(call.data);
    if (call.data.memory_needed() > needed) require_memory(call.model, call.data);
  }
  return none();
}

PyObject* run_row(const Function& row, Args& args) {
  try {
    return row.stage ? run_stage(row, args) : row.run(args);
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

PyObject* dispatch(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  const auto* bound = static_cast<const Bound*>(PyCapsule_GetPointer(self, nullptr));
  for (;;) {
    Args args(*bound);
    if (args.read(values, count, names)) return run_row(bound->row, args);
    if (!bound->another) return nullptr;
    PyErr_Clear();
    bound = bound->another;
  }
}

}  // namespace

nb::list list_functions() {
  nb::list rows;
  for (const Bound& bound : kept) rows.append(nb::make_tuple(bound.row.name, bound.row.parameters));
  return rows;
}

void add_functions(nb::module_& m, std::span<const Function> rows) {
  static std::deque<PyMethodDef> definitions;
  for (const Function& row : rows) {
    Bound& bound = kept.emplace_back(bind_row(row));
    for (Bound& earlier : kept) {
      if (&earlier != &bound && !earlier.another && std::string_view(earlier.row.name) == row.name)
        earlier.another = &bound;
    }
    if (nb::hasattr(m, row.name)) continue;
    PyMethodDef& definition = definitions.emplace_back();
    definition.ml_name = row.name;
    definition.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&dispatch));
    definition.ml_flags = METH_FASTCALL | METH_KEYWORDS;
    definition.ml_doc = bound.signature.c_str();
    const nb::object self = nb::steal(PyCapsule_New(&bound, nullptr, nullptr));
    m.attr(row.name) = nb::steal(PyCFunction_NewEx(&definition, self.ptr(), nullptr));
  }
}

void set_error_types(nb::handle fatal, nb::handle unexpected) {
  fatal_error = fatal.inc_ref().ptr();
  unexpected_error = unexpected.inc_ref().ptr();
}

void import_numpy_arrays() {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const auto keep = [&numpy](const char* name) { return nb::object(numpy.attr(name)).release().ptr(); };
  ndarray_type = reinterpret_cast<PyTypeObject*>(keep("ndarray"));
  as_contiguous = keep("ascontiguousarray");
  float64 = keep("float64"), float32 = keep("float32"), int32 = keep("int32"), uint8 = keep("uint8");
}

PyObject* make_contiguous(PyObject* value, int type) {
  PyObject* wanted = type == numpy_type::kFloat64   ? float64
                     : type == numpy_type::kFloat32 ? float32
                     : type == numpy_type::kInt32   ? int32
                                                    : uint8;
  return PyObject_CallFunctionObjArgs(as_contiguous, value, wanted, nullptr);
}

}  // namespace torsor::python::mj
