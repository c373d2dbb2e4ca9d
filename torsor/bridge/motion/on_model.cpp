#include "torsor/bridge/motion/on_model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/bridge/model_order.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

JointType type_of_joint(const Model& model, int joint) { return static_cast<JointType>(model.jnt_type[joint]); }
bool is_scalar(const Model& model, int joint) {
  return type_of_joint(model, joint) == JointType::kHinge || type_of_joint(model, joint) == JointType::kSlide;
}

std::vector<int> scalar_joints(const Model& model, const Order& order) {
  std::vector<int> joints = list_joint_ids(model, order);
  std::erase_if(joints, [&](int j) { return !is_scalar(model, j); });
  return joints;
}

// The joints of a clip by name; names that the model does not have are listed with the nearest one.
std::vector<int> joints_by_name(const Model& model, const MotionClip& clip) {
  const std::vector<std::string> known = scalar_joint_names(model);
  std::vector<int> joints;
  std::vector<std::string> missing;
  for (const std::string& name : clip.joint_names) {
    const int joint = model.find(ObjectType::kJoint, name);
    if (joint >= 0 && is_scalar(model, joint)) {
      joints.push_back(joint);
      continue;
    }
    const std::string nearest = find_nearest(name, known);
    missing.push_back(nearest.empty() ? name : fmt::format("{} (did you mean {}?)", name, nearest));
  }
  if (!missing.empty()) throw Error(fmt::format("the model has no joints {}", fmt::join(missing, ", ")));
  return joints;
}

void check_all_moved(const Model& model, const std::vector<int>& joints) {
  std::vector<std::string> left;
  for (const int joint : scalar_joints(model, JointOrder::kDepthFirst)) {
    if (std::find(joints.begin(), joints.end(), joint) == joints.end())
      left.emplace_back(model.name(ObjectType::kJoint, joint));
  }
  if (!left.empty())
    throw Error({Diagnostic{Severity::kError,
                            {},
                            fmt::format("the clip does not move the joints {}", fmt::join(left, ", ")),
                            "pass partial=True if they may keep their reference position"}});
}

}  // namespace

std::vector<std::string> scalar_joint_names(const Model& model, const Order& order) {
  std::vector<std::string> names;
  for (const int joint : scalar_joints(model, order)) names.emplace_back(model.name(ObjectType::kJoint, joint));
  return names;
}

ClipOnModel::ClipOnModel(const Model& model, const MotionClip& clip, bool partial) : model_(model) {
  for (int j = 0; j < model.njnt; ++j) {
    if (type_of_joint(model, j) != JointType::kFree) continue;
    if (root_body_ > 0) {
      throw Error(fmt::format("the model has two free joints, of '{}' and '{}': a clip moves one figure",
                              model.name(ObjectType::kBody, root_body_),
                              model.name(ObjectType::kBody, model.jnt_bodyid[j])));
    }
    root_body_ = model.jnt_bodyid[j], root_qpos_ = model.jnt_qposadr[j], root_dof_ = model.jnt_dofadr[j];
  }
  if (clip.joint_names.empty() && clip.dofs > 0) {
    const bool is_isaac = clip.convention == "isaaclab2";
    joints_ = scalar_joints(model, is_isaac ? JointOrder::kBreadthFirst : JointOrder::kDepthFirst);
    if (int(joints_.size()) != clip.dofs) {
      throw Error(
          {Diagnostic{Severity::kError,
                      {},
                      fmt::format("the clip has {} joints without names, the model has {}", clip.dofs, joints_.size()),
                      "pass joints= when the clip is read"}});
    }
  } else {
    joints_ = joints_by_name(model, clip);
  }
  if (!partial) check_all_moved(model, joints_);
  for (const int joint : joints_) qpos_.push_back(model.jnt_qposadr[joint]), dofs_.push_back(model.jnt_dofadr[joint]);
}

void ClipOnModel::write_qpos(const MotionClip& clip, int frame, double* qpos) const {
  std::copy_n(model_.qpos0.data(), model_.nq, qpos);
  if (root_qpos_ >= 0) store3(qpos + root_qpos_, clip.p_WoRo_W(frame)), store4(qpos + root_qpos_ + 3, clip.q_WR(frame));
  for (size_t i = 0; i < qpos_.size(); ++i) qpos[qpos_[i]] = clip.dof_of(frame)[i];
}

