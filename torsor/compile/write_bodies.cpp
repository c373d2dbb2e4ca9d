// Arrays of bodies, except for the numbering.
#include "torsor/compile/write.hpp"

namespace torsor::compiler {

void write_bodies(const Draft& draft, const Tree& tree, Model& model) {
  int geom = 0;
  for (int b = 0; b < model.nbody; ++b) {
    const BodyDraft& body = draft.bodies[static_cast<size_t>(tree.order[static_cast<size_t>(b)])];
    write_frame(model.body_pos.row(b, 3), model.body_quat.row(b, 4), body.X_PB);
    write_frame(model.body_ipos.row(b, 3), model.body_iquat.row(b, 4), body.X_BI);
    model.body_mass[b] = body.mass;
    store3(model.body_inertia.row(b, 3), body.moments);
    model.body_gravcomp[b] = body.spec->gravcomp;
    write_list(model.body_user.row(b, model.nuser_body), body.spec->user);

    model.body_geomnum[b] = static_cast<int>(body.geoms.size());
    model.body_geomadr[b] = body.geoms.empty() ? -1 : geom;
    geom += model.body_geomnum[b];
  }
}

}  // namespace torsor::compiler
