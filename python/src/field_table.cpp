// The tables, made by including the lists once more.
#include "field_table.hpp"

namespace torsor::python {
namespace {

constexpr FieldRow kModelRows[] = {
#define FIELD(type, name, rows, columns, access, unit, meaning, ...) \
  {#name, #type, #rows, #columns, Stage::kModel, Access::k##access, #__VA_ARGS__, unit, meaning},
#include "torsor/model/fields/model.inc"
#undef FIELD
};

constexpr FieldRow kDataRows[] = {
#define FIELD(type, name, rows, columns, unit, meaning, ...) \
  {#name, #type, #rows, #columns, kStage, Access::kFree, #__VA_ARGS__, unit, meaning},
#define kStage Stage::kState
#include "torsor/model/fields/state.inc"
#undef kStage
#define kStage Stage::kInput
#include "torsor/model/fields/input.inc"
#undef kStage
#define kStage Stage::kPosition
#include "torsor/model/fields/position.inc"
#undef kStage
#define kStage Stage::kVelocity
#include "torsor/model/fields/velocity.inc"
#undef kStage
#define kStage Stage::kAcceleration
#include "torsor/model/fields/acceleration.inc"
#undef kStage
#define kStage Stage::kPosition
#include "torsor/model/fields/indices.inc"
#undef kStage
#define kStage Stage::kInput
#include "torsor/model/fields/switches.inc"
#undef kStage
#undef FIELD
};

constexpr FieldRow kRowRows[] = {
#define FIELD(type, name, rows, columns, unit, meaning, ...) \
  {#name, #type, #rows, #columns, Stage::kPosition, Access::kDerived, #__VA_ARGS__, unit, meaning},
#include "torsor/model/fields/rows.inc"
#undef FIELD
};

constexpr SizeRow kSizeRows[] = {
#define SIZE(name, meaning) {#name, &ModelSizes::name, meaning},
#include "torsor/model/fields/sizes.inc"
#undef SIZE
};

constexpr FlagRow kFlagRows[] = {
#define FLAG(name, meaning) {#name, &ModelFlags::name, meaning},
#include "torsor/model/fields/flags.inc"
#undef FLAG
};

}  // namespace

std::span<const FieldRow> model_rows() { return kModelRows; }
std::span<const FieldRow> data_rows() { return kDataRows; }
std::span<const FieldRow> constraint_rows() { return kRowRows; }
std::span<const SizeRow> size_rows() { return kSizeRows; }
std::span<const FlagRow> flag_rows() { return kFlagRows; }

const char* numpy_type(const FieldRow& row) {
  if (row.type == "Real") return "numpy.float64";
  if (row.type == "int") return "numpy.int32";
  if (row.type == "float") return "numpy.float32";
  if (row.type == "bool") return "numpy.bool_";
  return "numpy.uint8";
}

const char* stage_name(Stage stage) {
  switch (stage) {
    case Stage::kModel:
      return "model";
    case Stage::kState:
      return "state";
    case Stage::kInput:
      return "input";
    case Stage::kPosition:
      return "position";
    case Stage::kVelocity:
      return "velocity";
    case Stage::kAcceleration:
      return "acceleration";
  }
  return "";
}

const char* access_name(Access access) {
  switch (access) {
    case Access::kStructural:
      return "structural";
    case Access::kDerived:
      return "derived";
    case Access::kFree:
      return "free";
  }
  return "";
}

}  // namespace torsor::python
