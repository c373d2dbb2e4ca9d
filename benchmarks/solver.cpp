// One Newton solve of a humanoid in contact: 27 dofs in a tree, 13 contacts with pyramids of 4 edges, started from the
// solution of the step before.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "torsor/core/isa.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor::solver {
namespace {

constexpr int kDofs = 27, kStride = 32, kContacts = 13, kRows = 4 * kContacts;
// root 0 to 5, waist 6 to 8, legs 9 to 14 and 15 to 20, arms 21 to 23 and 24 to 26
constexpr int kParents[kDofs] = {-1, 0, 1,  2,  3,  4,  5,  6, 7,  8,  9, 10, 11, 12,
                                 13, 8, 15, 16, 17, 18, 19, 5, 21, 22, 5, 24, 25};
constexpr int kTips[] = {14, 20, 14, 20, 14, 20, 14, 20, 23, 26, 14, 20, 14};  // last dof of the body in contact

struct alignas(64) Humanoid {
  double M[kDofs * kStride] = {}, J[kRows * kStride] = {};
  double a_smooth[kStride] = {}, f_smooth[kStride] = {}, a[kStride] = {}, warm[kStride] = {}, qfrc[kStride] = {};
  double D[kRows], R[kRows], aref[kRows], b[kRows], force[kRows];
  std::uint64_t blocks[kRows] = {};
  int state[kRows];
  std::mt19937_64 bits{1};

  double uniform(double lo, double hi) { return lo + (hi - lo) * double(bits() >> 11) * 0x1p-53; }
  // a random row with nonzeros on the way from a dof to the root
  void path_row(int dof, double* row) {
    for (; dof >= 0; dof = kParents[dof]) row[dof] = uniform(-1, 1);
  }

  Humanoid() {
    for (int dof = 0; dof < kDofs; ++dof) {  // each body adds its own inertia
      for (int k = 0; k < 6; ++k) {
        double row[kDofs] = {};
        path_row(dof, row);
        for (int i = 0; i < kDofs; ++i) {
          for (int j = 0; j < kDofs; ++j) M[i * kStride + j] += 0.3 * row[i] * row[j];
        }
      }
      M[dof * kStride + dof] += 0.01;
      a_smooth[dof] = uniform(-10, 10);
    }
    for (int c = 0; c < kContacts; ++c) {
      double frame[3][kDofs] = {};
      for (auto& row : frame) path_row(kTips[c], row);
      for (int edge = 0; edge < 4; ++edge) {
        const double side = edge % 2 == 0 ? 0.7 : -0.7;
        for (int i = 0; i < kDofs; ++i) J[(4 * c + edge) * kStride + i] = frame[0][i] + side * frame[1 + edge / 2][i];
      }
    }
    for (int i = 0; i < kDofs; ++i) {
      for (int j = 0; j < kDofs; ++j) f_smooth[i] += M[i * kStride + j] * a_smooth[j];
    }
    for (int r = 0; r < kRows; ++r) {
      D[r] = uniform(5, 20);
      R[r] = 1 / D[r];
      aref[r] = uniform(-10, 20);
      b[r] = -aref[r];
      for (int i = 0; i < kDofs; ++i) {
        b[r] += J[r * kStride + i] * a_smooth[i];
        if (J[r * kStride + i] != 0) blocks[r] |= std::uint64_t{1} << i / 8;
      }
    }
  }

  int solve(Arena& arena) {
    const DenseProblem problem{.n = kDofs,
                               .ld = kStride,
                               .M = M,
                               .J = J,
                               .a_smooth = a_smooth,
                               .f_smooth = f_smooth,
                               .rows = {.count = kRows, .D = D, .R = R, .aref = aref},
                               .b = b,
                               .blocks = blocks};
    Solution solution{.a = a, .force = force, .state = state, .qfrc = qfrc};
    std::copy(warm, warm + kStride, a);
    double trace = 0;
    for (int i = 0; i < kDofs; ++i) trace += M[i * kStride + i];
    solve_newton(problem, {.scale = 1 / trace}, arena, solution);
    return solution.iterations;
  }
};

// change: how far the problem is from the one that the warm start solves
void Newton(benchmark::State& state, const char* isa, double change) {
  for (const Isa available : available_isas()) {
    if (isa == std::string(isa_name(available))) use_isa(isa);
  }
  if (isa != std::string(isa_name(current_isa()))) return state.SkipWithError("not available here");
  Humanoid humanoid;
  Arena arena;
  humanoid.solve(arena);
  std::copy(humanoid.a, humanoid.a + kStride, humanoid.warm);
  for (double& x : humanoid.aref) x += humanoid.uniform(-change, change);
  int iterations = 0;
  for (auto _ : state) iterations = humanoid.solve(arena);
  state.counters["iterations"] = iterations;
}
BENCHMARK_CAPTURE(Newton, baseline_small_change, "baseline", 0.01);
BENCHMARK_CAPTURE(Newton, avx2_small_change, "avx2", 0.01);
BENCHMARK_CAPTURE(Newton, avx512_small_change, "avx512", 0.01);
BENCHMARK_CAPTURE(Newton, avx512_large_change, "avx512", 3);

}  // namespace
}  // namespace torsor::solver
