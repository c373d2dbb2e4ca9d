// Implementation of torsor.sap: the solver on plain arrays, of one world or of many.
#include <optional>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "kept_contacts.hpp"
#include "objects.hpp"
#include "text.hpp"
#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/bridge/sap_worlds.hpp"
#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Doubles = std::vector<double>;

SapOrder sap_order_of(const std::string& word) {
  if (word == "public") return SapOrder::kPublic;
  if (word == "sap") return SapOrder::kSap;
  throw Error("unknown order '" + word + "': public or sap");
}

nb::object sap_array_of(const Doubles& numbers, size_t width = 0) {
  const Output out(width == 0 ? Shape{numbers.size()} : Shape{numbers.size() / width, width});
  std::copy(numbers.begin(), numbers.end(), out.data());
  return out.array();
}

// The solver, and the worlds of the last call that had several.
struct SapHolder {
  template <class... Arguments>
  explicit SapHolder(Arguments&&... arguments) : solver(std::forward<Arguments>(arguments)...) {}
  SapWorlds& worlds_of(int count) {
    if (!worlds || worlds->count() != count) worlds.emplace(solver, count);
    return *worlds;
  }
  SapSolver solver;
  std::optional<SapWorlds> worlds;
};

// A buffer of the call: float64, one row per world; None where the caller has none.
using Rows = std::optional<nb::object>;

// Copies row after row to a member of each element.
template <class Element>
void take_sap_rows(const char* name, const Rows& rows, Doubles Element::*member, std::vector<Element>& elements) {
  if (!rows) return;
  Memory memory;
  if (!memory.open(*rows, false) || memory.shape().size() != 2 || memory.shape()[0] != elements.size())
    throw Error(fmt::format("{} must have one row of float64 per world", name));
  const size_t width = memory.shape()[1];
  for (size_t i = 0; i < elements.size(); ++i)
    (elements[i].*member).assign(memory.data() + i * width, memory.data() + (i + 1) * width);
}

nb::object sap_rows_of(const std::vector<SapState>& states, Doubles SapState::*member) {
  const Output out(Shape{states.size(), (states.front().*member).size()});
  double* to = out.data();
  for (const SapState& state : states) to = std::copy((state.*member).begin(), (state.*member).end(), to);
  return out.array();
}

// joint_q, joint_qd, body_f, orders of the last two, signature of the model
using StateTuple = std::tuple<Rows, Rows, Rows, std::string, std::string, uint64_t>;
std::vector<SapState> sap_states_of(size_t count, const StateTuple& given) {
  std::vector<SapState> states(count);
  take_sap_rows("joint_q", std::get<0>(given), &SapState::joint_q, states);
  take_sap_rows("joint_qd", std::get<1>(given), &SapState::joint_qd, states);
  take_sap_rows("body_f", std::get<2>(given), &SapState::body_f, states);
  for (SapState& state : states) {
    state.joint_qd_order = sap_order_of(std::get<3>(given));
    state.body_f_order = sap_order_of(std::get<4>(given));
    state.model = std::get<5>(given);
  }
  return states;
}

// joint_f, joint_target_pos, joint_target_vel, joint_act, ctrl, order of joint_f, signature of the model
using ControlTuple = std::tuple<Rows, Rows, Rows, Rows, Rows, std::string, uint64_t>;
std::vector<SapControl> sap_controls_of(size_t count, const std::optional<ControlTuple>& given) {
  if (!given) return {};
  std::vector<SapControl> controls(count);
  take_sap_rows("joint_f", std::get<0>(*given), &SapControl::joint_f, controls);
  take_sap_rows("joint_target_pos", std::get<1>(*given), &SapControl::joint_target_pos, controls);
  take_sap_rows("joint_target_vel", std::get<2>(*given), &SapControl::joint_target_vel, controls);
  take_sap_rows("joint_act", std::get<3>(*given), &SapControl::joint_act, controls);
  take_sap_rows("ctrl", std::get<4>(*given), &SapControl::ctrl, controls);
  for (SapControl& control : controls) {
    control.joint_f_order = sap_order_of(std::get<5>(*given));
    control.model = std::get<6>(*given);
  }
  return controls;
}

