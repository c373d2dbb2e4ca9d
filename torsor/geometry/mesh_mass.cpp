// Volume, centre of mass and inertia of the pyramids (or, for shells, the triangles) that make up a mesh.
#include "torsor/geometry/mesh_mass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr double kTooSmall = 1e-15;  // areas and volumes below this count as zero
constexpr double kRounding = 1e-14;  // relative, of a sum of volumes

struct Triangle {
  Vec3<double> a, b, c;
};

// Visits the triangles that have an area, with twice their area vector.
template <class Visit>
void for_each_triangle(std::span<const Vec3<double>> vertices, std::span<const int> faces, Visit visit) {
  for (std::size_t i = 0; i < faces.size(); i += 3) {
    const Triangle t{vertices[faces[i]], vertices[faces[i + 1]], vertices[faces[i + 2]]};
    const Vec3<double> twice = cross(t.b - t.a, t.c - t.a);
    const double area = norm(twice) / 2;
    if (area >= kTooSmall) visit(int(i), t, twice, area);
  }
}

// In a consistently oriented mesh, every edge occurs at most once in each direction.
void check_orientation(std::span<const Vec3<double>> vertices, std::span<const int> faces, std::string_view name) {
  std::unordered_set<std::uint64_t> walked;
  walked.reserve(faces.size());
  for_each_triangle(vertices, faces, [&](int first, const Triangle&, const Vec3<double>&, double) {
    for (int i = 0; i < 3; ++i) {
      const int from = faces[first + i], to = faces[first + (i + 1) % 3];
      if (walked.insert(std::uint64_t(std::uint32_t(from)) << 32 | std::uint32_t(to)).second) continue;
      throw Error(
          fmt::format("mesh '{}': its triangles are not consistently oriented, which inertia 'exact' needs; "
                      "see those with the vertices {} and {} (counted from 0)",
                      name, from, to));
    }
  });
}

// The common apex of the pyramids: the centroid of the surface.
Vec3<double> surface_centroid(std::span<const Vec3<double>> vertices, std::span<const int> faces, std::string_view name,
                              double& area) {
  Vec3<double> sum = Vec3<double>::zero();
  area = 0;
  for_each_triangle(vertices, faces, [&](int, const Triangle& t, const Vec3<double>&, double a) {
    sum += (t.a + t.b + t.c) * (a / 3);
    area += a;
  });
  if (area < kTooSmall) throw Error(fmt::format("mesh '{}': its surface area is too small", name));
  return sum / area;
}

double pyramid_volume(const Triangle& t, const Vec3<double>& twice_area, const Vec3<double>& apex, MeshInertia mode) {
  const double volume = dot(t.a - apex, twice_area) / 6;
  return mode == MeshInertia::kLegacy ? std::abs(volume) : volume;
}

// `area` is that of the surface: compared with it, the volume of a flat mesh is only rounding error.
Vec3<double> center_of_pyramids(std::span<const Vec3<double>> vertices, std::span<const int> faces, MeshInertia mode,
                                const Vec3<double>& apex, double area, std::string_view name) {
  Vec3<double> sum = Vec3<double>::zero();
  double volume = 0;
  for_each_triangle(vertices, faces, [&](int, const Triangle& t, const Vec3<double>& twice_area, double) {
    const double v = pyramid_volume(t, twice_area, apex, mode);
    sum += (t.a + t.b + t.c + apex) * (v / 4);
    volume += v;
  });
  const double none = std::max(kTooSmall, kRounding * area * std::sqrt(area));
  if (volume < -none) throw Error(fmt::format("mesh '{}': its volume is negative: the triangles are inside out", name));
  if (volume < none)
    throw Error(fmt::format("mesh '{}': its volume is too small; inertia 'shell' may be what you want", name));
  return sum / volume;
}

// Adds weight times the outer product of v with itself.
void add_square(Sym3<double>& sum, const Vec3<double>& v, double weight) {
  const Vec3<double> w = v * weight;
  sum += {w.x * v.x, w.y * v.y, w.z * v.z, w.x * v.y, w.x * v.z, w.y * v.z};
}

// The second moments of a simplex with the vertices p_i (n of them, one perhaps the origin) and their sum s are
// mass / (n (n + 1)) (sum of p_i p_i' + s s').
Sym3<double> second_moments(const Triangle& t, double mass, int n) {
  Sym3<double> sum = Sym3<double>::zero();
  const double weight = mass / (n * (n + 1));
  for (const Vec3<double>& p : {t.a, t.b, t.c, t.a + t.b + t.c}) add_square(sum, p, weight);
  return sum;
}

Sym3<double> inertia_of(const Sym3<double>& squares) {
  const auto [xx, yy, zz, xy, xz, yz] = squares;
  return {yy + zz, xx + zz, xx + yy, -xy, -xz, -yz};
}

}  // namespace

MeshMass compute_mesh_mass(std::span<const Vec3<double>> vertices, std::span<const int> faces, MeshInertia mode,
                           std::string_view mesh_name) {
  if (mode == MeshInertia::kExact) check_orientation(vertices, faces, mesh_name);
  double area;
  Vec3<double> com = surface_centroid(vertices, faces, mesh_name, area);
  const bool shell = mode == MeshInertia::kShell;
  if (!shell) com = center_of_pyramids(vertices, faces, mode, com, area, mesh_name);

  // Once more with the apex at the centre of mass: for a mesh that is not closed, the choice of the apex matters.
  double volume = 0;
  Sym3<double> squares = Sym3<double>::zero();
  for_each_triangle(vertices, faces, [&](int, const Triangle& t, const Vec3<double>& twice_area, double a) {
    const double mass = shell ? a : pyramid_volume(t, twice_area, com, mode);
    volume += mass;
    squares += second_moments({t.a - com, t.b - com, t.c - com}, mass, shell ? 3 : 4);
  });
  return {volume, com, inertia_of(squares)};
}

}  // namespace torsor
