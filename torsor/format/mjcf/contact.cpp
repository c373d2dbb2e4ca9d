// <contact>: pairs of geoms with contact parameters of their own, and pairs of bodies that do not collide.
#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

constexpr Attribute<PairSpec> kPairAttributes[] = {
    {"condim", into<&PairSpec::condim>, "", "dimensions of the contact force: 1, 3, 4 or 6"},
    {"friction", into<&PairSpec::friction, kPartial>, "1 | m | m", "friction: two tangential, torsional, two rolling"},
    {"solref", into<&PairSpec::solref, kPartial>, "", "constraint reference"},
    {"solreffriction", into<&PairSpec::solreffriction, kPartial>, "",
     "constraint reference of friction in elliptic cones; 0: as solref"},
    {"solimp", into<&PairSpec::solimp, kPartial>, "", "constraint impedance"},
    {"margin", into<&PairSpec::margin>, "m", "distance below which contacts exert force"},
    {"gap", into<&PairSpec::gap>, "m", "distance beyond the margin at which contacts are detected"},
    {"adhesion", into<&PairSpec::adhesion>, "N", "adhesive force"},
    {"sapstiffness", into<&PairSpec::sapstiffness>, "N/m", "SAP: stiffness; Torsor extension"},
    {"sapdissipation", into<&PairSpec::sapdissipation>, "s", "SAP: dissipation time; Torsor extension"},
};

constexpr Attribute<PairSpec> kPairOwnAttributes[] = {
    {"geom1", into<&PairSpec::geom1>, "", "one geom", true},
    {"geom2", into<&PairSpec::geom2>, "", "the other", true},
};

constexpr Attribute<ExcludeSpec> kExcludeAttributes[] = {
    {"body1", into<&ExcludeSpec::body1>, "", "one body", true},
    {"body2", into<&ExcludeSpec::body2>, "", "the other", true},
};

void read_pair(const Element& element, Reader& reader) {
  PairSpec pair = reader.make_element(element, &DefaultSpec::pair, 0);
  read_attributes(element, pair, reader.report, name_attribute(), class_attribute(), pair_attributes(),
                  pair_own_attributes());
  reader.reject_children(element, "mujoco/contact/pair");
  reader.spec.pairs.push_back(std::move(pair));
}

void read_exclude(const Element& element, Reader& reader) {
  ExcludeSpec exclude;
  exclude.location = element.where();
  read_attributes(element, exclude, reader.report, name_attribute(), exclude_attributes());
  reader.reject_children(element, "mujoco/contact/exclude");
  reader.spec.excludes.push_back(std::move(exclude));
}

}  // namespace

Table<PairSpec> pair_attributes() { return kPairAttributes; }
Table<PairSpec> pair_own_attributes() { return kPairOwnAttributes; }
Table<ExcludeSpec> exclude_attributes() { return kExcludeAttributes; }

void read_contact(const Element& element, Reader& reader) {
  if (reader.ignores("contact")) return reader.note_ignored(element, "contact");
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    if (child.name() == "pair")
      read_pair(child, reader);
    else if (child.name() == "exclude")
      read_exclude(child, reader);
    else
      reader.reject(child, "mujoco/contact");
  }
}

}  // namespace torsor::mjcf