void ClipOnModel::write_qvel(const MotionClip& clip, const MotionVelocities& velocities, int frame,
                             double* qvel) const {
  std::fill_n(qvel, model_.nv, 0.0);
  if (root_dof_ >= 0) {
    store3(qvel + root_dof_, load3(&velocities.root_linear[size_t(frame) * 3]));
    store3(qvel + root_dof_ + 3, rotate_inverse(clip.q_WR(frame), load3(&velocities.root_angular[size_t(frame) * 3])));
  }
  for (size_t i = 0; i < dofs_.size(); ++i) qvel[dofs_[i]] = velocities.dof[size_t(frame) * dofs_.size() + i];
}

MotionClip clip_from_qpos(const Model& model, std::span<const double> qpos, double fps) {
  if (model.nq == 0 || qpos.size() % size_t(model.nq))
    throw Error(fmt::format("{} numbers are not rows of {}, the coordinates of the model", qpos.size(), model.nq));
  MotionClip clip;
  clip.fps = fps, clip.convention = "mujoco";
  clip.joint_names = scalar_joint_names(model);
  clip.dofs = int(clip.joint_names.size());
  set_frames(clip, int(qpos.size() / size_t(model.nq)));
  const ClipOnModel map(model, clip);
  const int joint = map.root_body() > 0 ? model.body_jntadr[map.root_body()] : -1;
  for (int f = 0; f < clip.frames; ++f) {
    const double* q = qpos.data() + size_t(f) * size_t(model.nq);
    if (joint >= 0) {
      std::copy_n(q + model.jnt_qposadr[joint], 3, &clip.root_pos[size_t(f) * 3]);
      std::copy_n(q + model.jnt_qposadr[joint] + 3, 4, &clip.root_quat[size_t(f) * 4]);
    }
    for (size_t i = 0; i < map.qpos().size(); ++i) clip.dof[size_t(f) * map.qpos().size() + i] = q[map.qpos()[i]];
  }
  check_clip(clip);
  return clip;
}

BodyPoses body_poses(const Model& model, const MotionClip& clip, bool partial) {
  const ClipOnModel map(model, clip, partial);
  Data data(model);
  BodyPoses poses;
  poses.nbody = model.nbody;
  for (int f = 0; f < clip.frames; ++f) {
    map.write_qpos(clip, f, data.qpos.data());
    compute_kinematics(model, data);
    poses.pos.insert(poses.pos.end(), data.xpos.data(), data.xpos.data() + 3 * model.nbody);
    poses.quat.insert(poses.quat.end(), data.xquat.data(), data.xquat.data() + 4 * model.nbody);
  }
  return poses;
}

BodyVelocities body_velocities(const BodyPoses& poses, double fps, double sigma) {
  const size_t bodies = size_t(poses.nbody);
  if (bodies == 0) return {};
  const int frames = int(poses.pos.size() / (bodies * 3));
  BodyVelocities velocities{difference_rows(poses.pos, bodies * 3, frames, fps),
                            difference_rotations(poses.quat, bodies, frames, fps)};
  filter_gaussian(velocities.linear, bodies * 3, sigma);
  filter_gaussian(velocities.angular, bodies * 3, sigma);
  return velocities;
}

JointMirror mirror_joints(const Model& model, const MotionClip& clip) {
  const ClipOnModel map(model, clip, true);
  std::vector<std::string> names = clip.joint_names;
  if (names.empty()) {
    for (const int joint : map.joints()) names.emplace_back(model.name(ObjectType::kJoint, joint));
  }
  JointMirror mirror{find_partners(names), {}};
  Data data(model);
  compute_kinematics(model, data);
  std::vector<std::string> odd;
  for (size_t i = 0; i < names.size(); ++i) {
    const int joint = map.joints()[i], partner = map.joints()[size_t(mirror.from[i])];
    const Quat<double> q_WR = load4(&data.xquat[4 * std::max(map.root_body(), 0)]);
    const Vec3<double> a = rotate_inverse(q_WR, load3(&data.xaxis[3 * joint])),
                       b = rotate_inverse(q_WR, load3(&data.xaxis[3 * partner]));
    // a direction changes its y, an axis of rotation its x and z
    const bool is_hinge = type_of_joint(model, joint) == JointType::kHinge;
    const Vec3<double> image = is_hinge ? Vec3<double>{-a.x, a.y, -a.z} : Vec3<double>{a.x, -a.y, a.z};
    const double along = dot(image, b);
    if (std::abs(std::abs(along) - 1) > 1e-3)
      odd.push_back(fmt::format("{} and {}", names[i], names[size_t(mirror.from[i])]));
    mirror.sign.push_back(along < 0 ? -1 : 1);
  }
  if (!odd.empty())
    throw Error(fmt::format("the axes of these joints are not mirror images: {}", fmt::join(odd, ", ")));
  return mirror;
}

}  // namespace torsor
