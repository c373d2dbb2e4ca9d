// What the type of a sensor says about it: kind and number of its numbers, stage, and what it can measure.
#pragma once

#include "torsor/model/types.hpp"

namespace torsor {

struct SensorForm {
  SensorData data;
  SensorStage stage;
  int dim;                       // -1: the sensor says all three itself
  ObjectType object, reference;  // kUnknown: none, or any frame
  bool measures_frame;           // of a body, geom, site or camera
};

// Types that do not exist have dim -2.
SensorForm sensor_form(SensorType type);

bool has_frame(ObjectType type);

}  // namespace torsor
