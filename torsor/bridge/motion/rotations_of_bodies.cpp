// Between joint coordinates and rotations of bodies (pose_aa) on a model.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/bridge/motion/on_model.hpp"
#include "torsor/convention/euler.hpp"
#include "torsor/convention/rotations.hpp"

namespace torsor {
namespace {

Vec3<double> axis_of(const Model& model, int joint) { return load3(&model.jnt_axis[3 * joint]); }
double angle_of(const Quat<double>& q, const Vec3<double>& axis) {  // of the rotation's part about an axis
  const double angle = 2 * std::atan2(dot(q.vec(), axis), q.w);
  return angle > M_PI ? angle - 2 * M_PI : angle <= -M_PI ? angle + 2 * M_PI : angle;
}

// The hinges of a body in order; throws for joints that pose_aa cannot express.
std::vector<int> hinges_of(const Model& model, int body) {
  std::vector<int> hinges;
  for (int j = model.body_jntadr[body]; j >= 0 && j < model.body_jntadr[body] + model.body_jntnum[body]; ++j) {
    const auto type = static_cast<JointType>(model.jnt_type[j]);
    if (type == JointType::kSlide || type == JointType::kBall)
      throw Error(fmt::format("joint '{}' of body '{}' is not a hinge: rotations of bodies do not give its coordinate",
                              model.name(ObjectType::kJoint, j), model.name(ObjectType::kBody, body)));
    if (type == JointType::kHinge) hinges.push_back(j);
  }
  return hinges;
}

// Angles of up to three hinges at right angles whose product is nearest to q. Returns by how much they fail.
double solve_hinges(const Model& model, const std::vector<int>& hinges, const Quat<double>& q, double* angles) {
  if (hinges.empty()) return rotations::angle_between(q, Quat<double>::identity());
  if (hinges.size() == 1) {
    angles[0] = angle_of(q, axis_of(model, hinges[0]));
    return rotations::angle_between(q, from_axis_angle(axis_of(model, hinges[0]), angles[0]));
  }
  const Vec3<double> a = axis_of(model, hinges[0]), b = axis_of(model, hinges[1]);
  const Vec3<double> third = hinges.size() > 2 ? axis_of(model, hinges[2]) : cross(a, b);
  if (hinges.size() > 3 || std::abs(dot(a, b)) + std::abs(dot(a, third)) + std::abs(dot(b, third)) > 1e-6)
    throw Error(
        fmt::format("the hinges of body '{}' are not at right angles: their angles are not found from its rotation",
                    model.name(ObjectType::kBody, model.jnt_bodyid[hinges[0]])));
  // in the basis of the axes, the rotation is one about x, then y, then z of the moving frame
  const double handed = dot(cross(a, b), third) < 0 ? -1 : 1;
  const Quat<double> basis = from_mat(mat_from_cols(a, b, third * handed));
  const Quat<double> local = conj(basis) * q * basis;
  const rotations::EulerSequence sequence = rotations::make_euler_sequence("xyz", rotations::EulerSpelling::kMujoco);
  const Vec3<double> euler = rotations::euler_from_quat(sequence, local);
  angles[0] = euler.x, angles[1] = euler.y;
  if (hinges.size() > 2) angles[2] = euler.z * handed;
  return hinges.size() > 2 ? 0 : std::abs(euler.z);
}

// A body that turns about another point than its origin moves its origin too.
bool has_anchors_off_origin(const Model& model) {
  for (int j = 0; j < model.njnt; ++j) {
    const bool is_free = static_cast<JointType>(model.jnt_type[j]) == JointType::kFree;
    if (!is_free && norm(load3(&model.jnt_pos[3 * j])) > 0) return true;
  }
  return false;
}

// p_PoBo_P of these bodies in every frame; zero for the first one, the root.
std::vector<double> places_in_parents(const Model& model, const MotionClip& clip, const std::vector<int>& ids) {
  const BodyPoses poses = body_poses(model, clip, true);
  std::vector<double> places;
  for (int f = 0; f < clip.frames; ++f) {
    for (size_t k = 0; k < ids.size(); ++k) {
      const int parent = model.body_parentid[ids[k]];
      const Vec3<double> p =
          rotate_inverse(poses.q_WB(f, parent), poses.p_WoBo_W(f, ids[k]) - poses.p_WoBo_W(f, parent));
      if (k == 0)
        places.insert(places.end(), {0, 0, 0});
      else
        places.insert(places.end(), {p.x, p.y, p.z});
    }
  }
  return places;
}

// The body of the model for each body of the clip below its root; by name, else in MuJoCo's order.
std::vector<int> match_bodies(const Model& model, const MotionClip& clip, int root) {
  std::vector<int> bodies(clip.bodies.size(), -1);
  int found = 0;
  for (size_t b = 0; b < bodies.size(); ++b)
    bodies[b] = model.find(ObjectType::kBody, clip.bodies[b].name), found += bodies[b] >= 0;
  if (found == int(bodies.size())) return bodies;
  if (found > int(bodies.size()) / 2) {
    std::vector<std::string> missing;
    for (size_t b = 0; b < bodies.size(); ++b) {
      if (bodies[b] < 0) missing.push_back(clip.bodies[b].name);
    }
    throw Error(fmt::format("the model has no bodies {}", fmt::join(missing, ", ")));
  }
  std::vector<int> moved;  // bodies of the figure with joints, from the root on: what SONIC's files list
  for (int b = root; b < model.nbody; ++b) {
    if (b == root || model.body_jntnum[b] > 0) moved.push_back(b);
  }
  std::vector<int> all;
  for (int b = root; b < model.nbody; ++b) all.push_back(b);
  for (const std::vector<int>* list : {&moved, &all}) {
    if (list->size() == bodies.size()) return *list;
  }
  // more bodies than the model has: converters add points such as hands behind the real ones
  if (bodies.size() > moved.size() && !moved.empty()) {
    std::fill(bodies.begin(), bodies.end(), -1);
    std::copy(moved.begin(), moved.end(), bodies.begin());
    return bodies;
  }
  throw Error(fmt::format("the clip has rotations of {} bodies without names, the model has {} that move and {} in all",
                          bodies.size(), moved.size(), all.size()));
}

// What turns the rotation by a body's joints in the clip into that on the model: a skeleton from BVH has no rest
// rotations, those of the model are in the rotations. Identity where the tree of the clip is not known or another one.
Quat<double> rest_difference(const Model& model, const MotionClip& clip, const std::vector<int>& bodies, size_t b) {
  const int parent = clip.bodies[b].parent;
  const bool is_same = clip.has_tree && parent >= 0 && bodies[size_t(parent)] == model.body_parentid[bodies[b]];
  if (!is_same) return Quat<double>::identity();
  return conj(load4(&model.body_quat[4 * bodies[b]])) * clip.bodies[b].q_PB0;
}

}  // namespace

MotionClip add_body_rotations(const Model& model, const MotionClip& clip) {
  const ClipOnModel map(model, clip, true);
  const int root = map.root_body();  // the world, if the base is fixed
  MotionClip result = clip;
  result.bodies.clear(), result.body_pos.clear(), result.ends.clear(), result.has_tree = true;
  std::vector<int> place(size_t(model.nbody), -1), ids;
  for (int b = root; b < model.nbody; ++b) {
    const int parent = model.body_parentid[b];
    if (b > root && place[size_t(parent)] < 0) continue;  // not a part of the figure
    place[size_t(b)] = int(ids.size());
    ids.push_back(b);
    result.bodies.push_back({std::string(model.name(ObjectType::kBody, b)), b == root ? -1 : place[size_t(parent)],
                             load3(&model.body_pos[3 * b]), load4(&model.body_quat[4 * b])});
  }
  result.body_quat.assign(size_t(clip.frames) * ids.size() * 4, 0);
  std::vector<double> qpos(static_cast<size_t>(model.nq));
  for (int f = 0; f < clip.frames; ++f) {
    map.write_qpos(clip, f, qpos.data());
    for (size_t k = 0; k < ids.size(); ++k) {
      Quat<double> q = Quat<double>::identity();
      if (k > 0) {
        for (const int j : hinges_of(model, ids[k]))
          q = q * from_axis_angle(axis_of(model, j),
                                  qpos[size_t(model.jnt_qposadr[j])] - model.qpos0[model.jnt_qposadr[j]]);
      } else {
        q = clip.q_WR(f);
      }
      store4(&result.body_quat[(size_t(f) * ids.size() + k) * 4], q);
    }
  }
  if (has_anchors_off_origin(model)) result.body_pos = places_in_parents(model, clip, ids);
  return result;
}

MotionClip dofs_from_rotations(const Model& model, const MotionClip& clip, double* residual) {
  if (clip.bodies.empty()) throw Error("the clip has no rotations of bodies");
  MotionClip result = clip;
  result.joint_names = scalar_joint_names(model);
  result.dofs = int(result.joint_names.size());
  result.dof.assign(size_t(clip.frames) * size_t(result.dofs), 0);
  const ClipOnModel map(model, result);
  const std::vector<int> bodies = match_bodies(model, clip, map.root_body());
  double largest = 0;
  for (size_t b = 1; b < bodies.size(); ++b) {
    if (bodies[b] <= 0) continue;
    const std::vector<int> hinges = hinges_of(model, bodies[b]);
    const Quat<double> q_rest = rest_difference(model, clip, bodies, b);
    for (int f = 0; f < clip.frames; ++f) {
      double angles[3] = {};
      largest = std::max(largest, solve_hinges(model, hinges, q_rest * clip.rotation(f, int(b)), angles));
      for (size_t h = 0; h < hinges.size(); ++h) {
        const size_t i = size_t(std::find(map.joints().begin(), map.joints().end(), hinges[h]) - map.joints().begin());
        result.dof[size_t(f) * size_t(result.dofs) + i] = angles[h] + model.qpos0[model.jnt_qposadr[hinges[h]]];
      }
    }
  }
  if (residual) *residual = largest;
  return result;
}

}  // namespace torsor
