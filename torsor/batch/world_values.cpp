#include "torsor/batch/world_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "torsor/batch/world_arrays.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/core/error.hpp"
#include "torsor/geometry/shapes.hpp"
#include "torsor/math/mat3.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

size_t bytes_of(ElementType type) {
  switch (type) {
    case ElementType::kReal:
      return sizeof(double);
    case ElementType::kInt:
      return sizeof(int);
    case ElementType::kFloat:
      return sizeof(float);
    default:
      return 1;
  }
}

template <class T>
constexpr ElementType type_of() {
  return std::is_same_v<T, double> ? ElementType::kReal : ElementType::kInt;
}

std::byte* start_of(const Model& model) {
  return reinterpret_cast<std::byte*>(const_cast<ModelView*>(static_cast<const ModelView*>(&model)));
}

// The numbers of an array of the model whose Field is at `place`, or those at `place` themselves.
std::byte* numbers_at(const Model& model, size_t place, bool is_array) {
  static_assert(offsetof(Field<double>, pointer) == 0);
  std::byte* const at_place = start_of(model) + place;
  if (!is_array) return at_place;
  void* numbers;
  std::memcpy(&numbers, at_place, sizeof(numbers));
  return static_cast<std::byte*>(numbers);
}

// Assets are shared: meshes, height fields, textures; and names.
bool is_of_an_asset(std::string_view name) {
  for (const char* prefix : {"mesh_", "hfield_", "tex_", "skin_", "text_", "tuple_", "name"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

// What no model can have. Everything must be finite, too.
struct Rule {
  std::string_view name;
  bool zero_too;
  const char* what;
};
constexpr Rule kRules[] = {
    {"body_mass", true, "a mass"},
    {"body_inertia", true, "a moment of inertia"},
    {"geom_size", true, "the size of a geom"},
    {"geom_rbound", true, "a bounding radius"},
    {"site_size", true, "the size of a site"},
    {"geom_friction", true, "a coefficient of friction"},
    {"pair_friction", true, "a coefficient of friction"},
    {"dof_armature", true, "an armature"},
    {"tendon_armature", true, "an armature"},
    {"actuator_armature", true, "an armature"},
    {"dof_frictionloss", true, "dry friction"},
    {"tendon_frictionloss", true, "dry friction"},
    {"opt.timestep", false, "a time step"},
    {"opt.impratio", false, "impratio"},
    {"opt.density", true, "a density"},
    {"opt.viscosity", true, "a viscosity"},
};

// Pairs of a lower and an upper bound.
constexpr std::string_view kRanges[] = {"jnt_range",          "jnt_actfrcrange",     "tendon_range",
                                        "actuator_ctrlrange", "actuator_forcerange", "actuator_actrange",
                                        "tendon_actfrcrange"};

// Where "infinite" is a value, as that of an inverse weight.
bool may_be_infinite(std::string_view name) { return name.find("invweight0") != std::string_view::npos; }

std::string element(const WorldValues::Entry& entry, size_t i) {
  if (entry.rows * entry.columns == 1) return entry.name;
  if (entry.columns == 1) return fmt::format("{}[{}]", entry.name, i);
  const size_t columns = static_cast<size_t>(entry.columns);
  return fmt::format("{}[{}, {}]", entry.name, i / columns, i % columns);
}

template <class T>
void store_as(const WorldValues::Entry& entry, int world, const double* values, std::byte* to) {
  const size_t n = entry.bytes / sizeof(T);
  for (size_t i = 0; i < n; ++i) {
    const T value = std::isfinite(values[i]) && std::fabs(values[i]) < 2e9 ? static_cast<T>(values[i]) : T(0);
    if (std::is_integral_v<T> && static_cast<double>(value) != values[i])
      throw Error(fmt::format("world {}: {} is {}, but must be a whole number", world, element(entry, i), values[i]));
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

// The numbers of one world in the type of the field.
void store_numbers(const WorldValues::Entry& entry, int world, const double* values, std::byte* to) {
  switch (entry.type) {
    case ElementType::kReal:
      if (entry.bytes > 0) std::memcpy(to, values, entry.bytes);
      return;
    case ElementType::kInt:
      return store_as<int>(entry, world, values, to);
    case ElementType::kFloat:
      return store_as<float>(entry, world, values, to);
    case ElementType::kBool:
      return store_as<bool>(entry, world, values, to);
    default:
      return store_as<Byte>(entry, world, values, to);
  }
}

}  // namespace

WorldValues::WorldValues(const Model& model, int nworld) : model_(model), nworld_(nworld) {
  list_slots();
  for (const Slot& slot : slots_) {
    if (slot.access != Access::kDerived) continue;
    derived_.push_back(slot);
    derived_bytes_ += slot.bytes;
  }
}

void WorldValues::list_slots() {
  FieldSlot fields[kModelFieldCount];
  list_fields(const_cast<Model&>(model_), fields);
  const auto place = [this](const void* member) {
    return static_cast<size_t>(static_cast<const std::byte*>(member) - start_of(model_));
  };
  for (const FieldSlot& field : fields) {
    const int rows = field.info.rows, columns = field.info.columns;
    const size_t bytes = bytes_of(field.type) * static_cast<size_t>(rows) * static_cast<size_t>(columns);
    slots_.push_back(
        {field.info.name, field.type, rows, columns, place(field.field), bytes, true, false, field.info.access});
  }
  const size_t options = place(&model_.opt);
#define SCALAR(type, name, ...)                                                                                       \
  slots_.push_back({"opt." #name, type_of<type>(), 1, 1, options + offsetof(Option, name), sizeof(type), false, true, \
                    Access::kFree});
#define VECTOR(name, length, ...)                                                                  \
  slots_.push_back({"opt." #name, ElementType::kReal, length, 1, options + offsetof(Option, name), \
                    sizeof(double) * length, false, true, Access::kFree});
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
  // derived as well, though no arrays
  slots_.push_back({"flags", ElementType::kByte, 1, 1, place(static_cast<const ModelFlags*>(&model_)),
                    sizeof(ModelFlags), false, false, Access::kDerived});
  slots_.push_back(
      {"stat", ElementType::kByte, 1, 1, place(&model_.stat), sizeof(Statistic), false, false, Access::kDerived});
}

const WorldValues::Entry* WorldValues::find(std::string_view name) const {
  return const_cast<WorldValues*>(this)->find_entry(name);
}

WorldValues::Entry* WorldValues::find_entry(std::string_view name) {
  for (Entry& entry : entries_) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::string WorldValues::names() const {
  std::string text;
  for (const Entry& entry : entries_) {
    if (entry.is_input) text += (text.empty() ? "" : ", ") + entry.name;
  }
  return text;
}

WorldValues::Entry& WorldValues::add(const Slot& slot, bool is_input) {
  require_machine_memory(static_cast<double>(slot.bytes) * nworld_,
                         fmt::format("'{}' of {} worlds", slot.name, nworld_));
  Entry entry{std::string(slot.name),
              slot.type,
              slot.rows,
              slot.columns,
              is_input,
              slot.bytes,
              slot.place,
              slot.is_array,
              slot.is_option,
              {},
              Buffer(slot.bytes * static_cast<size_t>(nworld_))};
  entry.rules = list_rules(entry);
  for (int world = 0; world < nworld_ && slot.bytes > 0; ++world)
    std::memcpy(entry.row(world), numbers_at(model_, slot.place, slot.is_array), slot.bytes);
  return entries_.emplace_back(std::move(entry));
}

const WorldValues::Slot& WorldValues::find_slot(const std::string& name) const {
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& each) { return each.name == name; });
  if (slot == slots_.end() || (!slot->is_array && !slot->is_option))
    throw Error(
        fmt::format("'{}' is not a field of Model; options are called 'opt.gravity', 'opt.timestep', ...", name));
  if (slot->access == Access::kStructural)
    throw Error(fmt::format("'{}' is part of the structure of the model, which all worlds share", name));
  if (is_of_an_asset(name))
    throw Error(fmt::format("'{}' belongs to an asset or a name, which all worlds share", name));
  return *slot;
}

int WorldValues::count_numbers(const std::string& name) const {
  const Slot& slot = find_slot(name);
  return slot.rows * slot.columns;
}

const WorldValues::Entry& WorldValues::expand(const std::string& name) {
  if (Entry* entry = find_entry(name); entry && (entry->is_array || entry->is_option)) {
    entry->is_input = true;
    return *entry;
  }
  return add(find_slot(name), true);
}

void WorldValues::set(const std::string& name, const int* worlds, int count, const double* values) {
  const bool is_new = find_entry(name) == nullptr;
  Entry& entry = const_cast<Entry&>(expand(name));
  const auto row = [&](int i) { return entry.row(worlds ? worlds[i] : i); };
  std::vector<std::byte> before(entry.bytes * static_cast<size_t>(count));
  for (int i = 0; i < count && entry.bytes > 0; ++i)
    std::memcpy(before.data() + entry.bytes * static_cast<size_t>(i), row(i), entry.bytes);
  try {
    const size_t n = static_cast<size_t>(entry.rows) * static_cast<size_t>(entry.columns);
    for (int i = 0; i < count; ++i)
      store_numbers(entry, worlds ? worlds[i] : i, values + static_cast<size_t>(i) * n, row(i));
    check(worlds, count);
  } catch (...) {
    for (int i = 0; i < count && entry.bytes > 0; ++i)
      std::memcpy(row(i), before.data() + entry.bytes * static_cast<size_t>(i), entry.bytes);
    if (is_new) entries_.pop_back();
    throw;
  }
}

void WorldValues::point_at(int world, Model& view) const {
  for (const Entry& entry : entries_) {
    std::byte *const row = entry.row(world), *const to = start_of(view) + entry.place;
    if (entry.is_array)
      std::memcpy(to, &row, sizeof(row));  // the pointer of its Field
    else
      std::memcpy(to, row, entry.bytes);
  }
}

void WorldValues::write(const Entry& entry, int world, Model& model) const {
  if (entry.bytes > 0) std::memcpy(numbers_at(model, entry.place, entry.is_array), entry.row(world), entry.bytes);
}

Model WorldValues::make_model(int world) const {
  Model model = model_;
  for (const Entry& entry : entries_) write(entry, world, model);
  return model;
}

std::vector<std::uint8_t> WorldValues::list_rules(const Entry& entry) const {
  if (entry.type != ElementType::kReal) return {};
  const auto rule =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) { return r.name == entry.name; });
  unsigned all = may_be_infinite(entry.name) ? 0 : kFinite;
  if (rule != std::end(kRules)) all |= rule->zero_too ? kNotNegative : kNotNegative | kNotZero;
  const bool are_ranges = std::find(std::begin(kRanges), std::end(kRanges), entry.name) != std::end(kRanges);
  std::vector<std::uint8_t> rules(entry.bytes / sizeof(double), static_cast<std::uint8_t>(all));
  for (size_t i = 0; i < rules.size(); ++i) {
    const int k = static_cast<int>(i);
    const bool is_size = entry.name == "geom_size" && model_.geom_size[k] > 0 &&  // a number that the shape has
                         model_.geom_type[k / 3] != static_cast<int>(GeomType::kPlane);
    const bool is_moving = entry.name == "body_mass" && k > 0 && model_.body_dofnum[k] > 0 && model_.body_mass[k] > 0;
    if (is_size || is_moving) rules[i] |= kNotZero;
    if (are_ranges && i % 2 == 0) rules[i] |= kNotAboveNext;
  }
  return rules;
}

// What is wrong with number i.
std::string WorldValues::fault_of(const Entry& entry, const double* values, size_t i) const {
  const unsigned rules = entry.rules[i];
  const std::string is = fmt::format("{} is {}", element(entry, i), values[i]);
  if (!obeys(rules & kFinite, values[i], 0)) return is + ", but must be a finite number";
  const auto rule =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) { return r.name == entry.name; });
  if (rule == std::end(kRules)) return fmt::format("{}, above the upper bound {}", is, values[i + 1]);
  if (values[i] == 0 && entry.name == "geom_size") return is + ", but a geom of this type has a size there";
  if (values[i] == 0 && entry.name == "body_mass") return is + ", but the body has joints and must have a mass";
  return fmt::format("{}, but {} must {}", is, rule->what, rule->zero_too ? "not be negative" : "be positive");
}

