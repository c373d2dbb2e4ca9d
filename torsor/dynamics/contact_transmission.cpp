// Moments of actuators that act on a body (adhesion): a unit force pulls at the body's contacts along their normals,
// each contact with an equal share. moment = -mean(n' (J_2 - J_1)) over the contacts of the body; MuJoCo's computation,
// checked against its actuator_moment.
#include <algorithm>

#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

// Contacts that make rows, and those in the gap.
bool can_adhere(const Contact& contact) {
  return contact.exclude == static_cast<int>(ContactExclude::kNone) ||
         contact.exclude == static_cast<int>(ContactExclude::kInGap);
}

// row += scale n' J of a point of the body; the row has all dofs.
void add_normal_jacobian(const Model& model, const Data& data, const Contact& contact, int body, double scale,
                         double* row) {
  const Vec3<double> n_W = load3(contact.frame) * scale;
  const Vec3<double> p_TcmC_W = load3(contact.pos) - load3(data.subtree_com.row(model.body_rootid[body], 3));
  for (int i = last_dof(model, body); i >= 0; i = model.dof_parentid[i])
    row[i] += dot(n_W, load6(data.cdof.row(i, 6)).at(p_TcmC_W).v);
}

void compute_moment(const Model& model, Data& data, int actuator) {
  const int target = model.actuator_trnid[2 * actuator], out = model.actuator_outadr[actuator];
  double* row = data.actuator_moment.row(model.moment_rowadr[out], 1);
  std::fill_n(row, model.nv, 0.0);
  int count = 0;
  for (const Contact& contact : data.contact) {
    const int body1 = model.geom_bodyid[contact.geom[0]], body2 = model.geom_bodyid[contact.geom[1]];
    if ((body1 != target && body2 != target) || !can_adhere(contact)) continue;
    add_normal_jacobian(model, data, contact, body1, 1, row);
    add_normal_jacobian(model, data, contact, body2, -1, row);
    ++count;
  }
  for (int i = 0; count > 1 && i < model.nv; ++i) row[i] /= count;
}

}  // namespace

void compute_contact_transmission(const Model& model, Data& data) {
  if (!model.flg_actbody) return;
  for_each_awake_actuator(model, data, [&](int a) {
    if (static_cast<Transmission>(model.actuator_trntype[a]) == Transmission::kBody) compute_moment(model, data, a);
  });
}

}  // namespace torsor
