// The metric of the integrator "discrete": A = M + h D + h^2 K, where D and K are minus the derivatives of the smooth
// force by velocity and position, as far as they are dissipative. Forces at the end of the step are, to first order,
//     f(q', v') = f - h K v - (h D + h^2 K) a        with v' = v + h a and q' = q + h v'
// so that the step is A a = f - h K v + J' f_c: the constraint solver runs in A, and a is the change of velocity over
// the step. Terms:
//     joints    on the diagonal: efm_diag, efm_ck
//     drag      of the medium, in the pattern of M: efm_fluid
//     tendons   s J' J, s in efm_ts, for the tendons in efm_tid
//     actuators s J' J for each output, s in efm_as, for the actuators in efm_aid
// The backbone is M with joints, drag and the diagonals of the other terms; qH has its factor. The regularisation of
// rows is relative to it, as in MuJoCo. efm_M has all terms but those that move several dofs, which are loose.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Terms of joints, medium and tendons. Call after velocities and passive forces.
void compute_metric(const Model& model, Data& data);
// Terms of actuators, efm_sdiag, efm_M, and the factor of the backbone. Call after actuator forces.
void complete_metric(const Model& model, Data& data);

// x <- A^-1 x. False when scratch ran out.
bool solve_metric(const Model& model, Data& data, double* x);

// The force that the step needs besides M a: (A - M) a + h K v. For inverse dynamics.
void add_metric_force(const Model& model, const Data& data, const double* qacc, double* qfrc);

// qacc of bodies that float alone, once more with their gyroscopic derivative, as implicitfast has it.
void solve_floating_in_metric(const Model& model, Data& data);

// One term of a tendon or an actuator: scale J' J.
struct MetricTerm {
  double scale;
  const double* J;
  const int* dof;
  int count;
  bool has_all_dofs = false;  // of an actuator on a body, whose contacts may be with any other: zero where they are not

  bool moves(int k) const { return !has_all_dofs || J[k] != 0; }
  // The first entry from k on that it moves, `count` if there is none.
  int next_moved(int k) const {
    while (k < count && !moves(k)) ++k;
    return k;
  }
};

namespace metric_detail {
inline MetricTerm tendon_term(const Model& model, const Data& data, int k) {
  const int t = data.efm_tid[k], begin = model.ten_J_rowadr[t];
  return {data.efm_ts[k], data.ten_J.data() + begin, model.ten_J_colind.data() + begin, model.ten_J_rownnz[t]};
}
inline MetricTerm output_term(const Model& model, const Data& data, int k, int out) {
  const int begin = model.moment_rowadr[out];
  const bool is_of_body = model.actuator_trntype[data.efm_aid[k]] == static_cast<int>(Transmission::kBody);
  return {data.efm_as[k], data.actuator_moment.data() + begin, model.moment_colind.data() + begin,
          model.moment_rownnz[out], is_of_body};
}
}  // namespace metric_detail

// Calls f(MetricTerm) for all terms of tendons, then of actuators; `loose` or those that efm_M has.
template <class F>
void for_each_metric_term(const Model& model, const Data& data, bool loose, F&& f) {
  const auto visit = [&](const MetricTerm& term) {
    if ((term.count > 1) == loose && term.scale > 0 && term.next_moved(0) < term.count) f(term);
  };
  for (int k = 0; k < data.nefmT; ++k) visit(metric_detail::tendon_term(model, data, k));
  for (int k = 0; k < data.nefmA; ++k) {
    const int a = data.efm_aid[k];
    for (int out = model.actuator_outadr[a], end = out + model.actuator_outnum[a]; out < end; ++out)
      visit(metric_detail::output_term(model, data, k, out));
  }
}
inline bool has_loose_terms(const Model& model, const Data& data) {
  bool found = false;
  for_each_metric_term(model, data, true, [&](const MetricTerm&) { found = true; });
  return found;
}

}  // namespace torsor
