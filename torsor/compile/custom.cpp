// Custom numbers, texts and tuples.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/names.hpp"
#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

struct TypeName {
  const char* name;
  ObjectType type;
};
constexpr TypeName kTypeNames[] = {
    {"body", ObjectType::kBody},       {"xbody", ObjectType::kXBody},       {"joint", ObjectType::kJoint},
    {"geom", ObjectType::kGeom},       {"site", ObjectType::kSite},         {"camera", ObjectType::kCamera},
    {"light", ObjectType::kLight},     {"mesh", ObjectType::kMesh},         {"hfield", ObjectType::kHfield},
    {"texture", ObjectType::kTexture}, {"material", ObjectType::kMaterial}, {"numeric", ObjectType::kNumeric},
    {"text", ObjectType::kText},       {"tuple", ObjectType::kTuple},       {"key", ObjectType::kKey},
    {"pair", ObjectType::kPair},       {"exclude", ObjectType::kExclude},   {"equality", ObjectType::kEquality},
    {"tendon", ObjectType::kTendon},   {"actuator", ObjectType::kActuator}, {"sensor", ObjectType::kSensor},
};

ObjectType find_type(const std::string& name) {
  const auto* found = std::find_if(std::begin(kTypeNames), std::end(kTypeNames),
                                   [&name](const TypeName& candidate) { return name == candidate.name; });
  return found == std::end(kTypeNames) ? ObjectType::kUnknown : found->type;
}

void write_numerics(Draft& draft, Model& model) {
  int address = 0;
  for (int n = 0; n < model.nnumeric; ++n) {
    const NumericSpec& spec = draft.spec.numerics[static_cast<size_t>(n)];
    const int given = static_cast<int>(spec.data.size()), size = spec.size < 0 ? given : spec.size;
    model.numeric_adr[n] = address;
    model.numeric_size[n] = size;
    address += size;
    if (size == 0) draft.error("numeric", spec, "needs at least one number");
    if (given > size) {
      draft.error("numeric", spec, fmt::format("has {} numbers, but its size is {}", given, size));
      continue;
    }
    write_list(model.numeric_data.row(model.numeric_adr[n], 1), spec.data);
  }
}

void write_texts(Draft& draft, Model& model) {
  int address = 0;
  for (int t = 0; t < model.ntext; ++t) {
    const TextSpec& spec = draft.spec.texts[static_cast<size_t>(t)];
    if (spec.data.empty()) draft.error("text", spec, "is empty");
    model.text_adr[t] = address;
    model.text_size[t] = static_cast<int>(spec.data.size()) + 1;
    write_list(model.text_data.row(address, 1), spec.data);
    address += model.text_size[t];
  }
}

void write_entry(Draft& draft, const TupleSpec& tuple, const TupleSpec::Entry& entry, int at, Model& model) {
  const ObjectType type = find_type(entry.objtype);
  const int id = model.find(type, entry.objname);
  model.tuple_objtype[at] = static_cast<int>(type);
  model.tuple_objid[at] = id;
  model.tuple_objprm[at] = entry.prm;
  if (type == ObjectType::kUnknown)
    return draft.error("tuple", tuple, fmt::format("unknown or unsupported objtype '{}'", entry.objtype));
  if (id >= 0) return;
  draft.error("tuple", tuple, fmt::format("unknown {} '{}'", entry.objtype, entry.objname),
              hint_at_name(model, type, entry.objname));
}

void write_tuples(Draft& draft, Model& model) {
  int address = 0;
  for (int t = 0; t < model.ntuple; ++t) {
    const TupleSpec& spec = draft.spec.tuples[static_cast<size_t>(t)];
    if (spec.entries.empty()) draft.error("tuple", spec, "is empty");
    model.tuple_adr[t] = address;
    model.tuple_size[t] = static_cast<int>(spec.entries.size());
    for (const TupleSpec::Entry& entry : spec.entries) write_entry(draft, spec, entry, address++, model);
  }
}

}  // namespace

void write_custom(Draft& draft, Model& model) {
  write_numerics(draft, model);
  write_texts(draft, model);
  write_tuples(draft, model);
}

}  // namespace torsor::compiler
