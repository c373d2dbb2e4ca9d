// Writes contacts and equalities.
#include "torsor/format/mjcf/equality.hpp"
#include "torsor/format/mjcf/writer.hpp"

namespace torsor::mjcf {

void write_contact(Node root, const Writer& writer) {
  if (writer.spec.pairs.empty() && writer.spec.excludes.empty()) return;
  const Node node = append_child(root, "contact");
  for (const PairSpec& pair : writer.spec.pairs)
    writer.write_element(node, "pair", pair, &DefaultSpec::pair, 0, pair_own_attributes(), pair_attributes());
  for (const ExcludeSpec& exclude : writer.spec.excludes)
    write_attributes(append_child(node, "exclude"), exclude, ExcludeSpec{}, name_attribute(), exclude_attributes());
}

void write_equalities(Node root, const Writer& writer) {
  if (writer.spec.equalities.empty()) return;
  const Node node = append_child(root, "equality");
  for (const EqualitySpec& equality : writer.spec.equalities) {
    for (const EqualityKind& kind : equality_kinds()) {
      if (kind.type != equality.type) continue;
      Node child =
          writer.write_element(node, kind.name, equality, &DefaultSpec::equality, 0, kind.rows, equality_attributes());
      const bool needs_anchor = kind.type == EqualityType::kConnect && equality.objtype == ObjectType::kBody;
      if (needs_anchor && !child.attribute("anchor")) set_attribute(child, "anchor", text_of(equality.anchor));
    }
  }
}

}  // namespace torsor::mjcf
