// What one thread of a batch works with: the block of the pack that it steps, and a Data for worlds that are stepped or
// asked one by one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "torsor/batch/pack_step.hpp"
#include "torsor/batch/worker.hpp"
#include "torsor/batch/world_values.hpp"
#include "torsor/core/buffer.hpp"

namespace torsor {

template <class S>
struct BatchHand {
  BatchHand(const Model& model, const LaneKernels<S>& kernels, const ConstraintKernels<S>& constraints)
      : worker(model, kernels, constraints),
        block(sizeof(S) * kernels.block_numbers(model)),
        ids(static_cast<size_t>(kernels.lanes)),
        places(ids.size()),
        seeds(ids.size()),
        noise_steps(ids.size()),
        eq_active(std::make_unique<bool[]>(ids.size() * static_cast<size_t>(model.neq) + 1)) {}

  // Makes the Data, unless it is there.
  void ensure_data(const Model& model) {
    if (data) return;
    data.emplace(model);
    data->awake.is_shared = true;
    data->ensure_smooth_scratch();
    numbers.push_back(&data->time);
    data->for_each_field([this](const FieldInfo&, Field<double>& field) { numbers.push_back(field.data()); });
  }
  // Lanes see the models of their worlds.
  void use_values(const Model& model, const WorldValues& values) {
    if (values.empty()) return worker.use_lane_models(nullptr);
    lane_views.resize(ids.size());
    lane_models.resize(ids.size());
    for (size_t lane = 0; lane < ids.size(); ++lane) {
      lane_models[lane] = &model;
      if (lane >= static_cast<size_t>(count)) continue;
      lane_views[lane].emplace(values.make_view());
      values.point_at(ids[lane], *lane_views[lane]);
      lane_models[lane] = &*lane_views[lane];
    }
    worker.use_lane_models(lane_models.data());
  }
  S* block_numbers() const { return reinterpret_cast<S*>(block.data()); }
  PackOfWorlds<S> pack(PackObserver* observer = nullptr) {
    return {block_numbers(), ids.data(), count, seeds.data(), noise_steps.data(), eq_active.get(), observer};
  }

  bool is_callers = false;  // the thread is that of the caller
  BatchWorker<S> worker;
  Buffer block;
  std::vector<int> ids;  // of the worlds in the block, `count` of them
  int count = 0;
  std::vector<int> places;  // of these worlds in the call
  std::vector<uint64_t> seeds, noise_steps;
  std::unique_ptr<bool[]> eq_active;  // lane after lane

  std::vector<std::optional<Model>> lane_views;  // of the models of the worlds in the block
  std::vector<const Model*> lane_models;

  std::optional<Data> data;
  std::vector<double*> numbers;  // of the data, by field
  std::optional<Model> view;     // of the model of a world
};

}  // namespace torsor
