// Grids of cells on a sphere or a square. The order of vertices and normals is that of MuJoCo.
#include "torsor/geometry/builtin_patches.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace torsor {
namespace {

void add(std::vector<float>& numbers, const Vec3<double>& v) {
  numbers.insert(numbers.end(), {float(v.x), float(v.y), float(v.z)});
}

// The middles of the cells that divide [-fov, fov], with borders moved towards 0, so that the smallest cells are in the
// fovea. Borders are summed up as in MuJoCo, since their rounding affects the faces of the hull.
std::vector<double> cell_middles(int count, double fov, double gamma) {
  const auto moved = [&](double border) { return fov * ((1 - gamma) * border + gamma * std::pow(border, 5)); };
  std::vector<double> middles;
  double border = -1;
  for (int i = 0; i < count; ++i) {
    const double next = border + 2.0 / count;
    middles.push_back((moved(border) + moved(next)) / 2);
    border = next;
  }
  return middles;
}

}  // namespace

MeshData make_wedge_points(const std::array<int, 2>& resolution, const std::array<double, 2>& fov, double gamma) {
  constexpr double kRadians = std::numbers::pi / 180;
  const std::vector<double> phis = cell_middles(resolution[0], fov[0] * kRadians, gamma);
  const std::vector<double> thetas = cell_middles(resolution[1], fov[1] * kRadians, gamma);
  MeshData mesh;
  for (const double phi : phis)
    for (const double theta : thetas) {
      const double sin_phi = std::sin(phi), cos_phi = std::cos(phi);
      const double sin_theta = std::sin(theta), cos_theta = std::cos(theta);
      const Vec3<double> out{sin_phi * cos_theta, sin_theta, -cos_phi * cos_theta};
      add(mesh.vertices, out);
      add(mesh.normals, out);
      add(mesh.normals, {cos_phi, 0, sin_phi});
      add(mesh.normals, {-sin_phi * sin_theta, cos_theta, cos_phi * sin_theta});
    }
  return mesh;
}

MeshData make_plate(int resolution_x, int resolution_y) {
  MeshData mesh;
  for (int i = 0; i < resolution_x; ++i)
    for (int j = 0; j < resolution_y; ++j) {
      add(mesh.vertices, {(2.0 * i + 1) / resolution_x - 1, (2.0 * j + 1) / resolution_y - 1, -1});
      for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) add(mesh.normals, axis);
    }
  for (int i = 0; i + 1 < resolution_x; ++i)
    for (int j = 0; j + 1 < resolution_y; ++j) {
      const int here = i * resolution_y + j, next_x = here + resolution_y;
      mesh.faces.insert(mesh.faces.end(), {here, next_x, here + 1, next_x + 1, here + 1, next_x});
    }
  return mesh;
}

}  // namespace torsor
