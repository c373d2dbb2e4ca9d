#include "torsor/format/motion/clip.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr double kUnitTolerance = 1e-3;  // as rotations::kLengthTolerance

void check_size(const char* what, const std::vector<double>& values, size_t expected) {
  if (values.size() != expected) throw Error(fmt::format("{}: {} numbers, expected {}", what, values.size(), expected));
}

void check_finite(const char* what, const std::vector<double>& values, size_t per_frame) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      throw Error(fmt::format("{}: frame {}, number {} is {}", what, i / per_frame, i % per_frame, values[i]));
  }
}

void normalise(const char* what, std::vector<double>& quats, size_t per_frame) {
  for (size_t i = 0; i < quats.size(); i += 4) {
    const Quat<double> q = load4(&quats[i]);
    const double length = std::sqrt(dot(q, q));
    if (std::abs(length - 1) > kUnitTolerance)
      throw Error(fmt::format("{}: frame {}, the quaternion at number {} has length {:.6g}, not 1", what, i / per_frame,
                              i % per_frame, length));
    store4(&quats[i], normalized(q));
  }
}

void check_bodies(const MotionClip& clip) {
  for (int b = 0; b < clip.nbody(); ++b) {
    const MotionBody& body = clip.bodies[size_t(b)];
    if (b == 0 ? body.parent != -1 : body.parent < 0 || body.parent >= b)
      throw Error(fmt::format("body {} ('{}'): its parent must be an earlier body, got {}", b, body.name, body.parent));
    const Vec3<double>& p = body.p_PoBo_P;
    if (!std::isfinite(p.x + p.y + p.z))
      throw Error(fmt::format("body {} ('{}'): its offset is not finite", b, body.name));
    if (std::abs(dot(body.q_PB0, body.q_PB0) - 1) > kUnitTolerance)
      throw Error(fmt::format("body {} ('{}'): its rest rotation is not a unit quaternion", b, body.name));
  }
  for (const MotionEnd& end : clip.ends) {
    if (end.body < 0 || end.body >= clip.nbody())
      throw Error(fmt::format("an end belongs to body {}, which does not exist", end.body));
  }
}

void check_names(const MotionClip& clip) {
  if (!clip.joint_names.empty() && clip.joint_names.size() != size_t(clip.dofs))
    throw Error(fmt::format("{} names for {} joint coordinates", clip.joint_names.size(), clip.dofs));
  std::vector<std::string> sorted = clip.joint_names;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw Error(fmt::format("two joints are named '{}'", *twice));
}

std::string difference_of(const char* what, const std::vector<double>& a, const std::vector<double>& b,
                          double tolerance) {
  if (a.size() != b.size()) return fmt::format("{}: {} and {} numbers", what, a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= tolerance * std::max({1.0, std::abs(a[i]), std::abs(b[i])})))
      return fmt::format("{}[{}]: {} {}", what, i, a[i], b[i]);
  }
  return "";
}

std::string quat_difference_of(const char* what, const std::vector<double>& a, std::vector<double> b,
                               double tolerance) {
  for (size_t i = 0; i + 4 <= std::min(a.size(), b.size()); i += 4) {
    if (dot(load4(&a[i]), load4(&b[i])) >= 0) continue;
    for (size_t k = i; k < i + 4; ++k) b[k] = -b[k];
  }
  return difference_of(what, a, b, tolerance);
}

}  // namespace

void check_clip(MotionClip& clip) {
  if (!std::isfinite(clip.fps) || clip.fps <= 0)
    throw Error({Diagnostic{
        Severity::kError, {}, fmt::format("fps must be a positive number, got {}", clip.fps), "pass fps="}});
  if (clip.frames < 1) throw Error("the clip has no frames");
  const size_t n = size_t(clip.frames), bodies = clip.bodies.size();
  check_size("root_pos", clip.root_pos, n * 3);
  check_size("root_quat", clip.root_quat, n * 4);
  check_size("dof", clip.dof, n * size_t(clip.dofs));
  check_size("body_quat", clip.body_quat, n * bodies * 4);
  if (!clip.body_pos.empty()) check_size("body_pos", clip.body_pos, n * bodies * 3);
  check_names(clip);
  check_bodies(clip);
  check_finite("root_pos", clip.root_pos, 3);
  check_finite("root_quat", clip.root_quat, 4);
  check_finite("dof", clip.dof, std::max<size_t>(1, size_t(clip.dofs)));
  check_finite("body_quat", clip.body_quat, bodies * 4);
  check_finite("body_pos", clip.body_pos, bodies * 3);
  normalise("root_quat", clip.root_quat, 4);
  normalise("body_quat", clip.body_quat, bodies * 4);
}

