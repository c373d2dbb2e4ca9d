// Text between C++ and Python. Names, paths and quotations in messages come from files and may contain any bytes: those
// that are not UTF-8 become escapes such as \xff, so that no function fails with UnicodeDecodeError.
// Included instead of nanobind/stl/string.h and string_view.h.
#pragma once

#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

namespace torsor::python {

// A new reference; null, with a Python error set, if out of memory.
inline PyObject* decode(std::string_view bytes) noexcept {
  return PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "backslashreplace");
}

inline nanobind::str to_str(std::string_view bytes) {
  PyObject* text = decode(bytes);
  if (!text) throw nanobind::python_error();
  return nanobind::steal<nanobind::str>(text);
}

// The same as UTF-8, for messages of Python's own exceptions.
inline std::string to_utf8(std::string_view bytes) { return to_str(bytes).c_str(); }

}  // namespace torsor::python

namespace nanobind::detail {

template <class Text>
struct TextCaster {
  NB_TYPE_CASTER(Text, const_name("str"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    if (!PyUnicode_Check(source.ptr())) return false;
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
    if (!bytes) {
      PyErr_Clear();
      return false;
    }
    value = Text(bytes, static_cast<size_t>(size));
    return true;
  }
  static handle from_cpp(const Text& text, rv_policy, cleanup_list*) noexcept { return torsor::python::decode(text); }
};

template <>
struct type_caster<std::string> : TextCaster<std::string> {};
template <>
struct type_caster<std::string_view> : TextCaster<std::string_view> {};

}  // namespace nanobind::detail
