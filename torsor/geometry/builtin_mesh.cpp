// Checks the parameters of a builtin mesh and makes it.
#include "torsor/geometry/builtin_mesh.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/core/error.hpp"
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

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("mesh '{}': builtin '{}': {}", mesh_name_, kind_, what));
  }

  std::string_view kind_;
  std::span<const double> values_;
  std::string_view mesh_name_;
};

constexpr int kMaxResolution = 2000;  // grids of some million vertices; more is taken for a mistake
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
  throw Error(
      fmt::format("mesh '{}': unknown builtin '{}'; known are sphere, hemisphere, cone, supersphere, supertorus, "
                  "wedge and plate",
                  mesh_name, kind));
}

}  // namespace torsor
