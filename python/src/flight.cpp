// Implementation of torsor.flight: aircraft, states and strong coupling on plain arrays.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "load_options.hpp"
#include "objects.hpp"
#include "text.hpp"
#include "torsor/core/error.hpp"
#include "torsor/flight/coupled_step.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Vec3<double> vector_of(const char* name, const ArrayLike& value) { return load3(Input(name, value, {3}).data()); }
Array array_of(const Vec3<double>& v) { return make_array({v.x, v.y, v.z}); }
Array array_of(const Mat3<double>& m) { return make_matrix3(m.m); }
Array array_of_span(std::span<const double> numbers) {
  const Output out(Shape{numbers.size()});
  std::copy(numbers.begin(), numbers.end(), out.data());
  return out.array();
}

using FlightArray = Array (*)(const FlightState&);
void add(nb::class_<FlightState>& c, const char* name, FlightArray get) { c.def_prop_ro(name, get); }

void bind_state(nb::module_& m) {
  nb::class_<FlightState> c(m, "_FlightState");
  c.def(
      "__init__",
      [](FlightState* self, const ArrayLike& position, const ArrayLike& quat, const ArrayLike& velocity,
         const ArrayLike& omegas, double time, const ArrayLike& wind, uint64_t aircraft) {
        FlightState state{vector_of("position_E_Eo", position),
                          load4(Input("quat_act_E_to_BP1_wxyz", quat, {4}).data()),
                          vector_of("velocity_E__E", velocity),
                          vector_of("omegas_BP1__E", omegas),
                          time,
                          vector_of("wind_E__E", wind),
                          aircraft};
        check_flight_state(state);
        new (self) FlightState(state);
      },
      "position_E_Eo"_a, "quat_act_E_to_BP1_wxyz"_a, "velocity_E__E"_a, "omegas_BP1__E"_a, "time"_a, "wind_E__E"_a,
      "aircraft"_a);
  c.def_static(
      "from_vector",
      [](const ArrayLike& x, const std::string& form) {
        const Input numbers("x", x, {12});
        Vector12 vector;
        std::copy_n(numbers.data(), 12, vector.begin());
        return FlightState::from_vector(vector, parse_vector_form(form));
      },
      "x"_a, "form"_a);
  c.def(
      "to_vector",
      [](const FlightState& self, const std::string& form) {
        return array_of_span(self.to_vector(parse_vector_form(form)));
      },
      "form"_a);
  add(c, "position_E_Eo", [](const FlightState& s) { return array_of(s.position_E_Eo); });
  add(c, "quat_act_E_to_BP1_wxyz", [](const FlightState& s) {
    const Quat<double>& q = s.quat_act_E_to_BP1_wxyz;
    return make_array({q.w, q.x, q.y, q.z});
  });
  add(c, "velocity_E__E", [](const FlightState& s) { return array_of(s.velocity_E__E); });
  add(c, "omegas_BP1__E", [](const FlightState& s) { return array_of(s.omegas_BP1__E); });
  add(c, "omegas_E__E", [](const FlightState& s) { return array_of(s.omegas_E__E()); });
  add(c, "wind_E__E", [](const FlightState& s) { return array_of(s.wind_E__E); });
  add(c, "air_velocity_BP1", [](const FlightState& s) { return array_of(s.air_velocity_BP1()); });
  add(c, "angles_E_to_BP1_izyx", [](const FlightState& s) { return array_of(s.angles_E_to_BP1_izyx()); });
  c.def_ro("time", &FlightState::time);
  c.def_ro("aircraft", &FlightState::aircraft);
  c.def_prop_ro("airspeed", &FlightState::airspeed);
  c.def_prop_ro("alpha", &FlightState::alpha);
  c.def_prop_ro("beta", &FlightState::beta);
  c.def_prop_ro("alpha_textbook", &FlightState::alpha_textbook);
  c.def_prop_ro("beta_textbook", &FlightState::beta_textbook);
  c.def(
      "R_pas",
      [](const FlightState& self, const std::string& from, const std::string& to) {
        return array_of(self.R_pas(parse_flight_axes(from), parse_flight_axes(to)));
      },
      "from_axes"_a, "to_axes"_a);
}

