// Contacts and the mixing of their parameters.
#include "torsor/contact/parameters.hpp"

#include "torsor/contact/frame.hpp"
#include "torsor/contact/kernels/mixing.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

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

}  // namespace

ContactRange contact_range(const Model& model, const ContactPair& pair) { return mixed_range(model, pair); }

ContactMaker::ContactMaker(const Model& model, const ContactPair& pair, const ContactRange& range, Contact& first)
    : model_(model) {
  first.includemargin = range.margin;
  mix_contact(model, pair, first);
  if (formulation(model.opt).is_compliant) mix_compliance(model, pair.predefined, first);
  dim_ = first.dim;
}

void ContactMaker::place(const ContactPoint& point, Contact& contact) {
  const auto same = [](const Vec3<double>& a, const Vec3<double>& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  contact.dist = point.dist;
  store3(contact.pos, point.pos_W);
  if (!same(point.normal_W, normal_W_) || !same(point.tangent_W, tangent_W_)) {
    store_frame(point, contact.frame);
    normal_W_ = point.normal_W, tangent_W_ = point.tangent_W;
  }
  if (formulation(model_.opt).is_compliant) shift_to_stiffer(model_, contact);
  const bool in_gap = point.dist >= contact.includemargin;
  const bool is_glued = in_gap && contact.adhesion != 0;  // glue pulls across the gap, without friction
  contact.exclude = static_cast<int>(in_gap && !is_glued ? ContactExclude::kInGap : ContactExclude::kNone);
  contact.dim = is_glued ? 1 : dim_;
}

void fill_contact(const Model& model, const ContactPair& pair, const ContactRange& range, const ContactPoint& point,
                  Contact& contact) {
  contact = {};
  ContactMaker(model, pair, range, contact).place(point, contact);
}

double contact_share(const Model& model, const Contact& contact) {
  if (!formulation(model.opt).is_compliant) return 0.5;
  const double k0 = stiffness_of_geom(model, contact.geom[0]), k1 = stiffness_of_geom(model, contact.geom[1]);
  return k1 / (k0 + k1);
}

}  // namespace torsor
