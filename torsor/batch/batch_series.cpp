#include "torsor/batch/batch_series.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

bool is_bad_number(double value) { return !(std::fabs(value) <= kMaxValue); }

template <class S>
bool is_stopped(const BatchSteps& call, const BatchHand<S>& hand) {
  if (call.ask_each_step && hand.is_callers && call.should_stop && call.should_stop()) return true;
  return call.stop && call.stop->load(std::memory_order_relaxed);
}

double* place_of(const BatchSteps& call, const FieldSeries& series, int index, int step) {
  const size_t row = static_cast<size_t>(index) * static_cast<size_t>(call.steps) + static_cast<size_t>(step);
  return series.values + row * series.stride;
}

}  // namespace

template <class S>
double* PackSeries<S>::place(const FieldSeries& series, int lane) const {
  return place_of(call_, series, hand_.places[static_cast<size_t>(lane)], step_);
}

template <class S>
bool PackSeries<S>::begin_step(int step) {
  if (is_stopped(call_, hand_)) return false;
  step_ = step;
  for (int i = 0; i < call_.ncontrols; ++i) write_control(call_.controls[i]);
  return true;
}

template <class S>
void PackSeries<S>::write_control(const FieldSeries& series) {
  const WorldArrays<S>& arrays = batch_.arrays_;
  const int lanes = batch_.lanes(), neq = batch_.model_.neq;
  for (int lane = 0; lane < hand_.count; ++lane) {
    const double* from = place(series, lane);
    if (series.field == static_cast<int>(arrays.fields().count())) {
      for (int i = 0; i < neq; ++i) hand_.eq_active[static_cast<size_t>(lane * neq + i)] = from[i] != 0;
      continue;
    }
    S* to = hand_.block_numbers() + arrays.block_offset(series.field) * static_cast<size_t>(lanes) + lane;
    const int n = arrays.fields().size(static_cast<size_t>(series.field));
    for (int i = 0; i < n; ++i) to[i * lanes] = from[i];
  }
}

// Results that are kept are those of the last step of the call.
template <class S>
void PackSeries<S>::take_results(unsigned stopped) {
  const WorldArrays<S>& arrays = batch_.arrays_;
  for (int lane = 0; lane < hand_.count; ++lane) {
    if ((stopped >> lane & 1) != 0) continue;
    for (int i = 0; i < call_.nrecords; ++i) {
      const FieldSeries& series = call_.records[i];
      if (series.field >= arrays.block_fields() && series.field < static_cast<int>(arrays.fields().count()))
        hand_.worker.read(*batch_.program_, series.field, lane, place(series, lane));
    }
    if (step_ + 1 < call_.steps) continue;
    for (int field = arrays.block_fields(); field < static_cast<int>(arrays.fields().count()); ++field) {
      if (arrays.kept_results().test(static_cast<size_t>(field)))
        hand_.worker.read(*batch_.program_, field, lane, arrays.row(field, hand_.ids[static_cast<size_t>(lane)]));
    }
  }
}

template <class S>
void PackSeries<S>::take_reset(int lane) {
  has_resets_ = true;
  if (lane >= hand_.count) return;
  const int world = hand_.ids[static_cast<size_t>(lane)];
  batch_.mark_diverged(world, batch_.steps_taken_[static_cast<size_t>(world)] + step_);
}

template <class S>
void PackSeries<S>::read_record(const FieldSeries& series) {
  const WorldArrays<S>& arrays = batch_.arrays_;
  const int lanes = batch_.lanes(), neq = batch_.model_.neq;
  for (int lane = 0; lane < hand_.count; ++lane) {
    double* to = place(series, lane);
    if (series.field == static_cast<int>(arrays.fields().count())) {
      for (int i = 0; i < neq; ++i) to[i] = hand_.eq_active[static_cast<size_t>(lane * neq + i)];
    } else if (series.field < arrays.block_fields()) {
      const S* from =
          series.field == 0 && !is_smooth_  // else the time is in the block, too
              ? hand_.worker.packs(0) + lane
              : hand_.block_numbers() + arrays.block_offset(series.field) * static_cast<size_t>(lanes) + lane;
      const int n = arrays.fields().size(static_cast<size_t>(series.field));
      for (int i = 0; i < n; ++i) to[i] = from[i * lanes];
    }
  }
}