MotionClip without_frames(const MotionClip& clip) {
  MotionClip result;
  result.name = clip.name, result.convention = clip.convention, result.notes = clip.notes;
  result.fps = clip.fps, result.dofs = clip.dofs, result.joint_names = clip.joint_names;
  result.bodies = clip.bodies, result.has_tree = clip.has_tree, result.ends = clip.ends;
  return result;
}

void set_frames(MotionClip& clip, int frames) {
  const size_t n = size_t(frames), bodies = clip.bodies.size();
  clip.frames = frames;
  clip.root_pos.assign(n * 3, 0), clip.root_quat.assign(n * 4, 0);
  clip.dof.assign(n * size_t(clip.dofs), 0);
  clip.body_quat.assign(n * bodies * 4, 0);
  for (size_t i = 0; i < clip.root_quat.size(); i += 4) clip.root_quat[i] = 1;
  for (size_t i = 0; i < clip.body_quat.size(); i += 4) clip.body_quat[i] = 1;
}

void require_tree(const MotionClip& clip) {
  if (clip.bodies.empty())
    throw Error("the clip has joint coordinates only, no rotations of bodies; forward kinematics needs a model");
  if (!clip.has_tree)
    throw Error("the file does not say how the bodies are connected; forward kinematics needs a model");
}

void skeleton_poses(const MotionClip& clip, int frame, double* p_WoBo_W, double* q_WB) {
  const bool slides = !clip.body_pos.empty();
  require_tree(clip);
  for (int b = 0; b < clip.nbody(); ++b) {
    const MotionBody& body = clip.bodies[size_t(b)];
    Pose<double> X_WB{clip.p_WoRo_W(frame), clip.q_WR(frame)};
    if (b > 0) {
      const Pose<double> X_WP{load3(p_WoBo_W + 3 * body.parent), load4(q_WB + 4 * body.parent)};
      const Vec3<double> p_PoBo_P =
          slides ? load3(&clip.body_pos[(size_t(frame) * clip.bodies.size() + size_t(b)) * 3]) : body.p_PoBo_P;
      X_WB = X_WP * Pose<double>{p_PoBo_P, body.q_PB0 * clip.rotation(frame, b)};
    }
    store3(p_WoBo_W + 3 * b, X_WB.p);
    store4(q_WB + 4 * b, normalized(X_WB.q));
  }
}

MotionClip reorder(const MotionClip& clip, const Permutation& joints) {
  if (joints.size() != clip.dofs)
    throw Error(fmt::format("an order of {} joints does not fit a clip of {}", joints.size(), clip.dofs));
  MotionClip result = clip;
  if (result.convention == "isaaclab2") result.convention.clear();  // its order was a part of it
  if (clip.dofs > 0) joints.gather(clip.dof, result.dof);
  for (size_t i = 0; i < clip.joint_names.size(); ++i) result.joint_names[i] = clip.joint_names[size_t(joints[int(i)])];
  return result;
}

MotionClip reorder(const MotionClip& clip, std::span<const std::string> names) {
  if (clip.joint_names.empty())
    throw Error(
        {Diagnostic{Severity::kError, {}, "the joints of the clip have no names", "pass joints= when it is read"}});
  return reorder(clip, match_names(clip.joint_names, names));
}

