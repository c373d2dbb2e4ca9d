// Which sensors of a batch are read in packs, what must be computed for them, and why the others are read lane by lane.
#pragma once

#include <string>

#include "torsor/model/data.hpp"

namespace torsor {

// What sensors may be read from, besides the arrays of smooth dynamics.
struct SensorSources {
  bool has_pack_forces;         // contacts, their forces and those of equalities are in packs, or there are none
  bool reads_body_forces;       // somebody reads cfrc_int or cfrc_ext
  std::string why_no_contacts;  // packs do not have all contacts that contact sensors count; "" if they do
  std::string own;              // why worlds have values of their own that readings depend on; "" if not
};

struct WideSensors {
  WideSensors(const Model& model, const SensorSources& sources);

  bool any_wide = false, any_left = false;
  // Sensors that are left need contacts, rows and their forces, lane by lane: then all that need forces are left.
  bool left_need_rows = false;
  std::string why;    // of the first that is left
  std::string reads;  // fields that the wide ones read
  bool needs_subtrees = false, needs_accelerations = false, needs_forces = false;
  bool keeps_forces = false;  // of contacts and equalities
  bool left_need_cameras = false;

 private:
  void add_wide(const Model& model, int id);
};

// Filters of compute_sensors(): sensors that are not read by WideStage::kReadings, or by kReadingsOfMotion.
bool is_left_by_readings(const Model& model, int id);
bool is_left_by_readings_of_motion(const Model& model, int id);

}  // namespace torsor
