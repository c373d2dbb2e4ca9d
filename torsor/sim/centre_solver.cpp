// The inverse Hessian at the centre, and the few Newton steps from the centre's solution to that of a sample.
#include "torsor/sim/centre_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/solver_rows.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/dense.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {
namespace {

constexpr int kMostDofs = 128;  // with more dofs, one dense matrix costs more than the solver's islands

// Other solvers may stop before the minimum, and noslip moves away from it.
bool finds_minimum(const Model& model) {
  return model.opt.solver == static_cast<int>(SolverType::kNewton) && model.opt.noslip_iterations == 0;
}

}  // namespace

void CentreSolver::prepare(const Model& model, Data& data) {
  ready_ = false;
  n_ = model.nv;
  if (data.nefc == 0 || n_ > kMostDofs || !finds_minimum(model)) return;
  const size_t n = static_cast<size_t>(n_), rows = static_cast<size_t>(data.nefc);
  H_.resize(n * n);
  inverse_.assign(n * n, 0);
  for (std::vector<double>* each : {&Ma_, &centre_Ma_, &g_, &p_, &Mp_}) each->resize(n);
  for (std::vector<double>* each : {&centre_Ja_, &x_, &Jp_}) each->resize(rows);
  cones_.resize(static_cast<size_t>(data.ncon));
  cones_.resize(static_cast<size_t>(gather_cones(data, nullptr, data.nefc, cones_.data())));
  full_mass_matrix(model, data, H_.data());
  add_rows(data);
  if (!invert()) return;
  centre_a_.assign(data.qacc.begin(), data.qacc.end());
  centre_zones_.assign(data.efc_state.begin(), data.efc_state.end());
  multiply_mass_matrix(model, data, centre_a_.data(), centre_Ma_.data());
  multiply_jacobian(data, centre_a_.data(), centre_Ja_.data());
  ready_ = true;
}

// H += J' W J, where W is D in quadratic zones, the cone's Hessian in its sliding zone, and zero elsewhere.
void CentreSolver::add_rows(const Data& data) {
  std::vector<double> J(static_cast<size_t>(data.nefc) * static_cast<size_t>(n_));
  dense_jacobian(data, J.data());
  const auto add = [&](int row, int other, double weight) {
    const double *a = J.data() + row * n_, *b = J.data() + other * n_;
    for (int i = 0; i < n_; ++i) {
      if (a[i] != 0) axpy(n_, weight * a[i], b, H_.data() + i * n_);
    }
  };
  for (int r = 0; r < data.nefc; ++r) {
    if (data.efc_state[r] == static_cast<int>(solver::RowState::kQuadratic)) add(r, r, data.efc_D[r]);
  }
  for (const solver::Cone& cone : cones_) {
    if (data.efc_state[cone.row] != static_cast<int>(solver::RowState::kCone)) continue;
    const double* W = data.contact[data.efc_id[cone.row]].H;
    for (int i = 0; i < cone.dim; ++i) {
      for (int j = 0; j < cone.dim; ++j) add(cone.row + i, cone.row + j, W[cone.dim * i + j]);
    }
  }
}

bool CentreSolver::invert() {
  if (cholesky(n_, H_.data(), n_) != n_) return false;
  for (int i = 0; i < n_; ++i) {
    double* column = inverse_.data() + i * n_;
    column[i] = 1;
    cholesky_solve(n_, H_.data(), n_, column);
  }
  return true;
}

// g = M a - f_smooth - J' force at x = J a - aref; its norm in units of the rounding of its terms.
double CentreSolver::compute_gradient(const Data& data) {
  double square = 0, terms = 0;
  for (int i = 0; i < n_; ++i) {
    const size_t k = static_cast<size_t>(i);
    g_[k] = Ma_[k] - data.qfrc_smooth[i] - data.qfrc_constraint[i];
    square += g_[k] * g_[k];
    terms +=
        Ma_[k] * Ma_[k] + data.qfrc_smooth[i] * data.qfrc_smooth[i] + data.qfrc_constraint[i] * data.qfrc_constraint[i];
  }
  return square > 0 ? std::sqrt(square / terms) / std::numeric_limits<double>::epsilon() : 0;
}

bool CentreSolver::has_zones_of_centre(const Data& data) const {
  return std::equal(centre_zones_.begin(), centre_zones_.end(), data.efc_state.begin());
}

// False where the centre's Hessian does not lead to the minimum.
bool CentreSolver::solve(const Model& model, Data& data) {
  constexpr int kMostSteps = 6;
  constexpr double kExact = 16, kRounding = 16;  // gradients, in units of rounding: exact, acceptable
  solver::Rows rows{data.nefc,
                    data.ne,
                    data.nf,
                    data.efc_D.data(),
                    data.efc_R.data(),
                    data.efc_aref.data(),
                    data.efc_frictionloss.data(),
                    cones_.data(),
                    static_cast<int>(cones_.size())};
  std::copy(centre_a_.begin(), centre_a_.end(), data.qacc.begin());
  Ma_ = centre_Ma_;
  for (int r = 0; r < data.nefc; ++r)
    x_[static_cast<size_t>(r)] = centre_Ja_[static_cast<size_t>(r)] - data.efc_aref[r];
  double before = std::numeric_limits<double>::infinity();
  for (int steps = 0;; ++steps) {
    solver::evaluate_constraints(rows, x_.data(), data.efc_force.data(), data.efc_state.data());
    multiply_jacobian_transposed(data, data.efc_force.data(), data.qfrc_constraint.data());
    if (!has_zones_of_centre(data)) return false;
    const double gradient = compute_gradient(data);
    if (gradient < kExact) return true;
    if (steps == kMostSteps || !(gradient < 0.5 * before)) return gradient < kRounding;
    before = gradient;
    matvec(n_, n_, inverse_.data(), n_, g_.data(), p_.data());
    for (int i = 0; i < n_; ++i) data.qacc[i] -= p_[static_cast<size_t>(i)];
    // products with the small p instead of a, so that all samples share the rounding errors of the centre
    multiply_mass_matrix(model, data, p_.data(), Mp_.data());
    multiply_jacobian(data, p_.data(), Jp_.data());
    for (size_t i = 0; i < Mp_.size(); ++i) Ma_[i] -= Mp_[i];
    for (size_t r = 0; r < Jp_.size(); ++r) x_[r] -= Jp_[r];
  }
}

void CentreSolver::forward(const Model& model, Data& data, SkipStage skip, bool skip_sensors) {
  if (skip == SkipStage::kNone) return forward_skip(model, data, skip, skip_sensors);
  if (skip < SkipStage::kVelocity) {  // not earlier: the damped factor of the centre may still be needed
    forward_velocity(model, data);
    if (!skip_sensors) compute_sensors(model, data, SensorStage::kVelocity);
    update_energy_velocity(model, data);
  }
  if (data.control) data.control(model, data);
  poison(data, Stage::kAcceleration);
  forward_actuation(model, data);
  forward_acceleration(model, data);
  if (ready_ && solve(model, data))
    data.has_rne_post = false;
  else
    forward_constraint(model, data);
  if (!skip_sensors) compute_sensors(model, data, SensorStage::kAcceleration);
}

}  // namespace torsor
