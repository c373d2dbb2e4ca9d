// Forward dynamics near a state whose solution is known, for the samples of finite differences.
#pragma once

#include <vector>

#include "torsor/model/data.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor {

// As long as positions do not change, neither do M, J and D, nor the Hessian of the constraint problem in each zone of
// the rows' costs. Newton's method with the inverse of the centre's Hessian then solves a sample in one iteration, or
// in a few where cones are curved. If a row changes its zone, the regular solver runs.
class CentreSolver {
 public:
  // After forward() at the centre, whose solution is data.qacc.
  void prepare(const Model& model, Data& data);
  // forward_skip() for a state with the centre's positions.
  void forward(const Model& model, Data& data, SkipStage skip, bool skip_sensors);

 private:
  void add_rows(const Data& data);
  bool invert();
  bool has_zones_of_centre(const Data& data) const;
  bool solve(const Model& model, Data& data);
  double compute_gradient(const Data& data);

  bool ready_ = false;
  int n_ = 0;                        // dofs
  std::vector<double> H_, inverse_;  // n x n
  std::vector<double> centre_a_, centre_Ma_, centre_Ja_;
  std::vector<int> centre_zones_;
  std::vector<solver::Cone> cones_;
  std::vector<double> Ma_, x_, g_, p_, Mp_, Jp_;  // scratch
};

}  // namespace torsor
