// Words for kinds of elements.
#include "torsor/model/object_words.hpp"

#include <algorithm>
#include <iterator>

namespace torsor {
namespace {

struct TypeName {
  const char* name;
  ObjectType type;
};
constexpr TypeName kTypeNames[] = {
    {"body", ObjectType::kBody},         {"xbody", ObjectType::kXBody},     {"joint", ObjectType::kJoint},
    {"geom", ObjectType::kGeom},         {"site", ObjectType::kSite},       {"camera", ObjectType::kCamera},
    {"light", ObjectType::kLight},       {"mesh", ObjectType::kMesh},       {"skin", ObjectType::kSkin},
    {"hfield", ObjectType::kHfield},     {"texture", ObjectType::kTexture}, {"material", ObjectType::kMaterial},
    {"numeric", ObjectType::kNumeric},   {"text", ObjectType::kText},       {"tuple", ObjectType::kTuple},
    {"key", ObjectType::kKey},           {"pair", ObjectType::kPair},       {"exclude", ObjectType::kExclude},
    {"equality", ObjectType::kEquality}, {"tendon", ObjectType::kTendon},   {"actuator", ObjectType::kActuator},
    {"sensor", ObjectType::kSensor},
};

}  // namespace

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
    case ObjectType::kSkin:
      return "skin";
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

ObjectType object_of_word(std::string_view word) {
  const auto* found = std::find_if(std::begin(kTypeNames), std::end(kTypeNames),
                                   [&word](const TypeName& candidate) { return word == candidate.name; });
  return found == std::end(kTypeNames) ? ObjectType::kUnknown : found->type;
}

}  // namespace torsor
