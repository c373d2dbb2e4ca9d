#include "torsor/format/motion/edit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/convention/rotations.hpp"
#include "torsor/core/count.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

// A clip of the same figure with room for so many frames.
MotionClip make_like(const MotionClip& clip, size_t frames) {
  const size_t numbers = 7 + size_t(clip.dofs) + 7 * clip.bodies.size();
  if (frames > size_t(kMostNumbers) / numbers) throw Error(fmt::format("a clip of {} frames is too large", frames));
  MotionClip result = without_frames(clip);
  set_frames(result, int(frames));
  if (!clip.body_pos.empty()) result.body_pos.assign(frames * clip.bodies.size() * 3, 0);
  return result;
}

// Frame `to` of `out` between frame i of a (weight 0) and frame j of b (weight 1).
void interpolate(const MotionClip& a, int i, const MotionClip& b, int j, double weight, MotionClip& out, int to) {
  const auto linear = [&](const std::vector<double>& x, const std::vector<double>& y, std::vector<double>& z,
                          size_t width) {
    const double *p = x.data() + size_t(i) * width, *q = y.data() + size_t(j) * width;
    for (size_t k = 0; k < width; ++k) z[size_t(to) * width + k] = p[k] + weight * (q[k] - p[k]);
  };
  const auto spherical = [&](const std::vector<double>& x, const std::vector<double>& y, std::vector<double>& z,
                             size_t count) {
    for (size_t k = 0; k < count; ++k) {
      const double *p = x.data() + (size_t(i) * count + k) * 4, *q = y.data() + (size_t(j) * count + k) * 4;
      store4(&z[(size_t(to) * count + k) * 4], weight == 0 ? load4(p) : rotations::slerp(load4(p), load4(q), weight));
    }
  };
  linear(a.root_pos, b.root_pos, out.root_pos, 3);
  linear(a.dof, b.dof, out.dof, size_t(a.dofs));
  spherical(a.root_quat, b.root_quat, out.root_quat, 1);
  spherical(a.body_quat, b.body_quat, out.body_quat, a.bodies.size());
  if (!a.body_pos.empty()) linear(a.body_pos, b.body_pos, out.body_pos, a.bodies.size() * 3);
}

void check_same_figure(const MotionClip& a, const MotionClip& b) {
  const auto same_body = [](const MotionBody& x, const MotionBody& y) {
    return x.name == y.name && x.parent == y.parent;
  };
  if (a.dofs != b.dofs || a.joint_names != b.joint_names || a.body_pos.empty() != b.body_pos.empty() ||
      !std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(), same_body))
    throw Error(fmt::format(
        "the clips are not of the same figure: {} and {} joints, {} and {} bodies, or other names or orders", a.dofs,
        b.dofs, a.nbody(), b.nbody()));
  if (std::abs(a.fps - b.fps) > 1e-9 * a.fps)
    throw Error({Diagnostic{Severity::kError,
                            {},
                            fmt::format("the clips have {} and {} frames per second", a.fps, b.fps),
                            "resample one of them"}});
}

// Moves a clip on the ground and about z so that its frame `from` has the place and heading of a pose.
void align_to(MotionClip& clip, int from, const Vec3<double>& p_WoRo_W, const Quat<double>& q_WR) {
  const Quat<double> turn = rotations::heading_quat(q_WR) * conj(rotations::heading_quat(clip.q_WR(from)));
  const Vec3<double> start = clip.p_WoRo_W(from);
  for (int f = 0; f < clip.frames; ++f) {
    const Vec3<double> moved = rotate(turn, clip.p_WoRo_W(f) - start);
    store3(&clip.root_pos[size_t(f) * 3], {p_WoRo_W.x + moved.x, p_WoRo_W.y + moved.y, start.z + moved.z});
    const Quat<double> q = normalized(turn * clip.q_WR(f));
    store4(&clip.root_quat[size_t(f) * 4], q);
    if (clip.nbody() > 0) store4(&clip.body_quat[size_t(f) * clip.bodies.size() * 4], q);
  }
}

