// An argument that identifies an element of a model by index or name.
#pragma once

#include "arrays.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/object_words.hpp"

namespace torsor::python {

inline bool is_element_id(PyObject* object) { return PyUnicode_Check(object) || PyIndex_Check(object); }

class ElementId : public nb::object {
 public:
  NB_OBJECT_DEFAULT(ElementId, nb::object, "int | str", is_element_id)
};

// The index. Throws IndexError for an index out of range, KeyError with the nearest name for an unknown name.
int find_element(const Model& model, ObjectType type, const ElementId& which);
int find_by_name(const Model& model, ObjectType type, std::string_view name);
int find_by_index(const Model& model, ObjectType type, nb::handle index);

}  // namespace torsor::python
