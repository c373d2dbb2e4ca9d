// Numbering of bodies and dofs: depth first, so that a subtree is a range of bodies and of dofs.
#include "torsor/compile/tree.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "torsor/compile/same_frame.hpp"

namespace torsor::compiler {
namespace {

// Sleep policy of a tree for which none is specified, and that nothing keeps awake.
constexpr int kSleepAutoAllowed = 2;

class TreeBuilder {
 public:
  explicit TreeBuilder(const Draft& draft) : draft_(draft) {}

  Tree build() {
    number_bodies();
    for (int b = 0; b < tree_.nbody(); ++b) {
      number_joints(b);
      find_roots(b);
      find_tree(b);
    }
    tree_.dofs_before.push_back(tree_.nv());
    find_ends();
    find_simple();
    return std::move(tree_);
  }

 private:
  const BodyDraft& body(int b) const { return draft_.bodies[at(tree_.order[at(b)])]; }

  // Fused bodies are not numbered: they are no longer children of any body.
  void number_bodies() {
    tree_.body_id.assign(draft_.bodies.size(), -1);
    std::vector<int> stack{0};
    while (!stack.empty()) {
      const int index = stack.back();
      stack.pop_back();
      const BodyDraft& body = draft_.bodies[at(index)];
      tree_.body_id[at(index)] = tree_.nbody();
      tree_.body_parentid.push_back(index == 0 ? 0 : tree_.body_id[at(body.parent)]);
      tree_.order.push_back(index);
      stack.insert(stack.end(), body.children.rbegin(), body.children.rend());
    }
  }

  void number_joints(int b) {
    const std::vector<JointDraft>& joints = body(b).joints;
    tree_.body_jntnum.push_back(static_cast<int>(joints.size()));
    tree_.body_jntadr.push_back(joints.empty() ? -1 : tree_.njnt);
    tree_.njnt += static_cast<int>(joints.size());
    int dofs = 0;
    for (const JointDraft& joint : joints) {
      dofs += dof_count(joint.spec->type);
      tree_.nq += qpos_count(joint.spec->type);
    }
    tree_.body_dofnum.push_back(dofs);
    tree_.body_dofadr.push_back(dofs > 0 ? tree_.nv() : -1);
    int last = b == 0 ? -1 : tree_.last_dof[at(tree_.body_parentid[at(b)])];
    tree_.dofs_before.push_back(tree_.nv());
    for (int k = 0; k < dofs; ++k) {
      tree_.dof_parentid.push_back(last);
      tree_.dof_depth.push_back(last < 0 ? 1 : tree_.dof_depth[at(last)] + 1);
      last = tree_.nv();
      tree_.dof_bodyid.push_back(b);
    }
    tree_.last_dof.push_back(last);
  }

  void find_roots(int b) {
    const int parent = tree_.body_parentid[at(b)];
    const bool is_mocap = body(b).spec->mocap, moves = tree_.body_dofnum[at(b)] > 0;
    tree_.body_mocapid.push_back(is_mocap ? tree_.nmocap++ : -1);
    tree_.body_rootid.push_back(parent == 0 ? b : tree_.body_rootid[at(parent)]);
    tree_.body_weldid.push_back(b == 0 || moves || is_mocap ? b : tree_.body_weldid[at(parent)]);
  }

  // A tree begins with the first body that moves, and holds all its descendants.
  void find_tree(int b) {
    int id = b == 0 ? -1 : tree_.body_treeid[at(tree_.body_parentid[at(b)])];
    const int dofs = tree_.body_dofnum[at(b)];
    if (id < 0 && dofs > 0) {
      id = static_cast<int>(tree_.tree_bodyadr.size());
      tree_.tree_bodyadr.push_back(b);
      tree_.tree_bodynum.push_back(0);
      tree_.tree_dofadr.push_back(tree_.body_dofadr[at(b)]);
      tree_.tree_dofnum.push_back(0);
      const int policy = body(b).spec->sleep;
      tree_.tree_sleep_policy.push_back(policy == 0 ? kSleepAutoAllowed : policy);
    }
    tree_.body_treeid.push_back(id);
    if (id < 0) return;
    tree_.tree_bodynum[at(id)] += 1;
    tree_.tree_dofnum[at(id)] += dofs;
    tree_.dof_treeid.insert(tree_.dof_treeid.end(), at(dofs), id);
  }

  void find_ends() {
    tree_.subtree_end.assign(tree_.order.size(), 0);
    for (int b = tree_.nbody() - 1; b >= 0; --b) {
      int& end = tree_.subtree_end[at(b)];
      end = std::max(end, b + 1);
      int& parent_end = tree_.subtree_end[at(tree_.body_parentid[at(b)])];
      parent_end = std::max(parent_end, end);
    }
  }

  // The joint turns about a principal axis through the COM, or slides along one.
  static bool is_aligned(const JointDraft& joint) {
    const Vec& axis = joint.axis_B;
    const int zeros = (std::abs(axis.x) < kNoMass) + (std::abs(axis.y) < kNoMass) + (std::abs(axis.z) < kNoMass);
    return zeros == 2 && is_same_point(joint.p_BoJo_B, Vec::zero());
  }

