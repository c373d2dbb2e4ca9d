// Surface velocity (conveyor belts) and adhesion (glue) of contacts.
#include "torsor/constraint/surface.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

bool is_pyramid(const Data& data, const Contact& contact) {
  return data.efc_type[contact.efc_address] == static_cast<int>(RowType::kContactPyramidal);
}

}  // namespace

void add_surface_velocity(const Model& model, Data& data) {
  if (!model.flg_surfacevel) return;
  for (const Contact& contact : data.contact) {
    const int row = contact.efc_address;
    if (row < 0 || data.efc_type[row] == static_cast<int>(RowType::kContactFrictionless)) continue;
    const double* slip = contact.surfacevel;
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
