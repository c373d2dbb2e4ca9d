// Steps and forward dynamics of a batch: pack by pack in lanes, or world by world where worlds have their own values.
#include <algorithm>

#include "torsor/batch/batch.hpp"
#include "torsor/batch/batch_series.hpp"
#include "torsor/core/error.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

// --- packs ----------------------------------------------------------------------------------------------------------

// A thread that has one pack only keeps directions along which hulls are apart from call to call: worlds had better
// stay in their lanes.
template <class S>
bool BasicBatch<S>::sorts_worlds(const BatchCall& call) const {
  const bool has_more_packs = count_of(call) > lanes() * static_cast<int>(hands_.size());
  return program_->writes_pack_rows() && (!row_plan_->has_hulls || has_more_packs);
}

// A pack solves as many contacts as the world with most of them has, so worlds with similar contacts in their last call
// go together. No bit of a world depends on its neighbours.
template <class S>
void BasicBatch<S>::sort_worlds(const BatchCall& call) {
  int places[257] = {};  // counts, then the first place of each count from the largest on
  const int count = count_of(call);
  const auto key = [&](int i) { return 255 - contacts_[static_cast<size_t>(world_of(call, i))]; };
  for (int i = 0; i < count; ++i) ++places[key(i) + 1];
  for (int k = 0; k < 256; ++k) places[k + 1] += places[k];
  for (int i = 0; i < count; ++i) order_[static_cast<size_t>(places[key(i)]++)] = i;
}

// `order`: places in the call of the worlds, one after the other; null: in their order.
template <class S>
void BasicBatch<S>::load_pack(const BatchCall& call, int pack, const int* order, BatchHand<S>& hand) const {
  const size_t neq = static_cast<size_t>(model_.neq), width = static_cast<size_t>(lanes());
  const int first = pack * lanes();
  hand.count = std::min(lanes(), count_of(call) - first);
  for (size_t lane = 0; lane < width; ++lane) {
    const bool is_world = lane < static_cast<size_t>(hand.count);
    const int turn = first + static_cast<int>(lane), place = is_world && order ? order[turn] : turn;
    const int world = is_world ? world_of(call, place) : -1;
    hand.places[lane] = place;
    hand.ids[lane] = world;
    hand.seeds[lane] = is_world ? seeds_[static_cast<size_t>(world)] : 0;
    hand.noise_steps[lane] = is_world ? noise_steps_[static_cast<size_t>(world)] : 0;
    for (size_t i = 0; i < neq; ++i)
      hand.eq_active[lane * neq + i] = is_world ? eq_active_[static_cast<size_t>(world) * neq + i] != 0
                                                : model_.eq_active0[static_cast<ptrdiff_t>(i)];
  }
  arrays_.gather(hand.ids.data(), hand.count, lanes(), reference_numbers_.data(), hand.block_numbers());
  hand.use_values(model_, values_);
}

template <class S>
void BasicBatch<S>::store_pack(BatchHand<S>& hand, bool with_input) {
  arrays_.scatter(hand.ids.data(), hand.count, lanes(), hand.block_numbers(), with_input);
  const size_t neq = static_cast<size_t>(model_.neq);
  for (size_t lane = 0; lane < static_cast<size_t>(hand.count); ++lane) {
    const size_t world = static_cast<size_t>(hand.ids[lane]);
    noise_steps_[world] = hand.noise_steps[lane];
    for (size_t i = 0; with_input && i < neq; ++i) eq_active_[world * neq + i] = hand.eq_active[lane * neq + i];
  }
}

