// Resizes what frames with a scale hold: bodies, joints, geoms, sites, cameras, lights and inertias.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "torsor/compile/orientation.hpp"
#include "torsor/compile/scale_units.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor::compiler {
namespace {

const double kSinOfTwoDegrees = std::sin(2 * M_PI / 180);  // what still counts as aligned, as in MuJoCo

Number3 to_numbers(const Vec& v) { return {v.x, v.y, v.z}; }
void move(Number3& p, const Map& stretch) { p = to_numbers(stretch * to_vec(p)); }

// The map in the axes of a child whose orientation is R.
Map turned(const Map& stretch, const Map& R) { return transpose(R) * stretch * R; }

// Whether the map keeps a direction.
bool keeps(const Map& stretch, const Vec& axis) {
  const Vec image = stretch * axis;
  return norm(cross(axis, image)) <= kSinOfTwoDegrees * norm(axis) * norm(image);
}

bool is_near(double a, double b) { return std::abs(a - b) <= kSinOfTwoDegrees * std::max(a, b); }

class BodyScaler {
 public:
  BodyScaler(Spec& spec, Diagnostics& diagnostics, std::vector<AssetUse>& uses)
      : spec_(spec), diagnostics_(diagnostics), uses_(uses), units_{spec.compiler.degree, spec.compiler.eulerseq} {}

  ScaleTree scale() {
    tree_.free_bodies.assign(spec_.bodies.size(), {Map::identity(), Vec::zero(), 1});
    for (size_t b = 0; b < spec_.bodies.size(); ++b) {
      BodySpec& body = spec_.bodies[b];
      scales_.push_back({b == 0 ? Scale{} : scale_of_body(b)});
      scale_frames(b);
      tree_.bodies.emplace(body.name, scales_[b][0]);
      scale_parts(b);
    }
    for (size_t b = 0; b < spec_.bodies.size(); ++b) list_uses(spec_.bodies[b].geoms, geom_maps_[b]);
    for (size_t b = 0; b < spec_.bodies.size(); ++b) list_uses(spec_.bodies[b].sites, site_maps_[b]);
    return std::move(tree_);
  }

 private:
  void error(std::string_view kind, const ElementSpec& element, const std::string& message, std::string hint = {}) {
    diagnostics_.error(element.location, fmt::format("{}: {}", Draft::describe(kind, element), message),
                       std::move(hint));
  }

  // Bad orientations are reported when elements are placed.
  Map rotation(const OrientationSpec& orientation) const {
    try {
      return to_mat(resolve_orientation(orientation, units_));
    } catch (const std::invalid_argument&) {
      return Map::identity();
    }
  }

  const Scale& within(size_t body, int frame) const {
    const std::vector<Scale>& scales = scales_[body];
    const size_t index = static_cast<size_t>(frame + 1);
    return index < scales.size() ? scales[index] : scales[0];
  }

  // Moves the body, and gives the scale of what it holds.
  Scale scale_of_body(size_t b) {
    BodySpec& body = spec_.bodies[b];
    const size_t parent =
        body.parent >= 0 && static_cast<size_t>(body.parent) < b ? static_cast<size_t>(body.parent) : 0;
    Scale scale = within(parent, body.frame);
    if (parent == 0) tree_.free_bodies[b] = find_free_body(body.frame);
    move(body.pos, scale.stretch);
    if (!scale.is_uniform()) scale.stretch = turned(scale.stretch, rotation(body.orientation));
    return scale;
  }

  // Where the world's frames take a point that is given in W.
  ScaleTree::FreeBody find_free_body(int frame) const {
    const size_t index = static_cast<size_t>(frame + 1);
    if (index >= world_before_.size()) return {Map::identity(), Vec::zero(), 1};
    const Map R = to_mat(world_before_[index].q);
    const Map stretch = R * scales_[0][index].stretch * transpose(R);
    return {stretch, world_after_[index].p - stretch * world_before_[index].p, scales_[0][index].units.size};
  }

  void scale_frames(size_t b) {
    if (b == 0) world_before_ = world_after_ = {Frame::identity()};
    for (FrameSpec& frame : spec_.bodies[b].frames) {
      const Scale outer = within(b, frame.parent_frame);
      const Vec before = to_vec(frame.pos);
      move(frame.pos, outer.stretch);
      const Map R = rotation(frame.orientation);
      if (b == 0) follow_world_frame(frame, before);
      scales_[b].push_back(scale_of_frame(frame, outer, R));
      frame.scale = {1, 1, 1};
      frame.massscale = 0;
    }
  }

