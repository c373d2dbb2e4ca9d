// Round shapes are made of rings around the z axis.
#include "torsor/render/surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/view/mesh_corners.hpp"

namespace torsor::render {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

void add_point(Surface& surface, const Vec3f& point, const Vec3f& normal, float u, float v, float end = 0) {
  surface.point.push_back(point);
  surface.normal.push_back(normal);
  surface.uv.push_back({u, v});
  surface.end.push_back(end);
}

// Textures are put on shapes as MuJoCo puts them: around round sides, flat on flat ones.
float from_middle(float x) { return 0.5f + 0.5f * x; }

// Joins two rings of slices + 1 points each, the lower one starting at `low`.
void join_rings(Surface& surface, int low, int high, int slices) {
  for (int i = 0; i < slices; ++i) {
    surface.corner.push_back({low + i, low + i + 1, high + i + 1});
    surface.corner.push_back({low + i, high + i + 1, high + i});
  }
}

// A ring of points with one height, radius and slope of the normal. The first point is there twice.
int add_ring(Surface& surface, int slices, float radius, float z, float normal_radius, float normal_z, float v,
             float end = 0) {
  const int start = static_cast<int>(surface.point.size());
  for (int i = 0; i <= slices; ++i) {
    const float angle = 2 * kPi * static_cast<float>(i % slices) / static_cast<float>(slices);
    const float c = std::cos(angle), s = std::sin(angle);
    add_point(surface, {radius * c, radius * s, z}, {normal_radius * c, normal_radius * s, normal_z},
              static_cast<float>(i) / static_cast<float>(slices), v, end);
  }
  return start;
}

// A disc at height z that faces up or down.
void add_disc(Surface& surface, int slices, float z) {
  const float up = z > 0 ? 1.0f : -1.0f;
  const int middle = static_cast<int>(surface.point.size());
  add_point(surface, {0, 0, z}, {0, 0, up}, 0.5f, 0.5f);
  const int ring = add_ring(surface, slices, 1, z, 0, up, 0);
  for (size_t i = static_cast<size_t>(ring); i < surface.point.size(); ++i)
    surface.uv[i] = {from_middle(surface.point[i].x), from_middle(surface.point[i].y)};
  for (int i = 0; i < slices; ++i) {
    if (up > 0)
      surface.corner.push_back({middle, ring + i, ring + i + 1});
    else
      surface.corner.push_back({middle, ring + i + 1, ring + i});
  }
}

// Rings from pole to pole. A capsule's are drawn apart at the equator, which is there twice.
Surface make_ball(int slices, bool is_capsule) {
  Surface surface;
  const int half = std::max(2, slices / 4);
  int below = -1;
  for (int stack = -half; stack <= half; ++stack) {
    const float angle = 0.5f * kPi * static_cast<float>(stack) / static_cast<float>(half);
    const float c = std::abs(stack) == half ? 0.0f : std::cos(angle), s = std::sin(angle);
    for (const float end : {-1.0f, 1.0f}) {
      const bool is_other = end < 0 ? stack > 0 : stack < 0;
      if (is_other || (!is_capsule && stack == 0 && end > 0)) continue;
      const float v = 0.5f - angle / kPi - (is_capsule ? 0.5f * end : 0.0f);
      const int ring = add_ring(surface, slices, c, s, c, s, v, is_capsule ? end : 0);
      if (below >= 0) join_rings(surface, below, ring, slices);
      below = ring;
    }
  }
  surface.radius = 1;
  return surface;
}

}  // namespace

void set_radius(Surface& surface) {
  float square = 0;
  for (const Vec3f& point : surface.point) square = std::max(square, norm2(point));
  surface.radius = std::sqrt(square);
}

Surface make_sphere(int slices) { return make_ball(slices, false); }
Surface make_capsule(int slices) { return make_ball(slices, true); }

Surface make_cylinder(int slices) {
  Surface surface;
  const int low = add_ring(surface, slices, 1, -1, 1, 0, 1);
  join_rings(surface, low, add_ring(surface, slices, 1, 1, 1, 0, 0), slices);
  add_disc(surface, slices, -1);
  add_disc(surface, slices, 1);
  set_radius(surface);
  return surface;
}

Surface make_cone(int slices) {
  Surface surface;
  const float slope = std::sqrt(0.2f);  // of a cone of radius 1 and height 2
  const int low = add_ring(surface, slices, 1, -1, 2 * slope, slope, 1);
  join_rings(surface, low, add_ring(surface, slices, 0, 1, 2 * slope, slope, 0), slices);
  add_disc(surface, slices, -1);
  set_radius(surface);
  return surface;
}

Surface make_box() {
  Surface surface;
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      const int start = static_cast<int>(surface.point.size());
      Vec3f normal{0, 0, 0};
      normal[axis] = side;
      for (int k = 0; k < 4; ++k) {
        Vec3f point = normal;
        point[(axis + 1) % 3] = (k == 1 || k == 2 ? 1.0f : -1.0f) * side;
        point[(axis + 2) % 3] = k >= 2 ? 1.0f : -1.0f;
        add_point(surface, point, normal, from_middle(axis == 0 ? point.y : point.x),
                  from_middle(-(axis == 2 ? point.y : point.z)));
      }
      surface.corner.push_back({start, start + 1, start + 2});
      surface.corner.push_back({start, start + 2, start + 3});
    }
  }
  set_radius(surface);
  return surface;
}

Surface make_square() {
  Surface surface;
  for (const auto& [x, y] : {std::array{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}})
    add_point(surface, {x, y, 0}, {0, 0, 1}, from_middle(x), from_middle(-y));
  surface.corner = {{0, 1, 2}, {0, 2, 3}};
  set_radius(surface);
  return surface;
}

Surface make_mesh(const Model& model, int mesh) {
  const view::MeshCorners corners(model, mesh);
  Surface surface;
  for (const view::MeshCorner& corner : corners.corners()) {
    surface.point.push_back(load3(corner.point));
    surface.normal.push_back(load3(corner.normal));
    if (corner.uv) surface.uv.push_back({corner.uv[0], corner.uv[1]});
  }
  const auto& index = corners.indices();
  for (size_t i = 0; i + 2 < index.size(); i += 3)
    surface.corner.push_back(
        {static_cast<int>(index[i]), static_cast<int>(index[i + 1]), static_cast<int>(index[i + 2])});
  set_radius(surface);
  return surface;
}

Surface make_skin(const Model& model, int skin) {
  Surface surface;
  const int first = model.skin_faceadr[skin], uv = model.skin_texcoordadr[skin];
  for (int f = first; f < first + model.skin_facenum[skin]; ++f) {
    const int* corner = model.skin_face.row(f, 3);
    surface.corner.push_back({corner[0], corner[1], corner[2]});
  }
  for (int v = 0; uv >= 0 && v < model.skin_vertnum[skin]; ++v) {
    const float* at = model.skin_texcoord.row(uv + v, 2);
    surface.uv.push_back({at[0], at[1]});
  }
  return surface;
}

}  // namespace torsor::render
