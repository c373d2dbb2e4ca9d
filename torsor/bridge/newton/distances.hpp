// The limits of distance joints, which depend on the length of the step: set in the engine's model before each step,
// with the same meaning for all solvers.
#pragma once

#include <vector>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/model/model.hpp"

namespace torsor::newton {

// A limit can pull but not brake: a body keeps whatever speed the limit gave it outside of the range. A stiff limit
// would close a gap of half a metre within two or three steps, which shoots the body through the range. So a stiff
// limit lets the joint return at no more than this speed.
inline constexpr double kRecoverySpeed = 1;  // m/s

class Distances {
 public:
  // `engine` is compiled from the builder.
  Distances(const ModelBuilder& builder, const torsor::Model& engine);

  // Sets the limits in the engine's model, for a step of `dt` from joint_q.
  // - Stiff limits (limit_ke is 0, or it and limit_kd have Newton's defaults): the range is extended to where a joint
  // that
  //   returns at kRecoverySpeed is after the step.
  // - Springs: the force is limit_ke * excess + limit_kd * its rate at the end of the step, at least 0. SolverSAP has
  // such
  //   rows; the rows of other solvers are given the parameters that amount to the same.
  void prepare(const double* joint_q, double dt, torsor::Model& engine) const;

 private:
  struct Distance {
    int tendon, q;  // its first coordinate: the position of one anchor in the other
    double lower, upper;
    double weight;  // an estimate of J M^-1 J'
  };
  static void set_spring(const Distance& distance, double dt, torsor::Model& engine);
  static void set_range(const Distance& distance, double length, double dt, torsor::Model& engine);
  std::vector<Distance> distances_;
};

}  // namespace torsor::newton
