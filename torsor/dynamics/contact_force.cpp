// Forces of contacts and equalities on bodies, read from the solution of the rows.
#include <algorithm>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/weld.hpp"
#include "torsor/dynamics/tendon_wrench.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

void add_wrench(const Model& model, Data& data, int body, const Vec& p_WoP_W, const Vec& f_W, const Vec& t_P_W) {
  if (body == 0) return;
  const Vec p_TcmP_W = p_WoP_W - load3(data.subtree_com.row(model.body_rootid[body], 3));
  double* sum = data.cfrc_ext.row(body, 6);
  store6(sum, load6_wrench(sum) + Wrench<double>{t_P_W + cross(p_TcmP_W, f_W), f_W});
}

void add_contact(const Model& model, Data& data, int c) {
  const Contact& contact = data.contact[c];
  double force_C[6];
  contact_force(model, data, c, force_C);
  const Mat3<double> R_CW = load9(contact.frame);
  const Vec f_W = transpose(R_CW) * load3(force_C), t_W = transpose(R_CW) * load3(force_C + 3);
  const Vec p_WoC_W = load3(contact.pos);
  add_wrench(model, data, model.geom_bodyid[contact.geom[0]], p_WoC_W, -f_W, -t_W);
  add_wrench(model, data, model.geom_bodyid[contact.geom[1]], p_WoC_W, f_W, t_W);
}

Quat<double> site_quat(const Model& model, const Data& data, int site) {
  return load4(data.xquat.row(model.site_bodyid[site], 4)) * load4(model.site_quat.row(site, 4));
}

// Of the rotation rows on the first object.
Vec find_weld_torque(const Model& model, const Data& data, int id, const double* force) {
  const bool sites = model.eq_objtype[id] == static_cast<int>(ObjectType::kSite);
  const int object[2] = {model.eq_obj1id[id], model.eq_obj2id[id]};
  const double* values = model.eq_data.row(id, kEqualityNumbers);
  Quat<double> q_W[2];
  for (int k = 0; k < 2; ++k) q_W[k] = sites ? site_quat(model, data, object[k]) : load4(data.xquat.row(object[k], 4));
  if (!sites) q_W[0] = q_W[0] * load4(values + 6);
  return weld_torque(q_W[0], q_W[1], values[kTorqueScale], load3(force));
}

// The position rows of a connect or a weld are along the axes of W.
void add_equality(const Model& model, Data& data, int id, const double* force, bool weld) {
  const bool sites = model.eq_objtype[id] == static_cast<int>(ObjectType::kSite);
  const int object[2] = {model.eq_obj1id[id], model.eq_obj2id[id]};
  const double* values = model.eq_data.row(id, kEqualityNumbers);
  const Vec t_W = weld ? find_weld_torque(model, data, id, force + 3) : Vec::zero();
  for (int k = 0; k < 2; ++k) {
    const double sign = k == 0 ? 1 : -1;
    if (sites) {
      add_wrench(model, data, model.site_bodyid[object[k]], load3(data.site_xpos.row(object[k], 3)),
                 load3(force) * sign, t_W * sign);
      continue;
    }
    const Vec p_BoA_B = load3(values + 3 * (weld ? 1 - k : k));
    const Vec p_WoA_W = load3(data.xpos.row(object[k], 3)) + load9(data.xmat.row(object[k], 9)) * p_BoA_B;
    add_wrench(model, data, object[k], p_WoA_W, load3(force) * sign, t_W * sign);
  }
}

}  // namespace

void contact_force(const Model&, const Data& data, int c, double force_C[6]) {
  std::fill(force_C, force_C + 6, 0.0);
  const Contact& contact = data.contact[c];
  if (contact.efc_address < 0) return;
  const double* f = &data.efc_force[contact.efc_address];
  const bool is_pyramid = data.efc_type[contact.efc_address] == static_cast<int>(RowType::kContactPyramidal);
  if (!is_pyramid) std::copy(f, f + contact.dim, force_C);
  for (int k = 0; is_pyramid && k < contact.dim - 1; ++k) {
    force_C[0] += f[2 * k] + f[2 * k + 1];
    force_C[k + 1] = contact.friction[k] * (f[2 * k] - f[2 * k + 1]);
  }
  force_C[0] -= contact.adhesion;  // adhesion is a passive force, not part of the rows
}

void add_constraint_wrenches(const Model& model, Data& data) {
  for (int c = 0; c < data.ncon; ++c) {
    if (data.contact[c].efc_address >= 0) add_contact(model, data, c);
  }
  for (int row = 0; row < data.ne;) {
    const int id = data.efc_id[row];
    const EqualityType type = static_cast<EqualityType>(model.eq_type[id]);
    const bool weld = type == EqualityType::kWeld, frames = weld || type == EqualityType::kConnect;
    if (frames) add_equality(model, data, id, &data.efc_force[row], weld);
    row += weld ? 6 : frames ? 3 : 1;
  }
  add_tendon_wrenches(model, data);
}

}  // namespace torsor
