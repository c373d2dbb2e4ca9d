// Queries about M, for users and other stages.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

// Calls f(i, j, address) for every stored number M_ij, j <= i.
template <class F>
void for_each_number(const Model& model, F&& f) {
  for (int i = 0; i < model.nv; ++i) {
    for (int k = 0; k < model.M_rownnz[i]; ++k) f(i, model.M_colind[model.M_rowadr[i] + k], model.M_rowadr[i] + k);
  }
}

}  // namespace

void solve_mass_matrix(const Model& model, const Data& data, double* x) {
  world_kernels().solve(model, data.qLD.data(), data.qLDiagInv.data(), x, whole(model));
}

void half_solve_factored(const Model& model, const double* LD, const double* diagonal_inverse, double* x) {
  for (int i = model.nv - 1; i >= 0; --i) {
    const int address = model.M_rowadr[i];
    for (int k = 0; k + 1 < model.M_rownnz[i]; ++k) x[model.M_colind[address + k]] -= LD[address + k] * x[i];
  }
  for (int i = 0; i < model.nv; ++i) x[i] *= std::sqrt(diagonal_inverse[i]);
}

void half_solve_mass_matrix(const Model& model, const Data& data, double* x) {
  half_solve_factored(model, data.qLD.data(), data.qLDiagInv.data(), x);
}

void multiply_mass_matrix(const Model& model, const Data& data, const double* x, double* y) {
  world_kernels().multiply(model, data.M.data(), x, y);
}

void half_multiply_mass_matrix(const Model& model, const Data& data, const double* x, double* y) {
  std::copy(x, x + model.nv, y);
  for_each_number(model, [&](int i, int j, int address) {
    if (i != j) y[i] += data.qLD[address] * x[j];
  });
  for (int i = 0; i < model.nv; ++i) y[i] /= std::sqrt(data.qLDiagInv[i]);
}

void full_mass_matrix(const Model& model, const Data& data, double* dense) {
  std::fill(dense, dense + static_cast<ptrdiff_t>(model.nv) * model.nv, 0.0);
  add_mass_matrix(model, data, dense);
}

void add_mass_matrix(const Model& model, const Data& data, double* dense) {
  const ptrdiff_t n = model.nv;
  for_each_number(model, [&](int i, int j, int address) {
    dense[i * n + j] += data.M[address];
    if (i != j) dense[j * n + i] += data.M[address];
  });
}

void legacy_mass_matrix(const Model& model, const Data& data, double* qM) {
  std::fill(qM, qM + model.nM, 0.0);
  for (int k = 0; k < model.nC; ++k) qM[model.mapM2M[k]] = data.M[k];
}

}  // namespace torsor
