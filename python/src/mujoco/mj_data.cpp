// The class MjData: construction, copies and pickles, and the callbacks that all of them share.
#include <algorithm>
#include <array>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>

#include <fmt/format.h>

#include "../data_state.hpp"
#include "../text.hpp"
#include "call.hpp"
#include "mj_objects.hpp"
#include "numpy_array.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/islands.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::python::mj {
namespace {

using namespace nb::literals;

PyTypeObject* data_type = nullptr;

constexpr size_t kCallbacks = static_cast<size_t>(Callback::kCount);
// Kept until the process ends; null until one is set for the first time.
std::array<nb::object, kCallbacks>* globals = nullptr;
uint64_t globals_version = 0;

void take_over_globals(MjDataObject& data) {
  data.callbacks_version = globals_version;
  for (size_t i = 0; i < kCallbacks; ++i)
    if ((*globals)[i].is_valid()) data.callbacks[i] = (*globals)[i];
  if (!data.callback(Callback::kClock).is_none()) data.data->timers_on = true;  // whoever sets a clock wants times
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const MjDataObject& data = *nb::inst_ptr<MjDataObject>(self);
  Py_VISIT(data.model.ptr());
  for (const nb::object& callback : data.callbacks) Py_VISIT(callback.ptr());
  for (const auto& [types, function] : data.collision) Py_VISIT(function.ptr());
  return 0;
}

int clear(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  MjDataObject& data = *nb::inst_ptr<MjDataObject>(self);
  for (nb::object& callback : data.callbacks) callback = nb::none();
  data.collision.clear();
  return 0;
}

const PyType_Slot kSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

MjDataObject duplicate(const MjDataObject& self, nb::object model) {
  const Hold hold(self.data->gate);
  return MjDataObject(std::move(model), Data(*self.data));
}

// The mass matrix in the layout that MuJoCo had until 4.0: a copy.
Array legacy_matrix(const MjDataObject& self) {
  const Hold hold(self.data->gate);
  const Model& model = *self.model_object().model;
  const Output qM({static_cast<size_t>(model.nM)});
  legacy_mass_matrix(model, *self.data, qM.data());
  return qM.array();
}

// Calls f with the islands, if there are any and scratch memory suffices.
template <class F>
void with_islands(const Model& model, Data& data, F f) {
  if (data.nefc == 0 || model.opt.disabled(kDisableIsland)) return;
  ArenaScope scope(data.arena());
  const int before = data.nisland;
  const Islands islands = find_islands(model, data, false);
  if (data.nisland != before) data.solver = {};
  if (islands.row) f(islands);
}

// The solver finds the islands, MuJoCo when it has made the rows. Whoever asks before the solver finds them here.
void find_islands_to_read(const MjDataObject& self) {
  if (self.data->nefc == 0 || self.data->solver.size() > 0) return;
  const ModelObject& model = self.model_object();
  const Hold hold = check_fits(model, self);
  find_islands_of_rows(*model.model, *self.data);
}

// Of each tree, also of those without rows that others tie to an island: a copy.
nb::list list_tree_islands(const MjDataObject& self) {
  const ModelObject& model = self.model_object();
  const Hold hold = check_fits(model, self);
  std::vector<int> found(static_cast<size_t>(model.model->ntree), -1);
  with_islands(*model.model, *self.data,
               [&](const Islands& islands) { std::copy_n(islands.tree_island, found.size(), found.begin()); });
  nb::list numbers;
  for (const int island : found) numbers.append(island);
  return numbers;
}

// Views of the constraint rows, kept for as long as the rows stay where they are.
void keep_row_views(nb::class_<MjDataObject, DataObject>& cls) {
  const nb::handle base = nb::type<DataObject>();
  size_t count = 0;
  const auto keep = [&]<class Find>(const char* name, Find find) {
    const nb::object make = nb::borrow(base.attr("__dict__")[name].attr("__get__"));
    const bool is_island = std::string_view(name) == "efc_island";
    cls.def_prop_ro(name, [make, find, is_island, index = count++](nb::handle_t<MjDataObject> object) {
      MjDataObject& self = *nb::inst_ptr<MjDataObject>(object);
      if (is_island) find_islands_to_read(self);
      const auto [place, size] = find(*self.data);
      if (self.row_views.size() <= index) self.row_views.resize(index + 1);
      PassingView& kept = self.row_views[index];
      if (!kept.view.is_valid() || kept.place != place || kept.size != size) kept = {place, size, make(object)};
      return kept.view;
    });
  };
  using Place = std::pair<const void*, int64_t>;
  keep("solver_niter", [](Data& data) { return Place{data.solver_niter, 0}; });
#define FIELD(type, name, ...)            \
  if (std::string_view(#name) != "efc_J") \
    keep(#name, [](Data& data) { return Place{data.name.data(), static_cast<int64_t>(data.name.size())}; });
#include "torsor/model/fields/rows.inc"
#undef FIELD
}

// An array that nobody else holds, of as many numbers, to write to.
bool is_free_to_fill(const nb::object& kept, Py_ssize_t count) {
  if (!kept.is_valid() || Py_REFCNT(kept.ptr()) != 1 || !is_numpy_array(kept.ptr())) return false;
  const NumpyArray& array = *as_array(kept.ptr());
  return array.nd == 1 && array.dimensions[0] == count && fits(array, numpy_type::kFloat64, true);
}

// A dense Jacobian is a copy: of the array that the last call has made, if it is not in use any more.
void keep_jacobian(nb::class_<MjDataObject, DataObject>& cls) {
  const nb::object make = nb::borrow(nb::type<DataObject>().attr("__dict__")["efc_J"].attr("__get__"));
  cls.def_prop_ro("efc_J", [make](nb::handle_t<MjDataObject> object) {
    MjDataObject& self = *nb::inst_ptr<MjDataObject>(object);
    if (is_jacobian_sparse(*nb::inst_ptr<ModelObject>(self.model)->model)) return make(object);
    const Hold hold(self.data->gate);
    if (is_free_to_fill(self.jacobian, static_cast<Py_ssize_t>(self.data->nefc) * self.data->nv))
      dense_jacobian(*self.data, reinterpret_cast<double*>(as_array(self.jacobian.ptr())->data));
    else
      self.jacobian = make(object);
    return self.jacobian;
  });
}

}  // namespace

void find_islands_of_rows(const Model& model, Data& data) {
  with_islands(model, data, [](const Islands&) {});
}

DataObject* as_data(PyObject* object) {
  if (Py_TYPE(object) == data_type || nb::isinstance<MjDataObject>(object)) {
    MjDataObject* data = nb::inst_ptr<MjDataObject>(object);
    if (data->callbacks_version != globals_version) take_over_globals(*data);
    return data;
  }
  return nb::isinstance<DataObject>(object) ? nb::inst_ptr<DataObject>(object) : nullptr;
}

void set_global_callback(Callback which, nb::object wrapped) {
  if (!globals) globals = new std::array<nb::object, kCallbacks>();
  (*globals)[static_cast<size_t>(which)] = std::move(wrapped);
  ++globals_version;
}

void bind_mj_callbacks(nb::module_& m) {
  m.def(
      "_set_global_callback",
      [](const std::string& name, nb::object wrapped) {
        for (size_t i = 0; i < kCallbacks; ++i)
          if (name == name_of(static_cast<Callback>(i))) return set_global_callback(static_cast<Callback>(i), wrapped);
        throw nb::key_error(fmt::format("no callback is called '{}'", name).c_str());
      },
      "name"_a, "wrapped"_a.none());
}

void bind_mj_data(nb::module_& m) {
  nb::class_<MjDataObject, DataObject> cls(
      m, "MjData", nb::type_slots(kSlots),
      R"(A state and all that is computed from it, with the interface of mujoco.MjData.

>>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
>>> torsor.mujoco.MjData(model).time
0.0
)");
  data_type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  cls.def(
      "__init__",
      [](MjDataObject* self, ModelObject& model) { new (self) MjDataObject(nb::find(model), Data(*model.model)); },
      "model"_a, "A state in the reference pose of the model.");
  cls.def("__copy__", [](const MjDataObject& self) { return duplicate(self, self.model); });
  cls.def(
      "__deepcopy__",
      [](const MjDataObject& self, nb::handle memo) {
        return duplicate(self, nb::module_::import_("copy").attr("deepcopy")(self.model, memo));
      },
      "memo"_a);
  cls.def("__setstate__", [](MjDataObject& self, const nb::tuple& state) {
    auto [model, data] = data_from_state(state);
    new (&self) MjDataObject(std::move(model), std::move(data));
  });
  keep_row_views(cls);
  keep_jacobian(cls);
  cls.def_rw("_threads", &MjDataObject::threads);
  cls.def_ro("_kept", &MjDataObject::kept);
  cls.def_prop_ro(
      "nisland",
      [](const MjDataObject& self) {
        if (self.model_object().model->opt.disabled(kDisableIsland)) return 0;
        find_islands_to_read(self);
        return self.data->nisland;
      },
      "number of islands: groups of trees that rows connect; 0 if islands are disabled");
  cls.def_prop_ro("_tree_islands", &list_tree_islands);
  cls.def_prop_ro("_address", [](const MjDataObject& self) { return reinterpret_cast<uintptr_t>(self.data.get()); });
  cls.def_prop_ro("qM", &legacy_matrix, "joint-space inertia in the layout of MuJoCo 3: nM numbers, a copy");
}

}  // namespace torsor::python::mj
