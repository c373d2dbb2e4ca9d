// The list of unsupported elements.
#include "torsor/format/mjcf/refused.hpp"

namespace torsor::mjcf {
namespace {

constexpr std::string_view kIgnorableSections[] = {"contact", "equality",   "tendon",   "actuator",
                                                   "sensor",  "deformable", "extension"};

// Elements that generate other elements have no section: leaving them out would change the model.
constexpr RefusedElement kRefused[] = {
    {"mujoco/deformable", "flex", "deformable"},
    {"mujoco", "extension", "extension"},
    {"mujoco/asset/mesh", "plugin", "extension"},
    {"mujoco/actuator", "plugin", "extension"},
    {"mujoco/equality", "flex", "deformable"},
    {"mujoco/equality", "flexvert", "deformable"},
    {"mujoco/equality", "flexstrain", "deformable"},
    {"mujoco/sensor", "plugin", "extension"},
    {"mujoco/worldbody/body", "flexcomp", ""},
    {"mujoco/worldbody/body", "plugin", "extension"},
    {"mujoco/worldbody/body/geom", "plugin", "extension"},
    {"mujoco/worldbody/body/composite", "skin", "deformable"},
    {"mujoco/worldbody/body/composite", "plugin", "extension"},
};

struct ObjectSection {
  std::string_view objtype, section;
};
constexpr ObjectSection kObjectSections[] = {
    {"pair", "contact"},    {"exclude", "contact"},   {"equality", "equality"},
    {"tendon", "tendon"},   {"actuator", "actuator"}, {"sensor", "sensor"},
    {"flex", "deformable"}, {"skin", "deformable"},   {"plugin", "extension"},
};

}  // namespace

std::span<const RefusedElement> refused_elements() { return kRefused; }

const RefusedElement* find_refused(std::string_view parent, std::string_view name) {
  for (const RefusedElement& element : kRefused) {
    if (element.name == name && element.parent == parent) return &element;
  }
  return nullptr;
}

std::span<const std::string_view> ignorable_sections() { return kIgnorableSections; }

std::string_view suggested_ignore(const RefusedElement& element) {
  const bool is_whole = element.section == "deformable" || find_refused("mujoco", element.section) != nullptr;
  return is_whole ? element.section : kEverythingUnsupported;
}

bool is_refused_object(std::string_view objtype) {
  return objtype == "flex" || objtype == "skin" || objtype == "plugin";
}

std::string_view section_of_object(std::string_view objtype) {
  for (const ObjectSection& entry : kObjectSections) {
    if (entry.objtype == objtype) return entry.section;
  }
  return {};
}

}  // namespace torsor::mjcf
