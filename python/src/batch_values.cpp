// The rest of _Batch: values of the model per world, data and models of single worlds, Jacobians and rays of all.
#include <nanobind/stl/optional.h>

#include <fmt/format.h>

#include "batch_object.hpp"
#include "torsor/contact/ray.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/model/check.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// The shape of a field of the model, or of an option, in one world.
Shape value_shape(const std::string& field, int rows, int columns) {
  for (const FieldRow& row : model_rows()) {
    if (row.name != field) continue;
    return row.is_matrix() ? Shape{static_cast<size_t>(rows), static_cast<size_t>(columns)}
                           : Shape{static_cast<size_t>(rows)};
  }
  return rows == 1 ? Shape{} : Shape{static_cast<size_t>(rows)};
}

}  // namespace

// The live array of values per world.
nb::object view_of(const WorldValues::Entry& entry, int nworld, bool writable, nb::handle keeper) {
  Shape shape = value_shape(entry.name, entry.rows, entry.columns);
  shape.insert(shape.begin(), static_cast<size_t>(nworld));
  static double nothing[1];  // of a field without numbers
  if (entry.bytes == 0) return make_view(nothing, shape, writable, keeper);
  switch (entry.type) {
    case ElementType::kReal:
      return make_view(entry.numbers<double>(), shape, writable, keeper);
    case ElementType::kInt:
      return make_view(entry.numbers<int>(), shape, writable, keeper);
    case ElementType::kFloat:
      return make_view(entry.numbers<float>(), shape, writable, keeper);
    case ElementType::kBool:
      return make_view(entry.numbers<bool>(), shape, writable, keeper);
    default:
      return make_view(entry.numbers<Byte>(), shape, writable, keeper);
  }
}

