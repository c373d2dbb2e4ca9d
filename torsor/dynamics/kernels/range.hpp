// Parts of a model that kernels work on: ranges of bodies, so that trees, islands and threads can be done apart, and
// the dofs that move a body.
#pragma once

namespace torsor {

// Half open ranges that belong together: bodies, their joints, dofs, geoms and sites. The world body is never in one.
struct Range {
  int body_begin, body_end;
  int dof_begin, dof_end;
};

template <class Model>
__attribute__((always_inline)) inline Range whole(const Model& model) {
  return {1, model.nbody, 0, model.nv};
}

// The last of the dofs that move a body; the others follow by dof_parentid. -1 for a static body.
template <class Model>
__attribute__((always_inline)) inline int last_dof(const Model& model, int body) {
  const int moved = model.body_weldid[body], count = model.body_dofnum[moved];
  return count > 0 ? model.body_dofadr[moved] + count - 1 : -1;
}

}  // namespace torsor