  // Slides first, then at most one rotational joint.
  static bool has_simple_joints(const BodyDraft& body) {
    for (size_t j = 0; j < body.joints.size(); ++j) {
      const bool is_last = j + 1 == body.joints.size();
      if (!is_aligned(body.joints[j])) return false;
      if (!is_last && body.joints[j].spec->type != JointType::kSlide) return false;
    }
    return true;
  }

  // A body is simple if its rows of M are diagonal in every configuration: it has no children, none of its ancestors
  // moves, its inertial frame is its body frame, and its joints are along principal axes. As in MuJoCo, one static
  // ancestor is skipped. A tendon with armature through its sites or joints couples its dofs.
  bool is_simple(int b) const {
    const int parent = tree_.body_parentid[at(b)];
    const bool is_grounded =
        parent == 0 || (tree_.body_parentid[at(parent)] == 0 && tree_.body_dofnum[at(parent)] == 0);
    const bool is_leaf = tree_.subtree_end[at(b)] == b + 1;
    const Frame identity = Frame::identity();
    return is_grounded && is_leaf && body(b).spec->simple_auto &&
           find_same_frame(body(b).X_BI, identity) == SameFrame::kBody && has_simple_joints(body(b)) &&
           !has_heavy_tendon(body(b));
  }

  bool has_heavy_tendon(const BodyDraft& body) const {
    const auto has_any = [](const auto& elements, const std::unordered_set<std::string>& names) {
      return std::any_of(elements.begin(), elements.end(),
                         [&names](const auto& element) { return names.contains(element.spec->name); });
    };
    return has_any(body.sites, heavy_tendon_sites_) || has_any(body.joints, heavy_tendon_joints_);
  }

  // Armature of its own, or of the rotors that pull it.
  bool is_heavy(const TendonSpec& tendon) const {
    const auto& actuators = draft_.spec.actuators;
    return tendon.armature != 0 ||
           (!tendon.name.empty() &&
            std::any_of(actuators.begin(), actuators.end(), [&tendon](const ActuatorSpec& actuator) {
              return actuator.tendon == tendon.name && actuator.armature != 0;
            }));
  }

  // Names of sites and joints along such tendons.
  void find_heavy_tendons() {
    for (const TendonSpec& tendon : draft_.spec.tendons) {
      if (!is_heavy(tendon)) continue;
      for (const WrapSpec& wrap : tendon.path) {
        if (wrap.kind == WrapSpec::Kind::kSite) heavy_tendon_sites_.insert(wrap.target);
        if (wrap.kind == WrapSpec::Kind::kJoint) heavy_tendon_joints_.insert(wrap.target);
      }
    }
  }

  static bool has_sliders_only(const BodyDraft& body) {
    return !body.joints.empty() && std::all_of(body.joints.begin(), body.joints.end(), [](const JointDraft& joint) {
      return joint.spec->type == JointType::kSlide;
    });
  }

  void find_simple() {
    find_heavy_tendons();
    tree_.body_simple.push_back(!has_heavy_tendon(body(0)));
    for (int b = 1; b < tree_.nbody(); ++b)
      tree_.body_simple.push_back(!is_simple(b) ? Byte{0} : has_sliders_only(body(b)) ? Byte{2} : Byte{1});
    tree_.dof_simplenum.assign(tree_.dof_bodyid.size(), 0);
    int run = 0;
    for (int i = tree_.nv() - 1; i >= 0; --i) {
      run = tree_.body_simple[at(tree_.dof_bodyid[at(i)])] ? run + 1 : 0;
      tree_.dof_simplenum[at(i)] = run;
    }
  }

  const Draft& draft_;
  Tree tree_;
  std::unordered_set<std::string> heavy_tendon_sites_, heavy_tendon_joints_;
};

template <class T>
void copy(const std::vector<T>& from, const Field<T>& to) {
  TORSOR_ASSERT(static_cast<int>(from.size()) == to.size());
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

Tree make_tree(const Draft& draft) { return TreeBuilder(draft).build(); }

void write_tree(const Tree& tree, Model& model) {
  copy(tree.body_parentid, model.body_parentid);
  copy(tree.body_rootid, model.body_rootid);
  copy(tree.body_weldid, model.body_weldid);
  copy(tree.body_treeid, model.body_treeid);
  copy(tree.body_mocapid, model.body_mocapid);
  copy(tree.body_jntadr, model.body_jntadr);
  copy(tree.body_jntnum, model.body_jntnum);
  copy(tree.body_dofadr, model.body_dofadr);
  copy(tree.body_dofnum, model.body_dofnum);
  copy(tree.body_simple, model.body_simple);
  copy(tree.dof_bodyid, model.dof_bodyid);
  copy(tree.dof_parentid, model.dof_parentid);
  copy(tree.dof_treeid, model.dof_treeid);
  copy(tree.dof_simplenum, model.dof_simplenum);
  copy(tree.tree_bodyadr, model.tree_bodyadr);
  copy(tree.tree_bodynum, model.tree_bodynum);
  copy(tree.tree_dofadr, model.tree_dofadr);
  copy(tree.tree_dofnum, model.tree_dofnum);
  copy(tree.tree_sleep_policy, model.tree_sleep_policy);
}

}  // namespace torsor::compiler
