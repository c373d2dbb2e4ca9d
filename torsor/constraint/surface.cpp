// Surface velocity (conveyor belts) and adhesion (glue) of contacts.
#include "torsor/constraint/surface.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// The motion of a geom's surface relative to the geom, at the contact point and in W.
Twist<double> surface_twist(const Model& model, const Data& data, int geom, const Vec& p_WoC_W) {
  const double* velocity = model.geom_surfacevel.row(geom, 6);  // linear, then angular, in the geom's frame
  const Mat3<double> R_WG = load9(data.geom_xmat.row(geom, 9));
  const Vec w_W = R_WG * load3(velocity + 3);
  return {w_W, R_WG * load3(velocity) + cross(w_W, p_WoC_W - load3(data.geom_xpos.row(geom, 3)))};
}

bool is_pyramid(const Data& data, const Contact& contact) {
  return data.efc_type[contact.efc_address] == static_cast<int>(RowType::kContactPyramidal);
}

}  // namespace

void add_surface_velocity(const Model& model, Data& data) {
  if (!model.flg_surfacevel) return;
  for (const Contact& contact : data.contact) {
    const int row = contact.efc_address;
    if (row < 0 || data.efc_type[row] == static_cast<int>(RowType::kContactFrictionless)) continue;
    const Vec p_WoC_W = load3(contact.pos);
    const Twist<double> V_W =
        surface_twist(model, data, contact.geom[1], p_WoC_W) - surface_twist(model, data, contact.geom[0], p_WoC_W);
    const Vec normal = load3(contact.frame);
    const double slip[3] = {dot(load3(contact.frame + 3), V_W.v), dot(load3(contact.frame + 6), V_W.v),
                            dot(normal, V_W.w)};
    for (int k = 0; k < 3 && k < contact.dim - 1; ++k) {
      if (is_pyramid(data, contact)) {
        data.efc_vel[row + 2 * k] += contact.friction[k] * slip[k];
        data.efc_vel[row + 2 * k + 1] -= contact.friction[k] * slip[k];
      } else {
        data.efc_vel[row + 1 + k] += slip[k];
      }
    }
  }
}

// Adhesion is applied as a passive force. The reference adds it back to the normal force, so that adhesion alone does
// not change the penetration of a contact.
void add_adhesion_reference(const Model& model, Data& data) {
  if (!model.flg_adhesion) return;
  for (const Contact& contact : data.contact) {
    const int row = contact.efc_address;
    if (row < 0 || contact.adhesion == 0) continue;
    const int edges = is_pyramid(data, contact) ? 2 * (contact.dim - 1) : 1;
    for (int k = 0; k < edges; ++k) data.efc_aref[row + k] += data.efc_R[row + k] * contact.adhesion / edges;
  }
}

void add_adhesion_force(const Model& model, Data& data) {
  if (!model.flg_adhesion || (model.opt.disabled(kDisableSpring) && model.opt.disabled(kDisableDamper))) return;
  const double no_torque[3] = {0, 0, 0};
  for (const Contact& contact : data.contact) {
    if (contact.efc_address < 0 || contact.adhesion == 0) continue;
    for (int k = 0; k < 2; ++k) {
      double force_W[3];
      store3(force_W, load3(contact.frame) * (k == 0 ? contact.adhesion : -contact.adhesion));
      apply_force(model, data, force_W, no_torque, contact.pos, model.geom_bodyid[contact.geom[k]],
                  data.qfrc_passive.data());
    }
  }
}

}  // namespace torsor