Aircraft aircraft_of(const std::string& name, double mass, const ArrayLike& inertia, const FlightState& start,
                     const ArrayLike& g_E, double delta_time, const std::string& integrator,
                     const std::map<std::string, std::string>& extra_xml, const Assets& assets, bool exact_inertia) {
  Aircraft aircraft;
  aircraft.exact_inertia = exact_inertia;
  aircraft.name = name;
  aircraft.mass = mass;
  aircraft.I_BP1_CgP1 = load9(Input("I_BP1_CgP1", inertia, {3, 3}).data());
  aircraft.position_E_Eo = start.position_E_Eo;
  aircraft.quat_act_E_to_BP1_wxyz = start.quat_act_E_to_BP1_wxyz;
  aircraft.velocity_E__E = start.velocity_E__E;
  aircraft.omegas_BP1__E = start.omegas_BP1__E;
  aircraft.wind_E__E = start.wind_E__E;
  aircraft.g_E = vector_of("g_E", g_E);
  aircraft.delta_time = delta_time;
  aircraft.integrator = integrator;
  aircraft.extra_xml = extra_xml;
  aircraft.files = python::make_options(std::vector<std::string>{}, assets, std::nullopt, {}).files;
  return aircraft;
}

// An aircraft with the Python objects of its model and data, through which users' callbacks are called.
struct Flight {
  nb::object model, data;
  FreeFlight flight;

  ModelObject& model_object() const { return nb::cast<ModelObject&>(model); }
  DataObject& data_object() const { return nb::cast<DataObject&>(data); }
  Hold hold() const { return check_fits(model_object(), data_object()); }
};

void bind_free_flight(nb::module_& m) {
  nb::class_<Aircraft>(m, "_Aircraft")
      .def(
          "__init__",
          [](Aircraft* self, const std::string& name, double mass, const ArrayLike& inertia, const FlightState& start,
             const ArrayLike& g_E, double delta_time, const std::string& integrator,
             const std::map<std::string, std::string>& extra_xml, const Assets& assets, bool exact_inertia) {
            new (self) Aircraft(
                aircraft_of(name, mass, inertia, start, g_E, delta_time, integrator, extra_xml, assets, exact_inertia));
          },
          "name"_a, "mass"_a, "I_BP1_CgP1"_a, "start"_a, "g_E"_a, "delta_time"_a, "integrator"_a, "extra_xml"_a,
          "assets"_a, "exact_inertia"_a)
      .def("mjcf", &make_aircraft_mjcf)
      .def("model", [](const Aircraft& self) { return ModelObject(make_aircraft_model(self)); });
  nb::class_<FlightSnapshot>(m, "_FlightSnapshot")
      .def(
          "__init__",
          [](FlightSnapshot* self, const std::vector<double>& numbers, uint64_t aircraft) {
            new (self) FlightSnapshot{numbers, aircraft};
          },
          "numbers"_a, "aircraft"_a)
      .def_prop_ro("numbers", [](const FlightSnapshot& self) { return array_of_span(self.numbers); })
      .def_ro("aircraft", &FlightSnapshot::aircraft);
  nb::class_<FlightLoads>(m, "_FlightLoads")
      .def(
          "__init__",
          [](FlightLoads* self, const ArrayLike& forces, const ArrayLike& moments, const std::string& axes,
             const ArrayLike& point, const std::string& body) {
            new (self) FlightLoads{vector_of("forces", forces), vector_of("moments", moments), parse_flight_axes(axes),
                                   vector_of("point", point), body};
          },
          "forces"_a, "moments"_a, "axes"_a, "point"_a, "body"_a)
      .def_prop_ro("forces", [](const FlightLoads& self) { return array_of(self.forces); })
      .def_prop_ro("moments", [](const FlightLoads& self) { return array_of(self.moments); });
  nb::class_<Flight>(m, "_FreeFlight")
      .def(
          "__init__",
          [](Flight* self, const Aircraft& aircraft, nb::object model, nb::object data) {
            auto& shared_model = nb::cast<ModelObject&>(model).model;
            auto& shared_data = nb::cast<DataObject&>(data).data;
            new (self) Flight{model, data, FreeFlight(aircraft, shared_model, shared_data)};
          },
          "aircraft"_a, "model"_a, "data"_a)
      .def_prop_ro("body", [](const Flight& self) { return self.flight.body(); })
      .def(
          "apply_loads",
          [](Flight& self, const FlightLoads& loads) {
            const Hold hold = self.hold();
            self.flight.apply_loads(loads);
          },
          "loads"_a)
      .def("clear_loads",
           [](Flight& self) {
             const Hold hold = self.hold();
             self.flight.clear_loads();
           })
      .def(
          "get_loads",
          [](const Flight& self, const std::string& body) {
            const Hold hold = self.hold();
            return self.flight.get_loads(body);
          },
          "body"_a)
      .def("step",
           [](Flight& self) {
             const EngineCall call(self.model_object(), self.data_object(), Effect::kRows);
             return static_cast<int>(self.flight.step());
           })
      .def("get_state",
           [](const Flight& self) {
             const Hold hold = self.hold();
             return self.flight.get_state();
           })
      .def(
          "set_state",
          [](Flight& self, const FlightState& state) {
            const Hold hold = self.hold();
            self.flight.set_state(state);
          },
          "state"_a)
      .def("reset",
           [](Flight& self) {
             const Hold hold = check_reset(self.model_object(), self.data_object());
             self.flight.reset();
           })
      .def("save",
           [](const Flight& self) {
             const Hold hold = self.hold();
             return self.flight.save();
           })
      .def(
          "restore",
          [](Flight& self, const FlightSnapshot& snapshot) {
            const Hold hold = self.hold();
            self.flight.restore(snapshot);
          },
          "snapshot"_a);
}

