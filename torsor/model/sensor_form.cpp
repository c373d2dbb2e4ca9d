// Properties of all types of sensors.
#include "torsor/model/sensor_form.hpp"

namespace torsor {
namespace {

using Type = SensorType;
using Object = ObjectType;

constexpr SensorForm form(SensorStage stage, int dim, Object object, Object reference = Object::kUnknown) {
  return {SensorData::kReal, stage, dim, object, reference, false};
}
constexpr SensorForm position(int dim, Object object) { return form(SensorStage::kPosition, dim, object); }
constexpr SensorForm velocity(int dim, Object object) { return form(SensorStage::kVelocity, dim, object); }
constexpr SensorForm acceleration(int dim, Object object) { return form(SensorStage::kAcceleration, dim, object); }
constexpr SensorForm frame(SensorData data, SensorStage stage, int dim, Object reference = Object::kUnknown) {
  return {data, stage, dim, Object::kUnknown, reference, true};
}

bool has_frame(Object type) {
  return type == Object::kBody || type == Object::kXBody || type == Object::kGeom || type == Object::kSite ||
         type == Object::kCamera;
}

// What a contact sensor selects contacts by: nothing, a geom, a body, or a body with all below it.
bool can_touch(Object type) {
  return type == Object::kUnknown || type == Object::kGeom || type == Object::kBody || type == Object::kXBody;
}

}  // namespace

SensorForm sensor_form(SensorType type) {
  switch (type) {
    case Type::kMagnetometer:
      return position(3, Object::kSite);
    case Type::kCamProjection:
      return form(SensorStage::kPosition, 2, Object::kSite, Object::kCamera);
    case Type::kJointPos:
    case Type::kJointLimitPos:
      return position(1, Object::kJoint);
    case Type::kTendonPos:
    case Type::kTendonLimitPos:
      return position(1, Object::kTendon);
    case Type::kActuatorPos:
      return position(1, Object::kActuator);
    case Type::kBallQuat:
      return {SensorData::kQuaternion, SensorStage::kPosition, 4, Object::kJoint, Object::kUnknown, false};
    case Type::kFramePos:
      return frame(SensorData::kReal, SensorStage::kPosition, 3);
    case Type::kFrameQuat:
      return frame(SensorData::kQuaternion, SensorStage::kPosition, 4);
    case Type::kFrameXAxis:
    case Type::kFrameYAxis:
    case Type::kFrameZAxis:
      return frame(SensorData::kAxis, SensorStage::kPosition, 3);
    case Type::kSubtreeCom:
      return position(3, Object::kBody);
    case Type::kInsideSite:
      return frame(SensorData::kPositive, SensorStage::kPosition, 1, Object::kSite);
    case Type::kEPotential:
    case Type::kEKinetic:
    case Type::kClock:
      return position(1, Object::kUnknown);
    case Type::kVelocimeter:
    case Type::kGyro:
      return velocity(3, Object::kSite);
    case Type::kJointVel:
    case Type::kJointLimitVel:
      return velocity(1, Object::kJoint);
    case Type::kTendonVel:
    case Type::kTendonLimitVel:
      return velocity(1, Object::kTendon);
    case Type::kActuatorVel:
      return velocity(1, Object::kActuator);
    case Type::kBallAngVel:
      return velocity(3, Object::kJoint);
    case Type::kFrameLinVel:
    case Type::kFrameAngVel:
      return frame(SensorData::kReal, SensorStage::kVelocity, 3);
    case Type::kSubtreeLinVel:
    case Type::kSubtreeAngMom:
      return velocity(3, Object::kBody);
    case Type::kAccelerometer:
    case Type::kForce:
    case Type::kTorque:
      return acceleration(3, Object::kSite);
    case Type::kFrameLinAcc:
    case Type::kFrameAngAcc:
      return frame(SensorData::kReal, SensorStage::kAcceleration, 3);
    case Type::kActuatorFrc:
      return acceleration(1, Object::kActuator);
    case Type::kJointActFrc:
    case Type::kJointLimitFrc:
      return acceleration(1, Object::kJoint);
    case Type::kTendonActFrc:
    case Type::kTendonLimitFrc:
      return acceleration(1, Object::kTendon);
    case Type::kTouch:
      return {SensorData::kPositive, SensorStage::kAcceleration, 1, Object::kSite, Object::kUnknown, false};
    case Type::kRangefinder:
      return position(0, Object::kUnknown);
    case Type::kGeomDistance:
      return position(1, Object::kUnknown);
    case Type::kGeomNormal:
      return {SensorData::kAxis, SensorStage::kPosition, 3, Object::kUnknown, Object::kUnknown, false};
    case Type::kGeomFromTo:
      return position(6, Object::kUnknown);
    case Type::kContact:
      return acceleration(0, Object::kUnknown);
    case Type::kTactile:
      return form(SensorStage::kVelocity, 0, Object::kMesh, Object::kGeom);
    case Type::kUser:
      return acceleration(-1, Object::kUnknown);
  }
  return acceleration(-2, Object::kUnknown);
}

bool can_measure(SensorType type, ObjectType object) {
  const SensorForm form = sensor_form(type);
  if (form.dim == -1) return true;
  switch (type) {
    case Type::kRangefinder:
      return object == Object::kSite || object == Object::kCamera;
    case Type::kGeomDistance:
    case Type::kGeomNormal:
    case Type::kGeomFromTo:
      return object == Object::kGeom || object == Object::kBody;
    case Type::kContact:
      return object == Object::kSite || can_touch(object);
    default:
      return form.measures_frame ? has_frame(object) : object == form.object;
  }
}

bool can_refer(SensorType type, ObjectType reference) {
  const SensorForm form = sensor_form(type);
  if (form.dim == -1) return true;
  switch (type) {
    case Type::kGeomDistance:
    case Type::kGeomNormal:
    case Type::kGeomFromTo:
      return reference == Object::kGeom || reference == Object::kBody;
    case Type::kContact:
      return can_touch(reference);
    case Type::kFrameLinAcc:
    case Type::kFrameAngAcc:
      return reference == Object::kUnknown;
    default:
      return reference == form.reference ||
             (form.measures_frame && form.reference == Object::kUnknown && has_frame(reference));
  }
}

SensorStage contact_stage(int data, ContactReduce reduce) {
  const bool reduces_forces = reduce == ContactReduce::kMaxForce || reduce == ContactReduce::kNetForce;
  if (reduces_forces || (data & (kContactForce | kContactTorque))) return SensorStage::kAcceleration;
  return data & (kContactLinVel | kContactAngVel) ? SensorStage::kVelocity : SensorStage::kPosition;
}

int reading_size(SensorType type, int data) {
  if (type != Type::kRangefinder && type != Type::kContact) return 0;
  // bits whose data are one number; the others are vectors
  const int scalars = type == Type::kRangefinder ? kRayDist | kRayDepth : kContactFound | kContactDist;
  int size = 0;
  for (int bit = 1; bit <= data; bit <<= 1) {
    if (data & bit) size += scalars & bit ? 1 : 3;
  }
  return size;
}

}  // namespace torsor