MotionClip reorder_bodies(const MotionClip& clip, std::span<const std::string> names) {
  std::vector<std::string> own;
  for (const MotionBody& body : clip.bodies) own.push_back(body.name);
  const Permutation order = match_names(own, names), place = order.inverse();
  if (clip.nbody() > 0 && order[0] != 0) throw Error(fmt::format("the root '{}' must stay first", own[0]));
  MotionClip result = clip;
  const size_t count = clip.bodies.size();
  for (size_t i = 0; i < count; ++i) {
    const size_t from = size_t(order[int(i)]);
    result.bodies[i] = clip.bodies[from];
    if (i > 0) result.bodies[i].parent = place[clip.bodies[from].parent];
    if (i > 0 && result.bodies[i].parent >= int(i))
      throw Error(
          fmt::format("'{}' must come before its child '{}'", own[size_t(clip.bodies[from].parent)], own[from]));
    for (size_t frame = 0; frame < size_t(clip.frames); ++frame) {
      std::copy_n(&clip.body_quat[(frame * count + from) * 4], 4, &result.body_quat[(frame * count + i) * 4]);
      if (!clip.body_pos.empty())
        std::copy_n(&clip.body_pos[(frame * count + from) * 3], 3, &result.body_pos[(frame * count + i) * 3]);
    }
  }
  for (MotionEnd& end : result.ends) end.body = place[end.body];
  return result;
}

std::vector<std::string> body_names_in(const MotionClip& clip, const Order& order) {
  require_tree(clip);
  Tree tree;
  for (const MotionBody& body : clip.bodies) tree.names.push_back(body.name), tree.parents.push_back(body.parent);
  std::vector<std::string> names;
  for (const int body : list_bodies(tree, order)) names.push_back(tree.names[size_t(body)]);
  return names;
}

std::string find_difference(const MotionClip& a, const MotionClip& b, double tolerance) {
  if (a.frames != b.frames) return fmt::format("frames: {} {}", a.frames, b.frames);
  if (!(std::abs(a.fps - b.fps) <= tolerance * std::max(a.fps, b.fps))) return fmt::format("fps: {} {}", a.fps, b.fps);
  if (a.joint_names != b.joint_names) return "joint_names";
  if (a.nbody() != b.nbody()) return fmt::format("bodies: {} {}", a.nbody(), b.nbody());
  if (a.ends.size() != b.ends.size()) return fmt::format("ends: {} {}", a.ends.size(), b.ends.size());
  std::vector<double> offsets_a, offsets_b, rest_a, rest_b;
  for (size_t i = 0; i < a.ends.size(); ++i) {
    if (a.ends[i].body != b.ends[i].body)
      return fmt::format("ends[{}]: of bodies {} {}", i, a.ends[i].body, b.ends[i].body);
    const Vec3<double>&p = a.ends[i].p_BoEo_B, &q = b.ends[i].p_BoEo_B;
    offsets_a.insert(offsets_a.end(), {p.x, p.y, p.z}), offsets_b.insert(offsets_b.end(), {q.x, q.y, q.z});
  }
  for (int i = 0; i < a.nbody(); ++i) {
    const MotionBody &x = a.bodies[size_t(i)], &y = b.bodies[size_t(i)];
    if (x.name != y.name || x.parent != y.parent) return fmt::format("bodies[{}]: {} {}", i, x.name, y.name);
    for (const auto& [body, offsets, rest] :
         {std::tuple{&x, &offsets_a, &rest_a}, std::tuple{&y, &offsets_b, &rest_b}}) {
      offsets->insert(offsets->end(), {body->p_PoBo_P.x, body->p_PoBo_P.y, body->p_PoBo_P.z});
      rest->insert(rest->end(), {body->q_PB0.w, body->q_PB0.x, body->q_PB0.y, body->q_PB0.z});
    }
  }
  for (const std::string& found :
       {difference_of("offsets", offsets_a, offsets_b, tolerance),
        quat_difference_of("rest", rest_a, rest_b, tolerance),
        difference_of("root_pos", a.root_pos, b.root_pos, tolerance),
        quat_difference_of("root_quat", a.root_quat, b.root_quat, tolerance),
        difference_of("dof", a.dof, b.dof, tolerance), difference_of("body_pos", a.body_pos, b.body_pos, tolerance),
        quat_difference_of("body_quat", a.body_quat, b.body_quat, tolerance)}) {
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace torsor