FixedPointOptions options_of(double relaxation, bool aitken, double relative, double absolute, int iterations,
                             double least, double most) {
  return {relaxation, aitken, relative, absolute, iterations, least, most};
}

nb::list history_of(const std::vector<FixedPointRecord>& history) {
  nb::list list;
  for (const FixedPointRecord& record : history)
    list.append(nb::make_tuple(record.residual, record.bound, record.relaxation));
  return list;
}

void bind_coupling(nb::module_& m) {
  nb::class_<FixedPointOptions>(m, "_FixedPointOptions")
      .def(
          "__init__",
          [](FixedPointOptions* self, double relaxation, bool aitken, double relative, double absolute, int iterations,
             double least, double most) {
            new (self) FixedPointOptions(options_of(relaxation, aitken, relative, absolute, iterations, least, most));
          },
          "relaxation"_a, "aitken"_a, "relative_tolerance"_a, "absolute_tolerance"_a, "max_iterations"_a,
          "min_relaxation"_a, "max_relaxation"_a);
  nb::class_<FixedPoint>(m, "_FixedPoint")
      .def(nb::init<std::vector<double>, const FixedPointOptions&>(), "weights"_a, "options"_a)
      .def(
          "start", [](FixedPoint& self, const std::vector<double>& x) { self.start(x); }, "x"_a)
      .def(
          "update",
          [](FixedPoint& self, const std::vector<double>& x, const std::vector<double>& image) {
            std::vector<double> next = x;
            self.update(next, image);
            return array_of_span(next);
          },
          "x"_a, "image"_a)
      .def_prop_ro("has_converged", &FixedPoint::has_converged)
      .def_prop_ro("has_ended", &FixedPoint::has_ended)
      .def_prop_ro("history", [](const FixedPoint& self) { return history_of(self.history()); });
  struct Coupled {  // keeps the flight alive
    nb::object flight;
    std::unique_ptr<CoupledStep> step;
    Flight& object() const { return nb::cast<Flight&>(flight); }
  };
  nb::class_<Coupled>(m, "_CoupledStep")
      .def(
          "__init__",
          [](Coupled* self, nb::object flight, const FixedPointOptions& fixed_point, double length, bool accept) {
            Flight& object = nb::cast<Flight&>(flight);
            CouplingOptions options;
            static_cast<FixedPointOptions&>(options) = fixed_point;
            options.reference_length = length, options.accept_unconverged = accept;
            std::unique_ptr<CoupledStep> step;
            {
              const EngineCall call(object.model_object(), object.data_object(), Effect::kRows);
              step = std::make_unique<CoupledStep>(object.flight, options);
            }
            new (self) Coupled{std::move(flight), std::move(step)};
          },
          "flight"_a, "options"_a, "reference_length"_a, "accept_unconverged"_a)
      .def_prop_ro("trial", [](const Coupled& self) { return self.step->trial(); })
      .def(
          "submit",
          [](Coupled& self, const std::vector<FlightLoads>& loads) {
            const EngineCall call(self.object().model_object(), self.object().data_object(), Effect::kRows);
            return self.step->submit(loads);
          },
          "loads"_a)
      // converged, accepted, history, problem
      .def("finish", [](Coupled& self) {
        const Hold hold = self.object().hold();
        const CouplingReport report = self.step->finish();
        return nb::make_tuple(report.converged, report.accepted, history_of(report.history), report.problem);
      });
}

}  // namespace

void bind_flight(nb::module_& m) {
  bind_state(m);
  bind_free_flight(m);
  bind_coupling(m);
}

}  // namespace torsor::python
