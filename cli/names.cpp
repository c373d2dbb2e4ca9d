// Names of objects and of the kinds they are of.
#include "cli/names.hpp"

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "cli/terminal.hpp"

namespace torsor::cli {

std::string name_or_number(const Model& model, ObjectType type, int id) {
  const std::string_view name = model.name(type, id);
  return name.empty() ? fmt::format("#{}", id) : std::string(name);
}

std::string display_name(const Model& model, ObjectType type, int id) {
  const std::string_view name = model.name(type, id);
  return name.empty() ? fmt::format("#{}", id) : fmt::format("'{}'", printable(name));
}

std::string describe_size(const Model& model) {
  return fmt::format("{}, {}, {}", format_plural(model.nbody, "body", "bodies"),
                     format_plural(model.njnt, "joint", "joints"), format_plural(model.nv, "dof", "dofs"));
}

const char* name_of(JointType type) {
  switch (type) {
    case JointType::kFree:
      return "free";
    case JointType::kBall:
      return "ball";
    case JointType::kSlide:
      return "slide";
    case JointType::kHinge:
      return "hinge";
  }
  return "?";
}

const char* name_of(GeomType type) {
  switch (type) {
    case GeomType::kPlane:
      return "plane";
    case GeomType::kHfield:
      return "hfield";
    case GeomType::kSphere:
      return "sphere";
    case GeomType::kCapsule:
      return "capsule";
    case GeomType::kEllipsoid:
      return "ellipsoid";
    case GeomType::kCylinder:
      return "cylinder";
    case GeomType::kBox:
      return "box";
    case GeomType::kMesh:
      return "mesh";
    case GeomType::kSdf:
      return "sdf";
    case GeomType::kCone:
      return "cone";
  }
  return "?";
}

const char* name_of(ObjectType type) { return type == ObjectType::kUnknown ? "?" : word_of(type); }

}  // namespace torsor::cli
