// Neighbouring bodies with all that is attached to them.
#pragma once

#include "torsor/core/device.hpp"

namespace torsor {

// Half open ranges that belong together: bodies, their joints, dofs, geoms and sites. Trees are never cut, and the
// world body is never in one; its own geoms and sites are only in the range of the whole model.
struct Range {
  int body_begin, body_end;
  int jnt_begin, jnt_end;
  int dof_begin, dof_end;
  int geom_begin, geom_end;
  int site_begin, site_end;
};

template <class Model>
TORSOR_HD __attribute__((always_inline)) inline Range whole(const Model& model) {
  return {1, model.nbody, 0, model.njnt, 0, model.nv, 0, model.ngeom, 0, model.nsite};
}

}  // namespace torsor
