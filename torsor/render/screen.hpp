// Shapes as a view sees them: points in the frame of the camera, and triangles on its screen.
#pragma once

#include <vector>

#include "torsor/render/camera.hpp"
#include "torsor/render/draw_list.hpp"
#include "torsor/render/kernels/raster.hpp"

namespace torsor::render {

// A view of so many pixels. Pixel coordinates: x to the right, y down, from the upper left corner.
class Screen {
 public:
  Screen(const Projection& view, int width, int height);

  const Projection& view() const { return view_; }
  int width() const { return width_; }
  int height() const { return height_; }
  // p_CoP_C -> (x w, y w, w), w is the depth, or 1 if orthographic.
  Vec3<double> homogeneous(const Vec3f& p_C) const;
  // A point of depth 1 that is seen at a pixel; if orthographic, the point of the plane of the camera.
  Vec3f ray(float x, float y) const;
  float key(double depth) const { return static_cast<float>(view_.is_orthographic ? -depth : 1 / depth); }
  float depth(float key) const { return view_.is_orthographic ? -key : 1 / key; }
  // Pixels per metre at a depth.
  double scale_at(double depth) const { return view_.is_orthographic ? scale_y_ : scale_y_ / depth; }

 private:
  Projection view_;
  int width_, height_;
  double scale_x_, scale_y_, middle_x_, middle_y_;
};

// Where a triangle comes from.
struct TriangleSource {
  int instance;
  int vertex[3];  // in points and normals
};

// Triangles of all instances, in their order; vertices in the frame of the camera.
struct ScreenTriangles {
  std::vector<Triangle> triangle;
  std::vector<TriangleSource> source;
  std::vector<Vec3f> point, normal;
  std::vector<int> first_vertex;    // of each instance
  std::vector<int> first_triangle;  // of each instance, and one more for the end

  void clear();
  // Adds what is in front of the camera and faces it; planes, and skins without normals (for shadows), are seen from
  // both sides. Normals only if they are needed. Surfaces are moved away from the camera by as much as their depth
  // changes over `slope_pixels`.
  void add(const Instance& instance, const Surface& surface, const Screen& screen, bool with_normals,
           float slope_pixels = 0);

 private:
  void add_triangle(const Screen& screen, const TriangleSource& from, float slope_pixels, bool is_two_sided);
  std::vector<Vec3<double>> homogeneous_;  // of points
};

}  // namespace torsor::render
