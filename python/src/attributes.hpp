// One attribute per field of the lists, for the classes Model and Data.
#pragma once

#include <fmt/format.h>

#include "objects.hpp"

namespace torsor::python {

inline std::string field_doc(const FieldRow& row) {
  std::string shape(row.rows);
  if (row.is_matrix()) shape += fmt::format(" x {}", row.columns);
  return fmt::format("{} ({}{}{})", row.meaning, shape, *row.unit ? ", in " : "", row.unit);
}

inline std::string field_type(const FieldRow& row) {
  return row.is_text() ? "bytes" : fmt::format("numpy.typing.NDArray[{}]", numpy_type(row));
}

// Object is ModelObject or DataObject, Owner the Model or Data in it.
template <class Owner, class Object>
void add_field_attributes(nb::class_<Object>& cls) {
  const auto rows = rows_of<Owner>();
  for (size_t index = 0; index < rows.size(); ++index) {
    const FieldRow& row = rows[index];
    const char* name = row.name.data();
    const char* doc = keep_text(field_doc(row));
    const auto get = [index](Object& self) { return self.field(index); };
    const nb::sig getter(keep_text(fmt::format("def {}(self) -> {}", name, field_type(row))));
    if (!row.is_writable() || row.is_text()) {
      cls.def_prop_ro(name, get, doc, getter);
      continue;
    }
    const nb::sig setter(keep_text(fmt::format("def {}(self, value: numpy.typing.ArrayLike, /) -> None", name)));
    cls.def_prop_rw(
        name, get, [index](Object& self, nb::handle value) { assign(self.field(index), value); }, doc,
        nb::for_getter(getter), nb::for_setter(setter));
  }
}

}  // namespace torsor::python
