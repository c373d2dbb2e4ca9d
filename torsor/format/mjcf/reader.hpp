// Common state of the readers of all sections: the Spec being made, the report, the default classes.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "torsor/format/mjcf/attach.hpp"
#include "torsor/format/mjcf/merge.hpp"
#include "torsor/format/mjcf/references.hpp"
#include "torsor/format/mjcf/replicate.hpp"
#include "torsor/format/mjcf/tables.hpp"

namespace torsor::mjcf {

struct Reader {
  Reader(const ReadOptions& read_options, Budget& shared_budget) : options(read_options), budget(shared_budget) {}

  bool ignores(std::string_view section) const;
  bool ignores_unsupported() const { return ignores("all"); }

  // A child that no reader of `parent_path` accepts: left out if it belongs to an ignored section, or if all
  // unsupported elements are to be left out; otherwise an error that says whether it is unsupported or unknown. Paths
  // are those of the schema.
  void reject(const Element& child, std::string_view parent_path);
  void reject_children(const Element& element, std::string_view path);
  // One warning per section.
  void note_ignored(const Element& element, std::string_view section);
  // With a warning of its own.
  void leave_out(const Element& element, std::string_view why = "is not supported yet");

  // Records which settings are given: "option timestep", "flag gravity", "map znear".
  void note_given(const Element& element);

  // Access to files that the model refers to.
  FileAccess access() const { return {options.files, options.restrict, options.memory_limit}; }

  // Index in Spec::defaults of the class that an attribute names, or `otherwise` if there is no such attribute.
  int find_class(const Element& element, const char* attribute, int otherwise);

  // A new element with the values of its default class; `inherited` is the enclosing childclass.
  template <class T>
  T make_element(const Element& element, T DefaultSpec::*prototype, int inherited) {
    const int index = find_class(element, "class", inherited);
    if (doubtful_classes.contains(index)) report.doubt(element);
    T object = spec.defaults[static_cast<std::size_t>(index)].*prototype;
    if (index > 0) object.class_name = spec.defaults[static_cast<std::size_t>(index)].name;
    object.location = element.where();
    return object;
  }

  const ReadOptions& options;
  Budget& budget;  // of the whole model, including attached ones
  Spec spec;
  Report report;
  std::unordered_map<std::string, int> classes{{"main", 0}};
  std::set<int> doubtful_classes;  // classes with errors in their values
  std::set<std::string_view> warned_sections;
  Names left_out;  // unsupported elements with names
  bool left_out_actuators = false, left_out_bodies = false;
  std::set<std::string> given;               // settings that the file gives, by element and attribute
  std::vector<ReplicateSpec> replicates;     // innermost first
  std::map<std::string, ModelAsset> models;  // models that can be attached
  std::vector<Attachment> attachments;
  std::vector<std::string> opened;  // model files being read, each an asset of the previous one
};

// One function per section of a model; each may be called several times, since sections may be repeated.
void read_compiler(const Element& element, Reader& reader);
void read_option(const Element& element, Reader& reader);
void read_size(const Element& element, Reader& reader);
void read_statistic(const Element& element, Reader& reader);
void read_visual(const Element& element, Reader& reader);
void read_default(const Element& element, Reader& reader);
void read_asset(const Element& element, Reader& reader);
void read_skin(const Element& element, Reader& reader);
void read_deformable(const Element& element, Reader& reader);
void read_worldbody(const Element& element, Reader& reader);
void read_contact(const Element& element, Reader& reader);
void read_equality(const Element& element, Reader& reader);
void read_tendon(const Element& element, Reader& reader);
void read_actuator(const Element& element, Reader& reader);
void read_sensor(const Element& element, Reader& reader);
void read_custom(const Element& element, Reader& reader);
void read_keyframe(const Element& element, Reader& reader);

void read_texture(const Element& element, Reader& reader);
void read_material(const Element& element, Reader& reader);
void read_layers(const Element& element, MaterialSpec& material, Reader& reader);

// Default values of one kind of actuator; all kinds share one prototype. False for other elements.
bool read_actuator_prototype(const Element& element, std::size_t class_index, Reader& reader);

// Reads a model file as an asset of another model; the Spec is null after an error.
ModelAsset read_model_asset(const ModelAssetSpec& asset, Reader& reader);

// Reports children that must not be repeated.
void check_unique_children(const Element& element, Reader& reader, std::string_view except = {});

// Removes elements that refer to unsupported elements that were left out, or have numbers for them.
void leave_out_dependents(Reader& reader);

// Reports names that are not unique among the elements of their kind.
void check_names(const Spec& spec, Report& report);

}  // namespace torsor::mjcf
