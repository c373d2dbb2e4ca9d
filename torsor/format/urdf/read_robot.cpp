// From the elements of a URDF file to a Robot.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include <fmt/format.h>

#include "torsor/format/mjcf/value.hpp"
#include "torsor/format/urdf/urdf.hpp"

namespace torsor::urdf {
namespace {

using mjcf::Element;

constexpr mjcf::Keyword kJointKinds[] = {
    {"revolute", static_cast<int>(JointKind::kRevolute)},   {"continuous", static_cast<int>(JointKind::kContinuous)},
    {"prismatic", static_cast<int>(JointKind::kPrismatic)}, {"fixed", static_cast<int>(JointKind::kFixed)},
    {"floating", static_cast<int>(JointKind::kFloating)},   {"planar", static_cast<int>(JointKind::kPlanar)},
    {"spherical", static_cast<int>(JointKind::kSpherical)}, {"ball", static_cast<int>(JointKind::kSpherical)},
};

class RobotReader {
 public:
  explicit RobotReader(mjcf::Report& report) : report_(report) {}

  Robot read(const Element& root) {
    Robot robot;
    robot.where = root.where();
    take_attributes(root, {"name", "version", "xmlns:xacro"});
    read_name(root, robot.name);
    for (const Element& child : root) {
      if (child.name() == "material") read_global_material(child, robot);
    }
    for (const Element& child : root) {
      if (child.name() == "link")
        robot.links.push_back(read_link(child));
      else if (child.name() == "joint")
        robot.joints.push_back(read_joint(child));
      else if (child.name() != "material" && child.name() != "mujoco")
        ignore(child);
    }
    settle_materials(robot);
    return robot;
  }

 private:
  // URDF is extended by everybody: what is not known is named once and left out.
  void ignore(const Element& element) {
    if (warned_.insert(std::string(element.name())).second)
      report_.warning(element,
                      fmt::format("<{}> is left out: it is not a part of URDF that is simulated", element.name()));
  }

  void take_attributes(const Element& element, std::initializer_list<std::string_view> known) {
    for (const pugi::xml_attribute attribute : element.node.attributes()) {
      const std::string_view name = attribute.name();
      if (std::find(known.begin(), known.end(), name) != known.end() || name.starts_with("xmlns")) continue;
      const std::vector<std::string> names(known.begin(), known.end());
      const std::string nearest = mjcf::suggest(name, names);
      report_.warning(element.where(name), fmt::format("unknown attribute '{}' of <{}> is left out{}", name,
                                                       element.name(), nearest.empty() ? "" : ": " + nearest));
    }
  }

  template <class T>
  bool take(const Element& element, const char* attribute, T& out, int flags = mjcf::kExact) {
    if (!element.has(attribute)) return false;
    mjcf::read_value(out, mjcf::Value(element, attribute, element.text(attribute), report_), flags);
    return true;
  }
  template <class T>
  void need(const Element& element, const char* attribute, T& out) {
    if (!take(element, attribute, out))
      report_.error(element, fmt::format("<{}> needs the attribute '{}'", element.name(), attribute));
  }
  void need_positive(const Element& element, const char* attribute, double& out) {
    need(element, attribute, out);
    if (element.has(attribute) && !(out > 0)) report_.attribute_error(element, attribute, "must be positive");
  }

  void read_name(const Element& element, std::string& out) { take(element, "name", out); }

  const Element* only_child(const Element& element, std::string_view name) {
    const Element* found = nullptr;
    for (const Element& child : element) {
      if (child.name() != name) continue;
      if (found) report_.error(child, fmt::format("<{}> has more than one <{}>", element.name(), name));
      found = &child;
    }
    return found;
  }

  void ignore_others(const Element& element, std::initializer_list<std::string_view> known) {
    for (const Element& child : element) {
      if (std::find(known.begin(), known.end(), child.name()) == known.end()) ignore(child);
    }
  }

  Origin read_origin(const Element& element) {
    Origin origin;
    if (const Element* child = only_child(element, "origin")) {
      take_attributes(*child, {"xyz", "rpy"});
      take(*child, "xyz", origin.xyz);
      take(*child, "rpy", origin.rpy);
    }
    return origin;
  }

  Link read_link(const Element& element) {
    Link link{.where = element.where(), .name = {}, .inertial = {}, .visuals = {}, .collisions = {}};
    take_attributes(element, {"name", "type"});
    need(element, "name", link.name);
    if (const Element* inertial = only_child(element, "inertial")) link.inertial = read_inertial(*inertial);
    for (const Element& child : element) {
      if (child.name() == "visual") link.visuals.push_back(read_shape(child));
      if (child.name() == "collision") link.collisions.push_back(read_shape(child));
    }
    ignore_others(element, {"inertial", "visual", "collision"});
    return link;
  }

