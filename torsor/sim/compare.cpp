// Compares forward with inverse dynamics.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/evaluate.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

double distance(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace

// Compares the constraint forces of both, and the force found by inverse dynamics with the applied force.
void compare_forward_inverse(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  const size_t nv = static_cast<size_t>(model.nv), rows = static_cast<size_t>(data.nefc);
  double* given = data.arena().push_array<double>(nv);
  double* constraint = data.arena().push_array<double>(nv);
  double* force = data.arena().push_array<double>(rows);
  if (!given || !constraint || !force) return;
  for (int i = 0; i < model.nv; ++i) given[i] = data.qfrc_applied[i] + data.qfrc_actuator[i];
  accumulate_applied_forces(model, data, given);
  std::copy(data.qfrc_constraint.begin(), data.qfrc_constraint.end(), constraint);
  std::copy(data.efc_force.begin(), data.efc_force.end(), force);
  const bool had_rne_post = data.has_rne_post;
  evaluate_inverse(model, data, SkipStage::kVelocity, true);
  data.has_rne_post = had_rne_post;  // the results of the forward solution are restored below
  data.solver_fwdinv[0] = distance(constraint, data.qfrc_constraint.data(), model.nv);
  data.solver_fwdinv[1] = distance(given, data.qfrc_inverse.data(), model.nv);
  std::copy(constraint, constraint + nv, data.qfrc_constraint.begin());
  std::copy(force, force + rows, data.efc_force.begin());
}

}  // namespace torsor
