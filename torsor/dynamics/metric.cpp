#include "torsor/dynamics/metric.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/fluid.hpp"
#include "torsor/dynamics/kernels/implicit.hpp"
#include "torsor/dynamics/kernels/tendons.hpp"
#include "torsor/math/dense.hpp"

namespace torsor {
namespace {

// Sweeps have no place for terms that M's factor lacks: tendons and actuators stay explicit.
bool has_terms_of_elements(const Model& model) { return model.opt.solver != static_cast<int>(SolverType::kPgs); }

int diagonal_of(const Model& model, int dof) { return model.M_rowadr[dof] + model.M_rownnz[dof] - 1; }

// Slope of k x + k2 x^2 + k3 x^3, where it is dissipative.
double stiffness_at(double k, const double* poly, double x) {
  return std::max(0.0, k + x * (2 * poly[0] + x * (3 * poly[1])));
}

void add_joint_springs(const Model& model, Data& data) {
  if (model.opt.disabled(kDisableSpring)) return;
  for (int j = 0; j < model.njnt; ++j) {
    if (!has_spring(model, j)) continue;
    const auto put = [&](int first, int count, double x) {
      const double k = stiffness_at(model.jnt_stiffness[j], model.jnt_stiffnesspoly.row(j, 2), x);
      std::fill_n(data.efm_ck.begin() + first, count, model.opt.timestep * k);
    };
    const int v = model.jnt_dofadr[j];
    switch (static_cast<JointType>(model.jnt_type[j])) {
      case JointType::kFree: {
        const int q = model.jnt_qposadr[j];
        put(v, 3, norm(load3(data.qpos.row(q, 1)) - load3(model.qpos_spring.row(q, 1))));
        put(v + 3, 3, norm(ball_displacement<double>(model, data, j)));
        break;
      }
      case JointType::kBall:
        put(v, 3, norm(ball_displacement<double>(model, data, j)));
        break;
      case JointType::kSlide:
      case JointType::kHinge:
        put(v, 1, spring_displacement<double>(model, data, j));
        break;
    }
  }
}

void compute_joint_terms(const Model& model, Data& data) {
  const double h = model.opt.timestep;
  const bool damped = !model.opt.disabled(kDisableDamper);
  std::fill(data.efm_ck.begin(), data.efm_ck.end(), 0.0);
  add_joint_springs(model, data);
  for (int i = 0; i < model.nv; ++i) {
    const double D = damped ? std::max(0.0, damping_derivative<double>(model, i, data.qvel[i])) : 0;
    data.efm_diag[i] = h * D + h * data.efm_ck[i];
    data.efm_c[i] = -data.efm_ck[i] * data.qvel[i];
  }
}

// Drag alone, in the pattern of M; qDeriv is scratch.
void compute_fluid_terms(const Model& model, Data& data) {
  std::fill(data.efm_fluid.begin(), data.efm_fluid.end(), 0.0);
  const bool passive_off = model.opt.disabled(kDisableSpring) && model.opt.disabled(kDisableDamper);
  if (!has_fluid_slopes(model) || passive_off) return;
  ArenaScope scope(data.arena());
  constexpr size_t kNumbersPerDof = 13, kPadding = 8;
  double* scratch = data.arena().push_array<double>(kNumbersPerDof * (static_cast<size_t>(model.nv) + kPadding));
  if (!scratch) return;
  std::fill(data.qDeriv.begin(), data.qDeriv.end(), 0.0);
  world_kernels().add_fluid_slopes(model, data, FluidSlope::kDrag, scratch);
  for (int k = 0; k < model.nC; ++k) data.efm_fluid[k] = -model.opt.timestep * data.qDeriv[model.mapD2M[k]];
}

// -h k J' (J v)
void add_shift(const MetricTerm& term, double hk, double velocity, double* shift) {
  for (int k = 0; k < term.count; ++k) shift[term.dof[k]] -= hk * velocity * term.J[k];
}

bool has_tendon_spring(const Model& model, int t) {
  const double* poly = model.tendon_stiffnesspoly.row(t, 2);
  return model.tendon_stiffness[t] != 0 || poly[0] != 0 || poly[1] != 0;
}

void compute_tendon_terms(const Model& model, Data& data) {
  data.nefmT = 0;
  if (!has_terms_of_elements(model)) return;
  const double h = model.opt.timestep;
  const bool springs = !model.opt.disabled(kDisableSpring), dampers = !model.opt.disabled(kDisableDamper);
  for_each_awake_tendon(model, data, [&](int t) {
    const double x = tendon_displacement<double>(model, data, t);
    const double k =
        springs && x != 0 ? stiffness_at(model.tendon_stiffness[t], model.tendon_stiffnesspoly.row(t, 2), x) : 0;
    const double d = dampers ? std::max(0.0, tendon_damping_slope(model, t, data.ten_velocity[t])) : 0;
    if (!(springs && has_tendon_spring(model, t)) && !(dampers && is_tendon_damped(model, t))) return;
    const int n = data.nefmT++;  // also where it is slack now
    data.efm_tid[n] = t;
    data.efm_ts[n] = h * d + h * h * k;
    data.efm_tk[n] = h * k;
    add_shift(metric_detail::tendon_term(model, data, n), h * k, data.ten_velocity[t], data.efm_c.data());
  });
}

// efm_sdiag: all that is added to the diagonal of M.
void sum_diagonals(const Model& model, Data& data) {
  for (int i = 0; i < model.nv; ++i) data.efm_sdiag[i] = data.efm_diag[i] + data.efm_fluid[diagonal_of(model, i)];
  for (const bool loose : {false, true}) {
    for_each_metric_term(model, data, loose, [&](const MetricTerm& term) {
      for (int k = 0; k < term.count; ++k) data.efm_sdiag[term.dof[k]] += term.scale * term.J[k] * term.J[k];
    });
  }
}

// M with the drag of the medium.
void add_drag(const Model& model, const Data& data, double* A) {
  for (int k = 0; k < model.nC; ++k) A[k] = data.M[k] + data.efm_fluid[k];
}

}  // namespace

void compute_metric(const Model& model, Data& data) {
  data.efm_active = 1;
  data.nefmA = 0;
  compute_joint_terms(model, data);
  compute_fluid_terms(model, data);
  compute_tendon_terms(model, data);
  sum_diagonals(model, data);
}

namespace {

void compute_actuator_terms(const Model& model, Data& data) {
  data.nefmA = 0;
  std::fill(data.efm_ca.begin(), data.efm_ca.end(), 0.0);
  if (model.nactuator == 0 || model.opt.disabled(kDisableActuation) || !has_terms_of_elements(model)) return;
  const double h = model.opt.timestep;
  ArenaScope scope(data.arena());
  double* controls = data.arena().push_array<double>(static_cast<size_t>(model.nu));
  if (!controls) return;
  gather_effective_controls(model, data, controls);
  for_each_awake_actuator(model, data, [&](int a) {
    if (is_at_limit(model, data, a)) return;
    const double k = std::max(0.0, -actuator_slope_by_length(model, data, a, controls));
    const double d = std::max(0.0, -actuator_slope_by_velocity(model, data, a, controls));
    if (k == 0 && d == 0) return;
    const int n = data.nefmA++;
    data.efm_aid[n] = a;
    data.efm_as[n] = h * d + h * h * k;
    data.efm_ak[n] = h * k;
    for (int out = model.actuator_outadr[a], end = out + model.actuator_outnum[a]; out < end; ++out)
      add_shift(metric_detail::output_term(model, data, n, out), h * k, data.actuator_velocity[out],
                data.efm_ca.data());
  });
}

}  // namespace

void complete_metric(const Model& model, Data& data) {
  compute_actuator_terms(model, data);
  sum_diagonals(model, data);
  add_drag(model, data, data.efm_M.data());
  std::copy(data.efm_M.begin(), data.efm_M.end(), data.qH.begin());
  for (int i = 0; i < model.nv; ++i) {
    data.efm_M[diagonal_of(model, i)] += data.efm_diag[i];
    data.qH[diagonal_of(model, i)] = data.M[diagonal_of(model, i)] + data.efm_sdiag[i];
  }
  for_each_metric_term(model, data, false, [&](const MetricTerm& term) {
    data.efm_M[diagonal_of(model, term.dof[0])] += term.scale * term.J[0] * term.J[0];
  });
  world_kernels().factor(model, data.qH.data(), data.qHDiagInv.data());
}

namespace {

// Groups of trees that loose terms connect, by union-find: the root of a tree's group.
int find_root(int* parent, int tree) {
  while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
  return tree;
}

// The dofs of one group, and A of that group as a dense matrix.
struct Group {
  int count = 0;
  int *dof = nullptr, *local = nullptr;  // local: nv, place of each dof in its group
};

// In place: A = L L' (lower triangle), then x <- A^-1 x. A is small and positive definite.
void solve_dense(int n, double* A, double* x) {
  for (int i = 0; i < n; ++i) {
    double* row = A + static_cast<ptrdiff_t>(i) * n;
    for (int j = 0; j <= i; ++j) {
      const double* other = A + static_cast<ptrdiff_t>(j) * n;
      const double rest = row[j] - dot(j, row, other);
      row[j] = j == i ? std::sqrt(std::max(rest, kMinValue)) : rest / other[j];
    }
    x[i] = (x[i] - dot(i, row, x)) / row[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* row = A + static_cast<ptrdiff_t>(i) * n;
    x[i] /= row[i];
    for (int j = 0; j < i; ++j) x[j] -= row[j] * x[i];
  }
}

bool solve_group(const Model& model, Data& data, const Group& group, double* x) {
  ArenaScope scope(data.arena());
  const size_t n = static_cast<size_t>(group.count);
  double* A = data.arena().push_array<double>(n * n);
  double* y = A ? data.arena().push_array<double>(n) : nullptr;
  if (!y) return false;
  std::fill_n(A, n * n, 0.0);
  for (size_t i = 0; i < n; ++i) {
    const int dof = group.dof[i];
    y[i] = x[dof];
    for (int k = model.M_rowadr[dof], end = k + model.M_rownnz[dof]; k < end; ++k)
      A[i * n + static_cast<size_t>(group.local[model.M_colind[k]])] = data.efm_M[k];
  }
  for_each_metric_term(model, data, true, [&](const MetricTerm& term) {
    const int first = term.next_moved(0);
    if (group.local[term.dof[first]] < 0) return;
    for (int k = first; k < term.count; k = term.next_moved(k + 1)) {
      const auto row = static_cast<size_t>(group.local[term.dof[k]]);
      for (int l = first; l < term.count; l = term.next_moved(l + 1))
        A[row * n + static_cast<size_t>(group.local[term.dof[l]])] += term.scale * term.J[k] * term.J[l];
    }
  });
  solve_dense(group.count, A, y);
  for (size_t i = 0; i < n; ++i) x[group.dof[i]] = y[i];
  return true;
}

}  // namespace

// Dofs that no loose term moves are solved by the sparse factor; the others group by group.
bool solve_metric(const Model& model, Data& data, double* x) {
  if (!has_loose_terms(model, data)) {
    world_kernels().solve(model, data.qH.data(), data.qHDiagInv.data(), x, whole(model));
    return true;
  }
  ArenaScope scope(data.arena());
  const size_t ntree = static_cast<size_t>(model.ntree), nv = static_cast<size_t>(model.nv);
  int* parent = data.arena().push_array<int>(2 * ntree + 2 * nv);
  double* sparse = parent ? data.arena().push_array<double>(nv) : nullptr;
  if (!sparse) return false;
  int *is_loose = parent + ntree, *local = is_loose + ntree, *dof = local + nv;
  for (int t = 0; t < model.ntree; ++t) parent[t] = t, is_loose[t] = 0;
  for_each_metric_term(model, data, true, [&](const MetricTerm& term) {
    int k = term.next_moved(0);
    const int first = find_root(parent, model.dof_treeid[term.dof[k]]);
    is_loose[first] = 1;
    for (k = term.next_moved(k + 1); k < term.count; k = term.next_moved(k + 1)) {
      const int a = find_root(parent, first), b = find_root(parent, model.dof_treeid[term.dof[k]]);
      parent[std::max(a, b)] = std::min(a, b);
      is_loose[std::min(a, b)] = 1;
    }
  });
  std::copy(x, x + nv, sparse);
  world_kernels().solve(model, data.qH.data(), data.qHDiagInv.data(), sparse, whole(model));
  for (int i = 0; i < model.nv; ++i)
    if (!is_loose[find_root(parent, model.dof_treeid[i])]) x[i] = sparse[i];
  for (int t = 0; t < model.ntree; ++t) {
    if (parent[t] != t || !is_loose[t]) continue;
    Group group{0, dof, local};
    for (int i = 0; i < model.nv; ++i) {
      const bool inside = find_root(parent, model.dof_treeid[i]) == t;
      local[i] = inside ? group.count : -1;
      if (inside) dof[group.count++] = i;
    }
    if (!solve_group(model, data, group, x)) return false;
  }
  return true;
}

namespace {

// Whether a row moves the tree. Dofs of a row ascend and so do trees.
bool has_rows(const Model& model, const Data& data, int tree) {
  const int begin = model.tree_dofadr[tree], end = begin + model.tree_dofnum[tree];
  for (int r = 0; r < data.nefc; ++r) {
    const int* column = data.efc_J_colind.data() + data.efc_J_rowadr[r];
    for (int k = 0; k < data.efc_J_rownnz[r]; ++k)
      if (column[k] >= begin && column[k] < end) return true;
  }
  return false;
}

// A body that floats alone, and that neither rows nor tendons and actuators of the metric move.
bool spins_alone(const Model& model, const Data& data, int b) {
  if (!floats_alone(model, b)) return false;
  const int tree = model.body_treeid[b];
  bool is_moved = has_rows(model, data, tree);
  for_each_metric_term(model, data, true, [&](const MetricTerm& term) {
    for (int k = 0; k < term.count; ++k)
      is_moved = is_moved || (term.moves(k) && model.dof_treeid[term.dof[k]] == tree);
  });
  return !is_moved;
}

}  // namespace

void add_metric_force(const Model& model, const Data& data, const double* qacc, double* qfrc) {
  for (int i = 0; i < model.nv; ++i) {
    qfrc[i] += data.efm_diag[i] * qacc[i] - data.efm_c[i] - data.efm_ca[i];
    for (int k = model.M_rowadr[i], last = diagonal_of(model, i); k <= last; ++k) {
      const int j = model.M_colind[k];
      qfrc[i] += data.efm_fluid[k] * qacc[j];
      if (k < last) qfrc[j] += data.efm_fluid[k] * qacc[i];
    }
  }
  for (const bool loose : {false, true}) {
    for_each_metric_term(model, data, loose, [&](const MetricTerm& term) {
      double along = 0;
      for (int k = 0; k < term.count; ++k) along += term.J[k] * qacc[term.dof[k]];
      for (int k = 0; k < term.count; ++k) qfrc[term.dof[k]] += term.scale * along * term.J[k];
    });
  }
  for (int b = 1; b < model.nbody; ++b) {
    if (!spins_alone(model, data, b)) continue;
    double A[36] = {};
    add_gyroscopic<double>(model, data, data.crb.data(), b, model.opt.timestep, A);
    const int first = model.body_dofadr[b];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) qfrc[first + i] += A[6 * i + j] * qacc[first + j];
  }
}

void solve_floating_in_metric(const Model& model, Data& data) {
  for (int b = 1; b < model.nbody; ++b) {
    if (!spins_alone(model, data, b) || !is_dof_awake(model, data, model.body_dofadr[b])) continue;
    const int first = model.body_dofadr[b];
    double A[36] = {}, x[6];
    for (int i = 0; i < 6; ++i) {
      for (int k = model.M_rowadr[first + i], last = diagonal_of(model, first + i); k <= last; ++k) {
        const int j = model.M_colind[k] - first;
        A[6 * i + j] = A[6 * j + i] = data.efm_M[k];
      }
      x[i] = data.qfrc_smooth[first + i] + data.efm_c[first + i] + data.efm_ca[first + i] +
             data.qfrc_constraint[first + i];
    }
    add_gyroscopic<double>(model, data, data.crb.data(), b, model.opt.timestep, A);
    solve6(A, x);
    std::copy_n(x, 6, data.qacc.begin() + first);
  }
}

}  // namespace torsor
