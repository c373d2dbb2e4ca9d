// Rays against geoms, and distances between them.
#include "torsor/contact/ray.hpp"

#include "arrays.hpp"
#include "contact_bindings.hpp"
#include "element_id.hpp"
#include "objects.hpp"
#include "torsor/contact/distance.hpp"

namespace torsor::python {

namespace nb = nanobind;
namespace {

using namespace nb::literals;

// The ray filter from Python's arguments.
struct Visible {
  bool groups[RayFilter::kGroups];
  RayFilter filter;

  Visible(const ModelObject& model, const OptionalArray& geomgroup, bool flg_static, const ElementId& bodyexclude) {
    if (!geomgroup.is_none()) {
      const Input flags("geomgroup", nb::borrow<ArrayLike>(geomgroup), {RayFilter::kGroups});
      for (int i = 0; i < RayFilter::kGroups; ++i) groups[i] = flags.data()[i] != 0;
      filter.groups = groups;
    }
    filter.with_static = flg_static;
    const bool is_none = nb::isinstance<nb::int_>(bodyexclude) && bodyexclude < nb::int_(0);
    filter.excluded_body = is_none ? -1 : find_element(*model.model, ObjectType::kBody, bodyexclude);
  }
};

nb::tuple ray(const ModelObject& model, const DataObject& data, const ArrayLike& pnt, const ArrayLike& vec,
              const OptionalArray& geomgroup, bool flg_static, const ElementId& bodyexclude) {
  const Hold hold = check_fits(model, data);
  const Input origin("pnt", pnt, {3}), direction("vec", vec, {3});
  const Visible visible(model, geomgroup, flg_static, bodyexclude);
  const RayHit hit =
      cast_ray(*model.model, *data.data, {load3(origin.data()), load3(direction.data())}, visible.filter);
  return nb::make_tuple(hit.distance, hit.geom, make_array({hit.normal.x, hit.normal.y, hit.normal.z}));
}

nb::tuple ray_geom(const ModelObject& model, const DataObject& data, const ArrayLike& pnt, const ArrayLike& vec,
                   const ElementId& geom) {
  const Hold hold = check_fits(model, data);
  const Input origin("pnt", pnt, {3}), direction("vec", vec, {3});
  const int id = find_element(*model.model, ObjectType::kGeom, geom);
  const RayHit hit = cast_ray_at_geom(*model.model, *data.data, {load3(origin.data()), load3(direction.data())}, id);
  return nb::make_tuple(hit.distance, make_array({hit.normal.x, hit.normal.y, hit.normal.z}));
}

nb::tuple multi_ray(const ModelObject& model, const DataObject& data, const ArrayLike& pnt, const ArrayLike& vec,
                    const OptionalArray& geomgroup, bool flg_static, const ElementId& bodyexclude, double cutoff) {
  const Hold hold = check_fits(model, data);
  const size_t count = nb::len(vec);
  const Input origin("pnt", pnt, {3}), directions("vec", vec, {count, 3});
  Visible visible(model, geomgroup, flg_static, bodyexclude);
  visible.filter.cutoff = cutoff;
  const Output distance({count}), normal({count, 3});
  nb::list geoms;
  for (size_t i = 0; i < count; ++i) {
    const RayHit hit =
        cast_ray(*model.model, *data.data, {load3(origin.data()), load3(directions.data() + 3 * i)}, visible.filter);
    distance.data()[i] = hit.distance;
    store3(normal.data() + 3 * i, hit.normal);
    geoms.append(hit.geom);
  }
  return nb::make_tuple(distance.array(), geoms, normal.array());
}

nb::tuple distance(const ModelObject& model, const DataObject& data, const ElementId& geom1, const ElementId& geom2,
                   double distmax) {
  const Hold hold = check_fits(model, data);
  const Model& m = *model.model;
  const int id1 = find_element(m, ObjectType::kGeom, geom1), id2 = find_element(m, ObjectType::kGeom, geom2);
  const GeomDistance found = geom_distance(m, *data.data, id1, id2, distmax);
  const Output segment({6});
  store3(segment.data(), found.from_W);
  store3(segment.data() + 3, found.to_W);
  return nb::make_tuple(found.distance, segment.array());
}

}  // namespace

void bind_rays(nb::module_& m) {
  m.def("ray", &ray, "model"_a, "data"_a, "pnt"_a, "vec"_a, "geomgroup"_a = nb::none(), "flg_static"_a = true,
        "bodyexclude"_a = -1,
        R"(The nearest geom hit by the ray pnt + x vec: x (-1 if there is none), the geom, and the surface normal.

geomgroup selects which of the 6 groups can be hit (None: all). Geoms of the body bodyexclude and those with alpha 0 are
never hit.

>>> torsor.forward(model, data)
>>> torsor.ray(model, data, [0, 0, 10], [0, 0, 1])
(-1.0, -1, array([0., 0., 0.]))
)");
  m.def("ray_geom", &ray_geom, "model"_a, "data"_a, "pnt"_a, "vec"_a, "geom"_a,
        R"(Where the ray pnt + x vec hits one geom, whatever its group: x (-1 if it does not), and the surface normal.

>>> torsor.forward(model, data)
>>> torsor.ray_geom(model, data, [0, 0, 10], [0, 0, 1], geom=0)
(-1.0, array([0., 0., 0.]))
)");
  m.def("multi_ray", &multi_ray, "model"_a, "data"_a, "pnt"_a, "vec"_a, "geomgroup"_a = nb::none(),
        "flg_static"_a = true, "bodyexclude"_a = -1, "cutoff"_a = INFINITY,
        R"(Cast several rays from one point, vec of shape (n, 3); returns distances, geoms and normals.

Geoms whose bounding sphere (planes: whose origin) is further away than cutoff are ignored.

>>> torsor.multi_ray(model, data, [0, 0, 10], [[0, 0, 1]])
(array([-1.]), [-1], array([[0., 0., 0.]]))
)");
  m.def("geom_distance", &distance, "model"_a, "data"_a, "geom1"_a, "geom2"_a, "distmax"_a,
        R"(Signed distance between two geoms, at most distmax, and the segment from one surface to the other.

>>> world = torsor.Data(ball)
>>> torsor.forward(ball, world)
>>> distance, segment = torsor.geom_distance(ball, world, 0, 1, 1.0)
>>> round(distance, 3), segment.shape
(-0.01, (6,))
)");
}

}  // namespace torsor::python