  Inertial read_inertial(const Element& element) {
    Inertial inertial{.origin = read_origin(element)};
    if (const Element* mass = only_child(element, "mass")) {
      need(*mass, "value", inertial.mass);
      if (!(inertial.mass >= 0)) report_.attribute_error(*mass, "value", "must not be negative");
    } else {
      report_.error(element, "<inertial> needs a <mass>");
    }
    if (const Element* inertia = only_child(element, "inertia")) {
      const char* names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
      take_attributes(*inertia, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
      for (size_t k = 0; k < 6; ++k) {
        const bool is_diagonal = k == 0 || k == 3 || k == 5;
        if (!take(*inertia, names[k], inertial.inertia[k]) && is_diagonal)
          report_.error(*inertia, fmt::format("<inertia> needs the attribute '{}'", names[k]));
      }
    } else {
      report_.error(element, "<inertial> needs an <inertia>");
    }
    ignore_others(element, {"origin", "mass", "inertia"});
    return inertial;
  }

  Shape read_shape(const Element& element) {
    Shape shape;
    shape.where = element.where();
    read_name(element, shape.name);
    shape.origin = read_origin(element);
    if (const Element* material = only_child(element, "material")) read_material(*material, shape);
    const Element* geometry = only_child(element, "geometry");
    if (geometry)
      read_geometry(*geometry, shape);
    else
      report_.error(element, fmt::format("<{}> needs a <geometry>", element.name()));
    ignore_others(element, {"origin", "material", "geometry"});
    return shape;
  }

  void read_geometry(const Element& geometry, Shape& shape) {
    const Element* form = geometry.first_child;
    if (!form || form->next)
      return report_.error(geometry, "<geometry> has one shape: box, cylinder, sphere, capsule or mesh");
    const std::string_view name = form->name();
    if (name == "box") {
      shape.type = ShapeType::kBox;
      need(*form, "size", shape.size);
      if (!(std::min({shape.size[0], shape.size[1], shape.size[2]}) > 0))
        report_.attribute_error(*form, "size", "must be positive");
    } else if (name == "sphere") {
      shape.type = ShapeType::kSphere;
      need_positive(*form, "radius", shape.size[0]);
    } else if (name == "cylinder" || name == "capsule") {
      shape.type = name == "cylinder" ? ShapeType::kCylinder : ShapeType::kCapsule;
      need_positive(*form, "radius", shape.size[0]);
      need_positive(*form, "length", shape.size[1]);
    } else if (name == "mesh") {
      shape.type = ShapeType::kMesh;
      need(*form, "filename", shape.file);
      read_scale(*form, shape.scale);
    } else {
      report_.error(*form, fmt::format("<{}> is not a shape of URDF: box, cylinder, sphere, capsule, mesh", name));
    }
  }

  // One number for all three axes is written by several exporters.
  void read_scale(const Element& element, Number3& scale) {
    if (!element.has("scale")) return;
    std::vector<double> numbers;
    const mjcf::Value value(element, "scale", element.text("scale"), report_);
    if (!mjcf::read_all_numbers(numbers, value, mjcf::kExact)) return;
    if (numbers.size() == 1) numbers.assign(3, numbers[0]);
    if (numbers.size() != 3) return value.fail(fmt::format("takes 3 numbers, got {}", numbers.size()));
    if (numbers[0] * numbers[1] * numbers[2] == 0) return value.fail("must not be 0");
    std::copy(numbers.begin(), numbers.end(), scale.begin());
  }

  void read_color(const Element& material, std::optional<Float4>& rgba) {
    if (const Element* color = only_child(material, "color")) need(*color, "rgba", rgba.emplace());
    ignore_others(material, {"color"});
  }
  void read_material(const Element& element, Shape& shape) {
    read_name(element, shape.material);
    read_color(element, shape.rgba);
  }
  void read_global_material(const Element& element, Robot& robot) {
    std::string name;
    std::optional<Float4> rgba;
    need(element, "name", name);
    read_color(element, rgba);
    if (rgba) robot.materials[name] = *rgba;
  }

  // A material that one shape defines is known to all.
  static void settle_materials(Robot& robot) {
    const auto each = [&](auto&& visit) {
      for (Link& link : robot.links) {
        for (Shape& shape : link.visuals) visit(shape);
        for (Shape& shape : link.collisions) visit(shape);
      }
    };
    each([&](const Shape& shape) {
      if (shape.rgba && !shape.material.empty()) robot.materials.emplace(shape.material, *shape.rgba);
    });
    each([&](Shape& shape) {
      const auto known = robot.materials.find(shape.material);
      if (!shape.rgba && known != robot.materials.end()) shape.rgba = known->second;
    });
  }

  std::string read_reference(const Element& joint, const char* name) {
    std::string link;
    if (const Element* child = only_child(joint, name))
      need(*child, "link", link);
    else
      report_.error(joint, fmt::format("<joint> needs a <{}>", name));
    return link;
  }

  Joint read_joint(const Element& element) {
    Joint joint;
    joint.where = element.where();
    take_attributes(element, {"name", "type"});
    need(element, "name", joint.name);
    std::string kind;
    need(element, "type", kind);
    if (!kind.empty()) {
      if (const auto found =
              mjcf::read_keyword(kJointKinds, mjcf::Value(element, "type", element.text("type"), report_)))
        joint.kind = static_cast<JointKind>(*found);
    }
    joint.parent = read_reference(element, "parent");
    joint.child = read_reference(element, "child");
    joint.origin = read_origin(element);
    if (const Element* axis = only_child(element, "axis")) read_axis(*axis, joint);
    if (const Element* limit = only_child(element, "limit")) read_limit(*limit, joint);
    if (const Element* dynamics = only_child(element, "dynamics")) read_dynamics(*dynamics, joint);
    if (const Element* mimic = only_child(element, "mimic")) read_mimic(*mimic, joint);
    if (!joint.range && (joint.kind == JointKind::kRevolute || joint.kind == JointKind::kPrismatic))
      report_.warning(
          element, fmt::format("joint '{}' has no limits: URDF asks for <limit> with 'lower' and 'upper'", joint.name));
    ignore_others(element, {"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"});
    return joint;
  }

  void read_axis(const Element& element, Joint& joint) {
    need(element, "xyz", joint.axis);
    const double length = std::hypot(joint.axis[0], joint.axis[1], joint.axis[2]);
    if (length > 1e-10) {
      for (double& x : joint.axis) x /= length;
    } else if (joint.kind != JointKind::kFixed && joint.kind != JointKind::kFloating) {
      report_.attribute_error(element, "xyz", "must not be zero");
    }
  }

  void read_limit(const Element& element, Joint& joint) {
    take_attributes(element, {"lower", "upper", "effort", "velocity"});
    Number2 range{0, 0};
    const bool has_lower = take(element, "lower", range[0], mjcf::kInfinite);
    const bool has_upper = take(element, "upper", range[1], mjcf::kInfinite);
    take(element, "effort", joint.effort, mjcf::kInfinite);
    if (!(joint.effort >= 0)) report_.attribute_error(element, "effort", "must not be negative");
    if (element.has("effort")) joint.most_effort = joint.effort;
    if (double velocity = 0; take(element, "velocity", velocity, mjcf::kInfinite)) joint.most_velocity = velocity;
    if (joint.most_velocity && !(*joint.most_velocity >= 0))
      report_.attribute_error(element, "velocity", "must not be negative");
    const bool turns_freely = joint.kind == JointKind::kContinuous;
    if (turns_freely || (!has_lower && !has_upper)) return;
    if (range[0] > range[1])
      return report_.attribute_error(element, "lower",
                                     fmt::format("is {}, above 'upper', which is {}", range[0], range[1]));
    joint.range = range;
  }

  void read_dynamics(const Element& element, Joint& joint) {
    take_attributes(element, {"damping", "friction"});
    take(element, "damping", joint.damping);
    take(element, "friction", joint.friction);
    if (!(joint.damping >= 0)) report_.attribute_error(element, "damping", "must not be negative");
    if (!(joint.friction >= 0)) report_.attribute_error(element, "friction", "must not be negative");
  }

  void read_mimic(const Element& element, Joint& joint) {
    take_attributes(element, {"joint", "multiplier", "offset"});
    Mimic mimic{.where = element.where(), .joint = {}};
    need(element, "joint", mimic.joint);
    take(element, "multiplier", mimic.multiplier);
    take(element, "offset", mimic.offset);
    joint.mimic = mimic;
  }

  mjcf::Report& report_;
  std::set<std::string> warned_;
};

}  // namespace

Robot read_robot(const Element& root, mjcf::Report& report) { return RobotReader(report).read(root); }

}  // namespace torsor::urdf
