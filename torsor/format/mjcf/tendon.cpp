// <tendon>: fixed tendons over joints, spatial tendons over sites, geoms and pulleys.
#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

// A single number means a spring without dead band.
void read_springlength(TendonSpec& tendon, const Value& value) {
  Number2 lengths{};
  const int count = read_numbers(lengths.data(), 1, 2, value, kExact);
  if (count > 0) tendon.springlength = {lengths[0], count == 1 ? lengths[0] : lengths[1]};
}

// What default classes can set and both kinds have.
constexpr Attribute<TendonSpec> kTendonAttributes[] = {
    {"group", into<&TendonSpec::group>, "", "group for visibility"},
    {"limited", into<&TendonSpec::limited>, "", "whether range is enforced; auto: if a range is given"},
    {"range", into<&TendonSpec::range, kInfinite>, "m | rad", "limits of the length"},
    {"margin", into<&TendonSpec::margin>, "m | rad", "distance to the limit at which it becomes active"},
    {"springlength",
     {read_springlength, written<&TendonSpec::springlength>},
     "m | rad",
     "length at which the spring is at rest, or the two ends of its dead band; -1: the length at the springs' "
     "reference"},
    {"springyield", into<&TendonSpec::springyield>, "m | rad",
     "displacement outside of the dead band at which the spring yields and the band moves for good; 0: elastic"},
    {"stiffness", into<&TendonSpec::stiffness, kPartial>, "N/m | N m/rad",
     "spring: linear, quadratic, cubic coefficient"},
    {"damping", into<&TendonSpec::damping, kPartial>, "N s/m | N m s", "damper: linear, quadratic, cubic coefficient"},
    {"frictionloss", into<&TendonSpec::frictionloss>, "N | N m", "dry friction"},
    {"armature", into<&TendonSpec::armature>, "kg | kg m^2", "inertia associated with changes of length"},
    {"actuatorfrclimited", into<&TendonSpec::actfrclimited>, "",
     "whether actuatorfrcrange is enforced; auto: if a range is given"},
    {"actuatorfrcrange", into<&TendonSpec::actfrcrange, kInfinite>, "N | N m", "limits of the actuators' total force"},
    {"solreflimit", into<&TendonSpec::solref_limit, kPartial>, "", "constraint reference of the limit"},
    {"solimplimit", into<&TendonSpec::solimp_limit, kPartial>, "", "constraint impedance of the limit"},
    {"sapstiffness", into<&TendonSpec::sapstiffness>, "N/m | N m/rad",
     "SAP: stiffness of the limit, otherwise near-rigid; Torsor extension"},
    {"sapdissipation", into<&TendonSpec::sapdissipation>, "s",
     "SAP: dissipation time of the limit, otherwise one step; Torsor extension"},
    {"solreffriction", into<&TendonSpec::solref_friction, kPartial>, "", "constraint reference of dry friction"},
    {"solimpfriction", into<&TendonSpec::solimp_friction, kPartial>, "", "constraint impedance of dry friction"},
    {"user", into<&TendonSpec::user, kInfinite>, "", "user data"},
};

// How a tendon is drawn: spatial tendons, and default classes.
constexpr Attribute<TendonSpec> kLookAttributes[] = {
    {"width", into<&TendonSpec::width>, "m", "width for drawing"},
    {"material", into<&TendonSpec::material>, "", "material"},
    {"rgba", into<&TendonSpec::rgba>, "1", "colour, if there is no material"},
};

constexpr Attribute<WrapSpec> kJointAttributes[] = {
    {"joint", into<&WrapSpec::target>, "", "hinge or slide joint", true},
    {"coef", into<&WrapSpec::number>, "1", "coefficient of its coordinate in the length", true},
};
constexpr Attribute<WrapSpec> kSiteAttributes[] = {
    {"site", into<&WrapSpec::target>, "", "site that the path goes through", true},
};
constexpr Attribute<WrapSpec> kGeomAttributes[] = {
    {"geom", into<&WrapSpec::target>, "", "sphere or cylinder that the path wraps around", true},
    {"sidesite", into<&WrapSpec::sidesite>, "",
     "site on the side where the path passes; inside the geom: the path goes through"},
};
constexpr Attribute<WrapSpec> kPulleyAttributes[] = {
    {"divisor", into<&WrapSpec::number>, "1", "divisor of the length of the branch that follows", true},
};

struct PathElement {
  std::string_view name;
  WrapSpec::Kind kind;
  bool in_spatial;
};
constexpr PathElement kPathElements[] = {
    {"joint", WrapSpec::Kind::kJoint, false},
    {"site", WrapSpec::Kind::kSite, true},
    {"geom", WrapSpec::Kind::kGeom, true},
    {"pulley", WrapSpec::Kind::kPulley, true},
};

const PathElement* find_path_element(std::string_view name, bool spatial) {
  for (const PathElement& element : kPathElements) {
    if (element.name == name && element.in_spatial == spatial) return &element;
  }
  return nullptr;
}

void read_path(const Element& element, const std::string& path, TendonSpec& tendon, Reader& reader) {
  for (const Element& child : element) {
    const PathElement* known = find_path_element(child.name(), tendon.spatial);
    if (!known) {
      reader.reject(child, path);
      continue;
    }
    WrapSpec wrap;
    wrap.kind = known->kind;
    wrap.location = child.where();
    read_attributes(child, wrap, reader.report, wrap_attributes(wrap.kind));
    reader.reject_children(child, path + "/" + std::string(child.name()));
    tendon.path.push_back(std::move(wrap));
  }
}

void read_one(const Element& element, bool spatial, Reader& reader) {
  TendonSpec tendon = reader.make_element(element, &DefaultSpec::tendon, 0);
  tendon.spatial = spatial;
  if (spatial)
    read_attributes(element, tendon, reader.report, name_attribute(), class_attribute(), tendon_attributes(),
                    tendon_look_attributes());
  else
    read_attributes(element, tendon, reader.report, name_attribute(), class_attribute(), tendon_attributes());
  read_path(element, spatial ? "mujoco/tendon/spatial" : "mujoco/tendon/fixed", tendon, reader);
  reader.spec.tendons.push_back(std::move(tendon));
}

}  // namespace

Table<TendonSpec> tendon_attributes() { return kTendonAttributes; }
Table<TendonSpec> tendon_look_attributes() { return kLookAttributes; }

Table<WrapSpec> wrap_attributes(WrapSpec::Kind kind) {
  switch (kind) {
    case WrapSpec::Kind::kJoint:
      return kJointAttributes;
    case WrapSpec::Kind::kSite:
      return kSiteAttributes;
    case WrapSpec::Kind::kGeom:
      return kGeomAttributes;
    case WrapSpec::Kind::kPulley:
      break;
  }
  return kPulleyAttributes;
}

void read_tendon(const Element& element, Reader& reader) {
  if (reader.ignores("tendon")) return reader.note_ignored(element, "tendon");
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    if (child.name() == "spatial" || child.name() == "fixed")
      read_one(child, child.name() == "spatial", reader);
    else
      reader.reject(child, "mujoco/tendon");
  }
}

}  // namespace torsor::mjcf