  void follow_world_frame(const FrameSpec& frame, const Vec& before) {
    Rotation q = Rotation::identity();
    try {
      q = resolve_orientation(frame.orientation, units_);
    } catch (const std::invalid_argument&) {
    }
    const size_t outer = static_cast<size_t>(frame.parent_frame + 1);
    world_before_.push_back(world_before_[outer] * Frame{before, q});
    world_after_.push_back(world_after_[outer] * Frame{to_vec(frame.pos), q});
  }

  void check_frame(const FrameSpec& frame) {
    const auto& s = frame.scale;
    if (!std::all_of(s.begin(), s.end(), [](double f) { return std::isfinite(f) && f > 0; }))
      error("frame", frame, "scale must be finite and positive");
    if (!(std::isfinite(frame.massscale) && frame.massscale >= 0))
      error("frame", frame, "massscale must be finite and not negative");
    if ((s[0] != s[1] || s[1] != s[2]) && frame.scaling != ScalingPolicy::kGeometry)
      error("frame", frame, "three different values of scale need scaling=\"geometry\"");
  }

  Scale scale_of_frame(const FrameSpec& frame, const Scale& outer, const Map& R) {
    check_frame(frame);
    const auto& s = frame.scale;
    Scale scale = outer;
    if (!outer.is_uniform()) scale.stretch = turned(outer.stretch, R);
    if (s == Number3{1, 1, 1} && frame.massscale == 0) return scale;
    const bool is_uniform = s[0] == s[1] && s[1] == s[2];
    const double volume = s[0] * s[1] * s[2], size = is_uniform ? s[0] : std::cbrt(volume);
    const double mass = frame.massscale > 0 ? frame.massscale : volume;
    scale.stretch = scale.stretch * mat_from_cols(Vec{s[0], 0, 0}, Vec{0, s[1], 0}, Vec{0, 0, s[2]});
    scale.mass *= mass;
    scale.units.size *= size;
    if (frame.scaling == ScalingPolicy::kSimilar) {
      scale.units.length *= size;
      scale.units.mass *= mass;
    }
    scale.node = static_cast<int>(tree_.nodes.size());
    tree_.nodes.push_back({outer.node, scale.units});
    return scale;
  }

  void scale_parts(size_t b) {
    BodySpec& body = spec_.bodies[b];
    if (body.inertial.given) scale_inertial(body.inertial, within(b, body.inertial.frame));
    tree_.slide_factors.emplace_back();
    for (JointSpec& joint : body.joints) scale_joint(joint, within(b, joint.frame));
    geom_maps_.emplace_back();
    for (GeomSpec& geom : body.geoms) geom_maps_[b].push_back(scale_geom(geom, within(b, geom.frame)));
    site_maps_.emplace_back();
    for (SiteSpec& site : body.sites) site_maps_[b].push_back(scale_site(site, within(b, site.frame)));
    for (CameraSpec& camera : body.cameras) scale_camera(camera, within(b, camera.frame));
    for (LightSpec& light : body.lights) scale_light(light, within(b, light.frame));
  }

  void scale_inertial(InertialSpec& inertial, const Scale& scale) {
    move(inertial.pos, scale.stretch);
    inertial.mass *= scale.mass;
    if (scale.is_uniform()) {
      const double factor = scale.mass * scale.units.size * scale.units.size;
      for (double& moment : inertial.diaginertia) moment *= factor;
      if (inertial.fullinertia) {
        for (double& moment : *inertial.fullinertia) moment *= factor;
      }
      return;
    }
    stretch_inertia(inertial, scale);
  }

