#include "torsor/bridge/joint_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/bridge/model_axes.hpp"
#include "torsor/bridge/model_order.hpp"
#include "torsor/convention/convention.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

CoordinateKind kind_of(int type) {
  switch (static_cast<JointType>(type)) {
    case JointType::kFree:
      return CoordinateKind::kFree;
    case JointType::kBall:
      return CoordinateKind::kBall;
    case JointType::kSlide:
      return CoordinateKind::kSlide;
    default:
      return CoordinateKind::kHinge;
  }
}

// Slides before hinges within each body. A slide after a hinge is carried by it, so moving it before the hinge leaves
// its coordinate the same only if the hinge rotates about the slide's direction.
void put_linear_first(const JointSystem& system, const std::string& id, std::vector<int>& order) {
  const auto joint = [&](int i) -> const JointCoordinates& { return system.joints[i]; };
  for (size_t start = 0; start < order.size();) {
    size_t end = start;
    while (end < order.size() && joint(order[end]).body == joint(order[start]).body) ++end;
    for (size_t i = start; i < end; ++i) {
      if (joint(order[i]).kind != CoordinateKind::kSlide) continue;
      for (size_t k = start; k < i; ++k) {
        const JointCoordinates &hinge = joint(order[k]), &slide = joint(order[i]);
        if (hinge.kind == CoordinateKind::kSlide) continue;
        if (hinge.kind == CoordinateKind::kHinge && norm(cross(hinge.axis_B, slide.axis_B)) < 1e-9) continue;
        throw Error(
            fmt::format("slide '{}' follows '{}' on the same body; {} lists slides first, where this coordinate "
                        "would be a different motion",
                        slide.name, hinge.name, id));
      }
    }
    std::stable_partition(order.begin() + start, order.begin() + end,
                          [&](int i) { return joint(i).kind == CoordinateKind::kSlide || is_pose(joint(i).kind); });
    start = end;
  }
}

}  // namespace

JointSystem make_joint_system(const Model& model) {
  JointSystem system{make_tree(model), {}, model.axes};
  for (int j = 0; j < model.njnt; ++j) {
    const int b = model.jnt_bodyid[j];
    JointCoordinates joint;
    joint.name = model.name(ObjectType::kJoint, j);
    joint.kind = kind_of(model.jnt_type[j]);
    joint.body = b;
    joint.ref = dof_count(joint.kind) == 1 ? model.qpos0[model.jnt_qposadr[j]] : 0;
    joint.axis_B = load3(&model.jnt_axis[3 * j]);
    joint.place.p_BoBcm_B = from_axes(model.axes.body, load3(&model.body_ipos[3 * b]));
    joint.place.q_BI = turn_from_model(model.axes, load4(&model.body_iquat[4 * b]));
    system.joints.push_back(std::move(joint));
  }
  return system;
}

std::vector<int> list_joints(const JointSystem& system, const Convention& convention, const Order* order) {
  TreeJoints joints;
  Tree tree = system.tree;
  tree.floating.clear();
  for (const JointCoordinates& joint : system.joints) {
    joints.names.push_back(joint.name);
    joints.bodies.push_back(joint.body);
    if (joint.kind == CoordinateKind::kFree) tree.floating.push_back(joint.body);
  }
  const bool open = !order && convention.row.joints == JointOrder::kUnspecified;
  if (open && system.joints.size() > 1) {
    const std::string plain = convention.id.substr(0, convention.id.find('['));
    throw Error({Diagnostic{Severity::kError,
                            {},
                            fmt::format("the {} convention does not specify a joint order", plain),
                            fmt::format("name a rule, as in {}[joints=depth first], or pass the order of the joints: "
                                        "a rule or a list of all names",
                                        plain)}});
  }
  std::vector<int> result = open ? std::vector<int>(system.joints.size(), 0)
                                 : list_joints(tree, joints, order ? *order : Order(convention.row.joints));
  if (convention.row.multi_axis == MultiAxis::kLinearFirst) put_linear_first(system, convention.id, result);
  return result;
}

}  // namespace torsor
