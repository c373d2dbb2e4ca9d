// After unsupported elements were left out: also removes elements that refer to them, and keyframe vectors whose size
// depends on them.
#include <unordered_set>

#include <fmt/format.h>

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

template <class T>
void leave_out_referring(std::string_view kind, ObjectType type, std::vector<T>& elements, Reader& reader) {
  std::erase_if(elements, [&](const T& element) {
    std::string missing;
    for_each_reference(element, [&](ObjectType target, const std::string& name) {
      if (reader.left_out.has(target, name)) missing = name;
    });
    if (missing.empty()) return false;
    reader.report.warning(element.location,
                          fmt::format("<{}>{} is left out, because it refers to '{}', which is left out", kind,
                                      element.name.empty() ? "" : " '" + element.name + "'", missing));
    reader.left_out.add(type, element.name);
    return true;
  });
}

struct Kind {
  std::string_view name;
  ObjectType type;
};
constexpr Kind kObjectKinds[] = {
    {"geom", ObjectType::kGeom},         {"mesh", ObjectType::kMesh},     {"pair", ObjectType::kPair},
    {"tendon", ObjectType::kTendon},     {"sensor", ObjectType::kSensor}, {"equality", ObjectType::kEquality},
    {"actuator", ObjectType::kActuator},
};

bool is_left_out(const TupleSpec::Entry& entry, const Names& left_out) {
  return std::any_of(std::begin(kObjectKinds), std::end(kObjectKinds), [&](const Kind& kind) {
    return kind.name == entry.objtype && left_out.has(kind.type, entry.objname);
  });
}

void leave_out_entries(TupleSpec& tuple, Reader& reader) {
  std::erase_if(tuple.entries, [&](const TupleSpec::Entry& entry) {
    if (!is_left_out(entry, reader.left_out)) return false;
    reader.report.warning(
        tuple.location,
        fmt::format("<tuple> '{}': the entry '{}' is left out, because the element is", tuple.name, entry.objname));
    return true;
  });
}

void forget(KeySpec& key, std::initializer_list<std::optional<std::vector<double>> KeySpec::*> lists, const char* names,
            const char* what, Reader& reader) {
  bool had_any = false;
  for (const auto list : lists) {
    had_any = had_any || (key.*list).has_value();
    (key.*list).reset();
  }
  if (had_any)
    reader.report.warning(key.location,
                          fmt::format("<key> '{}': {} left out, because {} left out", key.name, names, what));
}

// Their readings would have several components.
void leave_out_sensors_of_so3(Reader& reader) {
  std::unordered_set<std::string> names;
  for (const ActuatorSpec& actuator : reader.spec.actuators) {
    if (actuator.gaintype == ActuatorGain::kSo3 && !actuator.name.empty()) names.insert(actuator.name);
  }
  std::erase_if(reader.spec.sensors, [&](const SensorSpec& sensor) {
    const bool is_of_output = sensor.type == SensorType::kActuatorPos || sensor.type == SensorType::kActuatorVel ||
                              sensor.type == SensorType::kActuatorFrc;
    if (!is_of_output || !names.contains(sensor.objname)) return false;
    reader.report.warning(sensor.location,
                          fmt::format("<sensor> '{}' is of the actuator '{}', which has several outputs; that is not "
                                      "supported yet, and it is left out",
                                      sensor.name, sensor.objname));
    reader.left_out.add(ObjectType::kSensor, sensor.name);
    return true;
  });
}

void forget_numbers(KeySpec& key, Reader& reader) {
  if (reader.left_out_actuators)
    forget(key, {&KeySpec::ctrl, &KeySpec::act}, "ctrl and act are", "an actuator is", reader);
  if (reader.left_out_bodies)
    forget(key, {&KeySpec::qpos, &KeySpec::qvel, &KeySpec::mpos, &KeySpec::mquat, &KeySpec::plastic},
           "its coordinates are", "a part of the tree is", reader);
}

}  // namespace

void leave_out_dependents(Reader& reader) {
  if (!reader.ignores_unsupported()) return;
  Spec& spec = reader.spec;
  leave_out_referring("pair", ObjectType::kPair, spec.pairs, reader);
  leave_out_referring("tendon", ObjectType::kTendon, spec.tendons, reader);
  leave_out_referring("equality", ObjectType::kEquality, spec.equalities, reader);
  const std::size_t actuators = spec.actuators.size();
  leave_out_referring("actuator", ObjectType::kActuator, spec.actuators, reader);
  if (spec.actuators.size() != actuators) reader.left_out_actuators = true;
  leave_out_sensors_of_so3(reader);
  leave_out_referring("sensor", ObjectType::kSensor, spec.sensors, reader);
  std::erase_if(spec.tuples, [&](TupleSpec& tuple) {
    const bool was_empty = tuple.entries.empty();
    leave_out_entries(tuple, reader);
    return tuple.entries.empty() && !was_empty;
  });
  for (KeySpec& key : spec.keys) forget_numbers(key, reader);
}

}  // namespace torsor::mjcf
