// One walk over the tree.
#include "torsor/compile/targets.hpp"

namespace torsor::compiler {

Targets list_targets(const Draft& draft, const Tree& tree) {
  Targets targets;
  int dof = 0, tendon = 0;
  for (int b = 0; b < tree.nbody(); ++b) {
    const BodyDraft& body = draft.bodies[at(tree.order[at(b)])];
    targets.body_names.add(body.spec->name, b);
    for (const JointDraft& joint : body.joints) {
      targets.joint_names.add(joint.spec->name, static_cast<int>(targets.joints.size()));
      targets.joints.push_back({&joint, b, dof});
      dof += dof_count(joint.spec->type);
    }
    for (const SiteDraft& site : body.sites) {
      targets.site_names.add(site.spec->name, static_cast<int>(targets.site_bodies.size()));
      targets.site_bodies.push_back(b);
    }
    for (const GeomDraft& geom : body.geoms) {
      targets.geom_names.add(geom.spec->name, static_cast<int>(targets.geoms.size()));
      targets.geoms.push_back({geom.spec->type, b});
    }
  }
  for (const TendonDraft& element : draft.tendons) targets.tendon_names.add(element.spec->name, tendon++);
  return targets;
}

}  // namespace torsor::compiler
