// Contacts and the mixing of their parameters.
#include "torsor/contact/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/contact/frame.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

// A friction cone must not close entirely, or its edges would coincide.
constexpr double kLeastFriction = 1e-5;

// The weight of the first geom's parameters in the mix.
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

// The flag `override`: one set of parameters for all contacts, in place of those of the geoms.
void override_parameters(const Model& model, Contact& contact) {
  if (!model.opt.enabled(kEnableOverride)) return;
  for (int i = 0; i < 5; ++i) contact.friction[i] = std::max(model.opt.o_friction[i], kLeastFriction);
  std::copy_n(model.opt.o_solref, 2, contact.solref);
  std::copy_n(model.opt.o_solref, 2, contact.solreffriction);
  std::copy_n(model.opt.o_solimp, 5, contact.solimp);
}

// The value of a geom, or the option's if it has none. Stiffness 0 means "not specified".
double stiffness_or(double value, double standard) { return value > 0 ? value : standard; }
double dissipation_or(double value, double standard) { return value >= 0 ? value : standard; }

double stiffness_of_geom(const Model& model, int geom) {
  return stiffness_or(model.geom_sapstiffness[geom], model.opt.sap_stiffness);
}
double dissipation_of_geom(const Model& model, int geom) {
  return dissipation_or(model.geom_sapdissipation[geom], model.opt.sap_dissipation);
}

// SAP: stiffness and dissipation. The surfaces act in series, so compliances and dissipation times add. Values given by
// a predefined pair take precedence.
void mix_compliance(const Model& model, int pair, Contact& contact) {
  const double k0 = stiffness_of_geom(model, contact.geom[0]), k1 = stiffness_of_geom(model, contact.geom[1]);
  contact.stiffness = k0 * k1 / (k0 + k1);
  contact.dissipation = dissipation_of_geom(model, contact.geom[0]) + dissipation_of_geom(model, contact.geom[1]);
  if (pair >= 0) {
    contact.stiffness = stiffness_or(model.pair_sapstiffness[pair], contact.stiffness);
    contact.dissipation = dissipation_or(model.pair_sapdissipation[pair], contact.dissipation);
  }
}

// SAP: the contact point lies nearer to the stiffer surface.
void shift_to_stiffer(const Model& model, Contact& contact) {
  const double k0 = stiffness_of_geom(model, contact.geom[0]), k1 = stiffness_of_geom(model, contact.geom[1]);
  const double shift = contact.dist * (k1 - k0) / (2 * (k0 + k1));
  for (int i = 0; i < 3; ++i) contact.pos[i] += shift * contact.frame[i];
}

double mix_friction(const Model& model, double mu1, double mu2) {
  if (model.opt.frictionmix == static_cast<int>(FrictionMix::kMjcf)) return mu1 > mu2 ? mu1 : mu2;
  return mu1 + mu2 > 0 ? 2 * mu1 * mu2 / (mu1 + mu2) : 0;
}

void mix_equals(const Model& model, int geom1, int geom2, Contact& contact) {
  contact.dim = std::max(model.geom_condim[geom1], model.geom_condim[geom2]);
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
    contact.solref[i] = average ? weight * ref1[i] + (1 - weight) * ref2[i] : std::min(ref1[i], ref2[i]);
  const double *imp1 = model.geom_solimp.row(geom1, 5), *imp2 = model.geom_solimp.row(geom2, 5);
  for (int i = 0; i < 5; ++i) contact.solimp[i] = weight * imp1[i] + (1 - weight) * imp2[i];
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

// A NaN margin must not make contacts disappear in silence: the contacts stay, and their forces are then NaN.
double detection(double margin, double gap) {
  return std::isnan(margin + gap) ? std::numeric_limits<double>::infinity() : margin + gap;
}

}  // namespace

ContactRange contact_range(const Model& model, const ContactPair& pair) {
  const auto [geom1, geom2, predefined] = pair;
  const bool is_predefined = predefined >= 0;
  const double gap = is_predefined ? model.pair_gap[predefined] : model.geom_gap[geom1] + model.geom_gap[geom2];
  if (model.opt.enabled(kEnableOverride)) return {model.opt.o_margin, detection(model.opt.o_margin, gap)};
  const double margin =
      is_predefined ? model.pair_margin[predefined] : model.geom_margin[geom1] + model.geom_margin[geom2];
  return {margin, detection(margin, gap)};
}

ContactMaker::ContactMaker(const Model& model, const ContactPair& pair, const ContactRange& range) : model_(model) {
  contact_.includemargin = range.margin;
  contact_.geom[0] = pair.geom1, contact_.geom[1] = pair.geom2;
  contact_.pair = pair.predefined;
  if (pair.predefined >= 0) {
    copy_parameters_of_pair(model, pair.predefined, contact_);
  } else {
    mix_parameters(model, pair.geom1, pair.geom2, contact_);
  }
  if (formulation(model.opt).is_compliant) mix_compliance(model, pair.predefined, contact_);
  dim_ = contact_.dim;
}

const Contact& ContactMaker::at(const ContactPoint& point) {
  const auto same = [](const Vec3<double>& a, const Vec3<double>& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  contact_.dist = point.dist;
  store3(contact_.pos, point.pos_W);
  if (!same(point.normal_W, normal_W_) || !same(point.tangent_W, tangent_W_)) {
    store_frame(point, contact_.frame);
    normal_W_ = point.normal_W, tangent_W_ = point.tangent_W;
  }
  if (formulation(model_.opt).is_compliant) shift_to_stiffer(model_, contact_);
  const bool in_gap = point.dist >= contact_.includemargin;
  const bool is_glued = in_gap && contact_.adhesion != 0;  // glue pulls across the gap, without friction
  contact_.exclude = static_cast<int>(in_gap && !is_glued ? ContactExclude::kInGap : ContactExclude::kNone);
  contact_.dim = is_glued ? 1 : dim_;
  return contact_;
}

void fill_contact(const Model& model, const ContactPair& pair, const ContactRange& range, const ContactPoint& point,
                  Contact& contact) {
  contact = ContactMaker(model, pair, range).at(point);
}

double contact_share(const Model& model, const Contact& contact) {
  if (!formulation(model.opt).is_compliant) return 0.5;
  const double k0 = stiffness_of_geom(model, contact.geom[0]), k1 = stiffness_of_geom(model, contact.geom[1]);
  return k1 / (k0 + k1);
}

}  // namespace torsor
