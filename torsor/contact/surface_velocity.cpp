// The surface velocity (conveyor belts) of contacts, from that of their geoms.
#include "torsor/contact/surface_velocity.hpp"

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

}  // namespace

void set_surface_velocities(const Model& model, Data& data) {
  if (!model.flg_surfacevel) return;
  for (Contact& contact : data.contact) {
    const Vec p_WoC_W = load3(contact.pos);
    const Twist<double> V_W =
        surface_twist(model, data, contact.geom[1], p_WoC_W) - surface_twist(model, data, contact.geom[0], p_WoC_W);
    contact.surfacevel[0] = dot(load3(contact.frame + 3), V_W.v);
    contact.surfacevel[1] = dot(load3(contact.frame + 6), V_W.v);
    contact.surfacevel[2] = dot(load3(contact.frame), V_W.w);
  }
}

}  // namespace torsor
