#include "newton_ik.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "kept_contacts.hpp"
#include "text.hpp"
#include "torsor/bridge/newton/ik.hpp"

namespace torsor::python {
namespace {

using namespace newton;

template <class T>
void take(const nb::dict& values, const char* name, T& field) {
  field = nb::cast<T>(nb::object(values[name]));
}

IkObjective make_objective(const nb::dict& values) {
  const std::string kind = nb::cast<std::string>(nb::object(values["kind"]));
  if (kind == "position") {
    IkPosition position;
    take(values, "body", position.body), take(values, "offset", position.p_B);
    take(values, "targets", position.targets), take(values, "weight", position.weight);
    return position;
  }
  if (kind == "rotation") {
    IkRotation rotation;
    take(values, "body", rotation.body), take(values, "offset", rotation.q_BL);
    take(values, "targets", rotation.targets), take(values, "weight", rotation.weight);
    take(values, "takes_short_way", rotation.takes_short_way);
    return rotation;
  }
  IkLimits limits;
  take(values, "lower", limits.lower), take(values, "upper", limits.upper), take(values, "weight", limits.weight);
  return limits;
}

IkOptions make_options(const nb::dict& values) {
  IkOptions options;
  take(values, "iterations", options.iterations), take(values, "step_size", options.step_size);
  take(values, "lambda_initial", options.lambda_initial), take(values, "lambda_factor", options.lambda_factor);
  take(values, "lambda_min", options.lambda_min), take(values, "lambda_max", options.lambda_max);
  take(values, "rho_min", options.rho_min), take(values, "guesses", options.guesses);
  take(values, "is_free", options.is_free);
  return options;
}

}  // namespace

void bind_newton_ik(nb::module_& m) {
  m.def("solve_ik", [](const newton::Model& model, const std::vector<nb::dict>& objectives, const nb::dict& options,
                       std::vector<double> joint_q) {
    std::vector<IkObjective> made;
    for (const nb::dict& objective : objectives) made.push_back(make_objective(objective));
    const IkOptions chosen = make_options(options);
    std::vector<double> costs;
    {
      const nb::gil_scoped_release release;
      costs = solve_ik(model, made, chosen, joint_q);
    }
    const size_t rows = costs.size(), width = rows == 0 ? 0 : joint_q.size() / rows;
    return nb::make_tuple(make_numpy(joint_q, {rows, width}), make_numpy(costs, {rows}));
  });
}

}  // namespace torsor::python
