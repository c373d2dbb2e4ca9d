// Elements by index or name, and errors for unknown ones.
#include "element_id.hpp"

#include <vector>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor::python {

int find_by_name(const Model& model, ObjectType type, std::string_view name) {
  const int id = model.find(type, name);
  if (id >= 0) return id;
  std::vector<std::string> known;
  for (int i = 0; i < model.count(type); ++i) known.emplace_back(model.name(type, i));
  const std::string nearest = find_nearest(std::string(name), known);
  const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  throw nb::key_error(to_utf8(fmt::format("no {} is called '{}'{}", word_of(type), name, hint)).c_str());
}

int find_by_index(const Model& model, ObjectType type, nb::handle index) {
  const Py_ssize_t number = PyNumber_AsSsize_t(index.ptr(), nullptr);  // the nearest one if it is out of range
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  const int count = model.count(type);
  if (number < 0 || number >= count)
    throw nb::index_error(fmt::format("{} {} does not exist: the model has {}", word_of(type), number, count).c_str());
  return static_cast<int>(number);
}

int find_element(const Model& model, ObjectType type, const ElementId& which) {
  if (!PyUnicode_Check(which.ptr())) return find_by_index(model, type, which);
  Py_ssize_t size = 0;
  const char* name = PyUnicode_AsUTF8AndSize(which.ptr(), &size);
  if (!name) throw nb::python_error();
  return find_by_name(model, type, std::string_view(name, static_cast<size_t>(size)));
}

}  // namespace torsor::python
