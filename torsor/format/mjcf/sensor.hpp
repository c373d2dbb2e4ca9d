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
  ObjectType objtype, reftype;  // if determined by the kind of sensor
  std::vector<Attribute<SensorSpec>> rows;
};

std::span<const SensorKind> sensor_kinds();
// The values before reading.
SensorSpec make_sensor(const SensorKind& kind);

}  // namespace torsor::mjcf
