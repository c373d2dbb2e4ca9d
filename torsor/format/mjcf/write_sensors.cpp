// Writes sensors.
#include "torsor/format/mjcf/sensor.hpp"
#include "torsor/format/mjcf/writer.hpp"

namespace torsor::mjcf {

void write_sensors(Node root, const Writer& writer) {
  if (writer.spec.sensors.empty()) return;
  const Node node = append_child(root, "sensor");
  for (const SensorSpec& sensor : writer.spec.sensors) {
    for (const SensorKind& kind : sensor_kinds()) {
      if (kind.type != sensor.type) continue;
      write_attributes(append_child(node, kind.name), sensor, make_sensor(kind), name_attribute(),
                       Table<SensorSpec>(kind.rows));
    }
  }
}

}  // namespace torsor::mjcf
