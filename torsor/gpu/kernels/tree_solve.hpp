// M x = force of one tree of one world, by a group of threads: rows of M are in registers, as those of Newton's H are.
// The trees of a model share no number of M.
#pragma once

#include <utility>

#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/gpu/kernels/register_hessian.hpp"
#include "torsor/gpu/tree_lists.hpp"
#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

template <class S, int kClass, int L>
class TreeSolver {
  static constexpr int N = kTreeClasses[kClass].dofs, kStride = square_stride(N);

 public:
  // shared memory of a group
  static constexpr int kNumbers = N * kStride + 2 * (N + 4);

  TORSOR_INLINE TreeSolver(const WorldView<S>& view, TreeEquation equation, int world, int tree, S* shared)
      : view_(view),
        equation_(equation),
        world_(world),
        first_(view.model.tree_dofadr[tree]),
        n_(view.model.tree_dofnum[tree]),
        matrix_(shared) {}

  TORSOR_INLINE void run() const {
    load();
    Own x(nullptr, 0), none(nullptr, 0);
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) x[s] = S(0);
    load_force(x);
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) none[s] = S(0);
    IslandMemory<S> memory;
    memory.matrix = matrix_;
    memory.column = matrix_ + N * kStride;
    Hessian H(typename Hessian::InPlace{}, group_, memory, n_);
    group_.sync();
    H.solve(none, x);
    for_own_dofs<kRows, L>(lane_, n_, [&](int s, int i) { result(first_ + i) = x[s]; });
  }

 private:
  using Hessian = RegisterHessian<S, N, L>;
  using Own = typename Hessian::Own;
  static constexpr int kRows = Hessian::kRows;

  TORSOR_INLINE S& of(const Field<WorldLane<S>>& field, int i) const { return of_world(field, world_)[i * kBlock]; }
  TORSOR_INLINE S& result(int dof) const {
    return equation_ == TreeEquation::kSmooth ? of(view_.data.qacc_smooth, dof) : of(view_.scratch, dof);
  }
  // qfrc_smooth is written where it is first read.
  TORSOR_INLINE void load_force(Own& x) const {
    if (equation_ == TreeEquation::kSmooth) return compute_smooth(x);
    for_own_dofs<kRows, L>(lane_, n_, [&](int s, int i) {
      const int dof = first_ + i;
      x[s] = equation_ == TreeEquation::kInScratch
                 ? of(view_.scratch, dof)
                 : of(view_.data.qfrc_smooth, dof) + of(view_.data.qfrc_constraint, dof);
    });
  }
  // As compute_smooth_force()
  TORSOR_INLINE void compute_smooth(Own& x) const {
    const DataView<WorldLane<S>>& data = view_.data;
    for_own_dofs<kRows, L>(lane_, n_, [&](int s, int i) {
      const int dof = first_ + i;
      x[s] = of(data.qfrc_passive, dof) - of(data.qfrc_bias, dof) + of(data.qfrc_applied, dof) +
             of(data.qfrc_actuator, dof);
    });
    if (has_applied_wrenches()) add_applied_wrenches(x);
    for_own_dofs<kRows, L>(lane_, n_, [&](int s, int i) { of(data.qfrc_smooth, first_ + i) = x[s]; });
  }
  TORSOR_INLINE bool has_applied_wrenches() const {
    bool is_there = false;
    for (int k = 6 + lane_; k < 6 * view_.model.nbody; k += L)
      is_there = is_there || !(of(view_.data.xfrc_applied, k) == S(0));
    return group_.ballot(is_there) != 0;
  }
  // Rare: body by body, each thread for its own dofs
  TORSOR_HD void add_applied_wrenches(Own& x) const {
    const auto vector = [&](const Field<WorldLane<S>>& field, int i) {
      return Vec3<S>{of(field, i), of(field, i + 1), of(field, i + 2)};
    };
    const DataView<WorldLane<S>>& data = view_.data;
    for (int b = 1; b < view_.model.nbody; ++b) {
      const Vec3<S> f_W = vector(data.xfrc_applied, 6 * b), t_W = vector(data.xfrc_applied, 6 * b + 3);
      if (abs(f_W.x) + abs(f_W.y) + abs(f_W.z) + abs(t_W.x) + abs(t_W.y) + abs(t_W.z) == S(0)) continue;
      const Vec3<S> p_TcmBcm_W = vector(data.xipos, 3 * b) - vector(data.subtree_com, 3 * view_.model.body_rootid[b]);
      const Wrench<S> F_Tcm_W{t_W + cross(p_TcmBcm_W, f_W), f_W};
      for (int dof = last_dof(view_.model, b); dof >= 0; dof = view_.model.dof_parentid[dof]) {
        for_own_dofs<kRows, L>(lane_, n_, [&](int s, int i) {
          if (first_ + i != dof) return;
          x[s] += power(F_Tcm_W, Twist<S>{vector(data.cdof, 6 * dof), vector(data.cdof, 6 * dof + 3)});
        });
      }
    }
  }
  TORSOR_INLINE S implicit_damping(int dof) const {
    const ModelView& model = view_.models ? view_.models[world_] : view_.model;
    return S(model.opt.timestep) * damping_derivative(model, dof, of(view_.data.qvel, dof));
  }

  // The lower half of M; zeros elsewhere.
  TORSOR_INLINE void load() const {
    TORSOR_DEVICE_UNROLL
    for (int k = 0; k < N * kStride; k += 4 * L) {
      const int at = k + 4 * lane_;
      if (k + 4 * L <= N * kStride || at < N * kStride) clear_four(matrix_ + at);
    }
    group_.sync();
    const int begin = view_.model.M_rowadr[first_], last = view_.model.M_rowadr[first_ + n_ - 1],
              end = last + view_.model.M_rownnz[first_ + n_ - 1];
    const S* const M = of_world(view_.data.M, world_);
    constexpr int kAtOnce = 8;  // on their way from memory together
    for (int k = begin + lane_; k < end; k += kAtOnce * L) {
      S numbers[kAtOnce];
      TORSOR_DEVICE_UNROLL
      for (int u = 0; u < kAtOnce; ++u) {
        if (k + u * L < end) numbers[u] = M[std::ptrdiff_t(k + u * L) * kBlock];
      }
      TORSOR_DEVICE_UNROLL
      for (int u = 0; u < kAtOnce; ++u) {
        if (k + u * L < end) matrix_[view_.trees.places[k + u * L]] = numbers[u];
      }
    }
    group_.sync();
    if (equation_ != TreeEquation::kDamped) return;
    for_own_dofs<kRows, L>(lane_, n_, [&](int, int i) { matrix_[i * (kStride + 1)] += implicit_damping(first_ + i); });
    group_.sync();
  }

  const WorldView<S>& view_;
  const TreeEquation equation_;
  const int world_, first_, n_;
  S* const matrix_;
  const Group<L> group_{};
  const int lane_ = group_.lane();
};

// Calls f(class) for all classes, the class as a type.
template <class F>
void for_each_tree_class(F&& f) {
  [&]<int... kClass>(std::integer_sequence<int, kClass...>) { (f(std::integral_constant<int, kClass>()), ...); }
  (std::make_integer_sequence<int, kTreeClassCount>());
}

template <class S, int kClass, int L>
TORSOR_INLINE void solve_tree(const WorldView<S>& view, TreeEquation equation, bool is_step, int world, int tree,
                              S* shared) {
  if (is_step && !view.progress.is_active(world)) return;
  TreeSolver<S, kClass, L>(view, equation, world, tree, shared).run();
}

}  // namespace torsor::gpu
