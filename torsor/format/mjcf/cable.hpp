// A cable: a chain of bodies along a curve, joined by ball joints.
#pragma once

#include <string>
#include <vector>

#include "torsor/format/mjcf/report.hpp"
#include "torsor/math/vec3.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

struct CableSpec {
  enum class Shape { kZero, kLine, kCos, kSin };  // 0, s, cos(s), sin(s)
  enum class Initial { kNone, kFree, kBall };

  Location location;
  std::string prefix;
  std::array<int, 3> count{1, 1, 1};  // points; a cable has the first number of them
  std::array<Shape, 3> curve{Shape::kZero, Shape::kZero, Shape::kZero};
  Number3 size{1, 0, 0};      // length of s, radius, half turns of cos and sin
  std::vector<float> vertex;  // points, instead of count and curve
  Initial initial = Initial::kBall;
  Number3 offset{0, 0, 0};
  Number4 quat{1, 0, 0, 0};
  JointSpec joint;  // shared by all bodies; no default class applies
  GeomSpec geom;
  SiteSpec site;
};

using Points = std::vector<Vec3<float>>;

// The points of a cable. Floats, as in MuJoCo, since everything that follows depends on their rounding.
Points make_points(const CableSpec& cable);

// Adds one body per segment, a site at each end, contact exclusions of neighbours, and the text element by which
// viewers recognise the cable. There must be at least two points, and successive points must differ.
void add_cable(const CableSpec& cable, const Points& points, int body, int frame, Spec& spec);

}  // namespace torsor::mjcf