// Whole steps in kernels, which know no observer: one by one where somebody looks in between.
template <class S>
void BasicBatch<S>::step_smooth_pack(const BatchSteps& call, BatchHand<S>& hand, PackSeries<S>& series) {
  const bool is_watched = call.ncontrols > 0 || call.nrecords > 0 || call.stop || call.done || call.taken ||
                          call.ask_each_step || model_.opt.disabled(kDisableAutoReset);
  const int group = is_watched ? 1 : call.steps;
  for (int k = 0; k < call.steps; k += group) {
    if (!series.begin_step(k)) break;
    LaneResets resets;
    if (!model_.opt.disabled(kDisableAutoReset)) resets.reference = reference_numbers_.data();
    resets.weight = force_weights_.data();
    kernels_->step(model_, hand.worker.workspace(), hand.block_numbers(), group, resets);
    for (int lane = 0; lane < hand.count; ++lane) {
      uint64_t& noise_step = hand.noise_steps[static_cast<size_t>(lane)];
      const int count = resets.count[lane];
      noise_step =
          count > 0 ? static_cast<uint64_t>(group - resets.last[lane]) : noise_step + static_cast<uint64_t>(group);
      resets_ += count;
      if (count > 0) series.take_last_reset(lane, resets.last[lane]);
    }
    series.end_steps(group);
  }
}

template <class S>
void BasicBatch<S>::step_pack(const BatchSteps& call, int pack, BatchHand<S>& hand, const PackStep<S>* pack_step) {
  load_pack(call, pack, sorts_worlds(call) ? order_.data() : nullptr, hand);
  PackSeries<S> series(*this, call, hand);
  hand.worker.count_from_here();
  if (pack_step) {
    hand.worker.use_row_plan(row_plan_.get(), *program_);
    PackOfWorlds<S> worlds = hand.pack(&series);
    pack_step->run(hand.worker, worlds, call.steps);
    resets_ += worlds.resets;
  } else {
    step_smooth_pack(call, hand, series);
  }
  store_pack(hand, call.ncontrols > 0 || series.has_resets());
  for (int lane = 0; lane < hand.count; ++lane) {
    const auto world = static_cast<size_t>(hand.ids[static_cast<size_t>(lane)]);
    steps_taken_[world] += series.steps_of(lane);
    contacts_[world] = static_cast<uint8_t>(std::min(hand.worker.contacts_of(lane), 255));
  }
}

// Which thread meets which pack changes from call to call: all get the memory that any of them has needed.
template <class S>
void BasicBatch<S>::share_room() {
  if (hands_.size() < 2) return;
  typename BatchWorker<S>::Room room;
  for (const std::unique_ptr<BatchHand<S>>& hand : hands_) hand->worker.include_in(room);
  for (const std::unique_ptr<BatchHand<S>>& hand : hands_) hand->worker.make_room(room);
}

template <class S>
bool BasicBatch<S>::step_packs(const BatchSteps& call) {
  MemoryFailure failure;
  const PackStep<S> pack_step(model_, *program_, reference_numbers_, failure);
  const bool is_smooth = can_step_smoothly(*program_, *features_) && program_results_.none() && values_.empty();
  const int packs = (count_of(call) + lanes() - 1) / lanes();
  ensure_hands(thread_count(packs, call.threads), false);
  for (const std::unique_ptr<BatchHand<S>>& hand : hands_)
    if (!is_smooth) hand->worker.prepare(model_, row_plan_.get(), *program_);
  if (sorts_worlds(call)) sort_worlds(call);
  const bool is_complete = pool_.run(
      packs, call.threads,
      [&](int pack, int thread) {
        step_pack(call, pack, *hands_[static_cast<size_t>(thread)], is_smooth ? nullptr : &pack_step);
      },
      call.should_stop);
  share_room();
  failure.require_none();
  return is_complete;
}

// --- world by world -------------------------------------------------------------------------------------------------

template <class S>
void BasicBatch<S>::load_world(int world, BatchHand<S>& hand) const {
  Data& data = *hand.data;
  for (int field = 0; field < arrays_.block_fields(); ++field)
    std::copy_n(arrays_.row(field, world), arrays_.fields().size(static_cast<size_t>(field)),
                hand.numbers[static_cast<size_t>(field)]);
  const S* switches = eq_active_.data() + static_cast<size_t>(world) * static_cast<size_t>(model_.neq);
  std::transform(switches, switches + model_.neq, data.eq_active.begin(), [](S x) { return x != 0; });
  data.noise_seed = seeds_[static_cast<size_t>(world)];
  data.noise_step = noise_steps_[static_cast<size_t>(world)];
}

