// torsor::Error becomes torsor.Error, with its diagnostics.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "text.hpp"
#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

// The class is defined in Python (torsor/_error.py); kept until the process ends.
PyObject* error_type = nullptr;

void raise(const Error& error) {
  try {
    nb::object instance = nb::handle(error_type)(to_str(error.what()));
    instance.attr("diagnostics") = error.diagnostics();
    PyErr_SetObject(error_type, instance.ptr());
  } catch (nb::python_error& failure) {  // out of memory for the message: raise that instead
    failure.restore();
  }
}

}  // namespace

void bind_errors(nb::module_& m) {
  nb::class_<Diagnostic>(m, "Diagnostic", R"(An error or warning about a model, with its location.

>>> try:
...     torsor.Model.from_xml_string("<mujoco><worldbody><geom masss='1'/></worldbody></mujoco>")
... except torsor.Error as error:
...     found = error.diagnostics[0]
>>> found.severity, found.line, found.hint
('error', 1, "did you mean 'mass'?")
)")
      .def_prop_ro(
          "severity", [](const Diagnostic& d) { return d.severity == Severity::kError ? "error" : "warning"; },
          "'error' or 'warning'")
      .def_prop_ro(
          "file", [](const Diagnostic& d) { return d.where.file; }, "name of the file, '' if unknown")
      .def_prop_ro(
          "line", [](const Diagnostic& d) { return d.where.line; }, "from 1, 0 if unknown")
      .def_prop_ro(
          "column", [](const Diagnostic& d) { return d.where.column; }, "from 1, 0 if unknown")
      .def_ro("message", &Diagnostic::message, "description of the problem")
      .def_ro("hint", &Diagnostic::hint, "suggestion, '' if there is none")
      .def("__str__", [](const Diagnostic& d) { return to_string(d); })
      .def("__repr__", [](const Diagnostic& d) { return "<Diagnostic " + to_string(d) + ">"; });
  error_type = nb::object(nb::module_::import_("torsor._error").attr("Error")).release().ptr();
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace torsor::python
