#include "torsor/bridge/newton/distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "torsor/model/formulation.hpp"

namespace torsor::newton {
namespace {

// The compliance, times J M^-1 J', below which a spring is too stiff for a step: that of SAP's near-rigid limits.
constexpr double kNearRigid = 0.01 / (4 * std::numbers::pi * std::numbers::pi);

// That of the tendon in the reference pose, or of the bodies where the anchors coincide there.
double weight_of(const torsor::Model& engine, int tendon) {
  if (engine.tendon_invweight0[tendon] > 1e-10) return engine.tendon_invweight0[tendon];
  double weight = 0;
  for (int w = engine.tendon_adr[tendon]; w < engine.tendon_adr[tendon] + engine.tendon_num[tendon]; ++w)
    weight += engine.body_invweight0[2 * engine.site_bodyid[engine.wrap_objid[w]]];
  return weight;
}

bool is_sap(const torsor::Model& engine) { return engine.opt.solver == static_cast<int>(SolverType::kSap); }

}  // namespace

Distances::Distances(const ModelBuilder& builder, const torsor::Model& engine) {
  for (int j = 0; j < builder.joint_count(); ++j) {
    if (builder.joint_type[j] != JointKind::kDistance) continue;
    const int tendon = engine.find(ObjectType::kTendon, fmt::format("distance{}", j));
    if (tendon < 0) continue;  // it has no bounds
    const double* range = engine.tendon_range.row(tendon, 2);
    distances_.push_back({tendon, builder.joint_q_start[j], range[0], range[1], weight_of(engine, tendon)});
  }
}

void Distances::prepare(const double* joint_q, double dt, torsor::Model& engine) const {
  for (const Distance& distance : distances_) {
    if (!(engine.tendon_sapstiffness[distance.tendon] > 0)) {
      set_range(distance, norm(load3(joint_q + distance.q)), dt, engine);
    } else if (!is_sap(engine)) {
      set_spring(distance, dt, engine);
    }
  }
}

// A row with an excess e asks for the speed e / (2 dt) under SAP. With the time constant 2 dt of the other solvers the
// speed tends to e / (4 dt).
void Distances::set_range(const Distance& distance, double length, double dt, torsor::Model& engine) {
  const double excess = kRecoverySpeed * (is_sap(engine) ? 2 : 4) * dt;
  double* range = engine.tendon_range.row(distance.tendon, 2);
  range[0] = std::min(distance.lower, length + excess);
  range[1] = std::max(distance.upper, length - excess);
}

// With the excess e, its rate v and its acceleration a, the force at the end of the step is
//   f = -ke (e + dt v') - kd v' with v' = v + dt a, or f = (aref - a) / R with
//   R = 1 / (dt (dt ke + kd)), aref = -v / dt - e / (dt (dt + kd / ke)).
// The engine has R = (1 - d) / d A with the impedance d and the tendon's inverse weight A and, where the numbers of
// solref are negative, aref = solref[1] / d v + solref[0] / d e. With d = 1/2, A is R. With the option diagexact the
// engine computes A itself, so that d has to follow an estimate of it.
void Distances::set_spring(const Distance& distance, double dt, torsor::Model& engine) {
  const int t = distance.tendon;
  const double ke = engine.tendon_sapstiffness[t], tau = engine.tendon_sapdissipation[t];
  const double R = std::max(1 / (dt * ke * (dt + tau)), kNearRigid * distance.weight);
  const double A = engine.opt.enabled(kEnableDiagExact) ? distance.weight : R, d = A / (A + R);
  double* solref = engine.tendon_solref_lim.row(t, 2);
  double* solimp = engine.tendon_solimp_lim.row(t, 5);
  engine.tendon_invweight0[t] = A;
  solimp[0] = solimp[1] = d;
  solref[0] = -d / (dt * (dt + tau));
  solref[1] = -d / dt;
}

}  // namespace torsor::newton
