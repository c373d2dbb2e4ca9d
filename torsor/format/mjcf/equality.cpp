// <equality>: connect, weld, joint and tendon.
#include "torsor/format/mjcf/equality.hpp"

#include <fmt/format.h>

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

using Row = Attribute<EqualitySpec>;

template <ObjectType kType>
constexpr auto first = object<&EqualitySpec::object1, &EqualitySpec::objtype, kType>;
template <ObjectType kType>
constexpr auto second = object<&EqualitySpec::object2, &EqualitySpec::objtype, kType>;

constexpr Row kCommonRows[] = {
    {"active", into<&EqualitySpec::active>, "", "whether it is active initially"},
    {"solref", into<&EqualitySpec::solref, kPartial>, "", "constraint reference"},
    {"solimp", into<&EqualitySpec::solimp, kPartial>, "", "constraint impedance"},
    {"sapstiffness", into<&EqualitySpec::sapstiffness>, "N/m | N m/rad",
     "SAP: stiffness, otherwise near-rigid; Torsor extension"},
    {"sapdissipation", into<&EqualitySpec::sapdissipation>, "s",
     "SAP: dissipation time, otherwise one step; Torsor extension"},
};

constexpr Row kConnectRows[] = {
    {"body1", first<ObjectType::kBody>, "", "body that is held"},
    {"body2", second<ObjectType::kBody>, "", "body that it is held at; without one, the world"},
    {"anchor", into<&EqualitySpec::anchor>, "m", "common point, in the frame of body 1"},
    {"site1", first<ObjectType::kSite>, "", "instead of body1 and anchor: first site"},
    {"site2", second<ObjectType::kSite>, "", "instead of body2: second site"},
};

constexpr Row kWeldRows[] = {
    {"body1", first<ObjectType::kBody>, "", "body that is held"},
    {"body2", second<ObjectType::kBody>, "", "body that it is held at; without one, the world"},
    {"relpose", into<&EqualitySpec::relpose>, "m | 1",
     "pose of body 2 in the frame of body 1, position and wxyz; quaternion 0: as in the reference pose"},
    {"anchor", into<&EqualitySpec::anchor>, "m", "point where translation is measured, in the frame of body 2"},
    {"site1", first<ObjectType::kSite>, "", "instead of bodies and poses: first site"},
    {"site2", second<ObjectType::kSite>, "", "instead of bodies and poses: second site"},
    {"torquescale", into<&EqualitySpec::torquescale>, "m", "weight of rotation relative to translation"},
};

constexpr Row kJointRows[] = {
    {"joint1", first<ObjectType::kJoint>, "", "hinge or slide joint that is driven", true},
    {"joint2", second<ObjectType::kJoint>, "", "joint that it follows; default: none, it is held still"},
    {"polycoef", into<&EqualitySpec::polycoef, kPartial>, "",
     "polynomial from the offset of joint 2 to that of joint 1, constant first"},
};

constexpr Row kTendonRows[] = {
    {"tendon1", first<ObjectType::kTendon>, "", "tendon whose length is driven", true},
    {"tendon2", second<ObjectType::kTendon>, "", "tendon that it follows; default: none, its length is held"},
    {"polycoef", into<&EqualitySpec::polycoef, kPartial>, "",
     "polynomial from the change of length of tendon 2 to that of tendon 1, constant first"},
};

constexpr EqualityKind kKinds[] = {
    {"connect", EqualityType::kConnect, ObjectType::kBody, kConnectRows},
    {"weld", EqualityType::kWeld, ObjectType::kBody, kWeldRows},
    {"joint", EqualityType::kJoint, ObjectType::kJoint, kJointRows},
    {"tendon", EqualityType::kTendon, ObjectType::kTendon, kTendonRows},
};

// Either bodies with points or poses in their frames, or two sites.
void check_form(const Element& element, EqualityType type, Report& report) {
  const bool is_connect = type == EqualityType::kConnect;
  for (const char* site : {"site1", "site2"}) {
    for (const char* other : {"body1", "body2", "anchor", "relpose"}) check_exclusive(element, report, {other, site});
  }
  const bool has_sites = element.has("site1") || element.has("site2");
  if (has_sites ? element.has("site1") && element.has("site2")
                : element.has("body1") && (element.has("anchor") || !is_connect))
    return;
  report.error(element, fmt::format("{} needs {}, or site1 and site2", element.name(),
                                    is_connect ? "body1 and anchor" : "body1"));
}

void read_one(const Element& element, const EqualityKind& kind, Reader& reader) {
  EqualitySpec equality = reader.make_element(element, &DefaultSpec::equality, 0);
  equality.type = kind.type;
  equality.objtype = kind.objtype;
  read_attributes(element, equality, reader.report, name_attribute(), class_attribute(), equality_attributes(),
                  kind.rows);
  if (kind.objtype == ObjectType::kBody) check_form(element, kind.type, reader.report);
  reader.reject_children(element, "mujoco/equality/" + std::string(kind.name));
  if (kind.type == EqualityType::kTendon && reader.ignores("tendon")) return reader.note_ignored(element, "tendon");
  reader.spec.equalities.push_back(std::move(equality));
}

}  // namespace

Table<EqualitySpec> equality_attributes() { return kCommonRows; }
std::span<const EqualityKind> equality_kinds() { return kKinds; }

void read_equality(const Element& element, Reader& reader) {
  if (reader.ignores("equality")) return reader.note_ignored(element, "equality");
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    const EqualityKind* known = nullptr;
    for (const EqualityKind& kind : kKinds) {
      if (kind.name == child.name()) known = &kind;
    }
    if (known)
      read_one(child, *known, reader);
    else
      reader.reject(child, "mujoco/equality");
  }
}

}  // namespace torsor::mjcf