template <class S>
void BasicBatch<S>::store_world(int world, const BatchHand<S>& hand) {
  for (int field = 0; field < arrays_.block_fields(); ++field)
    std::copy_n(hand.numbers[static_cast<size_t>(field)], arrays_.fields().size(static_cast<size_t>(field)),
                arrays_.row(field, world));
  const Data& data = *hand.data;
  std::copy(data.eq_active.begin(), data.eq_active.end(),
            eq_active_.data() + static_cast<size_t>(world) * static_cast<size_t>(model_.neq));
  noise_steps_[static_cast<size_t>(world)] = data.noise_step;
}

template <class S>
void BasicBatch<S>::take_results(const BatchHand<S>& hand, int world) {
  for (size_t field = 0; field < arrays_.fields().count(); ++field) {
    if (arrays_.kept_results().test(field))
      std::copy_n(hand.numbers[field], arrays_.fields().size(field), arrays_.row(static_cast<int>(field), world));
  }
}

template <class S>
void BasicBatch<S>::report_forces(const Model& model, Data& data) const {
  if (reports_forces_) compute_rne_post(model, data);
}

// Readings that nobody asked for are not computed, unless they go into the state: into its history.
template <class S>
const Model& BasicBatch<S>::model_of(const BatchSteps& call, int i, BatchHand<S>& hand, bool with_sensors) const {
  const Model& shared = call.models ? *call.models[i] : model_;
  const bool skips_sensors = !with_sensors && model_.nsensor > 0;
  if (!skips_sensors && values_.empty()) return shared;
  hand.view.emplace(shared.with_options(shared.opt));
  values_.point_at(world_of(call, i), *hand.view);
  if (skips_sensors) hand.view->opt.disableflags |= kDisableSensor;
  return *hand.view;
}

template <class S>
void BasicBatch<S>::step_world(const BatchSteps& call, int i, BatchHand<S>& hand, MemoryFailure& failure) {
  const int world = world_of(call, i);
  load_world(world, hand);
  const bool has_readings = (program_results_ & readings_).any() || features_->has_sensor_history;
  const Model& model = model_of(call, i, hand, has_readings);
  WorldSeries<S> series(*this, call, hand, i);
  hand.data->awake.is_shared = !call.may_sleep;
  if (call.may_sleep) {
    wake_all(model, *hand.data);
    hand.data->awake.starts = true;
  }
  int taken = 0;
  int64_t& steps = steps_taken_[static_cast<size_t>(world)];
  for (; taken < call.steps && series.begin_step(taken); ++taken) {
    const Status status = torsor::step(model, *hand.data);
    if (status == Status::kOutOfMemory) {
      failure.take(world, model, *hand.data);
      break;
    }
    resets_ += status == Status::kReset;
    if (call.nrecords > 0 || taken + 1 == call.steps) report_forces(model, *hand.data);
    if (status == Status::kReset || (status == Status::kDiverged && diverged_at_[static_cast<size_t>(world)] < 0))
      mark_diverged(world, steps + taken);
    series.end_step();
  }
  steps += taken;
  store_world(world, hand);
  if (taken > 0) take_results(hand, world);
}

template <class S>
bool BasicBatch<S>::step_worlds(const BatchSteps& call) {
  MemoryFailure failure;
  ensure_hands(thread_count(count_of(call), call.threads), true);
  const bool is_complete = pool_.run(
      count_of(call), call.threads,
      [&](int i, int thread) { step_world(call, i, *hands_[static_cast<size_t>(thread)], failure); }, call.should_stop);
  failure.require_none();
  return is_complete;
}

// --- calls ----------------------------------------------------------------------------------------------------------

template <class S>
bool BasicBatch<S>::step(const BatchSteps& call) {
  check_call(call);
  values_.check(call.worlds, count_of(call));
  FieldSet recorded;
  for (int i = 0; i < call.nrecords; ++i) {
    if (call.records[i].field < static_cast<int>(arrays_.fields().count()))
      recorded.set(static_cast<size_t>(call.records[i].field));
  }
  refresh(recorded & arrays_.fields().results());
  if (call.steps == 0) return true;
  return call.one_by_one || call.models || needs_one_by_one() ? step_worlds(call) : step_packs(call);
}

