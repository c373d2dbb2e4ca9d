// Implementation of torsor.sap: the solver on plain arrays.
#include <optional>

#include <fmt/format.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "kept_contacts.hpp"
#include "objects.hpp"
#include "text.hpp"
#include "torsor/bridge/sap_solver.hpp"
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

nb::object array_of(const Doubles& numbers, size_t width = 0) {
  const Output out(width == 0 ? Shape{numbers.size()} : Shape{numbers.size() / width, width});
  std::copy(numbers.begin(), numbers.end(), out.data());
  return out.array();
}

}  // namespace

void bind_sap_solver(nb::module_& m) {
  nb::class_<SapState>(m, "_SapState")
      .def(
          "__init__",
          [](SapState* self, Doubles joint_q, Doubles joint_qd, Doubles body_f, const std::string& joint_qd_order,
             const std::string& body_f_order, uint64_t model) {
            new (self) SapState{std::move(joint_q),           std::move(joint_qd),        {},   std::move(body_f),
                                sap_order_of(joint_qd_order), sap_order_of(body_f_order), model};
          },
          "joint_q"_a, "joint_qd"_a, "body_f"_a, "joint_qd_order"_a, "body_f_order"_a, "model"_a)
      .def_prop_ro("joint_q", [](const SapState& self) { return array_of(self.joint_q); })
      .def_prop_ro("joint_qd", [](const SapState& self) { return array_of(self.joint_qd); })
      .def_prop_ro("body_q", [](const SapState& self) { return array_of(self.body_q, 7); })
      .def_prop_ro("body_f", [](const SapState& self) { return array_of(self.body_f, 6); })
      .def_ro("model", &SapState::model);
  nb::class_<SapControl>(m, "_SapControl")
      .def(
          "__init__",
          [](SapControl* self, Doubles joint_f, Doubles ctrl, const std::string& order, uint64_t model) {
            new (self) SapControl{std::move(joint_f), std::move(ctrl), sap_order_of(order), model};
          },
          "joint_f"_a, "ctrl"_a, "joint_f_order"_a, "model"_a)
      .def_prop_ro("joint_f", [](const SapControl& self) { return array_of(self.joint_f); })
      .def_prop_ro("ctrl", [](const SapControl& self) { return array_of(self.ctrl); })
      .def_ro("model", &SapControl::model);
  nb::class_<SapContacts> found(m, "SapContacts", R"(Contacts of one state, made by SapSolver.collide().

A step uses these points and normals. Arrays are copies: to change them, assign a whole array.

>>> contacts = solver.collide(solver.state())
>>> contacts.normal = contacts.normal
>>> contacts.clear()
>>> contacts.count
0)");
  found.def("__repr__", [](const SapContacts& self) { return fmt::format("<SapContacts: {} points>", self.count); });
  found.def_prop_ro(
      "joint_q", [](const SapContacts& self) { return array_of(self.joint_q); },
      "Joint coordinates of the state that they belong to.", array_getter<double>("joint_q", as_it_is));
  bind_contact_list<SapContacts, int>(found, "geom0", &SapContacts::geom0, as_it_is, "The first geom of each point.");
  bind_contact_list<SapContacts, int>(found, "geom1", &SapContacts::geom1, as_it_is, "The second geom of each point.");
  bind_kept_contacts(found, "", as_it_is);
  nb::class_<SapSolver>(m, "_SapSolver")
      .def(
          "__init__",
          [](SapSolver* self, const ModelObject& model, const DataObject& data) {
            new (self) SapSolver(model.model, data.data);
          },
          "model"_a, "data"_a)
      .def("state", &SapSolver::state)
      .def("control", &SapSolver::control)
      // model and data are those it was made with: through them users' callbacks are called
      .def(
          "collide",
          [](SapSolver& self, ModelObject& model, DataObject& data, const SapState& state) {
            const EngineCall call(model, data, Effect::kRows);
            return self.collide(state);
          },
          "model"_a, "data"_a, "state"_a)
      .def(
          "step",
          [](SapSolver& self, ModelObject& model, DataObject& data, const SapState& in, SapState& out,
             const SapControl* control, const SapContacts* contacts, double dt) {
            // other threads may change the contacts meanwhile: the step works with a copy
            const std::optional<SapContacts> points = contacts ? std::optional<SapContacts>(*contacts) : std::nullopt;
            const EngineCall call(model, data, Effect::kRows);
            self.step(in, out, control, points ? &*points : nullptr, dt);
          },
          "model"_a, "data"_a, "state_in"_a, "state_out"_a, "control"_a.none(), "contacts"_a.none(), "dt"_a);
}

}  // namespace torsor::python
