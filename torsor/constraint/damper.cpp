#include "torsor/constraint/damper.hpp"

#include <algorithm>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

// Calls f(row) for the rows of dampers.
template <class F>
void for_each_damper(const Data& data, F&& f) {
  for (int row = data.ne; row < data.ne + data.nf; ++row)
    if (data.efc_type[row] == static_cast<int>(RowType::kTendonDamper)) f(row);
}

}  // namespace

bool is_implicit_damper(const Model& model, int t) {
  if (!formulation(model.opt).solves_for_damping || model.opt.disabled(kDisableEulerDamp | kDisableDamper))
    return false;
  return is_tendon_damped(model, t);
}

bool has_implicit_dampers(const Model& model) {
  for (int t = 0; formulation(model.opt).solves_for_damping && t < model.ntendon; ++t)
    if (is_implicit_damper(model, t)) return true;
  return false;
}

double damper_gain(const Model& model, int t, double velocity) {
  return model.opt.timestep * std::max(0.0, tendon_damping_slope(model, t, velocity));
}

// Velocities may have changed since the rows were made.
void set_damper_references(const Model& model, Data& data) {
  for_each_damper(data, [&](int row) {
    const int t = data.efc_id[row];
    data.efc_D[row] = std::max(damper_gain(model, t, data.ten_velocity[t]), kMinValue);
    data.efc_R[row] = 1 / data.efc_D[row];
    data.efc_aref[row] = 0;
  });
}

void subtract_damper_forces(const Data& data, double* qfrc) {
  for_each_damper(data, [&](int row) {
    for (int k = data.efc_J_rowadr[row], end = k + data.efc_J_rownnz[row]; k < end; ++k)
      qfrc[data.efc_J_colind[k]] -= data.efc_force[row] * data.efc_J[k];
  });
}

}  // namespace torsor
