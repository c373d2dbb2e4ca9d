// The class _MjBatch, which torsor.mujoco.batch is written on. Names and messages are checked in Python.
#include <cstring>
#include <optional>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "../batch_object.hpp"
#include "../text.hpp"
#include "mj_batch.hpp"
#include "mj_objects.hpp"
#include "torsor/contact/ray.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/model/check.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python::mj {
namespace {

using namespace nb::literals;

template <class T, class... Extra>
using Cpu = nb::ndarray<T, nb::c_contig, nb::device::cpu, Extra...>;
using Ids = std::optional<Cpu<const int, nb::ndim<1>>>;
using Numbers = std::optional<Cpu<double>>;
using AnyArray = nb::ndarray<nb::c_contig, nb::device::cpu>;

// --- arrays ---------------------------------------------------------------------------------------------------------

Shape with_simulations(const MjBatch& self, Shape shape) {
  shape.insert(shape.begin(), static_cast<size_t>(self.nsim));
  return shape;
}

nb::object view_of_output(BatchOutput& output, const MjBatch& self, nb::handle keeper) {
  std::byte* const numbers = output.values.data();
  size_t index = 0;
  nb::object view;
  Data sizes(*self.model);
  for_each_array(sizes, [&](const FieldInfo& info, auto& field) {
    using T = std::remove_reference_t<decltype(field.data()[0])>;
    const FieldRow& row = data_rows()[index++];
    if (output.name != info.name) return;
    Shape shape{static_cast<size_t>(info.rows)};
    if (row.is_matrix()) shape.push_back(static_cast<size_t>(info.columns));
    view = make_view(reinterpret_cast<T*>(numbers), with_simulations(self, shape), false, keeper);
  });
  if (view.is_valid()) return view;
  const bool is_real = output.name == "energy" || output.name == "solver_fwdinv";
  if (is_real) return make_view(reinterpret_cast<double*>(numbers), with_simulations(self, {2}), false, keeper);
  const size_t count = output.bytes / sizeof(int);
  return make_view(reinterpret_cast<int*>(numbers), with_simulations(self, count == 1 ? Shape{} : Shape{count}), false,
                   keeper);
}

nb::object bind_output(nb::handle_t<MjBatch> object, const std::string& name) {
  MjBatch& self = nb::cast<MjBatch&>(object);
  const Hold hold(self.gate);
  BatchOutput* output = self.bind(name);
  return output ? view_of_output(*output, self, object) : nb::none();
}

nb::object expand(nb::handle_t<MjBatch> object, const std::string& name) {
  MjBatch& self = nb::cast<MjBatch&>(object);
  const Hold hold(self.gate);
  if (!self.own_models.empty()) throw Error("mjb_expand: the batch runs on caller models, which have their own values");
  return view_of(self.values.expand(name), self.nsim, true, object);
}

nb::object expanded(nb::handle_t<MjBatch> object, const std::string& name) {
  MjBatch& self = nb::cast<MjBatch&>(object);
  const Hold hold(self.gate);
  const WorldValues::Entry* entry = self.values.find(name);
  return entry ? view_of(*entry, self.nsim, false, object) : nb::none();
}

// Rows that must stay those of the model; None for a field that is not of whole numbers.
nb::object share(nb::handle_t<MjBatch> object, const std::string& name, bool create) {
  MjBatch& self = nb::cast<MjBatch&>(object);
  const Hold hold(self.gate);
  SharedField* field = create ? self.share(name) : self.find_shared(name);
  return field ? make_view(field->values.data(), with_simulations(self, field->shape), create, object) : nb::none();
}

// --- calls ----------------------------------------------------------------------------------------------------------

const int* ids_of(const MjBatch& self, const Ids& ids, int& count) {
  count = self.nsim;
  if (!ids) return nullptr;
  count = static_cast<int>(ids->shape(0));
  for (int i = 0; i < count; ++i) {
    if (ids->data()[i] < 0 || ids->data()[i] >= self.nsim)
      throw nb::value_error(fmt::format("ids must be in [0, {}), got {}", self.nsim, ids->data()[i]).c_str());
  }
  static constexpr int kNone = 0;
  return count > 0 ? ids->data() : &kNone;
}

void run(MjBatch& self, const Ids& ids, const MjBatch::Work& work,
         MjBatch::Effect effect = MjBatch::Effect::kNewState) {
  int count = 0;
  const int* which = ids_of(self, ids, count);
  check_editable(*self.model);
  const Hold hold(self.gate);
  const nb::gil_scoped_release release;
  self.run(which, count, work, effect);
}

// The stages of forward dynamics up to an mjtStage: 0 none, 1 positions, 2 velocities, 3 all.
void compute_stages(const Model& model, Data& data, int stage) {
  if (stage >= 3) return forward(model, data);
  if (stage >= 1) {
    forward_position(model, data);
    compute_sensors(model, data, SensorStage::kPosition);
  }
  if (stage >= 2) {
    forward_velocity(model, data);
    compute_sensors(model, data, SensorStage::kVelocity);
  }
}

void take_step(const Model& model, Data& data) {
  step(model, data);
  require_memory(model, data);
}

void step_rows(MjBatch& self, const Ids& ids, int nstep, int stage) {
  run(self, ids, [=](const Model& model, Data& data, int, int) {
    for (int i = 0; i < nstep; ++i) take_step(model, data);
    compute_stages(model, data, stage);
  });
}

void forward_rows(MjBatch& self, const Ids& ids, int stage) {
  run(self, ids, [=](const Model& model, Data& data, int, int) { compute_stages(model, data, stage); });
}

void reset_rows(MjBatch& self, const Ids& ids, const Cpu<const int, nb::ndim<1>>& keys, int stage) {
  const int* key = keys.data();
  run(self, ids, [=](const Model& model, Data& data, int place, int) {
    if (key[place] < 0)
      reset(model, data);
    else
      reset_to_key(model, data, key[place]);
    compute_stages(model, data, stage);
  });
}

struct Record {
  BatchOutput* output;  // null: state
  int signature;
  size_t bytes;       // per step
  std::byte* values;  // simulation by simulation, step by step
};

int warnings_of(const Data& data) {
  int sum = 0;
  for (const WarningCount& each : data.warning) sum += each.number;
  return sum;
}

// A simulation whose warnings rise stops, and its last records are repeated.
void rollout_rows(MjBatch& self, const Ids& ids, int nstep, const Numbers& control, int signature,
                  const nb::list& records) {
  std::vector<Record> list;
  std::vector<AnyArray> arrays;
  for (const nb::handle each : records) {
    const nb::tuple item = nb::cast<nb::tuple>(each);
    const int spec = nb::cast<int>(item[1]);
    BatchOutput* output = item[0].is_none() ? nullptr : self.bind(nb::cast<std::string>(item[0]));
    arrays.push_back(nb::cast<AnyArray>(item[2]));
    const size_t bytes = output ? output->bytes : static_cast<size_t>(state_size(*self.model, spec)) * sizeof(double);
    list.push_back({output, spec, bytes, static_cast<std::byte*>(arrays.back().data())});
  }
  const double* controls = control ? control->data() : nullptr;
  const size_t width = static_cast<size_t>(state_size(*self.model, signature)), steps = static_cast<size_t>(nstep);
  run(self, ids, [&, controls](const Model& model, Data& data, int place, int) {
    bool has_stopped = false;
    for (size_t k = 0; k < steps; ++k) {
      const size_t at = static_cast<size_t>(place) * steps + k;
      if (!has_stopped) {
        if (controls) set_state(model, data, controls + at * width, signature);
        const int before = warnings_of(data);
        take_step(model, data);
        has_stopped = warnings_of(data) > before;
      }
      for (const Record& record : list) {
        std::byte* to = record.values + at * record.bytes;
        if (record.output)
          std::memcpy(to, record.output->numbers(data), record.bytes);
        else
          get_state(model, data, reinterpret_cast<double*>(to), record.signature);
      }
    }
  });
}

void jac_rows(MjBatch& self, const Ids& ids, const Cpu<const int, nb::ndim<1>>& body,
              const Cpu<const double, nb::ndim<2>>& point, const Numbers& jacp, const Numbers& jacr) {
  int count = 0;
  ids_of(self, ids, count);
  const size_t n = static_cast<size_t>(count), nv = static_cast<size_t>(self.model->nv);
  const auto expect = [](const char* name, const Shape& shape, const Shape& wanted) {
    if (shape != wanted)
      throw nb::value_error(
          fmt::format("{} must have shape {}, got {}", name, to_text(wanted), to_text(shape)).c_str());
  };
  expect("body", {body.shape(0)}, {n});
  expect("point", {point.shape(0), point.shape(1)}, {n, 3});
  for (const Numbers* out : {&jacp, &jacr}) {
    if (!*out) continue;
    Shape shape;
    for (size_t i = 0; i < (*out)->ndim(); ++i) shape.push_back((*out)->shape(i));
    expect("jac", shape, {n, 3, nv});
  }
  for (size_t i = 0; i < n; ++i) {
    if (body.data()[i] < 0 || body.data()[i] >= self.model->nbody) throw nb::value_error("body: no such body");
  }
  const auto work = [&](const Model& model, Data& data, int place, int) {
    const size_t at = static_cast<size_t>(place);
    compute_kinematics(model, data);
    compute_com_position(model, data);
    jac(model, data, jacp ? jacp->data() + at * 3 * nv : nullptr, jacr ? jacr->data() + at * 3 * nv : nullptr,
        point.data() + 3 * at, body.data()[place]);
  };
  run(self, ids, work, MjBatch::Effect::kQuery);
}

// Rays are simulations x rays; geomgroup has a flag for each group, or is None.
void ray_rows(MjBatch& self, const Ids& ids, const Cpu<const double, nb::ndim<3>>& pnt,
              const Cpu<const double, nb::ndim<3>>& vec, const std::optional<std::vector<bool>>& geomgroup,
              bool flg_static, const Cpu<const int, nb::ndim<2>>& bodyexclude, const Cpu<double, nb::ndim<2>>& dist,
              const Cpu<int, nb::ndim<2>>& geomid, const Numbers& normal) {
  const size_t nray = pnt.shape(1);
  bool groups[RayFilter::kGroups];
  RayFilter filter;
  filter.with_static = flg_static;
  if (geomgroup) {
    for (size_t i = 0; i < RayFilter::kGroups; ++i) groups[i] = (*geomgroup)[i];
    filter.groups = groups;
  }
  const auto work = [&](const Model& model, Data& data, int place, int) {
    compute_kinematics(model, data);
    RayFilter own = filter;
    for (size_t k = static_cast<size_t>(place) * nray; k < (static_cast<size_t>(place) + 1) * nray; ++k) {
      own.excluded_body = bodyexclude.data()[k];
      const RayHit hit = cast_ray(model, data, {load3(pnt.data() + 3 * k), load3(vec.data() + 3 * k)}, own);
      dist.data()[k] = hit.distance;
      geomid.data()[k] = hit.geom;
      if (normal) store3(normal->data() + 3 * k, hit.normal);
    }
  };
  run(self, ids, work, MjBatch::Effect::kQuery);
}

// --- single simulations ---------------------------------------------------------------------------------------------

// Into a model of the same sizes, whose views stay.
void copy_numbers(const Model& from, Model& to) {
  std::vector<const void*> sources;
  for_each_array(const_cast<Model&>(from), [&](const FieldInfo&, auto& field) { sources.push_back(field.data()); });
  size_t index = 0;
  for_each_array(to, [&](const FieldInfo&, auto& field) {
    const void* source = sources[index++];
    if (field.size() > 0)
      std::memcpy(field.data(), source, static_cast<size_t>(field.size()) * sizeof(field.data()[0]));
  });
  to.opt = from.opt;
  to.stat = from.stat;
}

void get_model_into(const MjBatch& self, int sim, ModelObject& given) {
  const Hold hold(self.gate);
  const Model made = self.make_model(sim);
  if (given.model->signature != made.signature) throw Error("mjb_getModel: the model has other sizes than the batch's");
  copy_numbers(made, *given.model);
}

void set_models(MjBatch& self, const nb::list& models) {
  std::vector<std::shared_ptr<Model>> list;
  for (const nb::handle each : models) {
    const ModelObject* object = as_model(each.ptr());
    if (!object) throw nb::type_error("models must be MjModel objects");
    if (object->model->signature != self.model->signature)
      throw Error("mjb_setModels: a model does not have the layout of the batch's model");
    list.push_back(object->model);
  }
  const Hold hold(self.gate);
  if (!list.empty() && !self.values.empty())
    throw Error("mjb_setModels: the batch has per-simulation fields, from expand() or set_const()");
  self.own_models = std::move(list);
}

void set_const(MjBatch& self, const Ids& ids) {
  int count = 0;
  const int* which = ids_of(self, ids, count);
  const Hold hold(self.gate);
  if (!self.own_models.empty()) throw Error("mjb_setConst: the batch runs on caller models: call mj_setConst for each");
  const nb::gil_scoped_release release;
  self.set_const(which, count);
}

// A function of the system (through ctypes), which gets addresses.
void set_callback(std::function<void(const Model&, Data&)>& target, const nb::object& function) {
  if (function.is_none()) {
    target = nullptr;
    return;
  }
  target = [function](const Model& model, Data& data) {
    const nb::gil_scoped_acquire gil;
    function(reinterpret_cast<uintptr_t>(&model), reinterpret_cast<uintptr_t>(&data));
  };
}

}  // namespace

