// Words for kinds of elements.
#include "torsor/model/object_words.hpp"

namespace torsor {

const char* word_of(ObjectType type) {
  switch (type) {
    case ObjectType::kBody:
    case ObjectType::kXBody:
      return "body";
    case ObjectType::kJoint:
      return "joint";
    case ObjectType::kDof:
      return "dof";
    case ObjectType::kGeom:
      return "geom";
    case ObjectType::kSite:
      return "site";
    case ObjectType::kCamera:
      return "camera";
    case ObjectType::kLight:
      return "light";
    case ObjectType::kMesh:
      return "mesh";
    case ObjectType::kHfield:
      return "hfield";
    case ObjectType::kTexture:
      return "texture";
    case ObjectType::kMaterial:
      return "material";
    case ObjectType::kPair:
      return "pair";
    case ObjectType::kExclude:
      return "exclude";
    case ObjectType::kEquality:
      return "equality";
    case ObjectType::kTendon:
      return "tendon";
    case ObjectType::kActuator:
      return "actuator";
    case ObjectType::kSensor:
      return "sensor";
    case ObjectType::kNumeric:
      return "numeric";
    case ObjectType::kText:
      return "text";
    case ObjectType::kTuple:
      return "tuple";
    case ObjectType::kKey:
      return "keyframe";
    case ObjectType::kUnknown:
      break;
  }
  return "object";
}

}  // namespace torsor
