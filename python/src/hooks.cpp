// User-defined collision functions, and forms of the Jacobian on demand.
#include "torsor/contact/hooks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arrays.hpp"
#include "contact_bindings.hpp"
#include "objects.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/csr.hpp"
#include "torsor/core/error.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python {

namespace nb = nanobind;
namespace {

using namespace nb::literals;

// (dist, pos, normal) or (dist, pos, normal, tangent)
ContactPoint to_point(nb::handle item) {
  const size_t size = nb::len(item);
  if (size != 3 && size != 4)
    throw nb::value_error("a contact point is (dist, pos, normal) or (dist, pos, normal, tangent)");
  const auto vector = [&](int i, const char* name) {
    return load3(Input(name, nb::borrow<ArrayLike>(nb::object(item[i])), {3}).data());
  };
  const ContactPoint point{nb::cast<double>(item[0]), vector(1, "pos"), vector(2, "normal"),
                           size == 4 ? vector(3, "tangent") : Vec3<double>{0, 0, 0}};
  if (!std::isfinite(point.dist) || !std::isfinite(norm(point.pos_W)) || !(std::fabs(norm(point.normal_W) - 1) < 1e-6))
    throw nb::value_error("a contact point needs finite numbers and a unit normal");
  return point;
}

GeomType geom_type(int type) {
  const bool exists = type >= 0 && type <= static_cast<int>(GeomType::kMesh);
  if (!exists && type != static_cast<int>(GeomType::kCone))
    throw nb::value_error(fmt::format("{} is not a GeomType", type).c_str());
  return static_cast<GeomType>(type);
}

void set_function(DataObject& data, int type1, int type2, const nb::object& function) {
  const std::pair<int, int> key = std::minmax({static_cast<int>(geom_type(type1)), static_cast<int>(geom_type(type2))});
  if (function.is_none()) {
    data.collision.erase(key);
    return;
  }
  if (!PyCallable_Check(function.ptr()))
    throw nb::type_error("function must be callable as function(model, data, geom1, geom2, margin), or None");
  data.collision[key] = function;
}

void add_point(const ModelObject& model, DataObject& data, int geom1, int geom2, double dist, const ArrayLike& pos,
               const ArrayLike& normal) {
  const Hold hold = check_fits(model, data);
  const Input place("pos", pos, {3}), direction("normal", normal, {3});
  const ContactPoint point{dist, load3(place.data()), load3(direction.data()), {0, 0, 0}};
  if (!add_contact_point(*model.model, *data.data, geom1, geom2, point))
    throw Error("no memory for another contact: raise <size memory=\"...\"> in the model");
}

void bind_hooks_of_collision(nb::module_& m) {
  m.def("set_collision_function", &set_function, "data"_a, "type1"_a, "type2"_a, "function"_a.none(),
        R"(Use function(model, data, geom1, geom2, margin) to collide geoms of two types in this Data; None removes it.

It returns a list of the points that are at most margin apart, each as (dist, pos, normal) or (dist, pos, normal,
tangent), or None: dist is negative in penetration, pos is midway, normal has unit length and points from geom1 to
geom2, and geom1 has the smaller type. Friction, solver parameters and margin come from the geoms. An exception
abandons the step and leaves the state unchanged. Copies and pickles of the Data do not include the function.

>>> def never(model, data, geom1, geom2, margin):
...     return []
>>> torsor.set_collision_function(data, torsor.GeomType.SPHERE, torsor.GeomType.PLANE, never)
>>> torsor.set_collision_function(data, torsor.GeomType.SPHERE, torsor.GeomType.PLANE, None)
)");
  m.def("add_contact", &add_point, "model"_a, "data"_a, "geom1"_a, "geom2"_a, "dist"_a, "pos"_a, "normal"_a,
        R"(Add a contact between any two geoms; only from within a collision function.

>>> def touch(model, data, geom1, geom2, margin):
...     torsor.add_contact(model, data, geom1, geom2, -0.01, [0, 0, 0], [0, 0, 1])
>>> world = torsor.Data(ball)
>>> torsor.set_collision_function(world, torsor.GeomType.PLANE, torsor.GeomType.SPHERE, touch)
>>> torsor.forward(ball, world)
>>> len(world.contact)
1
)");
}

nb::dict to_dict(const SparseRows& matrix) {
  const auto numbers = [](const auto& values) {
    nb::list list;
    for (const auto value : values) list.append(value);
    return nb::module_::import_("numpy").attr("array")(
        list, nb::arg("dtype") = std::is_same_v<std::decay_t<decltype(values[0])>, int> ? "int32" : "float64");
  };
  nb::dict result;
  result["rownnz"] = numbers(matrix.rownnz);
  result["rowadr"] = numbers(matrix.rowadr);
  result["colind"] = numbers(matrix.colind);
  result["values"] = numbers(matrix.values);
  return result;
}

void bind_jacobian_forms(nb::module_& m) {
  m.def(
      "efc_AR",
      [](const ModelObject& model, const DataObject& data) {
        const Hold hold = check_fits(model, data);
        const size_t n = static_cast<size_t>(data.data->nefc);
        const std::vector<double> A = regularised_delassus(*model.model, *data.data);
        const Output out({n, n});
        std::copy(A.begin(), A.end(), out.data());
        return out.array();
      },
      "model"_a, "data"_a, R"(J M^-1 J' + R of the constraint rows, nefc x nefc.

>>> torsor.efc_AR(model, data).shape == (data.nefc, data.nefc)
True
)");
  m.def(
      "efc_JT",
      [](const ModelObject& model, const DataObject& data) {
        const Hold hold = check_fits(model, data);
        const SparseRows rows = jacobian_rows(*data.data, true, true);
        const size_t nv = rows.rownnz.size(), nefc = static_cast<size_t>(rows.columns);
        const Output out({nv, nefc});
        std::fill_n(out.data(), nv * nefc, 0.0);
        for (size_t i = 0; i < nv; ++i) {
          for (int k = rows.rowadr[i]; k < rows.rowadr[i] + rows.rownnz[i]; ++k)
            out.data()[i * nefc + static_cast<size_t>(rows.colind[static_cast<size_t>(k)])] =
                rows.values[static_cast<size_t>(k)];
        }
        return out.array();
      },
      "model"_a, "data"_a, R"(The transposed Jacobian of the constraint rows, nv x nefc.

>>> torsor.efc_JT(model, data).shape == (model.nv, data.nefc)
True
)");
  m.def(
      "mul_jac_vec",
      [](const ModelObject& model, const DataObject& data, const ArrayLike& vec) {
        const Hold hold = check_fits(model, data);
        const Input x("vec", vec, {static_cast<size_t>(model.model->nv)});
        const Output y({static_cast<size_t>(data.data->nefc)});
        multiply_jacobian(*data.data, x.data(), y.data());
        return y.array();
      },
      "model"_a, "data"_a, "vec"_a, R"(J vec, of the Jacobian of the constraint rows.

>>> torsor.forward(model, data)
>>> torsor.mul_jac_vec(model, data, [1, 2]).shape == (data.nefc,)
True
)");
  m.def(
      "mul_jac_t_vec",
      [](const ModelObject& model, const DataObject& data, const ArrayLike& vec) {
        const Hold hold = check_fits(model, data);
        const Input x("vec", vec, {static_cast<size_t>(data.data->nefc)});
        const Output y({static_cast<size_t>(model.model->nv)});
        multiply_jacobian_transposed(*data.data, x.data(), y.data());
        return y.array();
      },
      "model"_a, "data"_a, "vec"_a, R"(J' vec, of the Jacobian of the constraint rows.

>>> torsor.forward(model, data)
>>> torsor.mul_jac_t_vec(model, data, data.efc_force)
array([0., 0.])
)");
  m.def(
      "efc_csr",
      [](const ModelObject& model, const DataObject& data, bool transposed, bool compressed) {
        const Hold hold = check_fits(model, data);
        return to_dict(jacobian_rows(*data.data, transposed, compressed));
      },
      "model"_a, "data"_a, "transposed"_a = false, "compressed"_a = true,
      R"(The Jacobian of the constraint rows (or its transpose) in sparse rows: rownnz, rowadr, colind, values.

Compressed rows are contiguous; uncompressed ones begin at multiples of the number of columns.

>>> sorted(torsor.efc_csr(model, data))
['colind', 'rowadr', 'rownnz', 'values']
)");
  m.def(
      "compare_forward_inverse",
      [](ModelObject& model, DataObject& data) {
        const EngineCall call(model, data, Effect::kRows);
        compare_forward_inverse(call.model, call.data);
      },
      "model"_a, "data"_a, R"(Fill data.solver_fwdinv: the difference between inverse dynamics and the last forward().

Two norms: of the difference in data.qfrc_constraint, and of the applied forces minus data.qfrc_inverse.

>>> torsor.forward(model, data)
>>> torsor.compare_forward_inverse(model, data)
>>> bool((data.solver_fwdinv < 1e-9).all())
True
)");
}

}  // namespace

int read_contact_points(nb::handle points, ContactPoint* out) {
  if (points.is_none()) return 0;
  int count = 0;
  for (nb::handle item : points) {
    if (count == kMaxFieldPoints)
      throw nb::value_error(fmt::format("a pair of geoms has at most {} contact points", kMaxFieldPoints).c_str());
    out[count++] = to_point(item);
  }
  return count;
}

void bind_hooks(nb::module_& m) {
  bind_hooks_of_collision(m);
  bind_jacobian_forms(m);
}

}  // namespace torsor::python
