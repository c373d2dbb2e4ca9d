// Simulations of one model that each are a row of numbers, their state: the implementation of torsor.mujoco.batch.
// A call loads a row into a Data, runs, and saves it back, so that results are those of a loop over single MjData.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../arrays.hpp"
#include "../gate.hpp"
#include "torsor/batch/world_values.hpp"
#include "torsor/core/thread_pool.hpp"
#include "torsor/model/data.hpp"

namespace torsor::python::mj {

// A field of Data that is copied out after every call: numbers of `bytes` per simulation.
struct BatchOutput {
  std::string name;
  size_t bytes;
  std::function<const void*(Data&)> numbers;
  std::vector<std::byte> values;  // simulation after simulation
};

// A field of whole numbers that say how a model is connected: rows of simulations, which must stay those of the model.
struct SharedField {
  std::string name;
  const int* model;
  Shape shape;  // of one simulation
  size_t count;
  std::vector<int> values;  // simulation after simulation
};

class MjBatch {
 public:
  MjBatch(const Model& model, int nsim, int threads, bool persistent);

  // Runs `work` for simulations with their states, on all threads; those in which it throws keep their state, and
  // status and error say so.
  using Work = std::function<void(const Model& model, Data& data, int place, int sim)>;
  enum class Effect {
    kNewState,  // saves state, warnings and outputs
    kQuery,     // saves nothing
  };
  void run(const int* ids, int count, const Work& work, Effect effect = Effect::kNewState);
  void set_const(const int* ids, int count);

  // Model and state of one simulation as a call sees them.
  Model make_model(int sim) const;
  void get_data(int sim, Data& data) const;

  // The same output each time; null for a name that is not a field.
  BatchOutput* bind(const std::string& name);

  // Null for a name that is not such a field.
  SharedField* share(const std::string& name);
  SharedField* find_shared(const std::string& name);

  std::shared_ptr<Model> model;  // a copy
  const int nsim, nthread;
  const bool is_persistent;
  const int nstate;
  std::vector<double> state;
  std::vector<int> warnings;  // nsim x kinds x (lastinfo, number)
  std::vector<int> status;    // of the last call, 0: all is well
  std::vector<std::string> errors;
  WorldValues values;
  std::vector<std::shared_ptr<Model>> own_models;  // one per simulation, in place of `model`; none: empty
  std::function<void(const Model&, Data&)> control, passive;
  mutable Gate gate;

  double* row(int sim) { return state.data() + static_cast<size_t>(sim) * static_cast<size_t>(nstate); }
  const double* row(int sim) const { return const_cast<MjBatch*>(this)->row(sim); }

 private:
  struct Seat {  // where one simulation runs
    std::unique_ptr<Data> data;
    std::vector<double> saved;  // its row at the end of the last call, of a persistent batch
    uint64_t noise_step = 0;
  };
  void run_one(int place, int sim, int thread, const Work& work, Effect effect);
  const Model& model_of(int sim, int thread);
  void load(const Model& model, int sim, Data& data);
  void save(const Model& model, int sim, Data& data);
  void check_shared(int sim) const;

  std::vector<Seat> seats_;                    // one per thread, or per simulation
  std::vector<std::unique_ptr<Model>> views_;  // models with values of a simulation, one per thread
  std::vector<uint64_t> noise_steps_;          // of simulations
  std::deque<BatchOutput> outputs_;
  std::deque<SharedField> shared_;
  ThreadPool pool_;
};

// The names that bind() knows besides the arrays of Data.
const std::vector<std::string>& batch_counts();

}  // namespace torsor::python::mj
