#include "torsor/model/settings.hpp"

#include <cmath>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {

std::string settings_problem(const Option& option) {
  if (formulation(option).solves_in_metric && option.enabled(kEnableSleep) && option.disabled(kDisableIsland))
    return "the integrator discrete needs islands for sleep: enable the flag island, or disable sleep";
  if (!is_sap(option)) return {};
  if (option.integrator != static_cast<int>(Integrator::kEuler))
    return "solver SAP makes the step itself: set integrator=\"Euler\", or choose another solver";
  const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
  struct Rule {
    const char* name;
    double value;
    bool zero_too;
  };
  const Rule rules[] = {{"timestep", option.timestep, false},
                        {"sap_sigma", option.sap_sigma, false},
                        {"sap_stiffness", option.sap_stiffness, false},
                        {"sap_beta", option.sap_beta, true},
                        {"sap_dissipation", option.sap_dissipation, true},
                        {"sap_tolerance", option.sap_tolerance, true}};
  for (const Rule& rule : rules) {
    if (is_positive(rule.value) || (rule.zero_too && rule.value == 0)) continue;
    return fmt::format("solver SAP needs a {} that is {}, got {}", rule.name,
                       rule.zero_too ? "not negative" : "positive", rule.value);
  }
  return {};
}

void require_settings(const Model& model) {
  if (!is_sap(model.opt) && !formulation(model.opt).solves_in_metric) return;
  if (const std::string problem = settings_problem(model.opt); !problem.empty()) throw Error(problem);
}

}  // namespace torsor
