// Reads <composite> with its <joint>, <geom> and <site>.
#include "torsor/format/mjcf/composite.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace torsor::mjcf {
namespace {

struct OldKind {
  std::string_view type, instead;
};
constexpr OldKind kOldKinds[] = {
    {"particle", "<replicate> around one body"},
    {"grid", "<flexcomp>"},
    {"rope", "the type cable"},
    {"loop", "<flexcomp>"},
    {"cloth", "<flexcomp> with a shell"},
};

constexpr int kMaxPoints = 1'000'000;  // more are taken for a typing error

constexpr Keyword kShapes[] = {
    {"0", static_cast<int>(CableSpec::Shape::kZero)},
    {"s", static_cast<int>(CableSpec::Shape::kLine)},
    {"cos(s)", static_cast<int>(CableSpec::Shape::kCos)},
    {"sin(s)", static_cast<int>(CableSpec::Shape::kSin)},
};
constexpr Keyword kInitials[] = {
    {"none", static_cast<int>(CableSpec::Initial::kNone)},
    {"free", static_cast<int>(CableSpec::Initial::kFree)},
    {"ball", static_cast<int>(CableSpec::Initial::kBall)},
};
constexpr Keyword kCableGeomTypes[] = {
    {"capsule", static_cast<int>(GeomType::kCapsule)},
    {"cylinder", static_cast<int>(GeomType::kCylinder)},
    {"box", static_cast<int>(GeomType::kBox)},
};

void read_count(CableSpec& cable, const Value& value) {
  std::array<int, 3> count = cable.count;
  if (read_numbers(count.data(), 1, 3, value, kPartial) == 0) return;
  if (count[0] < 2 || count[1] != 1 || count[2] != 1) {
    return value.fail(fmt::format("of a cable is a number of points, at least 2; got '{}'", value.text()),
                      "the numbers of the other two directions are 1, or left out");
  }
  if (count[0] > kMaxPoints) return value.fail(fmt::format("of a cable is at most {}, got {}", kMaxPoints, count[0]));
  cable.count = count;
}

void read_curve(CableSpec& cable, const Value& value) {
  std::string_view rest = value.text();
  for (std::size_t axis = 0;; ++axis) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (rest.empty()) return;
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n"));
    rest.remove_prefix(word.size());
    if (axis == 3) return value.fail("has at most three words, for x, y and z");
    const Value one(value.element(), value.name(), word, value.report());
    const auto shape = read_keyword(kShapes, one);
    if (!shape) return;
    cable.curve[axis] = static_cast<CableSpec::Shape>(*shape);
  }
}

void read_size(CableSpec& cable, const Value& value) {
  if (read_numbers(cable.size.data(), 1, 3, value, kPartial) == 0) return;
  if (cable.size[0] == 0) value.fail("starts with a length, which cannot be 0");
}

void read_vertex(CableSpec& cable, const Value& value) {
  if (!read_all_numbers(cable.vertex, value, kExact)) return;
  const std::size_t count = cable.vertex.size();
  if (count % 3 != 0 || count < 6) {
    value.fail(fmt::format("takes three numbers for each of at least two points, got {} numbers", count));
  }
}

// The quaternion is not normalised: with another length than 1, it scales the curve, as in MuJoCo.
void read_quat(CableSpec& cable, const Value& value) {
  if (read_numbers(cable.quat.data(), 4, 4, value, kExact) == 0) return;
  double square = 0;
  for (const double number : cable.quat) square += number * number;
  if (std::abs(square - 1) > 1e-3) {
    value.report().warning(value.element(), "'quat' of a cable does not have unit length, which scales the curve");
  }
}