MotionClip with_base(const MotionClip& clip, const Quat<double>& b) {
  MotionClip result = clip;
  for (int f = 0; f < clip.frames; ++f) {
    const Quat<double> q = normalized(clip.q_WR(f) * conj(b));
    store4(&result.root_quat[size_t(f) * 4], q);
    for (int k = 0; k < clip.nbody(); ++k) {
      const Quat<double> local = k == 0 ? q : normalized(b * clip.rotation(f, k) * conj(b));
      store4(&result.body_quat[(size_t(f) * clip.bodies.size() + size_t(k)) * 4], local);
      if (!clip.body_pos.empty() && k > 0) {
        double* p = &result.body_pos[(size_t(f) * clip.bodies.size() + size_t(k)) * 3];
        store3(p, rotate(b, load3(p)));
      }
    }
  }
  for (MotionBody& body : result.bodies) {
    if (body.parent >= 0) body.p_PoBo_P = rotate(b, body.p_PoBo_P);
    body.q_PB0 = b * body.q_PB0 * conj(b);
  }
  for (MotionEnd& end : result.ends) end.p_BoEo_B = rotate(b, end.p_BoEo_B);
  return result;
}

}  // namespace

void sample(const MotionClip& clip, double time, MotionClip& out, int to) {
  const double place = place_in_frames(time, clip.fps, clip.frames);
  const int first = int(place);
  interpolate(clip, first, clip, std::min(first + 1, clip.frames - 1), place - first, out, to);
}

MotionClip warp(const MotionClip& clip, std::span<const double> times) {
  if (times.empty()) throw Error("a clip needs at least one time");
  MotionClip result = make_like(clip, times.size());
  for (size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i])) throw Error(fmt::format("time {} is {}", i, times[i]));
    sample(clip, times[i], result, int(i));
  }
  return result;
}

MotionClip resample(const MotionClip& clip, double fps) {
  if (!std::isfinite(fps) || fps <= 0) throw Error(fmt::format("fps must be a positive number, got {}", fps));
  const double last = (clip.frames - 1) / clip.fps * fps;
  if (last > double(kMostNumbers)) throw Error(fmt::format("{} frames per second are too many", fps));
  const size_t frames = size_t(std::floor(last * (1 + 1e-12) + 1e-9)) + 1;
  MotionClip result = make_like(clip, frames);
  result.fps = fps;
  for (size_t i = 0; i < frames; ++i) sample(clip, double(i) / fps, result, int(i));
  return result;
}

MotionClip change_speed(const MotionClip& clip, double factor) {
  if (!std::isfinite(factor) || factor <= 0)
    throw Error(fmt::format("the factor must be a positive number, got {}", factor));
  const double last = (clip.frames - 1) / factor;
  if (last > double(kMostNumbers)) throw Error(fmt::format("a factor of {} makes too many frames", factor));
  std::vector<double> times(size_t(std::floor(last * (1 + 1e-12) + 1e-9)) + 1);
  for (size_t i = 0; i < times.size(); ++i) times[i] = double(i) * factor / clip.fps;
  return warp(clip, times);
}

MotionClip trim(const MotionClip& clip, int first, int end) {
  if (first < 0 || end > clip.frames || first >= end)
    throw Error(fmt::format("frames {} to {} are not in a clip of {}", first, end, clip.frames));
  MotionClip result = make_like(clip, size_t(end - first));
  for (int f = first; f < end; ++f) interpolate(clip, f, clip, f, 0, result, f - first);
  return result;
}

MotionClip concatenate(const MotionClip& a, const MotionClip& b, const ConcatenateOptions& options) {
  check_same_figure(a, b);
  const int blend = options.blend;
  if (blend < 0 || blend > a.frames || blend > b.frames)
    throw Error(fmt::format("a blend of {} frames does not fit clips of {} and {}", blend, a.frames, b.frames));
  MotionClip next = b;
  // without an overlap the second clip goes on at the last frame of the first one
  const int start = blend > 0 ? a.frames - blend : a.frames - 1;
  if (options.align) align_to(next, 0, a.p_WoRo_W(start), a.q_WR(start));
  MotionClip result = make_like(a, size_t(a.frames) + size_t(b.frames) - size_t(blend));
  for (int f = 0; f < a.frames - blend; ++f) interpolate(a, f, a, f, 0, result, f);
  for (int k = 0; k < blend; ++k) {
    const double t = (k + 1.0) / (blend + 1.0),
                 weight = t * t * (3 - 2 * t);  // starts and ends without a jump in velocity
    interpolate(a, a.frames - blend + k, next, k, weight, result, a.frames - blend + k);
  }
  for (int f = blend; f < b.frames; ++f) interpolate(next, f, next, f, 0, result, a.frames - blend + f);
  return result;
}

MotionClip remove_base_rotation(const MotionClip& clip, const Quat<double>& base) { return with_base(clip, base); }
MotionClip add_base_rotation(const MotionClip& clip, const Quat<double>& base) { return with_base(clip, conj(base)); }

}  // namespace torsor
