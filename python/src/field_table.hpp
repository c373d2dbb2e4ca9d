// The field lists of Model and Data as tables at run time, from which the attributes are made.
#pragma once

#include <span>
#include <string_view>

#include "torsor/model/data.hpp"

namespace torsor::python {

struct FieldRow {
  std::string_view name;
  std::string_view type;           // as in the list: Real, int, float, Byte, bool, char
  std::string_view rows, columns;  // as in the list: "nbody", "3 * nmocap"; columns are "1" for a vector
  Stage stage;
  Access access;
  std::string_view values;  // rule for integers as in the list: "Index(nbody)"; "" for others
  const char* unit;
  const char* meaning;

  bool is_matrix() const { return columns != "1"; }
  bool is_text() const { return type == "char"; }
  bool is_writable_whole() const { return is_writable() && !values.empty(); }
  // Integers of a Data are indices that the engine trusts.
  bool is_writable() const { return access != Access::kStructural && (stage == Stage::kModel || type != "int"); }
};

// In the order in which for_each_array() visits them.
std::span<const FieldRow> model_rows();
std::span<const FieldRow> data_rows();
// Arrays of constraint rows, whose number changes from step to step.
std::span<const FieldRow> constraint_rows();
template <class Owner>
std::span<const FieldRow> rows_of();
template <>
inline std::span<const FieldRow> rows_of<Model>() {
  return model_rows();
}
template <>
inline std::span<const FieldRow> rows_of<Data>() {
  return data_rows();
}

// Calls f(FieldInfo, Field<T>&) for every array of a Model or a Data.
template <class F>
void for_each_array(Model& model, F&& f) {
  model.for_each_field(f);
}
template <class F>
void for_each_array(Data& data, F&& f) {
  data.for_each_field(f);
  data.for_each_index_field(f);
  data.for_each_switch_field(f);
}

struct SizeRow {
  const char* name;
  int ModelSizes::*member;
  const char* meaning;
};
std::span<const SizeRow> size_rows();

struct FlagRow {
  const char* name;
  bool ModelFlags::*member;
  const char* meaning;
};
std::span<const FlagRow> flag_rows();

// "numpy.float64" and so on.
const char* numpy_type(const FieldRow& row);
const char* stage_name(Stage stage);
const char* access_name(Access access);

}  // namespace torsor::python