namespace {

template <class S>
nb::object expand(nb::handle_t<BatchObject<S>> object, const std::string& field) {
  BatchObject<S>& self = nb::cast<BatchObject<S>&>(object);
  const Hold hold(self.gate);
  return view_of(self.batch.values().expand(field), self.batch.nworld(), true, object);
}

template <class S>
nb::object expanded(nb::handle_t<BatchObject<S>> object, const std::string& field) {
  BatchObject<S>& self = nb::cast<BatchObject<S>&>(object);
  const Hold hold(self.gate);
  const WorldValues::Entry* entry = self.batch.values().find(field);
  return entry ? view_of(*entry, self.batch.nworld(), false, object) : nb::none();
}

// Values are worlds x numbers of the field.
template <class S>
void set_values(BatchObject<S>& self, const std::string& field, const ArrayLike& values, const OptionalIds& ids) {
  BatchCall call;
  ids_of(self, ids, call);
  const int count = call.worlds ? call.count : self.batch.nworld();
  const size_t n = static_cast<size_t>(self.batch.values().count_numbers(field));
  const Input numbers(field.c_str(), values, {static_cast<size_t>(count), n});
  const Hold hold(self.gate);
  self.batch.values().set(field, call.worlds, count, numbers.data());
}

template <class S>
void set_constants(BatchObject<S>& self, int threads, const OptionalIds& ids) {
  BatchCall call;
  call.threads = threads;
  ids_of(self, ids, call);
  const Hold hold(self.gate);
  nb::gil_scoped_release release;
  self.batch.set_const(call);
}

// State and input, then forward dynamics with the model of the world.
template <class S>
void get_data(BatchObject<S>& self, int world, ModelObject& model, DataObject& data) {
  const Hold hold(self.gate);
  const Hold other = check_reset(model, data);
  self.batch.get_world(world, *data.data);
  forward(*model.model, *data.data);
}

template <class S>
void set_data(BatchObject<S>& self, int world, const DataObject& data) {
  const Hold hold(self.gate);
  const Hold other(data.data->gate);
  self.batch.set_world(world, *data.data);
}

template <class S>
ModelObject get_model(const BatchObject<S>& self, int world) {
  const Hold hold(self.gate);
  return ModelObject(self.batch.make_model(world));
}

template <class S>
nb::tuple jac_of_worlds(BatchObject<S>& self, const Array& points, const OptionalIds& bodies, int threads,
                        const OptionalIds& ids) {
  BatchCall call;
  call.threads = threads;
  ids_of(self, ids, call);
  const size_t n = static_cast<size_t>(call.worlds ? call.count : self.batch.nworld());
  const size_t nv = static_cast<size_t>(self.model->nv);
  const Input p_WoP_W("point", nb::borrow<ArrayLike>(points), {n, 3});
  if (!bodies || bodies->shape(0) != n) throw Error("one body per world is needed");
  for (size_t i = 0; i < n; ++i) checked_id("body", bodies->data()[i], self.model->nbody);
  const Output jacp({n, 3, nv}), jacr({n, 3, nv});
  {
    const Hold hold(self.gate);
    nb::gil_scoped_release release;
    self.batch.query(call, [&](const Model& model, const Data& data, int i) {
      const size_t world = static_cast<size_t>(i);
      jac(model, data, jacp.data() + world * 3 * nv, jacr.data() + world * 3 * nv, p_WoP_W.data() + 3 * world,
          bodies->data()[i]);
    });
  }
  return nb::make_tuple(jacp.array(), jacr.array());
}

// Points and directions are worlds x rays x 3; results are written into `distance`, `geom` and `normal`.
template <class S>
void cast_rays(BatchObject<S>& self, const Array& points, const Array& directions, const OptionalArray& geomgroup,
               bool flg_static, const Array& bodyexclude, int threads, const OptionalIds& ids, const Array& distance,
               const Array& geom, const Array& normal) {
  BatchCall call;
  call.threads = threads;
  ids_of(self, ids, call);
  const size_t n = static_cast<size_t>(call.worlds ? call.count : self.batch.nworld());
  Memory shape;
  if (!shape.open(points, false)) throw Error("pnt: expected an array of numbers");
  const size_t nray = shape.shape().at(1);
  const Input origin("pnt", nb::borrow<ArrayLike>(points), {n, nray, 3});
  const Input direction("vec", nb::borrow<ArrayLike>(directions), {n, nray, 3});
  const Input excluded("bodyexclude", nb::borrow<ArrayLike>(bodyexclude), {n, nray});
  const Output distances("dist", nb::borrow<OptionalArray>(distance), {n, nray});
  const Output geoms("geomid", nb::borrow<OptionalArray>(geom), {n, nray});
  const Output normals("normal", nb::borrow<OptionalArray>(normal), {n, nray, 3});
  bool groups[RayFilter::kGroups];
  RayFilter filter;
  if (!geomgroup.is_none()) {
    const Input flags("geomgroup", nb::borrow<ArrayLike>(geomgroup), {RayFilter::kGroups});
    for (int i = 0; i < RayFilter::kGroups; ++i) groups[i] = flags.data()[i] != 0;
    filter.groups = groups;
  }
  filter.with_static = flg_static;
  const Hold hold(self.gate);
  nb::gil_scoped_release release;
  self.batch.query(call, [&](const Model& model, const Data& data, int i) {
    RayFilter own = filter;
    for (size_t k = static_cast<size_t>(i) * nray; k < (static_cast<size_t>(i) + 1) * nray; ++k) {
      own.excluded_body = static_cast<int>(excluded.data()[k]);
      const RayHit hit = cast_ray(model, data, {load3(origin.data() + 3 * k), load3(direction.data() + 3 * k)}, own);
      distances.data()[k] = hit.distance;
      geoms.data()[k] = hit.geom;
      store3(normals.data() + 3 * k, hit.normal);
    }
  });
}

}  // namespace

template <class S>
void bind_batch_values(nb::class_<BatchObject<S>>& cls) {
  cls.def("expand", &expand<S>, "field"_a)
      .def("expanded", &expanded<S>, "field"_a)
      .def("set_values", &set_values<S>, "field"_a, "values"_a, "ids"_a.none())
      .def("count_numbers",
           [](BatchObject<S>& self, const std::string& field) { return self.batch.values().count_numbers(field); })
      .def_prop_ro("has_values", [](const BatchObject<S>& self) { return !self.batch.values().empty(); })
      .def("set_const", &set_constants<S>, "threads"_a, "ids"_a.none())
      .def("get_data", &get_data<S>, "world"_a, "model"_a, "data"_a)
      .def("set_data", &set_data<S>, "world"_a, "data"_a)
      .def("get_model", &get_model<S>, "world"_a)
      .def("jac", &jac_of_worlds<S>, "points"_a, "bodies"_a.none(), "threads"_a, "ids"_a.none())
      .def("ray", &cast_rays<S>, "pnt"_a, "vec"_a, "geomgroup"_a.none(), "flg_static"_a, "bodyexclude"_a, "threads"_a,
           "ids"_a.none(), "distance"_a, "geom"_a, "normal"_a);
}

template void bind_batch_values(nb::class_<BatchObject<double>>& cls);
template void bind_batch_values(nb::class_<BatchObject<float>>& cls);

}  // namespace torsor::python
