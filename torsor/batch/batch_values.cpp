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
  std::vector<int> worlds(static_cast<size_t>(count_of(call)));
  for (int i = 0; i < count_of(call); ++i) worlds[static_cast<size_t>(i)] = world_of(call, i);
  values_.set_const(worlds, thread_count(count_of(call), call.threads),
                    [&](int count, const auto& each) { pool_.run(count, call.threads, each); });
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
