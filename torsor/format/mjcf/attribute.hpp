// Tables of attributes. One row per attribute gives its name, the field of the Spec that it is read into and written
// from, its unit and its meaning; reader, writer, schema and reference page all use these tables.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "torsor/format/mjcf/text.hpp"
#include "torsor/format/mjcf/value.hpp"

namespace torsor::mjcf {

template <class T>
using ReadFunction = void (*)(T&, const Value&);

// The text of an attribute, or nothing if the value equals that of `standard`, the value before reading. Without a
// standard there is always a text.
using Text = std::optional<std::string>;
template <class T>
using WriteFunction = Text (*)(const T&, const T* standard);

// Conversion between an attribute and the Spec. A row with a reader only cannot be written; a test finds such rows.
template <class T>
struct Access {
  constexpr Access(ReadFunction<T> reader, WriteFunction<T> writer = nullptr) : read(reader), write(writer) {}

  ReadFunction<T> read;
  WriteFunction<T> write;
};

template <class T>
struct Attribute {
  std::string_view name;
  Access<T> access;
  std::string_view unit, meaning;
  bool required = false;
};

template <class T>
using Table = std::span<const Attribute<T>>;

// Unit of angles in the file: degrees, or radians when <compiler angle="radian"/> says so.
inline constexpr std::string_view kAngle = "deg | rad";

// Empty names and lists do not override a default class.
template <class T>
bool is_blank(const T&) {
  return false;
}
inline bool is_blank(const std::string& text) { return text.empty(); }
template <class Number>
bool is_blank(const std::vector<Number>& numbers) {
  return numbers.empty();
}

// For rows whose reader does more than read a field: {"eulerseq", {read_eulerseq,
// written<&CompilerSpec::eulerseq>}}.
template <auto Member, class T>
Text written(const T& object, const T* standard) {
  if (standard && same_value(object.*Member, standard->*Member)) return std::nullopt;
  if (standard && std::is_base_of_v<ElementSpec, T> && is_blank(object.*Member)) throw MissingValue();
  return text_of(object.*Member);
}

// Reads a field and writes it back: into<&JointSpec::armature>. Converts to the functions of the table's type, so that
// fields of a base class can be in the table of a derived one.
template <auto Member, int Flags>
struct Into {
  template <class T>
  static void read(T& object, const Value& value) {
    read_value(object.*Member, value, Flags);
  }
  template <class T>
  constexpr operator Access<T>() const {
    return {&read<T>, &written<Member, T>};
  }
};
template <auto Member, int Flags = kExact>
inline constexpr Into<Member, Flags> into{};

// A field with keywords as values: keyword<&GeomSpec::type, kGeomTypes>.
template <auto Member, const auto& Keywords>
struct IntoKeyword {
  template <class T>
  static void read(T& object, const Value& value) {
    using Field = std::remove_reference_t<decltype(object.*Member)>;
    if (const auto found = read_keyword(Keywords, value)) object.*Member = static_cast<Field>(*found);
  }
  template <class T>
  static Text write(const T& object, const T* standard) {
    if (standard && object.*Member == standard->*Member) return std::nullopt;
    return text_of_keyword(Keywords, static_cast<int>(object.*Member));
  }
  template <class T>
  constexpr operator Access<T>() const {
    return {&read<T>, &write<T>};
  }
};
template <auto Member, const auto& Keywords>
inline constexpr IntoKeyword<Member, Keywords> keyword{};

// A name whose attribute also determines the kind of object: object<&SensorSpec::objname, &SensorSpec::objtype,
// ObjectType::kGeom>. Other attributes put objects of other kinds into the same fields.
template <auto Name, auto Type, ObjectType kType>
struct IntoObject {
  template <class T>
  static void read(T& object, const Value& value) {
    if (value.blank()) return;
    read_text(object.*Name, value);
    object.*Type = kType;
  }
  template <class T>
  static Text write(const T& object, const T*) {
    if (object.*Type != kType || (object.*Name).empty()) return std::nullopt;
    return object.*Name;
  }
  template <class T>
  constexpr operator Access<T>() const {
    return {&read<T>, &write<T>};
  }
};
template <auto Name, auto Type, ObjectType kType>
inline constexpr IntoObject<Name, Type, kType> object{};

// A number that must be greater than zero.
template <auto Member>
struct IntoPositive {
  template <class T>
  static void read(T& object, const Value& value) {
    auto number = object.*Member;
    if (read_numbers(&number, 1, 1, value, kExact) == 0) return;
    if (!(number > 0)) return value.fail("must be greater than 0");
    object.*Member = number;
  }
  template <class T>
  constexpr operator Access<T>() const {
    return {&read<T>, &written<Member, T>};
  }
};
template <auto Member>
inline constexpr IntoPositive<Member> positive{};

// For attributes that are read and written by code outside the table.
struct Elsewhere {
  template <class T>
  static void read(T&, const Value&) {}
  template <class T>
  static Text write(const T&, const T*) {
    return std::nullopt;
  }
  template <class T>
  constexpr operator Access<T>() const {
    return {&read<T>, &write<T>};
  }
};
inline constexpr Elsewhere read_elsewhere{};

// Writers of attributes that are older forms of others, and of those written by code outside the table.
template <class T>
Text never_written(const T&, const T*) {
  return std::nullopt;
}
template <class T>
Text written_elsewhere(const T&, const T*) {
  return std::nullopt;
}

// For tables made from a list of fields: a field with a reader of its own, or one that is not an attribute (null).
template <class T>
struct SpecialRow {
  std::string_view name;
  Access<T> access;
};

template <class T>
std::vector<Attribute<T>> with_special_rows(Table<T> table, std::span<const SpecialRow<T>> special) {
  std::vector<Attribute<T>> rows;
  for (Attribute<T> row : table) {
    for (const SpecialRow<T>& other : special) {
      if (other.name == row.name) row.access = other.access;
    }
    if (row.access.read) rows.push_back(row);
  }
  return rows;
}

template <class T, class Object>
bool read_from_table(Table<T> table, const Value& value, Object& object) {
  for (const Attribute<T>& row : table) {
    if (row.name != value.name()) continue;
    row.access.read(object, value);
    return true;
  }
  return false;
}

template <class T>
void check_required(Table<T> table, const Element& element, Report& report) {
  for (const Attribute<T>& row : table) {
    if (!row.required) continue;
    const std::string_view text = element.text(std::string(row.name).c_str());
    if (Value(element, row.name, text, report).blank()) {
      report.error(element, std::string(element.name()) + " needs the attribute '" + std::string(row.name) + "'");
    }
  }
}

template <class T>
void append_names(std::vector<std::string>& names, Table<T> table) {
  for (const Attribute<T>& row : table) names.emplace_back(row.name);
}

// Reads all attributes of an element by its tables; unknown, repeated and missing attributes are errors.
template <class Object, class... Ts>
void read_attributes(const Element& element, Object& object, Report& report, Table<Ts>... tables) {
  for (const pugi::xml_attribute attribute : element.node.attributes()) {
    const Value value(element, attribute.name(), attribute.value(), report);
    if (element.node.attribute(attribute.name()) != attribute) {
      value.fail("is given twice");
    } else if (!(read_from_table(tables, value, object) || ...)) {
      std::vector<std::string> known;
      (append_names(known, tables), ...);
      report.unknown_attribute(element, value.name(), known);
    }
  }
  (check_required(tables, element, report), ...);
}

// Reports an error if an element has more than one of these attributes.
void check_exclusive(const Element& element, Report& report, std::initializer_list<const char*> names);

}  // namespace torsor::mjcf
