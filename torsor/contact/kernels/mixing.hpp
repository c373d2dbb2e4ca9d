// The parameters of a contact, for one world and for kernels that make rows from the values of theirs: those of a
// predefined pair, or those of two geoms, mixed.
#pragma once

#include <limits>

#include "torsor/contact/parameters.hpp"

namespace torsor {
namespace mixing {

// A friction cone must not close entirely, or its edges would coincide.
inline constexpr double kLeastFriction = 1e-5;
TORSOR_HD inline double open_cone(double friction) { return friction < kLeastFriction ? kLeastFriction : friction; }

TORSOR_HD inline void copy_numbers(const double* from, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] = from[i];
}

// The weight of the first geom's parameters in the mix.
TORSOR_HD inline double first_weight(double solmix1, double solmix2) {
  const bool has1 = solmix1 >= kMinValue, has2 = solmix2 >= kMinValue;
  if (has1 && has2) return solmix1 / (solmix1 + solmix2);
  return has1 == has2 ? 0.5 : has1 ? 1.0 : 0.0;
}

TORSOR_HD inline void copy_friction(const double* friction, Contact& contact) {
  contact.friction[0] = contact.friction[1] = open_cone(friction[0]);
  contact.friction[2] = open_cone(friction[1]);
  contact.friction[3] = contact.friction[4] = open_cone(friction[2]);
}

TORSOR_HD inline void copy_of_geom(const ModelView& model, int geom, Contact& contact) {
  contact.dim = model.geom_condim[geom];
  contact.adhesion = model.geom_adhesion[geom];
  copy_friction(model.geom_friction.row(geom, 3), contact);
  copy_numbers(model.geom_solref.row(geom, 2), 2, contact.solref);
  copy_numbers(model.geom_solimp.row(geom, 5), 5, contact.solimp);
}

// The flag `override`: one set of parameters for all contacts, in place of those of the geoms.
TORSOR_HD inline void override_parameters(const ModelView& model, Contact& contact) {
  if (!model.opt.enabled(kEnableOverride)) return;
  for (int i = 0; i < 5; ++i) contact.friction[i] = open_cone(model.opt.o_friction[i]);
  copy_numbers(model.opt.o_solref, 2, contact.solref);
  copy_numbers(model.opt.o_solref, 2, contact.solreffriction);
  copy_numbers(model.opt.o_solimp, 5, contact.solimp);
}

TORSOR_HD inline double mix_friction(const ModelView& model, double mu1, double mu2) {
  if (model.opt.frictionmix == static_cast<int>(FrictionMix::kMjcf)) return mu1 > mu2 ? mu1 : mu2;
  return mu1 + mu2 > 0 ? 2 * mu1 * mu2 / (mu1 + mu2) : 0;
}

TORSOR_HD inline void mix_equals(const ModelView& model, int geom1, int geom2, Contact& contact) {
  const int dim1 = model.geom_condim[geom1], dim2 = model.geom_condim[geom2];
  contact.dim = dim1 < dim2 ? dim2 : dim1;
  contact.adhesion = model.geom_adhesion[geom1] + model.geom_adhesion[geom2];
  const double *mu1 = model.geom_friction.row(geom1, 3), *mu2 = model.geom_friction.row(geom2, 3);
  const double friction[3] = {mix_friction(model, mu1[0], mu2[0]), mix_friction(model, mu1[1], mu2[1]),
                              mix_friction(model, mu1[2], mu2[2])};
  copy_friction(friction, contact);

  // Time constants and damping ratios are averaged; of stiffness and damping, given as negative numbers, the stiffer is
  // taken.
  const double weight = first_weight(model.geom_solmix[geom1], model.geom_solmix[geom2]);
  const double *ref1 = model.geom_solref.row(geom1, 2), *ref2 = model.geom_solref.row(geom2, 2);
  const bool average = ref1[0] > 0 && ref2[0] > 0;
  for (int i = 0; i < 2; ++i)
    contact.solref[i] = average ? weight * ref1[i] + (1 - weight) * ref2[i] : ref2[i] < ref1[i] ? ref2[i] : ref1[i];
  const double *imp1 = model.geom_solimp.row(geom1, 5), *imp2 = model.geom_solimp.row(geom2, 5);
  for (int i = 0; i < 5; ++i) contact.solimp[i] = weight * imp1[i] + (1 - weight) * imp2[i];
}

TORSOR_HD inline void mix_geoms(const ModelView& model, int geom1, int geom2, Contact& contact) {
  const int priority1 = model.geom_priority[geom1], priority2 = model.geom_priority[geom2];
  if (priority1 == priority2) {
    mix_equals(model, geom1, geom2, contact);
  } else {
    copy_of_geom(model, priority1 > priority2 ? geom1 : geom2, contact);
  }
  contact.solreffriction[0] = contact.solreffriction[1] = 0;
  override_parameters(model, contact);
}

TORSOR_HD inline void copy_of_pair(const ModelView& model, int pair, Contact& contact) {
  contact.dim = model.pair_dim[pair];
  contact.adhesion = model.pair_adhesion[pair];
  for (int i = 0; i < 5; ++i) contact.friction[i] = open_cone(model.pair_friction[5 * pair + i]);
  copy_numbers(model.pair_solref.row(pair, 2), 2, contact.solref);
  copy_numbers(model.pair_solreffriction.row(pair, 2), 2, contact.solreffriction);
  copy_numbers(model.pair_solimp.row(pair, 5), 5, contact.solimp);
  override_parameters(model, contact);
}

// A NaN margin must not make contacts disappear in silence: the contacts stay, and their forces are then NaN.
TORSOR_HD inline double detection(double margin, double gap) {
  const double sum = margin + gap;
  return sum == sum ? sum : std::numeric_limits<double>::infinity();
}

}  // namespace mixing

// What contact_range() returns.
TORSOR_HD inline ContactRange mixed_range(const ModelView& model, const ContactPair& pair) {
  const int geom1 = pair.geom1, geom2 = pair.geom2, predefined = pair.predefined;
  const bool is_predefined = predefined >= 0;
  const double gap = is_predefined ? model.pair_gap[predefined] : model.geom_gap[geom1] + model.geom_gap[geom2];
  if (model.opt.enabled(kEnableOverride)) return {model.opt.o_margin, mixing::detection(model.opt.o_margin, gap)};
  const double margin =
      is_predefined ? model.pair_margin[predefined] : model.geom_margin[geom1] + model.geom_margin[geom2];
  return {margin, mixing::detection(margin, gap)};
}

// The geoms, and all parameters but those of SAP.
TORSOR_HD inline void mix_contact(const ModelView& model, const ContactPair& pair, Contact& contact) {
  contact.geom[0] = pair.geom1, contact.geom[1] = pair.geom2;
  contact.pair = pair.predefined;
  if (pair.predefined >= 0)
    mixing::copy_of_pair(model, pair.predefined, contact);
  else
    mixing::mix_geoms(model, pair.geom1, pair.geom2, contact);
}

}  // namespace torsor
