// Checks the parameters of a builtin mesh and makes it.
#include "torsor/geometry/builtin_mesh.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/core/error.hpp"
#include "torsor/geometry/builtin_lattices.hpp"
#include "torsor/geometry/builtin_patches.hpp"
#include "torsor/geometry/builtin_solids.hpp"

namespace torsor {
namespace {

// Reads parameters by position and reports them by name.
class Parameters {
 public:
  Parameters(std::string_view kind, std::span<const double> values, std::string_view mesh_name)
      : kind_(kind), values_(values), mesh_name_(mesh_name) {}

  void expect(std::size_t count) const {
    if (values_.size() != count)
      fail(fmt::format("takes {} parameter{}, not {}", count, count == 1 ? "" : "s", values_.size()));
  }
  std::size_t size() const { return values_.size(); }
  double real(int i, const char* name, double low, double high) const {
    if (!(values_[i] >= low && values_[i] <= high))
      fail(fmt::format("{} must be from {} to {}, not {}", name, low, high, values_[i]));
    return values_[i];
  }
  // fractions are truncated
  int integer(int i, const char* name, int low, int high) const {
    return int(real(i, name, low, std::nextafter(high + 1.0, 0)));
  }
  double positive(int i, const char* name, double high) const {
    const double value = real(i, name, 0, high);
    if (value == 0) fail(fmt::format("{} must be larger than 0", name));
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("mesh '{}': builtin '{}': {}", mesh_name_, kind_, what));
  }

 private:
  std::string_view kind_;
  std::span<const double> values_;
  std::string_view mesh_name_;
};

constexpr int kMaxResolution = 2000;  // grids of some million vertices; more is taken for a mistake
constexpr double kMaxPoints = 1e7;
constexpr int kMaxPolygon = 1'000'000;
constexpr double kLargest = 1e6;

MeshData read_cone(const Parameters& p) {
  p.expect(2);
  return make_cone_points(p.integer(0, "nvert", 3, kMaxPolygon), p.real(1, "radius", 0, 1));
}

MeshData read_supersphere(const Parameters& p) {
  p.expect(3);
  const int resolution = p.integer(0, "resolution", 3, kMaxResolution);
  return make_supersphere(resolution, p.real(1, "e", 0, kLargest), p.real(2, "n", 0, kLargest));
}

MeshData read_supertorus(const Parameters& p) {
  p.expect(4);
  return make_supertorus(p.integer(0, "resolution", 3, kMaxResolution), p.positive(1, "radius", 1),
                         p.positive(2, "s", kLargest), p.positive(3, "t", kLargest));
}

MeshData read_wedge(const Parameters& p) {
  p.expect(5);
  return make_wedge_points({p.integer(0, "res_phi", 1, kMaxResolution), p.integer(1, "res_theta", 1, kMaxResolution)},
                           {p.positive(2, "fov_phi", 180), p.positive(3, "fov_theta", 90)}, p.real(4, "gamma", 0, 1));
}

MeshData read_plate(const Parameters& p) {
  p.expect(2);
  return make_plate(p.integer(0, "res_x", 1, kMaxResolution), p.integer(1, "res_y", 1, kMaxResolution));
}

// Counts and spacings along three axes.
Lattice read_lattice(const Parameters& p, int smallest) {
  Lattice lattice{};
  double points = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    lattice.count[a] = p.integer(int(a), "count", smallest, kMaxResolution);
    lattice.spacing[a] = p.real(int(a) + 3, "spacing", -kLargest, kLargest);
    points *= lattice.count[a];
  }
  if (points > kMaxPoints) p.fail(fmt::format("has {} points; {} are the most", points, kMaxPoints));
  return lattice;
}

// 3 is a solid, which is what counts without this parameter; 2 is a surface.
int read_dimension(const Parameters& p) {
  if (p.size() != 7) p.expect(6);
  return p.size() == 7 ? p.integer(6, "dim", 2, 3) : 3;
}

BuiltinMesh read_grid(const Parameters& p) {
  const int dimension = read_dimension(p);
  const Lattice lattice = read_lattice(p, 1);
  const auto [nx, ny, nz] = lattice.count;
  if (nx < 2 || ny < 2) p.fail("count must be at least 2 along x and y");
  if (dimension == 2 ? nz != 1 : nz < 2)
    p.fail(dimension == 2 ? "the third count must be 1" : "count must be at least 2");
  if (dimension == 2) return {make_square(lattice), false, true};
  return {make_grid_points(lattice)};
}

BuiltinMesh read_solid(const Parameters& p, LatticeShape shape) {
  const int dimension = read_dimension(p);
  const Lattice lattice = read_lattice(p, 2);
  if (dimension == 2) return {make_open_surface(shape, lattice), false, true};
  return {make_solid_points(shape, lattice)};
}

BuiltinMesh read_layer(const Parameters& p, MeshData (*make)(const Lattice&)) {
  p.expect(6);
  const Lattice lattice = read_lattice(p, 1);
  if (lattice.count[0] < 2 || lattice.count[1] < 2) p.fail("count must be at least 2 along x and y");
  if (lattice.count[2] != 1) p.fail("the third count must be 1");
  return {make(lattice), false, true};
}

}  // namespace

BuiltinMesh make_builtin_mesh(std::string_view kind, std::span<const double> params, std::string_view mesh_name) {
  const Parameters p(kind, params, mesh_name);
  if (kind == "sphere") {
    p.expect(1);
    return {make_icosphere(p.integer(0, "subdivision", 0, 4))};
  }
  if (kind == "hemisphere") {
    p.expect(1);
    return {make_hemisphere(p.integer(0, "resolution", 0, 10))};
  }
  if (kind == "cone") return {read_cone(p)};
  if (kind == "supersphere") return {read_supersphere(p)};
  if (kind == "supertorus") return {read_supertorus(p)};
  if (kind == "wedge") return {read_wedge(p)};
  if (kind == "plate") return {read_plate(p), true};
  if (kind == "grid") return read_grid(p);
  if (kind == "box") return read_solid(p, LatticeShape::kBox);
  if (kind == "cylinder") return read_solid(p, LatticeShape::kCylinder);
  if (kind == "ellipsoid") return read_solid(p, LatticeShape::kEllipsoid);
  if (kind == "square") return read_layer(p, make_square);
  if (kind == "disc") return read_layer(p, make_disc);
  throw Error(
      fmt::format("mesh '{}': unknown builtin '{}'; known are sphere, hemisphere, cone, supersphere, supertorus, "
                  "wedge, plate, grid, box, cylinder, ellipsoid, square and disc",
                  mesh_name, kind));
}

}  // namespace torsor