template <class S>
bool BasicBatch<S>::step(int steps, int threads, const std::function<bool()>& should_stop) {
  BatchSteps call;
  call.steps = steps;
  call.threads = threads;
  if (should_stop) call.should_stop = std::ref(should_stop);
  return step(call);
}

template <class S>
void BasicBatch<S>::forward(const BatchCall& given) {
  check_call(given);
  values_.check(given.worlds, count_of(given));
  refresh();
  BatchSteps call;
  static_cast<BatchCall&>(call) = given;
  MemoryFailure failure;
  const bool is_one_by_one = needs_one_by_one();
  const int pieces = is_one_by_one ? count_of(call) : (count_of(call) + lanes() - 1) / lanes();
  ensure_hands(thread_count(pieces, call.threads), is_one_by_one);
  pool_.run(pieces, call.threads, [&](int piece, int thread) {
    BatchHand<S>& hand = *hands_[static_cast<size_t>(thread)];
    if (is_one_by_one) {
      load_world(world_of(call, piece), hand);
      const Model& model = model_of(call, piece, hand, true);
      torsor::forward(model, *hand.data);
      report_forces(model, *hand.data);
      return take_results(hand, world_of(call, piece));
    }
    load_pack(call, piece, nullptr, hand);
    hand.worker.use_row_plan(row_plan_.get(), *program_);
    PackOfWorlds<S> worlds = hand.pack();
    PackStep<S>(model_, *program_, reference_numbers_, failure).forward(hand.worker, worlds);
    PackSeries<S>(*this, call, hand).take_results(0);
  });
  failure.require_none();
}

template <class S>
void BasicBatch<S>::forward(const std::string& field, double* values, int threads) {
  const int index = find_field(field);
  if (field == "eq_active") return get(field, values);
  values_.check(nullptr, nworld_);
  refresh();
  BatchSteps call;
  call.threads = threads;
  const size_t n = static_cast<size_t>(field_size(field));
  const BatchProgram program(model_, BatchPurpose::kRead, {}, value_stages_.value_or(ValueStages()));
  MemoryFailure failure;
  const bool is_one_by_one = needs_one_by_one();
  const int pieces = is_one_by_one ? nworld_ : (nworld_ + lanes() - 1) / lanes();
  ensure_hands(thread_count(pieces, threads), is_one_by_one);
  pool_.run(pieces, threads, [&](int piece, int thread) {
    BatchHand<S>& hand = *hands_[static_cast<size_t>(thread)];
    if (is_one_by_one) {
      load_world(piece, hand);
      torsor::forward(model_of(call, piece, hand, true), *hand.data);
      std::copy_n(hand.numbers[static_cast<size_t>(index)], n, values + static_cast<size_t>(piece) * n);
      return;
    }
    load_pack(call, piece, nullptr, hand);
    hand.worker.use_row_plan(row_plan_.get(), program);
    PackOfWorlds<S> worlds = hand.pack();
    PackStep<S>(model_, program, reference_numbers_, failure).forward(hand.worker, worlds);
    for (int lane = 0; lane < hand.count; ++lane)
      hand.worker.read(program, index, lane, values + static_cast<size_t>(hand.places[static_cast<size_t>(lane)]) * n);
  });
  failure.require_none();
}

#define TORSOR_INSTANTIATE(S)                                                \
  template bool BasicBatch<S>::step(const BatchSteps&);                      \
  template bool BasicBatch<S>::step(int, int, const std::function<bool()>&); \
  template void BasicBatch<S>::forward(const BatchCall&);                    \
  template void BasicBatch<S>::forward(const std::string&, double*, int);    \
  template void BasicBatch<S>::load_world(int, BatchHand<S>&) const;         \
  template const Model& BasicBatch<S>::model_of(const BatchSteps&, int, BatchHand<S>&, bool) const;
TORSOR_INSTANTIATE(double)
TORSOR_INSTANTIATE(float)
#undef TORSOR_INSTANTIATE

}  // namespace torsor