constexpr Attribute<CableSpec> kCompositeAttributes[] = {
    {"type", {read_elsewhere}, "", "only 'cable' is supported", true},
    {"prefix", {into<&CableSpec::prefix>}, "", "prefix for all names"},
    {"count", {read_count, never_written}, "", "number of points, one more than bodies"},
    {"curve", {read_curve, never_written}, "", "x, y and z along the curve: 0, s, cos(s) or sin(s)"},
    {"size", {read_size, never_written}, "m, m, 1", "length of s, radius and half turns of cos(s) and sin(s)"},
    {"vertex", {read_vertex, never_written}, "m", "the points, instead of count and curve"},
    {"initial", keyword<&CableSpec::initial, kInitials>, "", "joint of the first body: none, free or ball"},
    {"offset", into<&CableSpec::offset>, "m", "added to all points"},
    {"quat",
     {read_quat, never_written},
     "1",
     "unit quaternion wxyz that rotates the curve, but not the points of vertex"},
};

// Rows of an element's table that composites share.
template <class T>
std::vector<Attribute<T>> pick(Table<T> table, std::initializer_list<std::string_view> names) {
  std::vector<Attribute<T>> rows;
  for (const Attribute<T>& row : table) {
    if (std::find(names.begin(), names.end(), row.name) != names.end()) rows.push_back(row);
  }
  return rows;
}

// Springs and dampers of a cable are linear.
template <auto Member>
void read_linear(JointSpec& joint, const Value& value) {
  read_numbers((joint.*Member).data(), 1, 1, value, kExact);
}

constexpr Keyword kJointKinds[] = {{"main", 0}};
void read_kind(JointSpec&, const Value& value) { read_keyword(kJointKinds, value); }

void read_limited(JointSpec&, const Value& value) {
  const auto found = read_keyword(kTristates, value);
  if (!found || static_cast<Tristate>(*found) == Tristate::kAuto) return;
  value.report().warning(value.element(), "'limited' has no effect in cables, where a range always limits");
}

constexpr Attribute<JointSpec> kJointOwnAttributes[] = {
    {"kind", {read_kind, never_written}, "", "only 'main' is supported", true},
    {"stiffness", {read_linear<&JointSpec::stiffness>, never_written}, "N m/rad", "linear spring"},
    {"damping", {read_linear<&JointSpec::damping>, never_written}, "N m s", "linear damper"},
    {"limited", {read_limited, never_written}, "", "without effect: a range always limits"},
    {"type", read_elsewhere, "", "without effect: the joints of cables are balls"},
    {"axis", read_elsewhere, "", "without effect: balls have no axis"},
    {"solreffix", read_elsewhere, "", "without effect: was for constraints that cables do not have"},
    {"solimpfix", read_elsewhere, "", "without effect: was for constraints that cables do not have"},
};

constexpr Attribute<GeomSpec> kGeomOwnAttributes[] = {
    {"type", keyword<&GeomSpec::type, kCableGeomTypes>, "", "capsule, cylinder or box", true},
};

template <class T>
std::vector<Attribute<T>> with_own(std::vector<Attribute<T>> rows, Table<T> own) {
  rows.insert(rows.end(), own.begin(), own.end());
  return rows;
}

// False after an error; for kinds of older versions, it says what to use instead.
bool check_type(const Element& element, Reader& reader) {
  const std::string_view type = element.text("type");
  if (type == "cable" || !element.has("type")) return true;
  const auto old =
      std::find_if(std::begin(kOldKinds), std::end(kOldKinds), [&](const OldKind& kind) { return kind.type == type; });
  if (old != std::end(kOldKinds)) {
    reader.report.attribute_error(element, "type",
                                  fmt::format("<composite> of type {} is no longer part of MJCF", type),
                                  fmt::format("use {} instead", old->instead));
  } else {
    reader.report.attribute_error(element, "type", fmt::format("unknown type '{}' of <composite>", type),
                                  "the only type is cable");
  }
  return false;
}

