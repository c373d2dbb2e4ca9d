#include "torsor/format/world_axes.hpp"

#include <cmath>
#include <utility>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

Vec3<double> turned(const Quat<double>& q, const double* v) { return rotate(q, load3(v)); }
void turn(const Quat<double>& q, double* v) { store3(v, turned(q, v)); }
void turn_rotation(const Quat<double>& q, double* quat) { store4(quat, q * load4(quat)); }

// Coordinates of free joints in a keyframe, in the order in which bodies are compiled.
void turn_keyframe(const Spec& spec, const Quat<double>& q, KeySpec& key) {
  size_t qpos = 0, qvel = 0;
  for (const BodySpec& body : spec.bodies) {
    for (const JointSpec& joint : body.joints) {
      const bool is_free = joint.type == JointType::kFree, is_ball = joint.type == JointType::kBall;
      if (is_free && key.qpos && key.qpos->size() >= qpos + 7) {
        turn(q, key.qpos->data() + qpos);
        turn_rotation(q, key.qpos->data() + qpos + 3);
      }
      // the linear velocity is in world axes, the angular one in the body's
      if (is_free && key.qvel && key.qvel->size() >= qvel + 3) turn(q, key.qvel->data() + qvel);
      qpos += is_free ? 7 : (is_ball ? 4 : 1);
      qvel += is_free ? 6 : (is_ball ? 3 : 1);
    }
  }
  for (size_t i = 0; key.mpos && i + 3 <= key.mpos->size(); i += 3) turn(q, key.mpos->data() + i);
  for (size_t i = 0; key.mquat && i + 4 <= key.mquat->size(); i += 4) turn_rotation(q, key.mquat->data() + i);
}

// Puts all children of the world into one rotated frame, which compile() dissolves. It comes first, because frames come
// before those inside them: every index increases by one, and -1, the world itself, becomes the new frame.
void wrap_world(Spec& spec, const Quat<double>& q) {
  BodySpec& world = spec.bodies[0];
  const auto put = [](auto& elements) {
    for (auto& element : elements) ++element.frame;
  };
  put(world.geoms), put(world.sites), put(world.cameras), put(world.lights);
  for (FrameSpec& frame : world.frames) ++frame.parent_frame;
  for (BodySpec& body : spec.bodies) {
    if (body.parent == 0) ++body.frame;
  }
  FrameSpec frame;
  store4(frame.orientation.quat.data(), q);
  world.frames.insert(world.frames.begin(), frame);
}

}  // namespace

Vec3<double> gravity_in(const Axes& world, double size) { return to_axes(world, Vec3<double>{0, 0, -size}); }

void set_up_axis(Spec& spec, const Axes& world) {
  store3(spec.option.gravity, gravity_in(world, norm(load3(spec.option.gravity))));
  spec.compiler.axes.world = world;
}

void turn_world(Spec& spec, const Axes& from, const Axes& to) {
  if (from.determinant() < 0 || to.determinant() < 0) {
    throw Error(
        "a model can be converted between right-handed worlds only; left-handed ones need mirrored meshes and joints");
  }
  const Quat<double> q = axes_rotation(to) * conj(axes_rotation(from));
  spec.compiler.axes.world = to;  // `from` may be this very value
  if (std::abs(q.w) > 1 - 1e-12) return;
  wrap_world(spec, q);
  turn(q, spec.option.gravity);
  turn(q, spec.option.wind);
  turn(q, spec.option.magnetic);
  if (!std::isnan(spec.statistic.center[0])) turn(q, spec.statistic.center.data());
  for (KeySpec& key : spec.keys) turn_keyframe(spec, q, key);
}

void convert_vertices(const Axes& from, const Axes& to, std::vector<float>& vertices) {
  for (size_t i = 0; i + 3 <= vertices.size(); i += 3) {
    const Vec3<float> v = to_axes(to, from_axes(from, Vec3<float>{vertices[i], vertices[i + 1], vertices[i + 2]}));
    vertices[i] = v.x, vertices[i + 1] = v.y, vertices[i + 2] = v.z;
  }
}

void convert_winding(const Axes& from, const Axes& to, std::vector<int>& triangles) {
  if (from.determinant() == to.determinant()) return;
  for (size_t i = 0; i + 3 <= triangles.size(); i += 3) std::swap(triangles[i + 1], triangles[i + 2]);
}

}  // namespace torsor
