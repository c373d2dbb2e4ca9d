// Values of the model per world, and questions that are asked world by world.
#include <algorithm>

#include "torsor/batch/batch.hpp"
#include "torsor/batch/batch_hand.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {

template <class S>
void BasicBatch<S>::set_const(const BatchCall& call) {
  check_call(call);
  const int count = count_of(call);
  values_.check(call.worlds, count);
  const int threads = thread_count(count, call.threads);
  const size_t bytes = values_.derived_bytes();
  require_machine_memory(static_cast<double>(bytes) * count, "set_const() of so many worlds");
  std::vector<int> worlds(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) worlds[static_cast<size_t>(i)] = world_of(call, i);
  std::vector<std::byte> derived(bytes * static_cast<size_t>(count));
  std::vector<Model> scratch(static_cast<size_t>(threads), model_);
  pool_.run(count, call.threads, [&](int i, int thread) {
    values_.recompute(worlds[static_cast<size_t>(i)], scratch[static_cast<size_t>(thread)],
                      derived.data() + bytes * static_cast<size_t>(i));
  });
  values_.keep_derived(worlds.data(), count, derived.data());
}

template <class S>
Model BasicBatch<S>::make_model(int world) const {
  check_call({&world, 1});
  return values_.make_model(world);
}

template <class S>
void BasicBatch<S>::query(const BatchCall& call, const Query& query) {
  check_call(call);
  values_.check(call.worlds, count_of(call));
  BatchSteps steps;
  steps.worlds = call.worlds;
  steps.count = call.count;
  ensure_hands(thread_count(count_of(call), call.threads), true);
  pool_.run(
      count_of(call), call.threads,
      [&](int i, int thread) {
        BatchHand<S>& hand = *hands_[static_cast<size_t>(thread)];
        load_world(world_of(call, i), hand);
        const Model& model = model_of(steps, i, hand, true);
        compute_kinematics(model, *hand.data);
        compute_com_position(model, *hand.data);
        query(model, *hand.data, i);
      },
      call.should_stop);
}

#define TORSOR_INSTANTIATE(S)                                \
  template void BasicBatch<S>::set_const(const BatchCall&);  \
  template Model BasicBatch<S>::make_model(int world) const; \
  template void BasicBatch<S>::query(const BatchCall&, const Query&);
TORSOR_INSTANTIATE(double)
TORSOR_INSTANTIATE(float)
#undef TORSOR_INSTANTIATE

}  // namespace torsor
