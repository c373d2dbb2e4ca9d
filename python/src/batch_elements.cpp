// batch.joint("knee"): which columns of which fields belong to one element, for the named views of torsor.Batch.
#include <cstring>

#include "batch_object.hpp"
#include "element_id.hpp"
#include "elements.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

const ElementKind& kind_of(const std::string& name) {
  for (const ElementKind& kind : kKinds) {
    for (const char* each : kind.names) {
      if (each && name == each) return kind;
    }
  }
  throw nb::key_error(("no kind of element is called '" + name + "'").c_str());
}

// attribute: (field, start, count, whether it is one row of a matrix)
nb::dict columns_of(const Model& model, std::span<const RowRule> rules, std::span<const FieldRow> rows, int id) {
  nb::dict columns;
  for (const ElementAttribute& attribute : element_attributes(rules, rows)) {
    const FieldRow& row = rows[attribute.field];
    const RowRange range = attribute.range(model, id);
    const std::string name(row.name);
    columns[attribute.name.c_str()] =
        nb::make_tuple(nb::str(name.data(), name.size()), range.start, range.count, range.is_single && row.is_matrix());
  }
  return columns;
}

// Index and name of the element, and the columns of its fields in a Data and in the Model.
nb::tuple find_columns(const ModelObject& object, const std::string& kind_name, const ElementId& which) {
  const Model& model = *object.model;
  const ElementKind& kind = kind_of(kind_name);
  const int id = find_element(model, kind.type, which);
  return nb::make_tuple(id, std::string(model.name(kind.type, id)), columns_of(model, kind.data_rules, data_rows(), id),
                        columns_of(model, kind.model_rules, model_rows(), id));
}

}  // namespace

void bind_batch_elements(nb::module_& m) { m.def("_element_columns", &find_columns, "model"_a, "kind"_a, "which"_a); }

}  // namespace torsor::python
