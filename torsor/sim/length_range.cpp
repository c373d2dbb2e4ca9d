// Two simulations for each range.
#include "torsor/sim/length_range.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

constexpr int kSwitchedOff =
    kDisableContact | kDisableFrictionLoss | kDisableSpring | kDisableDamper | kDisableGravity | kDisableActuation;

// Joint forces of a force along the actuator that accelerates its joints by `accel` in total.
void pull(const Model& model, Data& data, int output, double side, const LengthRangeSpec& settings) {
  std::vector<double> moment(static_cast<size_t>(model.nv)), acceleration;
  for (int k = model.moment_rowadr[output], end = k + model.moment_rownnz[output]; k < end; ++k)
    moment[static_cast<size_t>(model.moment_colind[k])] += data.actuator_moment[k];
  acceleration = moment;
  solve_mass_matrix(model, data, acceleration.data());
  double square = 0;
  for (const double x : acceleration) square += x * x;
  double force = settings.accel / std::max(kMinValue, std::sqrt(square));
  if (settings.maxforce > 0) force = std::min(force, settings.maxforce);
  for (int i = 0; i < model.nv; ++i) data.qfrc_applied[i] = side * force * moment[static_cast<size_t>(i)];
}

struct Settled {
  double shortest = 0, longest = 0;  // during the last interval
  bool stable = true;
};

Settled settle(const Model& model, int output, double side, const LengthRangeSpec& settings) {
  Data data(model);
  Settled lengths;
  const double decay = settings.timeconst > 0 ? std::exp(-settings.timestep / settings.timeconst) : 0;
  bool measuring = false;
  while (data.time < settings.inttotal && lengths.stable) {
    for (double& velocity : data.qvel) velocity *= decay;
    lengths.stable = step1(model, data) == Status::kOk;
    const double length = data.actuator_length[output];
    if (data.time >= settings.inttotal - settings.interval) {
      lengths.shortest = measuring ? std::min(lengths.shortest, length) : length;
      lengths.longest = measuring ? std::max(lengths.longest, length) : length;
      measuring = true;
    }
    pull(model, data, output, side, settings);
    lengths.stable = lengths.stable && step2(model, data) == Status::kOk;
  }
  return lengths;
}

}  // namespace

LengthMeasurement measure_length_range(const Model& model, int output, const LengthRangeSpec& settings) {
  Model copy = model;
  copy.opt.timestep = settings.timestep;
  copy.opt.disableflags |= kSwitchedOff;
  const Settled low = settle(copy, output, -1, settings), high = settle(copy, output, 1, settings);
  LengthMeasurement result;
  result.range[0] = low.shortest;
  result.range[1] = high.longest;
  const double span = result.range[1] - result.range[0];
  const double wobble = std::max(low.longest - low.shortest, high.longest - high.shortest);
  result.problem = !low.stable || !high.stable ? "the simulation became unstable"
                   : !(span > 0)               ? "it cannot become longer or shorter"
                   : !(wobble <= settings.tolrange * span)
                       ? "the length did not settle: is every joint that it drives limited?"
                       : nullptr;
  return result;
}

}  // namespace torsor
