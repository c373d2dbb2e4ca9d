#include "torsor/batch/model_watch.hpp"

#include <cstring>
#include <string_view>

namespace torsor {
namespace {

// What a step looks up only when shapes meet, and what it never reads.
bool is_left_out(const FieldSlot& slot) {
  const std::string_view name = slot.info.name;
  return slot.type == ElementType::kChar || slot.type == ElementType::kFloat || name.starts_with("mesh_") ||
         name.starts_with("hfield_") || name.starts_with("tex_") || name.starts_with("name_") ||
         name.starts_with("key_");
}

size_t bytes_of(const FieldSlot& slot) {
  const size_t count = static_cast<size_t>(slot.info.rows) * static_cast<size_t>(slot.info.columns);
  if (slot.type == ElementType::kReal) return count * sizeof(double);
  return slot.type == ElementType::kInt ? count * sizeof(int) : count;
}

const void* numbers_of(const FieldSlot& slot) {
  if (slot.type == ElementType::kReal) return static_cast<const Field<double>*>(slot.field)->data();
  if (slot.type == ElementType::kInt) return static_cast<const Field<int>*>(slot.field)->data();
  if (slot.type == ElementType::kBool) return static_cast<const Field<bool>*>(slot.field)->data();
  return static_cast<const Field<Byte>*>(slot.field)->data();
}

}  // namespace

bool ModelWatch::differs(const void* numbers, size_t bytes) {
  if (bytes == 0) return false;
  if (place_ + bytes > seen_.size()) seen_.resize(place_ + bytes);
  std::byte* const seen = seen_.data() + place_;
  place_ += bytes;
  if (std::memcmp(seen, numbers, bytes) == 0) return false;
  std::memcpy(seen, numbers, bytes);
  return true;
}

// Field by field: what lies between fields is anything.
bool ModelWatch::has_other_options(const Option& opt) {
  bool changed = false;
#define SCALAR(type, name, ...) changed |= differs(&opt.name, sizeof opt.name);
#define VECTOR(name, ...) changed |= differs(opt.name, sizeof opt.name);
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
  return changed;
}

bool ModelWatch::has_changed(const Model& model) {
  const bool is_first = seen_.empty();
  place_ = 0;
  bool changed = has_other_options(model.opt);
  changed |= differs(static_cast<const ModelFlags*>(&model), sizeof(ModelFlags));
  changed |= differs(&model.stat, sizeof(Statistic));
  FieldSlot slots[kModelFieldCount];
  list_fields(const_cast<Model&>(model), slots);
  for (const FieldSlot& slot : slots) {
    if (slot.info.access != Access::kStructural && !is_left_out(slot))
      changed |= differs(numbers_of(slot), bytes_of(slot));
  }
  return changed || is_first;
}

}  // namespace torsor