void WorldValues::check_entry(const Entry& entry, int world) const {
  const double* const values = reinterpret_cast<const double*>(entry.row(world));
  for (size_t i = 0; i < entry.rules.size(); ++i) {
    if (!obeys(entry.rules[i], values[i], (entry.rules[i] & kNotAboveNext) != 0 ? values[i + 1] : 0))
      throw Error(fmt::format("world {}: {}", world, fault_of(entry, values, i)));
  }
}

void WorldValues::check(const int* worlds, int count) const {
  bool has_whole_numbers = false, has_options = false;
  for (const Entry& entry : entries_) {
    if (!entry.is_input) continue;
    has_whole_numbers |= entry.is_array && entry.type != ElementType::kReal && entry.type != ElementType::kFloat;
    has_options |= entry.is_option;
    for (int i = 0; i < count; ++i) check_entry(entry, worlds ? worlds[i] : i);
  }
  if (!has_whole_numbers && !has_options) return;
  Model view = make_view();
  for (int i = 0; i < count; ++i) {
    const int world = worlds ? worlds[i] : i;
    point_at(world, view);
    try {
      if (has_whole_numbers) check_editable(view);
      if (has_options) check_options(view);
      require_settings(view);
    } catch (const Error& error) {
      throw Error(fmt::format("world {}: {}", world, error.what()));
    }
  }
}

