// Shapes in the conventions of other systems: parameters, axes, mass.
#include <cmath>

#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "torsor/bridge/shape_mass.hpp"
#include "torsor/convention/shapes.hpp"
#include "torsor/core/error.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "text.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Array to_array(const Vec3<double>& v) { return make_array({v.x, v.y, v.z}); }
Array to_array(const Quat<double>& q) { return make_array({q.w, q.x, q.y, q.z}); }

char letter_of(const std::string& axis) {
  if (axis != "X" && axis != "Y" && axis != "Z") throw Error(fmt::format("axis must be X, Y or Z, got '{}'", axis));
  return axis[0];
}

PlacedShape read(const std::string& kind, const ShapeParameters& parameters, const std::string& system) {
  return read_shape(find_shape_row(system, parse_shape_kind(kind)), parameters);
}

ConvertedShape convert(const std::string& kind, const ShapeParameters& parameters, const std::string& source,
                       const std::string& target, const std::string& axis) {
  return convert_shape(parse_shape_kind(kind), parameters, source, target, letter_of(axis));
}

std::tuple<ShapeParameters, Array> convert_in_place(const std::string& kind, const ShapeParameters& parameters,
                                                    const std::string& source, const std::string& target,
                                                    const std::string& axis) {
  ConvertedShape converted = convert(kind, parameters, source, target, axis);
  if (norm(converted.X_ST.p) != 0)
    throw Error("these parameters also say where the shape is: convert_placed_shape() returns that too");
  return {std::move(converted.parameters), to_array(converted.X_ST.q)};
}

std::tuple<ShapeParameters, Array, Array> convert_placed(const std::string& kind, const ShapeParameters& parameters,
                                                         const std::string& source, const std::string& target,
                                                         const std::string& axis) {
  ConvertedShape converted = convert(kind, parameters, source, target, axis);
  return {std::move(converted.parameters), to_array(converted.X_ST.p), to_array(converted.X_ST.q)};
}

std::tuple<double, Array, Array> mass_of(const std::string& kind, const ShapeParameters& parameters,
                                         const std::string& system) {
  const ShapeMass mass = shape_mass(read(kind, parameters, system));
  return {mass.volume, to_array(mass.p_SoScm_S), make_matrix3(to_mat(mass.I_SScm_S).m)};
}

ShapeParameters to_fromto(const std::string& kind, const ShapeParameters& parameters, const std::string& source,
                          const ArrayLike& pos, const ArrayLike& quat) {
  const Pose<double> X_BS{load3(Input("pos", pos, {3}).data()), load4(Input("quat", quat, {4}).data())};
  if (!(std::abs(dot(X_BS.q, X_BS.q) - 1) < 2e-3)) throw Error("quat must have unit length");
  const PlacedShape placed = read(kind, parameters, source);
  return write_fromto(placed.shape, Pose<double>{X_BS.p, normalized(X_BS.q)} * placed.X_SC);
}

std::vector<std::string> systems_with(const std::string& kind) {
  const ShapeKind wanted = parse_shape_kind(kind);
  std::vector<std::string> names;
  for (const ShapeRow& row : shape_rows()) {
    if (row.kind == wanted && row.availability == Availability::kPresent) names.emplace_back(row.system);
  }
  return names;
}

void bind_conversions(nb::module_& m) {
  m.def("convert_shape", &convert_in_place, "kind"_a, "parameters"_a, "source"_a, "target"_a, "axis"_a = "Z",
        R"(A shape in the parameters of another system, and the quaternion (wxyz) by which its orientation changes.

Systems are newton, mujoco, usd.geom, usd.physics, urdf, drake and physx; kinds are sphere, box, capsule, cylinder,
cone, ellipsoid, plane and mesh. Multiply the shape's orientation by the quaternion q from the right, so that the shape
occupies the same space: mul_quat(orientation, q). `axis` is the attribute of that name, for targets that have one.
Raises Error if a system does not have the shape or does not specify it.

>>> box, q = torsor.convert_shape("box", {"size": [0.2, 0.4, 0.6]}, "urdf", "mujoco")
>>> box, q
({'size': [0.1, 0.2, 0.3]}, array([1., 0., 0., 0.]))
>>> capsule, q = torsor.convert_shape("capsule", {"size": [0.1, 0.5]}, "mujoco", "physx")
>>> capsule, q.round(3)
({'halfHeight': 0.5, 'radius': 0.1}, array([ 0.707,  0.   , -0.707,  0.   ]))
)");
  m.def("convert_placed_shape", &convert_placed, "kind"_a, "parameters"_a, "source"_a, "target"_a, "axis"_a = "Z",
        R"(convert_shape() for parameters that also place a shape; returns (parameters, pos, quat).

Such parameters are MuJoCo's `fromto` and Newton's `plane` = (a, b, c, d) of a x + b y + c z + d = 0. The pose is that
of the target's shape, in the frame of the points or the equation.

>>> line = {"fromto": [0, 0, 1, 0, 0, 0], "size": 0.1}
>>> torsor.convert_placed_shape("capsule", line, "mujoco", "drake")
({'length': 1.0, 'radius': 0.1}, array([0. , 0. , 0.5]), array([1., 0., 0., 0.]))
)");
  m.def("shape_fromto", &to_fromto, "kind"_a, "parameters"_a, "source"_a, "pos"_a, "quat"_a,
        R"(MuJoCo's `fromto` form of a shape whose frame is at pos and quat (wxyz).

The first point is on the side of +z. Capsules, cylinders, and boxes and ellipsoids of equal width and depth have this
form.

>>> cylinder = {"radius": 0.1, "length": 1.0}
>>> torsor.shape_fromto("cylinder", cylinder, "urdf", [0, 0, 2], [1, 0, 0, 0])
{'fromto': [0.0, 0.0, 2.5, 0.0, 0.0, 1.5], 'size': [0.1]}
)");
}

}  // namespace

void bind_shapes(nb::module_& m) {
  bind_conversions(m);
  m.def("shape_mass", &mass_of, "kind"_a, "parameters"_a, "system"_a,
        R"(Volume, centre of mass, and inertia (3 x 3, about that centre) of a solid of unit density.

All in the system's frame of the shape. The centre of mass of a cone is a quarter of its height above the base.

>>> volume, com, inertia = torsor.shape_mass("cone", {"radius": 0.3, "half_height": 0.8}, "newton")
>>> com
array([ 0. ,  0. , -0.4])
)");
  m.def("shape_systems", &systems_with, "kind"_a, R"(The systems between which convert_shape() can convert a shape.

>>> torsor.shape_systems("cone")
['newton', 'usd.geom', 'usd.physics']
)");
}

}  // namespace torsor::python