void bind_mj_batch(nb::module_& m) {
  nb::class_<MjBatch> cls(m, "_MjBatch", "What torsor.mujoco.batch.Batch is made of.");
  cls.def(
      "__init__",
      [](MjBatch* self, const ModelObject& model, int nsim, int nthread, bool persistent) {
        check_editable(*model.model);
        new (self) MjBatch(*model.model, nsim, nthread, persistent);
      },
      "model"_a, "nsim"_a, "nthread"_a, "persistent"_a);
  cls.def_ro("nsim", &MjBatch::nsim).def_ro("nthread", &MjBatch::nthread).def_ro("nstate", &MjBatch::nstate);
  cls.def_ro("persistent", &MjBatch::is_persistent);
  cls.def_prop_ro("state", [](nb::handle_t<MjBatch> object) {
    MjBatch& self = nb::cast<MjBatch&>(object);
    return make_view(self.state.data(), with_simulations(self, {static_cast<size_t>(self.nstate)}), true, object);
  });
  cls.def_prop_ro("warning", [](nb::handle_t<MjBatch> object) {
    MjBatch& self = nb::cast<MjBatch&>(object);
    return make_view(self.warnings.data(), with_simulations(self, {static_cast<size_t>(Warning::kCount), 2}), true,
                     object);
  });
  cls.def_prop_ro("status", [](nb::handle_t<MjBatch> object) {
    MjBatch& self = nb::cast<MjBatch&>(object);
    return make_view(self.status.data(), with_simulations(self, {}), false, object);
  });
  cls.def(
      "error", [](const MjBatch& self, int sim) { return self.errors.at(static_cast<size_t>(sim)); }, "sim"_a);
  cls.def("bind", &bind_output, "name"_a);
  cls.def("expand", &expand, "name"_a).def("expanded", &expanded, "name"_a);
  cls.def("share", &share, "name"_a, "create"_a);
  cls.def("can_expand", [](const MjBatch& self, const std::string& name) {
    try {
      self.values.count_numbers(name);
      return true;
    } catch (const Error&) {
      return false;
    }
  });
  cls.def("step", &step_rows, nb::arg("ids").noconvert().none(), "nstep"_a, "stage"_a);
  cls.def("forward", &forward_rows, nb::arg("ids").noconvert().none(), "stage"_a);
  cls.def("reset", &reset_rows, nb::arg("ids").noconvert().none(), nb::arg("keys").noconvert(), "stage"_a);
  cls.def("set_const", &set_const, nb::arg("ids").noconvert().none());
  cls.def("rollout", &rollout_rows, nb::arg("ids").noconvert().none(), "nstep"_a, nb::arg("control").noconvert().none(),
          "spec"_a, nb::arg("records").noconvert());
  cls.def("jac", &jac_rows, nb::arg("ids").noconvert().none(), nb::arg("body").noconvert(),
          nb::arg("point").noconvert(), nb::arg("jacp").noconvert().none(), nb::arg("jacr").noconvert().none());
  cls.def("ray", &ray_rows, nb::arg("ids").noconvert().none(), nb::arg("pnt").noconvert(), nb::arg("vec").noconvert(),
          "geomgroup"_a.none(), "flg_static"_a, nb::arg("bodyexclude").noconvert(), nb::arg("dist").noconvert(),
          nb::arg("geomid").noconvert(), nb::arg("normal").noconvert().none());
  cls.def("get_model", [](const MjBatch& self, int sim) {
    const Hold hold(self.gate);
    return MjModelObject(self.make_model(sim));
  });
  cls.def("get_model_into", &get_model_into, "sim"_a, "model"_a);
  cls.def("get_data", [](const MjBatch& self, int sim, DataObject& data) {
    const Hold hold(self.gate), other(data.data->gate);
    require_fit(*self.model, *data.data);
    self.get_data(sim, *data.data);
  });
  cls.def("set_models", &set_models, "models"_a);
  cls.def(
      "set_callbacks",
      [](MjBatch& self, const nb::object& control, const nb::object& passive) {
        set_callback(self.control, control);
        set_callback(self.passive, passive);
      },
      "control"_a.none(), "passive"_a.none());
  cls.def_static("counts", &batch_counts);
}

}  // namespace torsor::python::mj
