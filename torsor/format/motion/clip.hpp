// MotionClip: a recorded motion of one figure, in the units and axes of the engine: metres, radians, z up, quaternions
// w x y z. A clip of a robot has joint coordinates (`dof`), a clip of a person has rotations of bodies (`body_quat`), a
// retargeted clip may have both.
//
//   MotionClip clip = read_motion("walk.bvh", {.unit = 0.01});   // read.hpp
//   clip = resample(clip, 50);                                   // edit.hpp
//   write_motion("walk.npz", clip);
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/convention/order.hpp"
#include "torsor/math/pose.hpp"

namespace torsor {

// A body of a skeleton. Its pose in its parent is p_PoBo_P and q_PB = q_PB0 * (the body's rotation in a frame).
struct MotionBody {
  std::string name;
  int parent = -1;                                // an earlier body, -1 for the first body, the root
  Vec3<double> p_PoBo_P = {0, 0, 0};              // zero where the file does not say, as in SMPL
  Quat<double> q_PB0 = Quat<double>{1, 0, 0, 0};  // rotation in the rest pose
};

// The tip of a limb: a point of a body, without a rotation (BVH: End Site).
struct MotionEnd {
  int body = 0;
  Vec3<double> p_BoEo_B = {0, 0, 0};
};

struct MotionClip {
  std::string name{};
  std::string convention{};          // id of the row that describes the file it was read from, "" for none
  std::vector<std::string> notes{};  // what the reader found out or had to decide, in sentences

  double fps = 0;
  int frames = 0;
  std::vector<double> root_pos{};   // frames x 3: p_WoRo_W
  std::vector<double> root_quat{};  // frames x 4: q_WR

  int dofs = 0;
  std::vector<std::string> joint_names{};  // one per dof; empty: the names are not known
  std::vector<double> dof{};               // frames x dofs: coordinates of hinges and slides

  std::vector<MotionBody> bodies{};  // parents first; empty: none
  bool has_tree = true;  // false: parents and offsets of the bodies are not known, all are listed below the root
  std::vector<double> body_quat{};  // frames x bodies x 4: rotation by the body's joints; of body 0 this is root_quat
  std::vector<double> body_pos{};   // frames x bodies x 3: p_PoBo_P where bodies also slide; else empty
  std::vector<MotionEnd> ends{};

  int nbody() const { return static_cast<int>(bodies.size()); }
  double duration() const { return frames > 0 ? (frames - 1) / fps : 0; }  // from the first frame to the last

  Vec3<double> p_WoRo_W(int frame) const { return load3(&root_pos[size_t(frame) * 3]); }
  Quat<double> q_WR(int frame) const { return load4(&root_quat[size_t(frame) * 4]); }
  Quat<double> rotation(int frame, int body) const {
    return load4(&body_quat[(size_t(frame) * bodies.size() + size_t(body)) * 4]);
  }
  std::span<const double> dof_of(int frame) const { return {dof.data() + size_t(frame) * size_t(dofs), size_t(dofs)}; }
};

// Throws an Error unless the arrays have the sizes that the counts say, fps and all numbers are finite, fps is
// positive, there is at least one frame, and quaternions have unit length up to 1e-3. Readers and Python call it;
// quaternions are normalised then.
void check_clip(MotionClip& clip);

// A clip of the same figure without frames: names, bodies, fps.
MotionClip without_frames(const MotionClip& clip);

// Room for `frames` frames, filled with zeros and rotations by nothing.
void set_frames(MotionClip& clip, int frames);

// Throws an Error unless the clip has bodies whose parents are known.
void require_tree(const MotionClip& clip);

// Poses of the skeleton's bodies in the world, from their rotations and offsets: 3 and 4 numbers per body, of one
// frame.
void skeleton_poses(const MotionClip& clip, int frame, double* p_WoBo_W, double* q_WB);

// Joints in another order: joint i of the result is joint map[i] of the clip.
MotionClip reorder(const MotionClip& clip, const Permutation& joints);
// The same by name: all joints of the clip in the order of `names`. Throws an Error that lists what does not match.
MotionClip reorder(const MotionClip& clip, std::span<const std::string> names);

// Bodies below the root in another order of names (the root stays first). Parents must still come first.
MotionClip reorder_bodies(const MotionClip& clip, std::span<const std::string> names);

// Names of the bodies in an order of the clip's own tree: breadth first, depth first, ...
std::vector<std::string> body_names_in(const MotionClip& clip, const Order& order);

// "" or the first difference between two clips above a tolerance: "dof[3]: 0.1 0.2". Rotations q and -q are equal.
std::string find_difference(const MotionClip& a, const MotionClip& b, double tolerance = 0);

}  // namespace torsor
