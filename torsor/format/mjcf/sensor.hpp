// <sensor>: one table of attributes per kind.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

struct SensorKind {
  std::string_view name;
  SensorType type;
  ObjectType objtype, reftype;  // where the element says it by its kind
  std::vector<Attribute<SensorSpec>> rows;
};

std::span<const SensorKind> sensor_kinds();
// What reading starts from.
SensorSpec make_sensor(const SensorKind& kind);

}  // namespace torsor::mjcf
