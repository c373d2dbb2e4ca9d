// Mixing of contact parameters.
#include "torsor/contact/parameters.hpp"

#include <algorithm>

namespace torsor {
namespace {

// A friction cone must not close entirely: its edges would coincide.
constexpr double kLeastFriction = 1e-5;

// How much of the first geom's parameters goes in.
double first_weight(double solmix1, double solmix2) {
  const bool has1 = solmix1 >= kMinValue, has2 = solmix2 >= kMinValue;
  if (has1 && has2) return solmix1 / (solmix1 + solmix2);
  return has1 == has2 ? 0.5 : has1 ? 1.0 : 0.0;
}

void copy_friction(const double* friction, Contact& contact) {
  const double three[3] = {std::max(friction[0], kLeastFriction), std::max(friction[1], kLeastFriction),
                           std::max(friction[2], kLeastFriction)};
  contact.friction[0] = contact.friction[1] = three[0];
  contact.friction[2] = three[1];
  contact.friction[3] = contact.friction[4] = three[2];
}

void copy_of_geom(const Model& model, int geom, Contact& contact) {
  contact.dim = model.geom_condim[geom];
  contact.adhesion = model.geom_adhesion[geom];
  copy_friction(model.geom_friction.row(geom, 3), contact);
  std::copy_n(model.geom_solref.row(geom, 2), 2, contact.solref);
  std::copy_n(model.geom_solimp.row(geom, 5), 5, contact.solimp);
}

// One set of numbers for all contacts, whatever their geoms say; a means to find good ones by continuation.
void override_parameters(const Model& model, Contact& contact) {
  if (!model.opt.enabled(kEnableOverride)) return;
  for (int i = 0; i < 5; ++i) contact.friction[i] = std::max(model.opt.o_friction[i], kLeastFriction);
  std::copy_n(model.opt.o_solref, 2, contact.solref);
  std::copy_n(model.opt.o_solref, 2, contact.solreffriction);
  std::copy_n(model.opt.o_solimp, 5, contact.solimp);
}

// A value of a geom, or the option's where it has none. A surface without stiffness is none.
double stiffness_or(double value, double standard) { return value > 0 ? value : standard; }
double dissipation_or(double value, double standard) { return value >= 0 ? value : standard; }

// Surfaces in series: compliances and dissipation times add. What a pair gives for itself wins. The contact point lies
// nearer to the stiffer surface.
void mix_compliance(const Model& model, int pair, Contact& contact) {
  double k[2], tau[2];
  for (int i = 0; i < 2; ++i) {
    k[i] = stiffness_or(model.geom_sapstiffness[contact.geom[i]], model.opt.sap_stiffness);
    tau[i] = dissipation_or(model.geom_sapdissipation[contact.geom[i]], model.opt.sap_dissipation);
  }
  const double sum = k[0] + k[1];
  contact.stiffness = k[0] * k[1] / sum;
  contact.dissipation = tau[0] + tau[1];
  if (pair >= 0) {
    contact.stiffness = stiffness_or(model.pair_sapstiffness[pair], contact.stiffness);
    contact.dissipation = dissipation_or(model.pair_sapdissipation[pair], contact.dissipation);
  }
  const double shift = contact.dist * (k[1] - k[0]) / (2 * sum);
  for (int i = 0; i < 3; ++i) contact.pos[i] += shift * contact.frame[i];
}

double mix_friction(const Model& model, double mu1, double mu2) {
  if (model.opt.frictionmix == static_cast<int>(FrictionMix::kMjcf)) return std::max(mu1, mu2);
  return mu1 + mu2 > 0 ? 2 * mu1 * mu2 / (mu1 + mu2) : 0;
}

void mix_equals(const Model& model, int geom1, int geom2, Contact& contact) {
  contact.dim = std::max(model.geom_condim[geom1], model.geom_condim[geom2]);
  contact.adhesion = model.geom_adhesion[geom1] + model.geom_adhesion[geom2];
  const double *mu1 = model.geom_friction.row(geom1, 3), *mu2 = model.geom_friction.row(geom2, 3);
  const double friction[3] = {mix_friction(model, mu1[0], mu2[0]), mix_friction(model, mu1[1], mu2[1]),
                              mix_friction(model, mu1[2], mu2[2])};
  copy_friction(friction, contact);

  // A time constant and a damping ratio can be averaged; stiffness and damping, given as negative numbers, cannot: the
  // stiffer wins.
  const double weight = first_weight(model.geom_solmix[geom1], model.geom_solmix[geom2]);
  const double *ref1 = model.geom_solref.row(geom1, 2), *ref2 = model.geom_solref.row(geom2, 2);
  const bool average = ref1[0] > 0 && ref2[0] > 0;
  for (int i = 0; i < 2; ++i)
    contact.solref[i] = average ? weight * ref1[i] + (1 - weight) * ref2[i] : std::min(ref1[i], ref2[i]);
  const double *imp1 = model.geom_solimp.row(geom1, 5), *imp2 = model.geom_solimp.row(geom2, 5);
  for (int i = 0; i < 5; ++i) contact.solimp[i] = weight * imp1[i] + (1 - weight) * imp2[i];
}

}  // namespace

ContactRange contact_range(const Model& model, int geom1, int geom2) {
  const double gap = model.geom_gap[geom1] + model.geom_gap[geom2];
  const double margin =
      model.opt.enabled(kEnableOverride) ? model.opt.o_margin : model.geom_margin[geom1] + model.geom_margin[geom2];
  return {margin, margin + gap};
}

ContactRange contact_range_of_pair(const Model& model, int pair) {
  const double margin = model.opt.enabled(kEnableOverride) ? model.opt.o_margin : model.pair_margin[pair];
  return {margin, margin + model.pair_gap[pair]};
}

void mix_parameters(const Model& model, int geom1, int geom2, Contact& contact) {
  const int priority1 = model.geom_priority[geom1], priority2 = model.geom_priority[geom2];
  if (priority1 == priority2) {
    mix_equals(model, geom1, geom2, contact);
  } else {
    copy_of_geom(model, priority1 > priority2 ? geom1 : geom2, contact);
  }
  contact.solreffriction[0] = contact.solreffriction[1] = 0;
  override_parameters(model, contact);
}

void copy_parameters_of_pair(const Model& model, int pair, Contact& contact) {
  contact.dim = model.pair_dim[pair];
  contact.adhesion = model.pair_adhesion[pair];
  for (int i = 0; i < 5; ++i) contact.friction[i] = std::max(model.pair_friction[5 * pair + i], kLeastFriction);
  std::copy_n(model.pair_solref.row(pair, 2), 2, contact.solref);
  std::copy_n(model.pair_solreffriction.row(pair, 2), 2, contact.solreffriction);
  std::copy_n(model.pair_solimp.row(pair, 5), 5, contact.solimp);
  override_parameters(model, contact);
}

void set_compliance(const Model& model, int pair, Contact& contact) {
  if (model.opt.solver == static_cast<int>(SolverType::kSap)) mix_compliance(model, pair, contact);
}

}  // namespace torsor