void read_parts(const Element& element, CableSpec& cable, Reader& reader) {
  const std::string path = "mujoco/worldbody/body/composite";
  bool has_geom = false;
  check_unique_children(element, reader);
  for (const Element& child : element) {
    if (child.name() == "joint") {
      read_attributes(child, cable.joint, reader.report, composite_joint_attributes());
      cable.joint.location = child.where();
    } else if (child.name() == "geom") {
      has_geom = true;
      read_attributes(child, cable.geom, reader.report, composite_geom_attributes());
      cable.geom.location = child.where();
    } else if (child.name() == "site") {
      read_attributes(child, cable.site, reader.report, composite_site_attributes());
      cable.site.location = child.where();
    } else {
      reader.reject(child, path);
      continue;
    }
    reader.reject_children(child, path + "/" + std::string(child.name()));
  }
  if (!has_geom) reader.report.error(element, "a cable needs a <geom>: a capsule, cylinder or box");
}

// The points, or nothing after an error.
Points find_points(const Element& element, const CableSpec& cable, Reader& reader) {
  const bool has_vertex = element.has("vertex");
  if (has_vertex) {
    check_exclusive(element, reader.report, {"vertex", "count"});
    for (const char* name : {"curve", "size", "quat"}) {
      if (element.has(name)) reader.report.warning(element, fmt::format("'{}' has no effect on given points", name));
    }
  } else if (!element.has("count") || !element.has("curve")) {
    reader.report.error(element, "a cable needs the attributes count and curve, or vertex");
    return {};
  }
  constexpr int kElementsPerPoint = 4;  // body, joint, geom, exclude
  const Count count = has_vertex ? Count(cable.vertex.size() / 3) : Count(cable.count[0]);
  reader.budget.take_elements(count * Count(kElementsPerPoint), element.where(), "<composite>", reader.report);
  Points points = make_points(cable);
  if (points.size() < 2) return {};  // already reported
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3<float> edge = points[i + 1] - points[i];
    if (norm(Vec3<double>{edge.x, edge.y, edge.z}) > 1e-14) continue;
    reader.report.error(element, fmt::format("points {} and {} of the cable coincide", i + 1, i + 2),
                        has_vertex ? "" : "choose curve and size such that successive points differ");
    return {};
  }
  return points;
}

}  // namespace

Table<CableSpec> composite_attributes() { return kCompositeAttributes; }

Table<GeomSpec> composite_geom_attributes() {
  static const std::vector<Attribute<GeomSpec>> rows =
      with_own(pick(geom_attributes(),
                    {"size", "contype", "conaffinity", "condim", "group", "priority", "friction", "solmix", "solref",
                     "solimp", "margin", "gap", "adhesion", "material", "rgba", "density", "mass", "surfacevel"}),
               Table<GeomSpec>(kGeomOwnAttributes));
  return rows;
}

Table<JointSpec> composite_joint_attributes() {
  static const std::vector<Attribute<JointSpec>> rows =
      with_own(pick(joint_attributes(), {"group", "range", "margin", "armature", "frictionloss", "solreflimit",
                                         "solimplimit", "solreffriction", "solimpfriction"}),
               Table<JointSpec>(kJointOwnAttributes));
  return rows;
}

Table<SiteSpec> composite_site_attributes() {
  static const std::vector<Attribute<SiteSpec>> rows = pick(site_attributes(), {"group", "size", "material", "rgba"});
  return rows;
}

void read_composite(const Element& element, int body, int frame, Reader& reader) {
  if (!check_type(element, reader)) return;
  CableSpec cable;
  cable.location = element.where();
  for (ElementSpec* part : {static_cast<ElementSpec*>(&cable.joint), static_cast<ElementSpec*>(&cable.geom),
                            static_cast<ElementSpec*>(&cable.site)}) {
    part->location = cable.location;
  }
  cable.joint.type = JointType::kBall;
  cable.joint.group = cable.site.group = 3;
  read_attributes(element, cable, reader.report, composite_attributes());
  read_parts(element, cable, reader);
  const Points points = find_points(element, cable, reader);
  if (points.empty()) return;
  if (cable.geom.type == GeomType::kBox) {
    reader.report.warning(element, "the skin that MuJoCo draws over a cable of boxes is left out");
  }
  add_cable(cable, points, body, frame, reader.spec);
}

}  // namespace torsor::mjcf
