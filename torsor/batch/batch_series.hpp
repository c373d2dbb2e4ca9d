// What a call of a batch writes into worlds before each step and reads after it, for worlds in packs and one by one.
#pragma once

#include "torsor/batch/batch.hpp"
#include "torsor/batch/batch_hand.hpp"

namespace torsor {

// The steps of one pack of a call.
template <class S>
class PackSeries final : public PackObserver {
 public:
  PackSeries(BasicBatch<S>& batch, const BatchSteps& call, BatchHand<S>& hand)
      : batch_(batch), call_(call), hand_(hand) {}

  bool begin_step(int step) override;
  bool reads_results() const override { return call_.nrecords > 0 || step_ + 1 >= call_.steps; }
  void take_results(unsigned stopped) override;
  void take_reset(int lane) override;
  void end_step(unsigned stopped) override;

  // In place of the observer's functions, for whole steps of kernels/lanes.cpp: `last` counts from the first of them.
  void take_last_reset(int lane, int last);
  void end_steps(int count);

  int steps_of(int lane) const { return taken_[lane]; }
  bool has_resets() const { return has_resets_; }

 private:
  double* place(const FieldSeries& series, int lane) const;
  void write_control(const FieldSeries& series);
  void read_record(const FieldSeries& series);
  void find_bad_numbers();

  static constexpr int kMostLanes = 16;
  BasicBatch<S>& batch_;
  const BatchSteps& call_;
  BatchHand<S>& hand_;
  int step_ = 0;
  int taken_[kMostLanes] = {};
  bool is_smooth_ = false, has_resets_ = false;
};

// The steps of one world of a call.
template <class S>
class WorldSeries {
 public:
  WorldSeries(BasicBatch<S>& batch, const BatchSteps& call, BatchHand<S>& hand, int index)
      : batch_(batch), call_(call), hand_(hand), index_(index) {}

  bool begin_step(int step);
  void end_step();

 private:
  BasicBatch<S>& batch_;
  const BatchSteps& call_;
  BatchHand<S>& hand_;
  const int index_;  // in the call
  int step_ = 0;
};

}  // namespace torsor