void WorldValues::set_const(const std::vector<int>& worlds, int threads, const Run& run) {
  const int count = static_cast<int>(worlds.size());
  check(worlds.data(), count);
  require_machine_memory(static_cast<double>(derived_bytes_) * count, "set_const() of so many worlds");
  std::vector<std::byte> derived(derived_bytes_ * worlds.size());
  std::vector<Model> scratch(static_cast<size_t>(threads), model_);
  run(count, [&](int i, int thread) {
    const auto k = static_cast<size_t>(i);
    recompute(worlds[k], scratch[static_cast<size_t>(thread)], derived.data() + derived_bytes_ * k);
  });
  keep_derived(worlds.data(), count, derived.data());
}

void WorldValues::recompute(int world, Model& scratch, std::byte* derived) const {
  for (const Slot& slot : derived_) {
    if (slot.bytes > 0)
      std::memcpy(numbers_at(scratch, slot.place, slot.is_array), numbers_at(model_, slot.place, slot.is_array),
                  slot.bytes);
  }
  for (const Entry& entry : entries_) {
    if (!entry.is_input) continue;
    write(entry, world, scratch);
  }
  try {
    torsor::set_const(scratch);
  } catch (const Error& error) {
    throw Error(fmt::format("world {}: {}", world, error.what()));
  }
  for (const Slot& slot : derived_) {
    if (slot.bytes > 0) std::memcpy(derived, numbers_at(scratch, slot.place, slot.is_array), slot.bytes);
    derived += slot.bytes;
  }
}

void WorldValues::keep_derived(const int* worlds, int count, const std::byte* derived) {
  for (const Slot& slot : derived_) {
    const auto row = [&](int i) { return derived + static_cast<size_t>(i) * derived_bytes_; };
    Entry* entry = find_entry(slot.name);
    const std::byte* const shared = numbers_at(model_, slot.place, slot.is_array);
    for (int i = 0; !entry && i < count && slot.bytes > 0; ++i) {
      if (std::memcmp(row(i), shared, slot.bytes) != 0) entry = &add(slot, false);
    }
    for (int i = 0; entry && i < count && slot.bytes > 0; ++i) std::memcpy(entry->row(worlds[i]), row(i), slot.bytes);
    derived += slot.bytes;
  }
}

}  // namespace torsor
