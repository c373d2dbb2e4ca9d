// Implementation of torsor.transition_derivatives and the like: tuples of arrays, which the package turns into named
// tuples.
#include "torsor/sim/differences.hpp"

#include <algorithm>
#include <optional>

#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "objects.hpp"
#include "pace.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Array to_array(const Matrix& matrix) {
  const Output out({static_cast<size_t>(matrix.rows), static_cast<size_t>(matrix.columns)});
  std::copy(matrix.values.begin(), matrix.values.end(), out.data());
  return out.array();
}

nb::tuple to_tuple(const TransitionDerivatives& d) {
  return nb::make_tuple(to_array(d.A), to_array(d.B), to_array(d.C), to_array(d.D));
}
nb::tuple to_tuple(const ForwardDerivatives& d) {
  return nb::make_tuple(to_array(d.qpos), to_array(d.qvel), to_array(d.act), to_array(d.ctrl), to_array(d.qfrc_applied),
                        to_array(d.xfrc_applied));
}
nb::tuple to_tuple(const InverseDerivatives& d) {
  return nb::make_tuple(to_array(d.qpos), to_array(d.qvel), to_array(d.qacc));
}

// (derivatives, errors); errors is None without second_eps.
template <class Derivatives>
void add(nb::module_& m, const char* name,
         Derivatives (*compute)(const Model&, Data&, const DifferenceOptions&, Derivatives*)) {
  m.def(
      name,
      [compute](ModelObject& model, DataObject& data, double eps, bool centered, std::optional<double> second_eps,
                int iterations, bool reuse, bool sensors) {
        DifferenceOptions options{eps, centered, reuse, sensors, iterations, second_eps.value_or(0)};
        Derivatives result, error;
        {
          EngineCall call(model, data, Effect::kSamples);
          Pace pace;
          options.before_sample = [&] {
            if (pace.is_due()) call.check_signals();
          };
          result = compute(call.model, call.data, options, second_eps ? &error : nullptr);
        }
        const nb::object errors = second_eps ? nb::object(to_tuple(error)) : nb::none();
        return nb::make_tuple(to_tuple(result), errors);
      },
      "model"_a, "data"_a, "eps"_a, "centered"_a, "second_eps"_a.none(), "iterations"_a, "reuse"_a, "sensors"_a);
}

}  // namespace

void bind_derivatives(nb::module_& m) {
  add(m, "_transition_derivatives", &transition_derivatives);
  add(m, "_forward_derivatives", &forward_derivatives);
  add(m, "_inverse_derivatives", &inverse_derivatives);
}

}  // namespace torsor::python
