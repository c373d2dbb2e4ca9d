// <custom> and <keyframe>.
#include <fmt/format.h>

#include "torsor/format/mjcf/reader.hpp"
#include "torsor/format/mjcf/refused.hpp"

namespace torsor::mjcf {
namespace {

constexpr int kMaxNumericSize = 500;

constexpr Keyword kObjectTypes[] = {
    {"body", 1},     {"xbody", 2},     {"joint", 3},    {"dof", 4},       {"geom", 5},
    {"site", 6},     {"camera", 7},    {"light", 8},    {"flex", 9},      {"mesh", 10},
    {"skin", 11},    {"hfield", 12},   {"texture", 13}, {"material", 14}, {"pair", 15},
    {"exclude", 16}, {"equality", 17}, {"tendon", 18},  {"actuator", 19}, {"sensor", 20},
    {"numeric", 21}, {"text", 22},     {"tuple", 23},   {"key", 24},      {"plugin", 25},
};

void read_objtype(TupleSpec::Entry& entry, const Value& value) {
  if (read_keyword(kObjectTypes, value)) entry.objtype = value.text();
}

constexpr Attribute<NumericSpec> kNumericAttributes[] = {
    {"name", into<&NumericSpec::name>, "", "name, unique among elements of this kind", true},
    {"size", into<&NumericSpec::size>, "", "number of values; those not given in data are 0"},
    {"data", into<&NumericSpec::data, kInfinite>, "", "user data"},
};

constexpr Attribute<TextSpec> kTextAttributes[] = {
    {"name", into<&TextSpec::name>, "", "name, unique among elements of this kind", true},
    {"data", into<&TextSpec::data>, "", "user text; instead of it, the element may have a CDATA section"},
};

constexpr Attribute<ElementSpec> kTupleName[] = {
    {"name", into<&ElementSpec::name>, "", "name, unique among elements of this kind", true},
};

constexpr Attribute<TupleSpec::Entry> kTupleEntryAttributes[] = {
    {"objtype", {read_objtype, written<&TupleSpec::Entry::objtype>}, "", "kind of the object", true},
    {"objname", into<&TupleSpec::Entry::objname>, "", "name of the object", true},
    {"prm", into<&TupleSpec::Entry::prm, kInfinite>, "", "user parameter"},
};

constexpr Attribute<KeySpec> kKeyAttributes[] = {
    {"time", into<&KeySpec::time>, "s", "time"},
    {"qpos", into<&KeySpec::qpos>, "m | rad | 1", "joint coordinates"},
    {"qvel", into<&KeySpec::qvel>, "m/s | rad/s", "joint velocities"},
    {"act", into<&KeySpec::act>, "", "actuator activations"},
    {"ctrl", into<&KeySpec::ctrl>, "", "controls"},
    {"mpos", into<&KeySpec::mpos>, "m", "positions of mocap bodies"},
    {"mquat", into<&KeySpec::mquat>, "1", "orientations of mocap bodies, wxyz"},
    {"plastic", into<&KeySpec::plastic>, "m | rad | 1", "rest of plastic springs"},
};

void read_numeric(const Element& element, Reader& reader) {
  NumericSpec numeric;
  numeric.location = element.where();
  read_attributes(element, numeric, reader.report, numeric_attributes());
  const int given = static_cast<int>(numeric.data.size());
  const int size = element.has("size") ? numeric.size : given;
  if (size < 1 || size > kMaxNumericSize) {
    reader.report.error(element, fmt::format("a numeric has 1 to {} numbers, got {}", kMaxNumericSize, size));
  } else if (given > size) {
    reader.report.attribute_error(element, "data",
                                  fmt::format("'data' has {} numbers, more than the size {}", given, size));
  }
  reader.reject_children(element, "mujoco/custom/numeric");
  reader.spec.numerics.push_back(std::move(numeric));
}

std::string_view find_cdata(const Element& element) {
  for (const pugi::xml_node child : element.node.children()) {
    if (child.type() == pugi::node_cdata) return child.value();
  }
  return {};
}

void read_custom_text(const Element& element, Reader& reader) {
  TextSpec text;
  text.location = element.where();
  read_attributes(element, text, reader.report, text_attributes());
  const std::string_view section = find_cdata(element);
  if (!section.empty() && !text.data.empty())
    reader.report.error(element, "text has both the attribute 'data' and a CDATA section");
  if (!section.empty()) read_text(text.data, Value(element, "data", section, reader.report));
  if (text.data.empty()) reader.report.error(element, "text needs the attribute 'data', or a CDATA section");
  reader.reject_children(element, "mujoco/custom/text");
  reader.spec.texts.push_back(std::move(text));
}

void read_tuple(const Element& element, Reader& reader) {
  TupleSpec tuple;
  tuple.location = element.where();
  read_attributes(element, tuple, reader.report, tuple_attributes());
  for (const Element& child : element) {
    if (child.name() != "element") {
      reader.reject(child, "mujoco/custom/tuple");
      continue;
    }
    TupleSpec::Entry entry;
    read_attributes(child, entry, reader.report, tuple_entry_attributes());
    reader.reject_children(child, "mujoco/custom/tuple/element");
    const std::string_view section = section_of_object(entry.objtype);
    if (!section.empty() && reader.ignores(section)) {
      reader.note_ignored(child, section);
    } else if (reader.ignores_unsupported() && is_refused_object(entry.objtype)) {
      reader.leave_out(child,
                       fmt::format("refers to the {} '{}', which is not supported yet", entry.objtype, entry.objname));
    } else {
      tuple.entries.push_back(std::move(entry));
    }
  }
  reader.spec.tuples.push_back(std::move(tuple));
}

}  // namespace

Table<NumericSpec> numeric_attributes() { return kNumericAttributes; }
Table<TextSpec> text_attributes() { return kTextAttributes; }
Table<ElementSpec> tuple_attributes() { return kTupleName; }
Table<TupleSpec::Entry> tuple_entry_attributes() { return kTupleEntryAttributes; }
Table<KeySpec> key_attributes() { return kKeyAttributes; }

void read_custom(const Element& element, Reader& reader) {
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    if (child.name() == "numeric") {
      read_numeric(child, reader);
    } else if (child.name() == "text") {
      read_custom_text(child, reader);
    } else if (child.name() == "tuple") {
      read_tuple(child, reader);
    } else {
      reader.reject(child, "mujoco/custom");
    }
  }
}

void read_keyframe(const Element& element, Reader& reader) {
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    if (child.name() != "key") {
      reader.reject(child, "mujoco/keyframe");
      continue;
    }
    KeySpec key;
    key.location = child.where();
    read_attributes(child, key, reader.report, name_attribute(), key_attributes());
    reader.reject_children(child, "mujoco/keyframe/key");
    if (reader.ignores("actuator")) {
      key.act.reset();
      key.ctrl.reset();
    }
    reader.spec.keys.push_back(std::move(key));
  }
}

}  // namespace torsor::mjcf
