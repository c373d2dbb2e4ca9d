#include "torsor/bridge/motion/ground.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/contact/collide.hpp"
#include "torsor/contact/support.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

double lowest_of_geom(const Model& model, const Data& data, int geom) {
  ShapeParts parts;
  const Shape shape = make_shape(model, data, geom, parts);
  if (is_ground(shape.type) || has_no_hull(shape)) return std::numeric_limits<double>::infinity();
  const Mat3<double> R_WG = load9(shape.R_WG);
  ConvexPart part(shape, R_WG, shape.p_WoGo_W);
  return part.to_F(part.furthest_in_own_frame(transposed_mul(R_WG, Vec3<double>{0, 0, -1}))).z - part.radius;
}

std::vector<int> find_bodies(const Model& model, const std::vector<std::string>& names) {
  std::vector<int> bodies;
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    bodies.push_back(model.find(ObjectType::kBody, name));
    if (bodies.back() <= 0) missing.push_back(name);
  }
  if (!missing.empty()) throw Error(fmt::format("the model has no bodies {}", fmt::join(missing, ", ")));
  if (bodies.empty())
    throw Error({Diagnostic{Severity::kError, {}, "no feet are named", "pass feet=[names of bodies]"}});
  return bodies;
}

// Calls f(frame) with the kinematics of each frame in `data`.
template <class F>
void for_each_frame(const Model& model, const MotionClip& clip, Data& data, F&& f) {
  const ClipOnModel map(model, clip, true);
  for (int frame = 0; frame < clip.frames; ++frame) {
    map.write_qpos(clip, frame, data.qpos.data());
    compute_kinematics(model, data);
    f(frame);
  }
}

}  // namespace

double lowest_point(const Model& model, const Data& data, int body) {
  double colliding = std::numeric_limits<double>::infinity(), any = colliding;
  for (int g = model.body_geomadr[body]; g >= 0 && g < model.body_geomadr[body] + model.body_geomnum[body]; ++g) {
    const double lowest = lowest_of_geom(model, data, g);
    any = std::min(any, lowest);
    if (model.geom_contype[g] || model.geom_conaffinity[g]) colliding = std::min(colliding, lowest);
  }
  return std::isfinite(colliding) ? colliding : any;
}

FootContacts find_foot_contacts(const Model& model, const MotionClip& clip, const FootContactOptions& options) {
  const std::vector<int> feet = find_bodies(model, options.feet);
  const size_t count = feet.size(), frames = size_t(clip.frames);
  FootContacts result;
  result.heights.resize(frames * count), result.speeds.assign(frames * count, 0), result.stands.resize(frames * count);
  std::vector<double> places;  // frames x feet x 3
  Data data(model);
  for_each_frame(model, clip, data, [&](int frame) {
    for (size_t i = 0; i < count; ++i) {
      result.heights[size_t(frame) * count + i] = lowest_point(model, data, feet[i]) - options.ground;
      places.insert(places.end(), &data.xpos[3 * feet[i]], &data.xpos[3 * feet[i]] + 3);
    }
  });
  for (size_t f = 0; f < frames; ++f) {
    const size_t before = f > 0 ? f - 1 : f, after = f + 1 < frames ? f + 1 : f;  // one-sided at the ends
    for (size_t i = 0; i < count; ++i) {
      const Vec3<double> moved = load3(&places[(after * count + i) * 3]) - load3(&places[(before * count + i) * 3]);
      if (after > before) result.speeds[f * count + i] = norm(moved) * clip.fps / double(after - before);
      result.stands[f * count + i] =
          result.heights[f * count + i] <= options.height && result.speeds[f * count + i] <= options.speed;
    }
  }
  return result;
}

std::vector<double> ground_penetration(const Model& model, const MotionClip& clip, double ground) {
  std::vector<double> depths;
  Data data(model);
  for_each_frame(model, clip, data, [&](int) {
    double lowest = std::numeric_limits<double>::infinity();
    for (int b = 1; b < model.nbody; ++b) {
      if (model.body_weldid[b] > 0) lowest = std::min(lowest, lowest_point(model, data, b));
    }
    depths.push_back(std::max(0.0, ground - lowest));
  });
  return depths;
}

}  // namespace torsor