// Other threads may change the contacts meanwhile: a step works with copies.
std::vector<std::optional<SapContacts>> sap_copies_of(const std::vector<nb::object>& contacts) {
  std::vector<std::optional<SapContacts>> copies;
  for (const nb::object& each : contacts)
    copies.push_back(each.is_none() ? std::nullopt : std::optional(nb::cast<const SapContacts&>(each)));
  return copies;
}

// The worlds that a call is about: `total` is 0 for a single world, which has the solver's own workspace.
struct WorldsOfCall {
  int total;
  std::vector<int> worlds;
  int threads;
};
using WorldsTuple = std::tuple<int, std::vector<int>, int>;
WorldsOfCall worlds_of_call(const WorldsTuple& given) {
  return {std::get<0>(given), std::get<1>(given), std::get<2>(given)};
}

nb::object step_sap(SapHolder& self, ModelObject& model, DataObject& data, const StateTuple& state_in,
                    const std::string& order_out, uint64_t model_out, const std::optional<ControlTuple>& control,
                    const std::vector<nb::object>& contacts, const Doubles& dt, const WorldsTuple& given) {
  const WorldsOfCall worlds = worlds_of_call(given);
  const size_t count = worlds.total == 0 ? 1 : worlds.worlds.size();
  const std::vector<SapState> in = sap_states_of(count, state_in);
  const std::vector<SapControl> controls = sap_controls_of(count, control);
  const std::vector<std::optional<SapContacts>> points = sap_copies_of(contacts);
  std::vector<SapState> out(count);
  for (SapState& state : out) state.joint_qd_order = sap_order_of(order_out), state.model = model_out;
  {
    const EngineCall call(model, data, Effect::kRows);
    if (worlds.total == 0) {
      const bool has_contacts = !points.empty() && points[0];
      self.solver.step(in[0], out[0], controls.empty() ? nullptr : &controls[0], has_contacts ? &*points[0] : nullptr,
                       dt.at(0));
    } else {
      SapWorldsStep many{dt, {}, {}, worlds.worlds, worlds.threads};
      for (const SapControl& each : controls) many.controls.push_back(&each);
      for (const auto& each : points) many.contacts.push_back(each ? &*each : nullptr);
      self.worlds_of(worlds.total).step(in, out, many);
    }
  }
  return nb::make_tuple(sap_rows_of(out, &SapState::joint_q), sap_rows_of(out, &SapState::joint_qd),
                        sap_rows_of(out, &SapState::body_q), sap_rows_of(out, &SapState::body_qd));
}

std::vector<SapContacts> collide_sap(SapHolder& self, ModelObject& model, DataObject& data, const StateTuple& state,
                                     const WorldsTuple& given) {
  const WorldsOfCall worlds = worlds_of_call(given);
  const size_t count = worlds.total == 0 ? 1 : worlds.worlds.size();
  const std::vector<SapState> states = sap_states_of(count, state);
  const EngineCall call(model, data, Effect::kRows);
  if (worlds.total == 0) return {self.solver.collide(states[0])};
  return self.worlds_of(worlds.total).collide(states, worlds.threads);
}