  // Second moments of mass, C = trace(I) / 2 - I, change by the map as positions do.
  void stretch_inertia(InertialSpec& inertial, const Scale& scale) {
    const Vec moments = to_vec(inertial.diaginertia);
    Map I = to_mat(rotate_diagonal(rotation(inertial.orientation), moments));
    if (inertial.fullinertia) {
      const Number6& f = *inertial.fullinertia;
      I = to_mat(Sym3<double>{f[0], f[1], f[2], f[3], f[4], f[5]});
    }
    const Map one = Map::identity();
    const Map C = one * (0.5 * (I(0, 0) + I(1, 1) + I(2, 2))) - I;
    const Map stretched = scale.stretch * C * transpose(scale.stretch) * scale.mass;
    I = one * (stretched(0, 0) + stretched(1, 1) + stretched(2, 2)) - stretched;
    inertial.fullinertia = Number6{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    inertial.diaginertia = {0, 0, 0};
    inertial.orientation = {};
  }

  void scale_joint(JointSpec& joint, const Scale& scale) {
    const Vec axis = to_vec(joint.axis);
    const bool is_slide = joint.type == JointType::kSlide;
    Coordinate coordinate = angular(scale.units);
    if (is_slide) coordinate = linear(scale.units, norm(scale.stretch * axis) / std::max(norm(axis), kMinValue));
    if (scale.is_uniform() && is_slide) coordinate = linear(scale.units);
    tree_.slide_factors.back().push_back(is_slide ? coordinate.value : 1);
    tree_.joints.emplace(joint.name, ScaleTree::JointPlace{coordinate, joint.type, scale.node, scale.units});
    if (joint.type == JointType::kFree) return;
    if (joint.type != JointType::kBall && !scale.is_uniform() && !keeps(scale.stretch, axis))
      error("joint", joint, "its axis is not aligned with the axes of the scale of its frame");
    move(joint.pos, scale.stretch);
    if (is_slide) {
      for (double* value : {&joint.range[0], &joint.range[1], &joint.ref, &joint.springref, &joint.springyield,
                            &joint.margin, &joint.solimp_limit[2], &joint.solimp_friction[2]})
        *value *= coordinate.value;
    }
    for (int k = 0; k < 3; ++k) {
      joint.stiffness[at(k)] *= coordinate.gain(k + 1);
      joint.damping[at(k)] *= coordinate.gain(k + 1);
    }
    joint.armature *= coordinate.gain();
    joint.frictionloss *= coordinate.force;
    for (double& force : joint.actfrcrange) force *= coordinate.force;
    if (joint.sapstiffness) *joint.sapstiffness *= coordinate.gain();
  }

  // Moves a shape. Returns the map in its axes.
  template <class Shape>
  Map pose_shape(Shape& shape, const Scale& scale) {
    move(shape.pos, scale.stretch);
    if (shape.fromto) {
      const Map& L = scale.stretch;
      Number6& ends = *shape.fromto;
      const Vec from_before{ends[0], ends[1], ends[2]}, to_before{ends[3], ends[4], ends[5]};
      const Vec from = L * from_before, to = L * to_before;
      ends = {from.x, from.y, from.z, to.x, to.y, to.z};
      if (!scale.is_uniform()) return pose_line(shape, turned(L, to_mat(turn_z_to(from_before - to_before))), from, to);
    }
    return scale.is_uniform() ? scale.stretch : turned(scale.stretch, rotation(shape.orientation));
  }

  // A line between ends that were moved; `stretch` is the map in its axes before. Its length is written such that the
  // map gives the new one.
  template <class Shape>
  static Map pose_line(Shape& shape, const Map& stretch, const Vec& from, const Vec& to) {
    if (!has_direction(from - to)) return stretch;
    const Rotation q = turn_z_to(from - to);
    const bool has_three_sizes = shape.type == GeomType::kBox || shape.type == GeomType::kEllipsoid;
    if (has_three_sizes) shape.size[1] = shape.size[0];
    shape.size[has_three_sizes ? 2 : 1] = norm(from - to) / 2 / norm(stretch.col(2));
    shape.pos = to_numbers((from + to) * 0.5);
    shape.orientation = {};
    shape.orientation.quat = {q.w, q.x, q.y, q.z};
    shape.fromto.reset();
    return stretch;
  }

  template <class Shape>
  void scale_size(Shape& shape, const Scale& scale, const Map& stretch, bool is_line) {
    double f[3] = {scale.units.size, scale.units.size, scale.units.size};
    if (!scale.is_uniform()) {
      for (int k = 0; k < 3; ++k) f[k] = norm(stretch.col(k));
      if (shape.type == GeomType::kSphere) f[0] = scale.units.size;
      if (shape.type == GeomType::kPlane) f[2] = scale.units.size;
      const bool is_round = shape.type == GeomType::kCapsule || shape.type == GeomType::kCylinder;
      if (is_round || is_line) f[0] = std::sqrt(f[0] * f[1]);
      if (is_round || is_line) f[1] = is_round ? f[2] : f[0];
    }
    const int count = shape.type == GeomType::kPlane ? 3 : size_count(shape.type);
    for (int k = 0; k < count; ++k) shape.size[at(k)] *= f[k];
  }

  // Meshes, and primitives fitted to them, take any map. Shapes along a line stay as wide as they are thick.
  void check_shape(const GeomSpec& geom, const Map& stretch, bool is_line) {
    const double f[3] = {norm(stretch.col(0)), norm(stretch.col(1)), norm(stretch.col(2))};
    if (geom.type == GeomType::kMesh || !geom.mesh.empty()) return;
    if (geom.type == GeomType::kSphere) {
      if (!is_near(*std::max_element(f, f + 3), *std::min_element(f, f + 3)))
        error("geom", geom, "a sphere can only be scaled equally along all axes", "use an ellipsoid");
      return;
    }
    const bool is_round = is_line || geom.type == GeomType::kCapsule || geom.type == GeomType::kCylinder;
    const Map one = Map::identity();
    for (int k = is_round ? 2 : 0; k < 3; ++k) {
      if (!keeps(stretch, one.col(k)))
        return error("geom", geom, "is not aligned with the axes of the scale of its frame");
    }
    if (is_round && !is_near(f[0], f[1])) error("geom", geom, "this shape can only be scaled equally across its axis");
  }

  double density_factor(const GeomSpec& geom, const Scale& scale) const {
    const double size = scale.units.size;
    bool is_shell = geom.shellinertia;
    for (const MeshSpec& mesh : spec_.meshes)
      is_shell =
          is_shell || (geom.type == GeomType::kMesh && mesh.name == geom.mesh && mesh.inertia == MeshInertia::kShell);
    return scale.mass / (is_shell ? size * size : scale.volume());
  }

  Map scale_geom(GeomSpec& geom, const Scale& scale) {
    const double size = scale.units.size;
    tree_.geoms.emplace(geom.name, scale);
    const bool is_line = geom.fromto.has_value();
    const Map stretch = pose_shape(geom, scale);
    if (!scale.is_uniform()) check_shape(geom, stretch, is_line);
    scale_size(geom, scale, stretch, is_line);
    for (double* length : {&geom.margin, &geom.gap, &geom.friction[1], &geom.friction[2], &geom.solimp[2]})
      *length *= size;
    const Vec v = stretch * Vec{geom.surfacevel[0], geom.surfacevel[1], geom.surfacevel[2]};
    for (int k = 0; k < 3; ++k) geom.surfacevel[at(k)] = v[k];
    geom.adhesion *= scale.units.force();
    if (geom.sapstiffness) *geom.sapstiffness *= scale.units.mass;
    if (geom.mass) *geom.mass *= scale.mass;
    geom.density *= density_factor(geom, scale);
    return stretch;
  }

  Map scale_site(SiteSpec& site, const Scale& scale) {
    tree_.sites.emplace(site.name, scale);
    const bool is_line = site.fromto.has_value();
    const Map stretch = pose_shape(site, scale);
    scale_size(site, scale, stretch, is_line);
    return stretch;
  }

  void scale_camera(CameraSpec& camera, const Scale& scale) {
    tree_.cameras.emplace(camera.name, scale);
    move(camera.pos, scale.stretch);
    camera.ipd *= scale.units.size;
    for (Float2* lengths : {&camera.sensorsize, &camera.focal_length, &camera.principal_length}) {
      for (float& length : *lengths) length = static_cast<float>(length * scale.units.size);
    }
  }

  void scale_light(LightSpec& light, const Scale& scale) {
    const double size = scale.units.size;
    move(light.pos, scale.stretch);
    light.bulbradius = static_cast<float>(light.bulbradius * size);
    light.range = static_cast<float>(light.range * size);
    light.attenuation[1] = static_cast<float>(light.attenuation[1] / size);
    light.attenuation[2] = static_cast<float>(light.attenuation[2] / (size * size));
  }

  template <class Shapes>
  void list_uses(Shapes& shapes, const std::vector<Map>& maps) {
    for (size_t k = 0; k < shapes.size(); ++k) {
      if (!shapes[k].mesh.empty()) uses_.push_back({&shapes[k].mesh, maps[k], false});
      if constexpr (std::is_same_v<Shapes, std::vector<GeomSpec>>) {
        if (!shapes[k].hfield.empty()) uses_.push_back({&shapes[k].hfield, maps[k], true});
      }
    }
  }

  Spec& spec_;
  Diagnostics& diagnostics_;
  std::vector<AssetUse>& uses_;
  AngleUnits units_;
  ScaleTree tree_;
  std::vector<std::vector<Scale>> scales_;         // of each body: of its own contents, then of those of its frames
  std::vector<Frame> world_before_, world_after_;  // poses of the world and its frames, without and with scales
  std::vector<std::vector<Map>> geom_maps_, site_maps_;
};

}  // namespace

ScaleTree scale_bodies(Spec& spec, Diagnostics& diagnostics, std::vector<AssetUse>& uses) {
  return BodyScaler(spec, diagnostics, uses).scale();
}

}  // namespace torsor::compiler
