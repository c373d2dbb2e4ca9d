// Allocation, deep copy, names and comparison of models.
#include "torsor/model/model.hpp"

#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "torsor/core/layout.hpp"

namespace torsor {
namespace {

std::string name_key(ObjectType type, std::string_view name) {
  return fmt::format("{}:{}", static_cast<int>(type), name);
}

constexpr ObjectType kNamedTypes[] = {
    ObjectType::kBody,     ObjectType::kJoint,    ObjectType::kGeom,   ObjectType::kSite,   ObjectType::kCamera,
    ObjectType::kLight,    ObjectType::kMesh,     ObjectType::kSkin,   ObjectType::kHfield, ObjectType::kTexture,
    ObjectType::kMaterial, ObjectType::kNumeric,  ObjectType::kText,   ObjectType::kTuple,  ObjectType::kKey,
    ObjectType::kTendon,   ObjectType::kActuator, ObjectType::kSensor, ObjectType::kPair,   ObjectType::kExclude,
    ObjectType::kEquality,
};

template <class T>
constexpr ElementType element_type(const Field<T>&) {
  if constexpr (std::is_same_v<T, double>) return ElementType::kReal;
  if constexpr (std::is_same_v<T, int>) return ElementType::kInt;
  if constexpr (std::is_same_v<T, float>) return ElementType::kFloat;
  if constexpr (std::is_same_v<T, bool>) return ElementType::kBool;
  if constexpr (std::is_same_v<T, Byte>) return ElementType::kByte;
  return ElementType::kChar;
}

// The list as a member function, so that shapes such as nkey x nq are written in terms of the model's sizes.
struct FieldLister : ModelView {
  void list(FieldSlot* slot) {
#define FIELD(type, name, rows, columns, access, unit, meaning, ...)                                               \
  *slot++ = {FieldInfo{#name, rows, columns, Stage::kModel, Access::k##access, unit, meaning}, element_type(name), \
             &name};
#include "torsor/model/fields/model.inc"
#undef FIELD
  }
};

}  // namespace

void list_fields(ModelView& model, FieldSlot slots[kModelFieldCount]) {
  static_cast<FieldLister&>(model).list(slots);  // adds no data members, so that every ModelView may be seen as one
}

Model::Model(const ModelSizes& sizes) {
  static_cast<ModelSizes&>(*this) = sizes;
  buffer_ = place_fields(*this);
}

Model::Model(const Model& other)
    : ModelView(other),
      stat(other.stat),
      vis(other.vis),
      memory(other.memory),
      signature(other.signature),
      warnings(other.warnings),
      ids_(other.ids_),
      hulls_(other.hulls_),
      contacts_(other.contacts_) {
  buffer_ = place_fields(*this);
  if (buffer_.size() > 0) std::memcpy(buffer_.data(), other.buffer_.data(), buffer_.size());
}

Model& Model::operator=(const Model& other) {
  if (this != &other) *this = Model(other);
  return *this;
}

Model Model::with_options(const Option& options) const {
  Model result;
  static_cast<ModelView&>(result) = *this;
  result.opt = options;
  result.stat = stat;
  result.vis = vis;
  result.memory = memory;
  result.signature = signature;
  result.ids_ = ids_;
  result.hulls_ = hulls_;
  result.contacts_ = contacts_;
  return result;
}

Field<int> Model::name_addresses(ObjectType type) const {
  switch (type) {
    case ObjectType::kBody:
    case ObjectType::kXBody:
      return name_bodyadr;
    case ObjectType::kJoint:
      return name_jntadr;
    case ObjectType::kGeom:
      return name_geomadr;
    case ObjectType::kSite:
      return name_siteadr;
    case ObjectType::kCamera:
      return name_camadr;
    case ObjectType::kLight:
      return name_lightadr;
    case ObjectType::kMesh:
      return name_meshadr;
    case ObjectType::kSkin:
      return name_skinadr;
    case ObjectType::kHfield:
      return name_hfieldadr;
    case ObjectType::kTexture:
      return name_texadr;
    case ObjectType::kMaterial:
      return name_matadr;
    case ObjectType::kPair:
      return name_pairadr;
    case ObjectType::kExclude:
      return name_excludeadr;
    case ObjectType::kEquality:
      return name_eqadr;
    case ObjectType::kTendon:
      return name_tendonadr;
    case ObjectType::kActuator:
      return name_actuatoradr;
    case ObjectType::kSensor:
      return name_sensoradr;
    case ObjectType::kNumeric:
      return name_numericadr;
    case ObjectType::kText:
      return name_textadr;
    case ObjectType::kTuple:
      return name_tupleadr;
    case ObjectType::kKey:
      return name_keyadr;
    default:
      return {nullptr, -1};
  }
}

int Model::count(ObjectType type) const { return type == ObjectType::kDof ? nv : name_addresses(type).size(); }

std::string_view Model::name(ObjectType type, int id) const {
  const Field<int> addresses = name_addresses(type);
  if (id < 0 || id >= addresses.size()) return {};
  return std::string_view(names.data() + addresses[id]);
}

int Model::find(ObjectType type, std::string_view name) const {
  if (!ids_ || name.empty()) return -1;
  if (type == ObjectType::kXBody) type = ObjectType::kBody;
  const auto found = ids_->find(name_key(type, name));
  return found == ids_->end() ? -1 : found->second;
}

void Model::index_names() {
  auto ids = std::make_shared<std::unordered_map<std::string, int>>();
  for (const ObjectType type : kNamedTypes) {
    for (int id = 0; id < count(type); ++id) {
      const std::string_view text = name(type, id);
      if (!text.empty()) ids->emplace(name_key(type, text), id);
    }
  }
  ids_ = std::move(ids);
}

namespace {

// Member by member: what lies between members is not part of the value.
std::string find_difference(const Option& a, const Option& b) {
#define SCALAR(type, name, value, unit, meaning, ...) \
  if (std::memcmp(&a.name, &b.name, sizeof(a.name)) != 0) return fmt::format("opt.{}: {} {}", #name, a.name, b.name);
#define VECTOR(name, length, unit, meaning, ...)                  \
  for (int i = 0; i < length; ++i)                                \
    if (std::memcmp(&a.name[i], &b.name[i], sizeof(double)) != 0) \
      return fmt::format("opt.{}[{}]: {} {}", #name, i, a.name[i], b.name[i]);
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
  return {};
}

std::string find_difference(const ModelFlags& a, const ModelFlags& b) {
#define FLAG(name, meaning) \
  if (a.name != b.name) return fmt::format("{}: {} {}", #name, a.name, b.name);
#include "torsor/model/fields/flags.inc"
#undef FLAG
  return {};
}

}  // namespace

std::string find_difference(const Model& a, const Model& b) {
  std::string difference;
  std::vector<int> sizes_b;
  b.for_each_size([&](const char*, int value, const char*) { sizes_b.push_back(value); });
  size_t index = 0;
  a.for_each_size([&](const char* name, int value, const char*) {
    const int other = sizes_b[index++];
    if (difference.empty() && value != other) difference = fmt::format("{}: {} {}", name, value, other);
  });
  if (!difference.empty()) return difference;
  difference = find_difference(a.opt, b.opt);
  if (difference.empty()) difference = find_difference(static_cast<const ModelFlags&>(a), b);
  if (difference.empty() && a.axes != b.axes) difference = "axes of the world or of bodies";
  if (!difference.empty()) return difference;
  std::vector<const void*> pointers_b;
  b.for_each_field([&](const FieldInfo&, const auto& field) { pointers_b.push_back(field.data()); });
  index = 0;
  a.for_each_field([&](const FieldInfo& info, const auto& field) {
    const auto* other = static_cast<decltype(field.data())>(const_cast<void*>(pointers_b[index++]));
    for (int i = 0; difference.empty() && i < field.size(); ++i) {
      // bitwise, so that equal NaNs are equal
      if (std::memcmp(&field[i], &other[i], sizeof(field[i])) != 0)
        difference = fmt::format("{}[{}]: {} {}", info.name, i, field[i], other[i]);
    }
  });
  return difference;
}

}  // namespace torsor
