// Histories of controls and readings: a ring of samples per actuator or sensor.
#include "torsor/dynamics/history.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/dynamics/actuation.hpp"

namespace torsor {
namespace {

// One number of all samples, in the order of time.
struct Ring {
  const double* times;
  const double* values;
  int count, newest, stride;

  int place(int sample) const { return (newest + 1 + sample) % count; }
  double time(int sample) const { return times[place(sample)]; }
  double value(int sample) const { return values[place(sample) * stride]; }
};

// Slope at a sample: through its neighbours; the first and the last sample have none, as in MuJoCo.
double slope(const Ring& ring, int sample) {
  if (sample == 0 || sample == ring.count - 1) return 0;
  const double span = ring.time(sample + 1) - ring.time(sample - 1);
  return span > 0 ? (ring.value(sample + 1) - ring.value(sample - 1)) / span : 0;
}

double interpolate(const Ring& ring, int before, double time, int order) {
  const int after = before + 1;
  const double span = ring.time(after) - ring.time(before), x = (time - ring.time(before)) / span;
  const double from = ring.value(before), to = ring.value(after);
  if (order == 1) return from + x * (to - from);
  const double y = 1 - x;
  return y * y * (1 + 2 * x) * from + x * x * (1 + 2 * y) * to +
         x * y * span * (y * slope(ring, before) - x * slope(ring, after));
}

// The place of the newest sample. Histories are part of the state, into which anybody may write anything.
int newest_of(const double* history, int count) {
  return history[1] >= 0 && history[1] < count ? static_cast<int>(history[1]) : count - 1;
}

// Times that differ less are one: they are sums of time steps.
constexpr double kSameTime = 1e-10;

double read_ring(const Ring& ring, double time, int interpolation) {
  if (time <= ring.time(0) || std::isnan(time)) return ring.value(0);
  for (int sample = ring.count - 1; sample >= 0; --sample) {
    if (ring.time(sample) > time + kSameTime) continue;
    const bool is_last = sample == ring.count - 1;
    if (is_last || interpolation == 0 || ring.time(sample) >= time - kSameTime) return ring.value(sample);
    return interpolate(ring, sample, time, interpolation);
  }
  return ring.value(0);
}

}  // namespace

void read_history(const double* history, HistoryLayout layout, double time, int interpolation, double* values) {
  const double *times = history + 2, *samples = times + layout.samples;
  const int newest = newest_of(history, layout.samples);
  for (int k = 0; k < layout.dim; ++k)
    values[k] = read_ring({times, samples + k, layout.samples, newest, layout.dim}, time, interpolation);
}

// Samples stay in the order of time, and no two have the same: who sets the clock back writes over what there is, or
// between what there is, and the oldest sample makes room.
void push_history(double* history, HistoryLayout layout, double time, const double* values) {
  const int count = layout.samples, dim = layout.dim, newest = newest_of(history, count);
  double *times = history + 2, *samples = times + count;
  const auto place = [&](int sample) { return (newest + 1 + sample) % count; };
  const auto write = [&](int at, double t, const double* v) {
    times[at] = t;
    std::copy(v, v + dim, samples + at * dim);
  };
  int earlier = 0;
  while (earlier < count && times[place(earlier)] < time) ++earlier;
  if (earlier == count) {  // the usual case
    history[1] = place(0);
    return write(place(0), time, values);
  }
  if (times[place(earlier)] == time) return write(place(earlier), time, values);
  for (int sample = 0; sample + 1 < earlier; ++sample)
    write(place(sample), times[place(sample + 1)], samples + place(sample + 1) * dim);
  write(place(std::max(earlier - 1, 0)), time, values);
}

void fill_history(double* history, HistoryLayout layout, const double* times, const double* values) {
  const int count = layout.samples, dim = layout.dim;
  if (times) {
    history[1] = count - 1;
    std::copy(times, times + count, history + 2);
  }
  const int newest = newest_of(history, count);
  for (int sample = 0; sample < count; ++sample) {
    const int place = (newest + 1 + sample) % count;
    std::copy(values + sample * dim, values + (sample + 1) * dim, history + 2 + count + place * dim);
  }
}

void read_controls(const Model& model, const Data& data, int actuator, double time, int interpolation,
                   double* controls) {
  const int address = model.actuator_historyadr[actuator], count = model.actuator_ctrlnum[actuator];
  const double* now = data.ctrl.data() + model.actuator_ctrladr[actuator];
  if (address < 0) return static_cast<void>(std::copy(now, now + count, controls));
  read_history(data.history.row(address, 1), {model.actuator_history[2 * actuator], count}, time, interpolation,
               controls);
}

void remember_controls(const Model& model, Data& data) {
  for (int a = 0; a < model.nactuator; ++a) {
    const int address = model.actuator_historyadr[a];
    if (address < 0) continue;
    push_history(data.history.row(address, 1), {model.actuator_history[2 * a], model.actuator_ctrlnum[a]}, data.time,
                 &data.ctrl[model.actuator_ctrladr[a]]);
  }
}

}  // namespace torsor
