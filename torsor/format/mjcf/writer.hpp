// Common parts of the writers of all sections: the Spec, the document being made, elements from their tables.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include <pugixml.hpp>

#include "torsor/format/mjcf/tables.hpp"

namespace torsor::mjcf {

using Node = pugi::xml_node;

inline Node append_child(Node parent, std::string_view name) { return parent.append_child(std::string(name).c_str()); }

inline void set_attribute(Node node, std::string_view name, const std::string& text) {
  node.append_attribute(std::string(name).c_str()) = text.c_str();
}

template <class Object, class T>
void write_from_table(Node node, const Object& object, const Object& standard, Table<T> table) {
  for (const Attribute<T>& row : table) {
    const Text text = row.access.write ? row.access.write(object, row.required ? nullptr : &standard) : std::nullopt;
    if (text) set_attribute(node, row.name, *text);
  }
}

// Writes the attributes whose values differ from those before reading.
template <class Object, class... Ts>
void write_attributes(Node node, const Object& object, const Object& standard, Table<Ts>... tables) {
  (write_from_table(node, object, standard, tables), ...);
}

// An element that is left out if none of its values has to be written.
template <class Object, class... Ts>
void write_if_changed(Node parent, std::string_view name, const Object& object, const Object& standard,
                      Table<Ts>... tables) {
  const Node node = append_child(parent, name);
  write_attributes(node, object, standard, tables...);
  if (!node.first_attribute() && !node.first_child()) parent.remove_child(node);
}

class Writer {
 public:
  explicit Writer(const Spec& source);

  // Index in Spec::defaults; throws an Error for a class that the Spec does not have.
  int class_index(const std::string& name) const;

  // An element with a default class; `inherited` is the class that it would get without an attribute. If the class has
  // a value that no text can undo, the nearest enclosing class without it is used instead.
  template <class T, class... Ts>
  Node write_element(Node parent, std::string_view kind, const T& element, T DefaultSpec::*prototype, int inherited,
                     Table<Ts>... tables) const {
    const int own = class_index(element.class_name);
    for (int index = own; index >= 0; index = spec.defaults[static_cast<std::size_t>(index)].parent) {
      const DefaultSpec& standard = spec.defaults[static_cast<std::size_t>(index)];
      const std::string name = index == inherited ? "" : index == 0 ? "main" : standard.name;
      if (const Node node = try_element(parent, kind, element, standard, prototype, name, tables...)) return node;
    }
    if constexpr (requires { element.orientation; }) {
      // an orientation in another form overrides that of any class
      if (element.orientation.form == OrientationSpec::Form::kQuat) {
        T turned = element;
        turned.orientation = as_axes(element.orientation);
        return write_element(parent, kind, turned, prototype, inherited, tables...);
      }
    }
    refuse(kind, element, MissingValue());
  }

  const Spec& spec;

 private:
  // The element with the values that differ from a class; nothing if the class has a value that the element lacks.
  template <class T, class... Ts>
  static Node try_element(Node parent, std::string_view kind, const T& element, const DefaultSpec& standard,
                          T DefaultSpec::*prototype, const std::string& class_name, Table<Ts>... tables) {
    Node node = append_child(parent, kind);
    write_attributes(node, element, T{}, name_attribute());
    if (!class_name.empty()) set_attribute(node, "class", class_name);
    try {
      write_attributes(node, element, standard.*prototype, tables...);
      return node;
    } catch (const MissingValue&) {
      parent.remove_child(node);
      return {};
    } catch (const Error& error) {
      refuse(kind, element, error);
    }
  }
  static OrientationSpec as_axes(const OrientationSpec& orientation);
  [[noreturn]] static void refuse(std::string_view kind, const ElementSpec& element, const Error& error);

  std::unordered_map<std::string, int> classes_;
};

// One function per section of a model; empty sections are left out.
void write_settings(Node root, const Writer& writer);
void write_defaults(Node root, const Writer& writer);
void write_assets(Node root, const Writer& writer);
void write_contact(Node root, const Writer& writer);
void write_equalities(Node root, const Writer& writer);
void write_custom(Node root, const Writer& writer);
void write_worldbody(Node root, const Writer& writer);
void write_tendons(Node root, const Writer& writer);
void write_actuators(Node root, const Writer& writer);
void write_sensors(Node root, const Writer& writer);
void write_keyframe(Node root, const Writer& writer);
void write_deformables(Node root, const Writer& writer);

// The prototypes of tendons and actuators in a default class.
void write_default_drives(Node node, const DefaultSpec& values, const DefaultSpec& standard);

// Textures of a material that differ from the default, as layers if the attribute cannot express them.
void write_layers(Node node, const MaterialSpec& material, const MaterialSpec& standard);

}  // namespace torsor::mjcf
