// Collects the names in one walk over the tree.
#include "torsor/compile/targets.hpp"

#include "torsor/compile/names.hpp"

namespace torsor::compiler {

Targets list_targets(const Draft& draft, const Tree& tree) {
  Targets targets;
  int dof = 0;
  for (int b = 0; b < tree.nbody(); ++b) {
    const BodyDraft& body = draft.bodies[at(tree.order[at(b)])];
    for (const JointDraft& joint : body.joints) {
      targets.joints.push_back({&joint, b, dof});
      dof += dof_count(joint.spec->type);
    }
    targets.site_bodies.insert(targets.site_bodies.end(), body.sites.size(), b);
    for (const GeomDraft& geom : body.geoms)
      targets.geoms.push_back({geom.spec->type, b, geom.spec->contype != 0 || geom.spec->conaffinity != 0});
  }
  for_each_name(draft, tree, [&targets](const NamedKind& kind, int id, const std::string& name) {
    targets.tables[static_cast<size_t>(kind.type)].add(name, id);
  });
  return targets;
}

const NameTable& Targets::names(ObjectType type) const {
  return tables[static_cast<size_t>(type == ObjectType::kXBody ? ObjectType::kBody : type)];
}

}  // namespace torsor::compiler
