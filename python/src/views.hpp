// NumPy views of the arrays of a Model or a Data. A view shares ownership of its memory, so it can outlive every other
// object. There is one view per field, created on first access and cached, because access must be cheap.
#pragma once

#include <memory>
#include <vector>

#include <nanobind/ndarray.h>

#include "arrays.hpp"
#include "field_table.hpp"

namespace torsor::python {

// Rows by columns, or a vector. Strides count elements; 0 means dense.
template <class T>
nb::object make_view(T* data, const Shape& shape, bool writable, nb::handle keeper, int64_t stride = 0) {
  const int64_t* strides = stride ? &stride : nullptr;
  if (writable) return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), keeper, strides));
  return nb::cast(nb::ndarray<nb::numpy, const T>(data, shape.size(), shape.data(), keeper, strides));
}

// A Python object that shares ownership of a C++ one and does nothing else.
template <class Owner>
nb::capsule make_keeper(const std::shared_ptr<Owner>& owner) {
  return nb::capsule(new std::shared_ptr<Owner>(owner),
                     [](void* pointer) noexcept { delete static_cast<std::shared_ptr<Owner>*>(pointer); });
}

// The view of one field: an array, or bytes for a field of characters.
template <class Owner>
nb::object make_field_view(Owner& owner, size_t index, nb::handle keeper) {
  const FieldRow& row = rows_of<Owner>()[index];
  nb::object view;
  size_t visited = 0;
  for_each_array(owner, [&](const FieldInfo& info, auto& field) {
    using T = std::remove_reference_t<decltype(field.data()[0])>;
    if (visited++ != index) return;
    if constexpr (std::is_same_v<T, char>) {
      view = nb::bytes(field.data(), static_cast<size_t>(field.size()));
    } else {
      Shape shape{static_cast<size_t>(info.rows)};
      if (row.is_matrix()) shape.push_back(static_cast<size_t>(info.columns));
      view = make_view(field.data(), shape, row.is_writable() || field.size() == 0,
                       keeper);  // writing nothing is no error
    }
  });
  return view;
}

template <class Owner>
class Views {
 public:
  explicit Views(const std::shared_ptr<Owner>& owner) : keeper_(make_keeper(owner)), fields_(rows_of<Owner>().size()) {}

  const nb::object& field(Owner& owner, size_t index) {
    nb::object& view = fields_[index];
    if (!view.is_valid()) view = make_field_view(owner, index, keeper_);
    return view;
  }
  nb::handle keeper() const { return keeper_; }

 private:
  nb::capsule keeper_;
  std::vector<nb::object> fields_;
};

}  // namespace torsor::python