void bind_sap_contacts(nb::module_& m) {
  nb::class_<SapContacts> cls(m, "SapContacts", R"(Contacts of one state, made by SapSolver.collide().

The names are SAP Warp's (rigid_contact_...) and, shorter, our own. A step uses these points and normals. Arrays are
copies: to change them, assign a whole array.

>>> contacts = solver.collide(solver.state())
>>> contacts.rigid_contact_normal = contacts.rigid_contact_normal
>>> contacts.clear()
>>> contacts.rigid_contact_count
0)");
  cls.def("__repr__", [](const SapContacts& self) { return fmt::format("<SapContacts: {} points>", self.count); });
  cls.def_prop_ro(
      "joint_q", [](const SapContacts& self) { return sap_array_of(self.joint_q); },
      "Joint coordinates of the state that they belong to.", array_getter<double>("joint_q", as_it_is));
  bind_contact_list<SapContacts, int>(cls, "geom0", &SapContacts::geom0, as_it_is, "The first geom of each point.");
  bind_contact_list<SapContacts, int>(cls, "geom1", &SapContacts::geom1, as_it_is, "The second geom of each point.");
  bind_kept_contacts(cls, "", as_it_is);
  cls.def_ro("rigid_contact_count", &SapContacts::count, "The number of contact points.");
  cls.def_prop_ro(
      "has_rigid_contacts", [](const SapContacts&) { return true; }, "True: the arrays always exist.");
  const auto list = [&](const char* name, auto member, const char* doc) {
    using T = typename std::remove_reference_t<decltype(std::declval<SapContacts>().*member)>::value_type;
    bind_contact_list<SapContacts, T>(cls, name, static_cast<std::vector<T> SapContacts::*>(member), as_it_is, doc);
  };
  list("rigid_contact_shape0", &SapContacts::shape0, "The first shape (of MJCF: geom) of each point.");
  list("rigid_contact_shape1", &SapContacts::shape1, "The second shape (of MJCF: geom) of each point.");
  list("rigid_contact_margin0", &SapContacts::margin0,
       "The margin of the first shape: contact begins where the distance is the sum of both.");
  list("rigid_contact_margin1", &SapContacts::margin1, "The margin of the second shape.");
  bind_contact_vectors<SapContacts>(cls, "rigid_contact_point0", &SapContacts::point0, as_it_is,
                                    "The point on the first shape, in the frame of its body.");
  bind_contact_vectors<SapContacts>(cls, "rigid_contact_point1", &SapContacts::point1, as_it_is,
                                    "The point on the second shape, in the frame of its body.");
  bind_contact_vectors<SapContacts>(cls, "rigid_contact_normal", &SapContacts::normal, as_it_is,
                                    "Unit vector from the first shape to the second.");
}

}  // namespace

void bind_sap_solver(nb::module_& m) {
  bind_sap_contacts(m);
  m.def("_sap_contacts_of", [](const newton::Contacts& contacts) { return make_sap_contacts(contacts); });
  m.def("_sap_engine_of", [](const newton::Model& model) { return ModelObject(Model(model.engine())); });
  // whether joint_qd of a state is in the axes of parent anchors
  m.def("_sap_has_parent_axes",
        [](const newton::State& state) { return state.model && state.model->version == newton::Version::kParentAxes; });
  nb::class_<SapHolder>(m, "_SapSolver")
      .def("__init__", [](SapHolder* self, const ModelObject& model,
                          const DataObject& data) { new (self) SapHolder(model.model, data.data); })
      .def("__init__", [](SapHolder* self, const newton::Model& scene, const ModelObject& engine,
                          const DataObject& data) { new (self) SapHolder(scene, engine.model, data.data); })
      .def_prop_ro("signature", [](SapHolder& self) { return self.solver.model().signature; })
      .def_prop_ro("sizes",
                   [](SapHolder& self) {
                     const SapBoundary& boundary = self.solver.boundary();
                     return nb::make_tuple(boundary.nq(), boundary.nv(), self.solver.body_count());
                   })
      .def_prop_ro("joint_q_start", [](SapHolder& self) { return self.solver.boundary().joint_q_start(); })
      .def_prop_ro("joint_qd_start", [](SapHolder& self) { return self.solver.boundary().joint_qd_start(); })
      .def("state",
           [](SapHolder& self) {
             const SapState made = self.solver.state();
             return nb::make_tuple(sap_array_of(made.joint_q), sap_array_of(made.joint_qd),
                                   sap_array_of(made.body_q, 7), sap_array_of(made.body_qd, 6),
                                   sap_array_of(made.body_f, 6));
           })
      .def("control",
           [](SapHolder& self) {
             const SapControl made = self.solver.control();
             return nb::make_tuple(sap_array_of(made.joint_f), sap_array_of(made.joint_target_pos),
                                   sap_array_of(made.joint_target_vel), sap_array_of(made.joint_act),
                                   sap_array_of(made.ctrl));
           })
      .def("converged",
           [](SapHolder& self, int total) {
             bool all = true;
             for (int world = 0; world < total; ++world) all = all && self.worlds_of(total).converged(world);
             return all;
           })
      // model and data are those it was made with: through them users' callbacks are called
      .def("collide", &collide_sap, "model"_a, "data"_a, "state"_a, "worlds"_a)
      .def("step", &step_sap, "model"_a, "data"_a, "state_in"_a, "order_out"_a, "model_out"_a, "control"_a.none(),
           "contacts"_a, "dt"_a, "worlds"_a);
}

}  // namespace torsor::python
