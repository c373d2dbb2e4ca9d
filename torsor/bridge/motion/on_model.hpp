// A clip on a model: which joint of the model each coordinate of the clip moves, states of frames, forward kinematics.
#pragma once

#include "torsor/format/motion/clip.hpp"
#include "torsor/format/motion/edit.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Matches the joints of a clip with those of a model, by name; a clip without names must have as many coordinates as
// the model has hinges and slides, in the order of the clip's convention: breadth first for isaaclab2, else depth
// first. Throws an Error that lists joints of the clip that the model does not have and, unless `partial`, those of the
// model that the clip does not move.
class ClipOnModel {
 public:
  ClipOnModel(const Model& model, const MotionClip& clip, bool partial = false);

  int root_body() const { return root_body_; }                // of the free joint; 0: the model has none
  const std::vector<int>& joints() const { return joints_; }  // joint of each coordinate of the clip
  const std::vector<int>& qpos() const { return qpos_; }      // its addresses in qpos and qvel
  const std::vector<int>& dofs() const { return dofs_; }

  // qpos of a frame; coordinates that the clip does not have keep those of qpos0.
  void write_qpos(const MotionClip& clip, int frame, double* qpos) const;
  // qvel of a frame, zero where the clip has nothing.
  void write_qvel(const MotionClip& clip, const MotionVelocities& velocities, int frame, double* qvel) const;

 private:
  const Model& model_;
  int root_body_ = 0, root_qpos_ = -1, root_dof_ = -1;
  std::vector<int> joints_, qpos_, dofs_;
};

// States as a clip: rows of nq numbers. Joints are the model's hinges and slides, depth first, by name.
MotionClip clip_from_qpos(const Model& model, std::span<const double> qpos, double fps);

// Names of the hinges and slides of a model in an order: depth first is MuJoCo's, breadth first Isaac Lab's.
std::vector<std::string> scalar_joint_names(const Model& model, const Order& order = JointOrder::kDepthFirst);

// Poses of the model's bodies, the world included, in every frame: frames x nbody x 3 and x 4.
struct BodyPoses {
  int nbody = 0;
  std::vector<double> pos, quat;
  Vec3<double> p_WoBo_W(int frame, int body) const {
    return load3(&pos[(size_t(frame) * size_t(nbody) + size_t(body)) * 3]);
  }
  Quat<double> q_WB(int frame, int body) const {
    return load4(&quat[(size_t(frame) * size_t(nbody) + size_t(body)) * 4]);
  }
};
BodyPoses body_poses(const Model& model, const MotionClip& clip, bool partial = false);

// Velocities of these bodies by filtered differences, as compute_velocities() has those of the root: of the origins and
// angular, in W's axes, frames x nbody x 3.
struct BodyVelocities {
  std::vector<double> linear, angular;
};
BodyVelocities body_velocities(const BodyPoses& poses, double fps, double sigma = kDefaultSigma);

// Rotations of bodies by their joints (pose_aa) from joint coordinates: bodies from the root on (the world itself where
// the base is fixed), in MuJoCo's order, with the model's tree and offsets. Bodies without joints do not rotate.
MotionClip add_body_rotations(const Model& model, const MotionClip& clip);
// The reverse: coordinates of the hinges from the rotations of bodies. A body with one hinge, a ball joint or three
// hinges at right angles has all that it needs; `residual` is the largest angle by which the joints cannot follow.
// Bodies are matched by name, or, if the names are not known, in MuJoCo's order.
MotionClip dofs_from_rotations(const Model& model, const MotionClip& clip, double* residual = nullptr);

// Which joint is the mirror image of which, by name, and its sign, by the axes of the joints in the reference pose.
JointMirror mirror_joints(const Model& model, const MotionClip& clip);

}  // namespace torsor
