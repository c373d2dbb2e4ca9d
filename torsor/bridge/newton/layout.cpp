// The tree of a builder's joints: which joint holds each body, which ones close loops, and the order of bodies.
#include "torsor/bridge/newton/layout.hpp"

#include <fmt/format.h>

#include <functional>

#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

std::string name_of(const ModelBuilder& builder, int joint) {
  return fmt::format("{} joint {} ('{}')", to_string(builder.joint_type[joint]), joint, builder.joint_key[joint]);
}

// Joints that can close a loop, as in Newton's solver: fixed, revolute and ball joints.
bool can_close_loop(const ModelBuilder& builder, int joint) {
  const auto [linear, angular] = builder.joint_dof_dim[joint];
  switch (builder.joint_type[joint]) {
    case JointKind::kFixed:
    case JointKind::kRevolute:
    case JointKind::kBall:
      return true;
    case JointKind::kD6:
      return linear == 0 && (angular == 0 || angular == 1 || angular == 3);
    default:
      return false;
  }
}

void find_holding_joints(const ModelBuilder& builder, Layout& layout) {
  layout.body_joint.assign(builder.body_count(), -1);
  layout.joint_is_loop.assign(builder.joint_count(), false);
  for (int j = 0; j < builder.joint_count(); ++j) {
    if (!builder.joint_enabled[j])
      throw Error(fmt::format("{} is not enabled; leave it out instead", name_of(builder, j)));
    if (builder.joint_articulation[j] < 0) continue;
    int& holding = layout.body_joint[builder.joint_child[j]];
    if (holding >= 0) {
      throw Error(
          fmt::format("loops in the articulation: {} and {} both have body {} as their child; leave the one that "
                      "closes the loop out of add_articulation()",
                      name_of(builder, holding), name_of(builder, j), builder.joint_child[j]));
    }
    holding = j;
  }
  for (int j = 0; j < builder.joint_count(); ++j) {
    if (builder.joint_articulation[j] >= 0) continue;
    if (layout.body_joint[builder.joint_child[j]] < 0) {
      throw Error(fmt::format("{} is in no articulation: call add_articulation() with the joints that hold its body {}",
                              name_of(builder, j), builder.joint_child[j]));
    }
    if (!can_close_loop(builder, j)) {
      throw Error(
          fmt::format("{} closes a loop; only fixed, revolute and ball joints, and d6 joints like them, can do that",
                      name_of(builder, j)));
    }
    layout.joint_is_loop[j] = true;
  }
  for (int b = 0; b < builder.body_count(); ++b) {
    if (layout.body_joint[b] < 0) {
      throw Error(
          fmt::format("body {} ('{}') has no joint: use add_body() for a floating body, or add a joint and its "
                      "articulation",
                      b, builder.body_key[b]));
    }
  }
}

// A kinematic body is the root of its tree: its motion would otherwise depend on that of its parent.
void check_kinematic_bodies(const ModelBuilder& builder, const Layout& layout) {
  for (int b = 0; b < builder.body_count(); ++b) {
    const int flags = builder.body_flags[b], parent = builder.joint_parent[layout.body_joint[b]];
    if (flags != kDynamic && flags != kKinematic)
      throw Error(fmt::format("body_flags[{}] is {}; a body is dynamic (1) or kinematic (2)", b, flags));
    if (flags == kKinematic && parent >= 0) {
      throw Error(
          fmt::format("body {} ('{}') is kinematic, but its joint is on body {}; only bodies with a joint on the "
                      "world can be kinematic",
                      b, builder.body_key[b], parent));
    }
  }
}

// Deeper trees would overflow the stack of the recursions that read a model.
constexpr int kMaxDepth = 10000;

// Depth first, children in the order of their joints; engine body 0 is the world.
void number_bodies(const ModelBuilder& builder, Layout& layout) {
  std::vector<std::vector<int>> children(builder.body_count() + 1);
  for (int j = 0; j < builder.joint_count(); ++j) {
    if (!layout.joint_is_loop[j]) children[builder.joint_parent[j] + 1].push_back(builder.joint_child[j]);
  }
  layout.body_engine.assign(builder.body_count(), -1);
  int next = 1;
  const std::function<void(int, int)> visit = [&](int parent, int depth) {
    if (depth > kMaxDepth) throw Error(fmt::format("the tree is deeper than {} bodies", kMaxDepth));
    for (const int child : children[parent + 1]) {
      layout.body_engine[child] = next++;
      visit(child, depth + 1);
    }
  };
  visit(-1, 0);
  for (int b = 0; b < builder.body_count(); ++b) {
    if (layout.body_engine[b] < 0) {
      throw Error(fmt::format("loops in the articulation: body {} ('{}') is its own ancestor through {}", b,
                              builder.body_key[b], name_of(builder, layout.body_joint[b])));
    }
  }
}

}  // namespace

Layout make_layout(const ModelBuilder& builder) {
  check_lists(builder);
  Layout layout;
  find_holding_joints(builder, layout);
  check_kinematic_bodies(builder, layout);
  number_bodies(builder, layout);
  layout.joint_is_descendant_free.assign(builder.joint_count(), false);
  layout.joint_first.assign(builder.joint_count(), "");
  layout.drives.assign(builder.joint_dof_count(), {});
  for (int j = 0; j < builder.joint_count(); ++j) {
    const bool has_pose = builder.joint_type[j] == JointKind::kFree || builder.joint_type[j] == JointKind::kDistance;
    layout.joint_is_descendant_free[j] = has_pose && builder.joint_parent[j] >= 0;
  }
  return layout;
}

}  // namespace torsor::newton
