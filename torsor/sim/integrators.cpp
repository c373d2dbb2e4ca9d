// Euler and Runge-Kutta; the implicit integrators are in implicit.cpp.
#include <algorithm>

#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

double* push(Data& data, int numbers) { return data.arena().push_array<double>(static_cast<size_t>(numbers)); }

void remember_warm_start(Data& data) { std::copy(data.qacc.begin(), data.qacc.end(), data.qacc_warmstart.begin()); }

// A state on the way of RK4, and its copy back when a callback throws.
class SavedState {
 public:
  SavedState(const Model& model, Data& data) : data_(data), time(data.time), qpos(push(data, model.nq)), qvel(push(data, model.nv)) {
    std::copy(data.qpos.begin(), data.qpos.end(), qpos);
    std::copy(data.qvel.begin(), data.qvel.end(), qvel);
  }
  ~SavedState() {
    if (!done) restore();
  }
  void restore() {
    std::copy(qpos, qpos + data_.qpos.size(), data_.qpos.begin());
    std::copy(qvel, qvel + data_.qvel.size(), data_.qvel.begin());
    data_.time = time;
  }

 private:
  Data& data_;

 public:
  double time;
  double *qpos, *qvel;
  bool done = false;
};

}  // namespace

// Semi-implicit: the new velocity moves the coordinates.
void advance(const Model& model, Data& data, const double* qacc) {
  const double h = model.opt.timestep;
  for (int i = 0; i < model.nv; ++i) data.qvel[i] += h * qacc[i];
  integrate_pos(model, data.qpos.data(), data.qvel.data(), h);
  data.time += h;
  remember_warm_start(data);
}

void integrate_euler(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  const WorldKernels& kernel = world_kernels();
  (data.has_damped_factor ? kernel.step_damped : kernel.step_euler)(model, data, push(data, model.nv));
  data.has_damped_factor = false;
  remember_warm_start(data);
}

// Classic Runge-Kutta of order 4; the first of its four accelerations is that of forward().
void integrate_rk4(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  const int nv = model.nv;
  const double h = model.opt.timestep;
  SavedState start(model, data);
  double *sum_v = push(data, nv), *sum_a = push(data, nv), *v = push(data, nv);
  std::fill(sum_v, sum_v + nv, 0.0);
  std::fill(sum_a, sum_a + nv, 0.0);
  constexpr double kPart[] = {0.5, 0.5, 1}, kWeight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < nv; ++i) {
      sum_v[i] += kWeight[stage] * data.qvel[i];
      sum_a[i] += kWeight[stage] * data.qacc[i];
      v[i] = data.qvel[i];
    }
    if (stage == 3) break;
    const double part = kPart[stage] * h;
    std::copy(start.qpos, start.qpos + model.nq, data.qpos.begin());
    integrate_pos(model, data.qpos.data(), v, part);
    for (int i = 0; i < nv; ++i) data.qvel[i] = start.qvel[i] + part * data.qacc[i];
    data.time = start.time + part;
    forward_skip(model, data, SkipStage::kNone, true);
  }
  start.restore();
  start.done = true;
  integrate_pos(model, data.qpos.data(), sum_v, h);
  for (int i = 0; i < nv; ++i) data.qvel[i] += h * sum_a[i];
  data.time += h;
  remember_warm_start(data);
}

}  // namespace torsor
