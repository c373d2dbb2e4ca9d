// Rules of the tree: which joints a body may have and where, and that moving bodies have mass.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/draft.hpp"
#include "torsor/compile/tree.hpp"

namespace torsor::compiler {
namespace {

class TreeCheck {
 public:
  explicit TreeCheck(Draft& draft)
      : draft_(draft), is_static_(draft.bodies.size(), true), carries_mass_(draft.bodies.size(), false) {
    for (size_t b = 1; b < is_static_.size(); ++b) {
      const BodyDraft& body = draft.bodies[b];
      is_static_[b] = body.joints.empty() && is_static_[static_cast<size_t>(body.parent)];
    }
    for (size_t b = is_static_.size() - 1; b > 0; --b) {
      const BodyDraft& body = draft.bodies[b];
      if (has_mass(body) || body.has_bad_mass) carries_mass_[b] = true;
      if (body.joints.empty() && carries_mass_[b]) carries_mass_[static_cast<size_t>(body.parent)] = true;
    }
  }

  void run() {
    check_world();
    for (size_t b = 1; b < draft_.bodies.size(); ++b) {
      if (draft_.bodies[b].is_fused) continue;
      check_joints(draft_.bodies[b]);
      check_place(b);
      check_mass(b);
      check_planes(b);
    }
  }

 private:
  void check_world() {
    const BodyDraft& world = draft_.bodies[0];
    if (!world.joints.empty()) draft_.error("joint", *world.joints[0].spec, "the world cannot have joints");
    if (world.spec->inertial.given || world.spec->mocap)
      draft_.error("body", *world.spec, "the world cannot have an inertial and cannot be a mocap body");
  }

  void check_joints(const BodyDraft& body) {
    int dofs = 0;
    bool has_ball = false, has_free = false;
    for (const JointDraft& joint : body.joints) {
      const JointType type = joint.spec->type;
      dofs += dof_count(type);
      if (has_ball && type != JointType::kSlide)
        draft_.error("joint", *joint.spec, "turns a body that already has a ball joint");
      has_ball = has_ball || type == JointType::kBall;
      has_free = has_free || type == JointType::kFree;
      if (type != JointType::kFree) continue;
      if (body.joints.size() > 1) draft_.error("joint", *joint.spec, "a free joint must be the only joint of its body");
      if (body.parent != 0)
        draft_.error("joint", *joint.spec, "a free joint needs a body that is a child of the world");
    }
    if (dofs > 6 && !has_free)
      draft_.error("body", *body.spec, fmt::format("has {} degrees of freedom, more than six", dofs));
  }

  void check_place(size_t b) {
    const BodyDraft& body = draft_.bodies[b];
    if (body.spec->mocap && (body.parent != 0 || !body.joints.empty()))
      draft_.error("body", *body.spec, "a mocap body must be a child of the world without joints");
    if (body.spec->sleep != 0 && (is_static_[b] || !is_static_[static_cast<size_t>(body.parent)]))
      draft_.error("body", *body.spec, "sleep may be set only for the first moving body of a tree");
  }

  static bool has_mass(const BodyDraft& body) {
    return body.mass >= kMinValue && std::min({body.moments.x, body.moments.y, body.moments.z}) >= kMinValue;
  }

  void check_mass(size_t b) {
    const BodyDraft& body = draft_.bodies[b];
    if (body.joints.empty() || carries_mass_[b]) return;
    draft_.error("body", *body.spec, "moves, but has no mass or no inertia", "give it an inertial, or geoms with mass");
  }

  void check_planes(size_t b) {
    const BodyDraft& body = draft_.bodies[b];
    for (const GeomDraft& geom : body.geoms) {
      if (geom.spec->type == GeomType::kPlane && (body.spec->mocap || !is_static_[b]))
        draft_.error("geom", *geom.spec, "a plane needs a body that does not move");
    }
  }

  Draft& draft_;
  std::vector<bool> is_static_;     // no joint between the body and the world
  std::vector<bool> carries_mass_;  // the body, or a descendant rigidly attached to it, has mass and inertia
};

}  // namespace

void check_tree(Draft& draft) { TreeCheck(draft).run(); }

}  // namespace torsor::compiler
