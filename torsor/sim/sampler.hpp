// Samples a function of state and input around the current ones; differences.cpp turns the samples into derivatives.
#pragma once

#include <functional>
#include <vector>

#include "torsor/model/data.hpp"
#include "torsor/sim/centre_solver.hpp"
#include "torsor/sim/differences.hpp"

namespace torsor {

// The inputs that can be moved. Positions move in their tangent space.
enum class Moved { kCtrl, kAct, kQfrcApplied, kQacc, kQvel, kQpos };

// The function that is sampled.
struct Probe {
  int outputs;  // numbers that `read` writes; a column has no more
  std::function<void(const Model&, Data&, CentreSolver&, SkipStage)> compute;
  std::function<void(const Data&, double*)> read;
  // (after - before) / h as the numbers of a column
  std::function<void(const double* before, const double* after, double h, double* column)> subtract;
  bool solves = true;  // whether it depends on the constraint solver, which starts from the centre's solution
};

// Restores a Data when it goes out of scope.
class KeptData {
 public:
  explicit KeptData(Data& data) : data_(data), copy_(data), has_damped_factor_(data.has_damped_factor) {}
  ~KeptData() {
    data_ = copy_;
    data_.has_damped_factor = has_damped_factor_;
  }
  KeptData(const KeptData&) = delete;
  KeptData& operator=(const KeptData&) = delete;
  const Data& data() const { return copy_; }

 private:
  Data& data_;
  const Data copy_;
  const bool has_damped_factor_;
};

// Works in the given Data, because callbacks may refer to it, and restores it.
class Sampler {
 public:
  // Computes the centre: twice if it is solved for, so that it too starts from its own solution.
  Sampler(const Model& model, Data& data, const DifferenceOptions& options, Probe probe);
  // Calls f(index, column) for every number of an input. Inputs must be sampled in the order of Moved, so that skipped
  // stages still hold the centre's results.
  void for_each_column(Moved moved, const std::function<void(int, const double*)>& f);

  const Model& model() const { return model_; }  // with the options that samples are computed with

 private:
  const Field<double>& field(Moved moved) const;
  bool may_move(Moved moved, int index, double by) const;
  SkipStage skip_of(Moved moved) const;
  void compute_centre(const Model& model);
  void keep_state();
  void restore();
  double move(Moved moved, int index, double by);
  double sample(Moved moved, int index, double by, std::vector<double>& result);
  bool compute_column(Moved moved, int index);

  const Model model_;
  Data& data_;
  const KeptData kept_;
  const DifferenceOptions options_;
  const Probe probe_;
  const bool reuse_;
  const int signature_;        // of what a sample may change
  std::vector<double> state_;  // that part of the state, at the centre
  std::vector<double> qacc_;   // as it was given
  uint64_t noise_step_;
  CentreSolver solver_;
  std::vector<double> displacement_, solution_, centre_, plus_, minus_, column_;
};

}  // namespace torsor
