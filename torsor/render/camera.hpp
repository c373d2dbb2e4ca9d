// Where a picture is taken from: cameras of the model, and a free camera that looks at a point or follows a body.
#pragma once

#include "torsor/math/mat3.hpp"
#include "torsor/model/data.hpp"

namespace torsor::render {

// Looks at a point from a distance. An azimuth of 0 looks along x, 90 along y; an elevation of -90 looks down.
struct FreeCamera {
  Vec3<double> lookat{0, 0, 0};
  double distance = 2;  // m
  double azimuth_deg = 90;
  double elevation_deg = -45;
  int trackbody = -1;  // looks at the centre of mass of this body's subtree instead of `lookat`
  bool is_orthographic = false;
};

// What a camera sees. It looks along -z of its frame C, y is up.
struct Projection {
  Vec3<double> p_WC;
  Mat3<double> R_WC;
  bool is_orthographic = false;
  double left, right, bottom, top;  // edges of the picture: at depth 1, or in metres if orthographic
  double near, far;                 // depths
};

// The camera that MuJoCo starts with: at the centre of the model, 1.5 times its extent away.
FreeCamera default_camera(const Model& model);

// `aspect` is the width of the picture divided by its height. Throw Error for a camera or body that does not exist.
Projection project(const Model& model, const Data& data, const FreeCamera& camera, double aspect);
Projection project(const Model& model, const Data& data, int camera, double aspect);

}  // namespace torsor::render
