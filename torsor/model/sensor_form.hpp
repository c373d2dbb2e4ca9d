// Properties of the types of sensors: kind and number of their values, stage, and what they can measure.
#pragma once

#include "torsor/model/types.hpp"

namespace torsor {

struct SensorForm {
  SensorData data;
  SensorStage stage;
  int dim;                       // -1: the sensor specifies all three itself; 0: sensor_dim() computes it
  ObjectType object, reference;  // kUnknown: none, or any frame
  bool measures_frame;           // of a body, geom, site or camera
};

// Types that do not exist have dim -2.
SensorForm sensor_form(SensorType type);

// Whether a sensor of this type can measure that kind of object, or refer to it; kUnknown stands for none.
bool can_measure(SensorType type, ObjectType object);
bool can_refer(SensorType type, ObjectType reference);

// When a contact sensor can be read: forces need the solution, velocities the velocity stage.
SensorStage contact_stage(int data, ContactReduce reduce);

// Numbers of one ray or contact, of which `data` says what is given: RayData or ContactData bits.
int reading_size(SensorType type, int data);

}  // namespace torsor