// Where nothing is reset, a world goes bad once and stays so.
template <class S>
void PackSeries<S>::find_bad_numbers() {
  const WorldArrays<S>& arrays = batch_.arrays_;
  const int lanes = batch_.lanes();
  for (const int field : {1, 2}) {  // qpos and qvel
    const S* values = hand_.block_numbers() + arrays.block_offset(field) * static_cast<size_t>(lanes);
    const int n = arrays.fields().size(static_cast<size_t>(field)) * lanes;
    if (std::none_of(values, values + n, is_bad_number)) continue;
    for (int i = 0; i < n; ++i) {
      if (!is_bad_number(values[i]) || i % lanes >= hand_.count) continue;
      const int world = hand_.ids[static_cast<size_t>(i % lanes)];
      if (batch_.diverged_at_[static_cast<size_t>(world)] < 0)
        batch_.mark_diverged(world, batch_.steps_taken_[static_cast<size_t>(world)] + step_);
    }
  }
}

template <class S>
void PackSeries<S>::take_last_reset(int lane, int last) {
  const int first = step_;
  step_ += last;
  take_reset(lane);
  step_ = first;
}

template <class S>
void PackSeries<S>::end_step(unsigned stopped) {
  for (int i = 0; i < call_.nrecords; ++i) read_record(call_.records[i]);
  if (batch_.model_.opt.disabled(kDisableAutoReset)) find_bad_numbers();
  for (int lane = 0; lane < hand_.count; ++lane) {
    if ((stopped >> lane & 1) == 0) taken_[lane] = step_ + 1;
    if (call_.taken) call_.taken[hand_.places[static_cast<size_t>(lane)]] = taken_[lane];
  }
  if (call_.done) call_.done->fetch_add(hand_.count, std::memory_order_relaxed);
}

template <class S>
void PackSeries<S>::end_steps(int count) {
  is_smooth_ = true;
  step_ += count - 1;
  end_step(0);
}

template <class S>
bool WorldSeries<S>::begin_step(int step) {
  if (is_stopped(call_, hand_)) return false;
  step_ = step;
  const FieldList& fields = batch_.arrays_.fields();
  for (int i = 0; i < call_.ncontrols; ++i) {
    const FieldSeries& series = call_.controls[i];
    const double* from = place_of(call_, series, index_, step);
    if (series.field < static_cast<int>(fields.count()))
      std::copy_n(from, fields.size(static_cast<size_t>(series.field)),
                  hand_.numbers[static_cast<size_t>(series.field)]);
    else
      std::transform(from, from + batch_.model_.neq, hand_.data->eq_active.begin(), [](double x) { return x != 0; });
  }
  return true;
}

template <class S>
void WorldSeries<S>::end_step() {
  const FieldList& fields = batch_.arrays_.fields();
  for (int i = 0; i < call_.nrecords; ++i) {
    const FieldSeries& series = call_.records[i];
    double* to = place_of(call_, series, index_, step_);
    if (series.field < static_cast<int>(fields.count()))
      std::copy_n(hand_.numbers[static_cast<size_t>(series.field)], fields.size(static_cast<size_t>(series.field)), to);
    else
      std::copy(hand_.data->eq_active.begin(), hand_.data->eq_active.end(), to);
  }
  ++step_;
  if (call_.taken) call_.taken[index_] = step_;
  if (call_.done) call_.done->fetch_add(1, std::memory_order_relaxed);
}

template class PackSeries<double>;
template class PackSeries<float>;
template class WorldSeries<double>;
template class WorldSeries<float>;

}  // namespace torsor
