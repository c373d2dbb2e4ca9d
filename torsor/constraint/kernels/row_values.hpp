// What rows take from the values of a model, for one world and for kernels that make rows from the values of theirs.
#pragma once

#include "torsor/constraint/impedance.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {

TORSOR_HD inline double bounded_impedance(double d) {
  return d < kMinImpedance ? kMinImpedance : kMaxImpedance < d ? kMaxImpedance : d;
}

// What row_reference() returns: time constant and damping ratio, or, negative, stiffness and damping directly. Where
// only one of the two is positive neither is meant, and the default holds, as in MuJoCo.
TORSOR_HD inline RowReference reference_of(const Option& option, const double given[2], const double solimp[5]) {
  const auto at_least = [](double least, double x) { return least < x ? x : least; };
  const double standard[2] = {0.02, 1};
  const double dmax = bounded_impedance(solimp[1]);
  const double* solref = (given[0] > 0) == (given[1] > 0) ? given : standard;
  if (!(solref[0] > 0)) return {-solref[0] / at_least(kMinValue, dmax * dmax), -solref[1] / at_least(kMinValue, dmax)};
  double timeconst = solref[0];
  if (!solves_in_metric(option) && !option.disabled(kDisableRefSafe) && timeconst < 2 * option.timestep)
    timeconst = 2 * option.timestep;
  return {1 / at_least(kMinValue, dmax * dmax * timeconst * timeconst * solref[1] * solref[1]),
          2 / at_least(kMinValue, dmax * timeconst)};
}

// What contact_weight() returns.
TORSOR_HD inline double weight_of_contact(const ModelView& model, const Contact& contact, bool pyramidal, int r) {
  const double* weight1 = model.body_invweight0.row(model.geom_bodyid[contact.geom[0]], 2);
  const double* weight2 = model.body_invweight0.row(model.geom_bodyid[contact.geom[1]], 2);
  const double translation = weight1[0] + weight2[0], rotation = weight1[1] + weight2[1];
  if (!pyramidal) return translation;
  const int tangent = r / 2;
  const double mu = contact.friction[tangent];
  return translation + mu * mu * (tangent < 2 ? translation : rotation);
}

// Whether a frictionloss makes a row. NaN does, so that it is noticed.
TORSOR_HD inline bool makes_friction_row(double loss) { return loss > 0 || !(loss >= -kMaxValue); }

}  // namespace torsor
