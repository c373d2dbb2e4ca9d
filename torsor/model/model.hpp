// Model: the constant description of a system, as flat arrays with parents before children.
// The list of arrays is fields/model.inc; everything here is made from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "torsor/core/buffer.hpp"
#include "torsor/core/error.hpp"
#include "torsor/core/field.hpp"
#include "torsor/model/model_axes.hpp"
#include "torsor/model/option.hpp"
#include "torsor/model/types.hpp"
#include "torsor/model/visual.hpp"

namespace torsor {

using Byte = uint8_t;
class ContactPlan;  // torsor/model/contact_plan.hpp
struct HullTables;  // torsor/model/hull_tables.hpp

struct ModelSizes {
#define SIZE(name, meaning) int name = 0;
#include "torsor/model/fields/sizes.inc"
#undef SIZE

  // Calls f(name, value, meaning) for every size.
  template <class F>
  void for_each_size(F&& f) {
#define SIZE(name, meaning) f(#name, name, meaning);
#include "torsor/model/fields/sizes.inc"
#undef SIZE
  }
  template <class F>
  void for_each_size(F&& f) const {
#define SIZE(name, meaning) f(#name, name, meaning);
#include "torsor/model/fields/sizes.inc"
#undef SIZE
  }
};

struct ModelFlags {
#define FLAG(name, meaning) bool name = false;
#include "torsor/model/fields/flags.inc"
#undef FLAG
};

struct ModelView;

// An array of a model as a row of a table: what is known about it, and the Field itself.
enum class ElementType : uint8_t { kReal, kInt, kFloat, kBool, kByte, kChar };
struct FieldSlot {
  FieldInfo info;
  ElementType type;
  void* field;  // Field<double>, Field<int>, Field<float>, Field<Byte> or Field<char>
};
#define FIELD(type, name, rows, columns, access, unit, meaning, ...) +1
constexpr int kModelFieldCount = 0
#include "torsor/model/fields/model.inc"
    ;
#undef FIELD
// All arrays in the order of the list. Out of line, so that only one file expands the list into code.
void list_fields(ModelView& model, FieldSlot slots[kModelFieldCount]);

// What kernels read. All worlds of a batch share it; the model of a world with values of its own is another view, in
// which the arrays that differ are those of that world (decision 28).
struct ModelView : ModelSizes, ModelFlags {
  using Real = double;
  Option opt;
  ModelAxes axes;
#define FIELD(type, name, rows, columns, access, unit, meaning, ...) Field<type> name;
#include "torsor/model/fields/model.inc"
#undef FIELD

  // Calls f(FieldInfo, Field<T>&) for every array, in the order of the list.
  template <class F>
  void for_each_field(F&& f) {
    FieldSlot slots[kModelFieldCount];
    list_fields(*this, slots);
    for (const FieldSlot& slot : slots) {
      switch (slot.type) {
        case ElementType::kReal:
          f(slot.info, *static_cast<Field<double>*>(slot.field));
          break;
        case ElementType::kInt:
          f(slot.info, *static_cast<Field<int>*>(slot.field));
          break;
        case ElementType::kFloat:
          f(slot.info, *static_cast<Field<float>*>(slot.field));
          break;
        case ElementType::kBool:
          f(slot.info, *static_cast<Field<bool>*>(slot.field));
          break;
        case ElementType::kByte:
          f(slot.info, *static_cast<Field<Byte>*>(slot.field));
          break;
        case ElementType::kChar:
          f(slot.info, *static_cast<Field<char>*>(slot.field));
          break;
      }
    }
  }
  template <class F>
  void for_each_field(F&& f) const {
    const_cast<ModelView*>(this)->for_each_field([&f](const FieldInfo& info, const auto& field) { f(info, field); });
  }
};

// Owns the arrays. Copies are deep. Made by compile() or by loading a binary file; users may edit values that the
// field list calls free, and `opt`.
class Model : public ModelView {
 public:
  Model() = default;
  // Arrays for the given sizes, zeroed.
  explicit Model(const ModelSizes& sizes);
  Model(const Model& other);
  Model& operator=(const Model& other);
  Model(Model&& other) noexcept = default;
  Model& operator=(Model&& other) noexcept = default;

  Statistic stat;
  Visual vis;
  // Bytes asked for by `size memory`; -1 when the model leaves it open.
  int64_t memory = -1;
  // Equal in models that were compiled alike: a Data fits a Model of the same signature.
  uint64_t signature = 0;
  // What compile() wants to tell, such as sections that were left out on request.
  std::vector<Diagnostic> warnings;

  size_t bytes() const { return buffer_.size(); }

  // The same model with other options, for as long as this one lives: its arrays are not copied.
  Model with_options(const Option& options) const;

  // Names. name() is "" for an object without one; find() is -1 for an unknown name.
  std::string_view name() const { return nnames > 0 ? std::string_view(names.data()) : std::string_view(); }
  std::string_view name(ObjectType type, int id) const;
  int find(ObjectType type, std::string_view name) const;
  // How many objects of a type there are; -1 for a type that a Model does not hold.
  int count(ObjectType type) const;
  // Must be called once after the name arrays have been filled.
  void index_names();

  // What searches over hulls read; null in a model without hulls, and before index_hulls().
  const HullTables* hulls() const { return hulls_.get(); }
  // Must be called once after the arrays of hulls have been filled.
  void index_hulls();

  // Which geoms take part in contacts, as of the last index_contacts(); null before. compile() and set_const() call it.
  const ContactPlan* contacts() const { return contacts_.get(); }
  void index_contacts();

 private:
  Field<int> name_addresses(ObjectType type) const;

  Buffer buffer_;
  std::shared_ptr<const std::unordered_map<std::string, int>> ids_;  // key: type, then name
  std::shared_ptr<const HullTables> hulls_;
  std::shared_ptr<const ContactPlan> contacts_;
};

// The first difference between two models, as "field[index]: a b"; empty when all sizes, options and arrays are equal.
std::string find_difference(const Model& a, const Model& b);

}  // namespace torsor
