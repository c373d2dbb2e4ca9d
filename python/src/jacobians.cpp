// Jacobians of points and axes: 3 x nv, new arrays or the caller's.
#include <fmt/format.h>

#include "bindings.hpp"
#include "element_id.hpp"
#include "objects.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

class ArrayPair : public nb::tuple {
 public:
  NB_OBJECT_DEFAULT(ArrayPair, nb::tuple,
                    "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]", PyTuple_Check)
};

// A Jacobian of translation and one of rotation, together.
struct Pair {
  Pair(const ModelObject& model, const DataObject& data, const OptionalArray& wanted_p, const OptionalArray& wanted_r,
       const char* second = "jacr")
      : hold(check_fits(model, data)),
        jacp("jacp", wanted_p, {3, static_cast<size_t>(model.model->nv)}),
        jacr(second, wanted_r, {3, static_cast<size_t>(model.model->nv)}) {}
  ArrayPair result() const { return nb::borrow<ArrayPair>(nb::make_tuple(jacp.array(), jacr.array())); }

  const Hold hold;
  Output jacp, jacr;
};

using OfObject = void (*)(const Model&, const Data&, double*, double*, int);
using OfPoint = void (*)(const Model&, const Data&, double*, double*, const double[3], int);

void add_of_object(nb::module_& m, const char* name, ObjectType type, OfObject function, const char* doc) {
  m.def(
      name,
      [function, type](const ModelObject& model, const DataObject& data, const ElementId& id, const OptionalArray& jacp,
                       const OptionalArray& jacr) {
        const Pair pair(model, data, jacp, jacr);
        const int checked = find_element(*model.model, type, id);
        function(*model.model, *data.data, pair.jacp.data(), pair.jacr.data(), checked);
        return pair.result();
      },
      "model"_a, "data"_a, nb::arg(word_of(type)), "jacp"_a = nb::none(), "jacr"_a = nb::none(), doc);
}

void add_of_point(nb::module_& m, const char* name, OfPoint function, const char* doc) {
  m.def(
      name,
      [function](const ModelObject& model, const DataObject& data, const ArrayLike& point, const ElementId& body,
                 const OptionalArray& jacp, const OptionalArray& jacr) {
        const Pair pair(model, data, jacp, jacr);
        const Input p_WoP_W("point", point, {3});
        const int id = find_element(*model.model, ObjectType::kBody, body);
        function(*model.model, *data.data, pair.jacp.data(), pair.jacr.data(), p_WoP_W.data(), id);
        return pair.result();
      },
      "model"_a, "data"_a, "point"_a, "body"_a, "jacp"_a = nb::none(), "jacr"_a = nb::none(), doc);
}

void bind_of_points(nb::module_& m) {
  add_of_point(m, "jac", &jac, R"(Jacobians (jacp, jacr) of a point of a body, given in world coordinates.

jacp @ qvel is the velocity of the point, jacr @ qvel the angular velocity of the body, both in the world's axes.

>>> torsor.forward(model, data)
>>> jacp, jacr = torsor.jac(model, data, [0.6, 0, 1], body=2)
>>> jacr[1]
array([1., 1.])
)");
  add_of_point(m, "jac_dot", &jac_dot, R"(Time derivatives of the Jacobians of jac(), for a point fixed in the body.

>>> torsor.forward(model, data)
>>> torsor.jac_dot(model, data, [0.6, 0, 1], body=2)[0].shape
(3, 2)
)");
  m.def(
      "jac_point_axis",
      [](const ModelObject& model, const DataObject& data, const ArrayLike& point, const ArrayLike& axis,
         const ElementId& body, const OptionalArray& jacp, const OptionalArray& jaca) {
        const Pair pair(model, data, jacp, jaca, "jaca");
        const Input p_WoP_W("point", point, {3}), axis_W("axis", axis, {3});
        const int id = find_element(*model.model, ObjectType::kBody, body);
        jac_point_axis(*model.model, *data.data, pair.jacp.data(), pair.jacr.data(), p_WoP_W.data(), axis_W.data(), id);
        return pair.result();
      },
      "model"_a, "data"_a, "point"_a, "axis"_a, "body"_a, "jacp"_a = nb::none(), "jaca"_a = nb::none(),
      R"(Jacobians of a point of a body and of an axis fixed in it, both given in world coordinates.

>>> torsor.forward(model, data)
>>> jacp, jaca = torsor.jac_point_axis(model, data, [0.6, 0, 1], [1, 0, 0], body=2)
>>> jaca[2]
array([-1., -1.])
)");
}

void bind_of_objects(nb::module_& m) {
  add_of_object(m, "jac_body", ObjectType::kBody, &jac_body, R"(Jacobians (jacp, jacr) of a body's origin.

>>> torsor.forward(model, data)
>>> jacp, jacr = torsor.jac_body(model, data, 2)
>>> numpy.allclose(jacp[2], [-0.3, 0])
True
)");
  add_of_object(m, "jac_body_com", ObjectType::kBody, &jac_body_com,
                R"(Jacobians (jacp, jacr) of a body's centre of mass.

>>> torsor.forward(model, data)
>>> torsor.jac_body_com(model, data, 1)[0].shape
(3, 2)
)");
  add_of_object(m, "jac_geom", ObjectType::kGeom, &jac_geom, R"(Jacobians (jacp, jacr) of a geom's origin.

>>> torsor.forward(model, data)
>>> torsor.jac_geom(model, data, 0)[0].shape
(3, 2)
)");
  add_of_object(m, "jac_site", ObjectType::kSite, &jac_site, R"(Jacobians (jacp, jacr) of a site's origin.

>>> torsor.forward(model, data)
>>> torsor.jac_site(model, data, "tip")[0].shape
(3, 2)
)");
  m.def(
      "jac_subtree_com",
      [](const ModelObject& model, const DataObject& data, const ElementId& body, const OptionalArray& out) {
        const Hold hold = check_fits(model, data);
        const Output jacp("out", out, {3, static_cast<size_t>(model.model->nv)});
        jac_subtree_com(*model.model, *data.data, jacp.data(), find_element(*model.model, ObjectType::kBody, body));
        return jacp.array();
      },
      "model"_a, "data"_a, "body"_a, "out"_a = nb::none(),
      R"(Jacobian of the centre of mass of a body and all its descendants.

>>> torsor.forward(model, data)
>>> torsor.jac_subtree_com(model, data, 1).shape
(3, 2)
)");
}

}  // namespace

void bind_jacobians(nb::module_& m) {
  bind_of_points(m);
  bind_of_objects(m);
}

}  // namespace torsor::python
