// Points, frames and bodies of a cable, as MuJoCo 3.12 makes them.
#include "torsor/format/mjcf/cable.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "torsor/math/quat.hpp"

namespace torsor::mjcf {
namespace {

// Directions with a smaller cross product count as parallel.
constexpr double kParallel = 1e-7;

struct Segment {
  double length = 0;
  Vec3<double> direction{};
  Quat<double> q_PB = Quat<double>::identity();  // B is the body, P the previous one, or the parent of the cable
};

double value_of(CableSpec::Shape shape, const Number3& size, double s) {
  const double angle = std::numbers::pi * size[2] * s;
  switch (shape) {
    case CableSpec::Shape::kLine:
      return size[0] * s;
    case CableSpec::Shape::kCos:
      return size[1] * std::cos(angle);
    case CableSpec::Shape::kSin:
      return size[1] * std::sin(angle);
    case CableSpec::Shape::kZero:
      break;
  }
  return 0;
}

// Divides instead of multiplying by an inverse, to round as MuJoCo does: almost straight cables magnify rounding.
Vec3<double> divided(const Vec3<double>& v, double length) { return {v.x / length, v.y / length, v.z / length}; }

Vec3<double> unit_unless_tiny(const Vec3<double>& v) {
  const double length = norm(v);
  return length > kParallel ? divided(v, length) : v;
}

// A vector transported along the cable by the smallest rotation from one segment to the next.
Vec3<double> transport(const Vec3<double>& v, const Vec3<double>& from, const Vec3<double>& to) {
  const Vec3<double> axis = cross(from, to);
  const double sine = norm(axis);
  if (sine <= kParallel) return v;
  return unit_unless_tiny(rotate(from_axis_angle(divided(axis, sine), std::atan2(sine, dot(from, to))), v));
}

std::vector<Segment> make_segments(const Points& points) {
  std::vector<Segment> segments(points.size() - 1);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Vec3<float> edge = points[i + 1] - points[i];
    const Vec3<double> wide{edge.x, edge.y, edge.z};
    segments[i].length = norm(wide);
    segments[i].direction = divided(wide, segments[i].length);
  }
  return segments;
}

// x points along the segment. z starts normal to the plane of the first bend, and y and z rotate as little as possible.
// Without a first bend there is no such plane: y and z stay (almost) zero, and from_mat() completes each frame from x
// alone, in a way that viewers and saved models rely on.
void orient(std::vector<Segment>& segments) {
  const Vec3<double> first = segments[0].direction;
  const Vec3<double> second = segments.size() > 1 ? segments[1].direction : first;
  Vec3<double> z = unit_unless_tiny(cross(first, second)), y = unit_unless_tiny(cross(z, first));
  Quat<double> q_before = Quat<double>::identity();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Vec3<double> x = segments[i].direction;
    if (i > 0) {
      y = transport(y, segments[i - 1].direction, x);
      z = unit_unless_tiny(cross(x, y));
    }
    const Quat<double> q = from_mat(Mat3<double>{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z});
    segments[i].q_PB = conj(q_before) * q;
    q_before = q;
  }
}

std::string name_of(std::size_t i, std::size_t count) {
  if (i == 0) return "first";
  return i + 1 == count ? "last" : std::to_string(i);
}

GeomSpec make_geom(const CableSpec& cable, std::size_t i, double length) {
  GeomSpec geom = cable.geom;
  geom.name = fmt::format("{}G{}", cable.prefix, i);
  if (geom.type == GeomType::kBox) {
    geom.pos = {length / 2, 0, 0};
    geom.size[0] = length / 2;
  } else {
    geom.fromto = Number6{0, 0, 0, length, 0, 0};
  }
  return geom;
}

// Resistance to motion inside the cable does not apply to the joint that holds it, except for springs.
void set_free(JointSpec& joint) {
  joint.type = JointType::kFree;
  joint.damping = {0, 0, 0};
  joint.armature = joint.frictionloss = 0;
}

BodySpec make_body(const CableSpec& cable, std::size_t i, std::size_t count, const Segment& segment) {
  const std::string name = name_of(i, count);
  BodySpec body;
  body.name = cable.prefix + "B_" + name;
  body.location = cable.location;
  store4(body.orientation.quat.data(), segment.q_PB);
  if (i > 0 || cable.initial != CableSpec::Initial::kNone) {
    JointSpec& joint = body.joints.emplace_back(cable.joint);
    joint.name = cable.prefix + "J_" + name;
    if (i == 0 && cable.initial == CableSpec::Initial::kFree) set_free(joint);
  }
  body.geoms.push_back(make_geom(cable, i, segment.length));
  if (i == 0 || i + 1 == count) {
    SiteSpec& site = body.sites.emplace_back(cable.site);
    site.name = cable.prefix + "S_" + name;
    if (i + 1 == count) site.pos = {segment.length, 0, 0};
  }
  return body;
}

void add_exclude(const CableSpec& cable, const std::string& body1, const std::string& body2, Spec& spec) {
  ExcludeSpec& exclude = spec.excludes.emplace_back();
  exclude.location = cable.location;
  exclude.body1 = body1;
  exclude.body2 = body2;
}

}  // namespace

Points make_points(const CableSpec& cable) {
  Points points;
  for (std::size_t i = 0; i + 2 < cable.vertex.size(); i += 3) {
    points.push_back({cable.vertex[i], cable.vertex[i + 1], cable.vertex[i + 2]});
  }
  if (!points.empty()) return points;
  const Quat<double> q = load4(cable.quat.data());
  for (int i = 0; i < cable.count[0]; ++i) {
    const double s = static_cast<double>(i) / (cable.count[0] - 1);
    const auto at = [&](std::size_t axis) { return value_of(cable.curve[axis], cable.size, s); };
    const Vec3<double> p = rotate(q, Vec3<double>{at(0), at(1), at(2)});
    points.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  return points;
}

void add_cable(const CableSpec& cable, const Points& points, int body, int frame, Spec& spec) {
  std::vector<Segment> segments = make_segments(points);
  orient(segments);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    BodySpec made = make_body(cable, i, segments.size(), segments[i]);
    if (i == 0) {
      made.parent = body;
      made.frame = frame;
      made.pos = {cable.offset[0] + points[0].x, cable.offset[1] + points[0].y, cable.offset[2] + points[0].z};
    } else {
      made.parent = static_cast<int>(spec.bodies.size()) - 1;
      made.pos = {segments[i - 1].length, 0, 0};
      add_exclude(cable, spec.bodies.back().name, made.name, spec);
    }
    spec.bodies.push_back(std::move(made));
  }
  TextSpec& text = spec.texts.emplace_back();
  text.location = cable.location;
  text.name = "composite_" + cable.prefix;
  text.data = "rope_" + cable.prefix;
}

}  // namespace torsor::mjcf
