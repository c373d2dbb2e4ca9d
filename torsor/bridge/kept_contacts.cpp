#include "torsor/bridge/kept_contacts.hpp"

#include <utility>

#include "torsor/contact/hooks.hpp"
#include "torsor/contact/parameters.hpp"
#include "torsor/core/error.hpp"
#include "torsor/math/pose.hpp"

namespace torsor {
namespace {

Pose<double> pose_of_geoms_body(const Model& model, const Data& data, int geom) {
  const int body = model.geom_bodyid[geom];
  return {load3(data.xpos.row(body, 3)), load4(data.xquat.row(body, 4))};
}

void append(std::vector<double>& list, const Vec3<double>& v) { list.insert(list.end(), {v.x, v.y, v.z}); }

void require_sizes(const KeptContacts& kept, const Model& model) {
  const size_t count = kept.count < 0 ? 0 : static_cast<size_t>(kept.count);
  bool fits = kept.count >= 0 && kept.geom0.size() >= count && kept.geom1.size() >= count && kept.pair.size() >= count;
  for (const auto* list : {&kept.point0, &kept.point1, &kept.normal, &kept.tangent})
    fits = fits && list->size() >= 3 * count;
  if (!fits) throw Error("the lists of the contacts are shorter than their count");
  for (size_t c = 0; c < count; ++c) {
    for (const int geom : {kept.geom0[c], kept.geom1[c]})
      if (geom < 0 || geom >= model.ngeom) throw Error("the contacts refer to geoms that do not exist");
  }
}

}  // namespace

void KeptContacts::take(const Model& model, const Data& data) {
  clear();
  for (int c = 0; c < data.ncon; ++c) {
    const Contact& contact = data.contact[c];
    const Vec3<double> p_WC = load3(contact.pos), n_W = load3(contact.frame);
    const double share = contact_share(model, contact);
    geom0.push_back(contact.geom[0]);
    geom1.push_back(contact.geom[1]);
    pair.push_back(contact.pair);
    const Pose<double> X_WA = pose_of_geoms_body(model, data, contact.geom[0]);
    const Pose<double> X_WB = pose_of_geoms_body(model, data, contact.geom[1]);
    append(point0, apply(inverse(X_WA), p_WC - n_W * (contact.dist * share)));
    append(point1, apply(inverse(X_WB), p_WC + n_W * (contact.dist * (1 - share))));
    append(normal, n_W);
    append(tangent, load3(contact.frame + 3));
    distance.push_back(contact.dist);
  }
  count = data.ncon;
}

void KeptContacts::give(const Model& model, Data& data) const {
  require_sizes(*this, model);
  for (int c = 0; c < count; ++c) {
    const Vec3<double> a_W = apply(pose_of_geoms_body(model, data, geom0[c]), load3(&point0[3 * c]));
    const Vec3<double> b_W = apply(pose_of_geoms_body(model, data, geom1[c]), load3(&point1[3 * c]));
    const Vec3<double> n_W = load3(&normal[3 * c]);
    const ContactPoint point{dot(n_W, b_W - a_W), (a_W + b_W) * 0.5, n_W, load3(&tangent[3 * c])};
    if (!add_contact_point(model, data, geom0[c], geom1[c], point, pair[c])) return;
  }
}

void KeptContacts::clear() {
  count = 0;
  for (auto* list : {&geom0, &geom1, &pair}) list->clear();
  for (auto* list : {&point0, &point1, &normal, &tangent, &distance}) list->clear();
}

ContactsGiven::ContactsGiven(Data& data, const KeptContacts& contacts, Adapt adapt)
    : data_(data), before_(std::move(data.contact_source)) {
  data.contact_source = [&contacts, adapt](const Model& model, Data& now) {
    contacts.give(model, now);
    if (adapt) adapt(model, now);
  };
}

ContactsGiven::~ContactsGiven() { data_.contact_source = std::move(before_); }

}  // namespace torsor
