// Rows of contacts.
#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/math/vec3.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Relative velocity of body 2 against body 1 at the contact point, per unit velocity of each dof: along the normal and
// two tangents, then about them.
void fill_contact_jacobian(const Model& model, const Data& data, const Contact& contact, const PairDofs& pair,
                           Block& block) {
  const Vec p_WoC_W = load3(contact.pos), normal = load3(contact.frame), tangent1 = load3(contact.frame + 3),
            tangent2 = load3(contact.frame + 6);
  Vec p_TcmC_W[2];
  for (int s = 0; s < 2; ++s) {
    const int root = model.body_rootid[model.geom_bodyid[contact.geom[s]]];
    p_TcmC_W[s] = p_WoC_W - load3(data.subtree_com.row(root, 3));
  }
  const int n = pair.count;
  for (int k = 0; k < n; ++k) {
    const bool second = pair.side[k] == 2;
    const double sign = second ? 1 : -1, *S = data.cdof.row(pair.dof[k], 6);
    const Vec w = load3(S) * sign, v = load3(S + 3) * sign + cross(w, p_TcmC_W[second]);
    double* J = block.J + k;
    J[0] = dot(normal, v);
    if (block.base_rows < 3) continue;
    J[n] = dot(tangent1, v);
    J[2 * n] = dot(tangent2, v);
    if (block.base_rows > 3) J[3 * n] = dot(normal, w);
    if (block.base_rows < 6) continue;
    J[4 * n] = dot(tangent1, w);
    J[5 * n] = dot(tangent2, w);
  }
}

}  // namespace

void add_contact_blocks(const Model& model, Data& data, BlockList& list) {
  const bool pyramidal = is_pyramidal(model);
  int body1 = -1, body2 = -1;
  PairDofs pair;
  for (int c = 0; c < data.ncon; ++c) {
    Contact& contact = data.contact[c];
    contact.efc_address = -1;
    if (contact.exclude != static_cast<int>(ContactExclude::kNone)) continue;
    const int contact_body1 = model.geom_bodyid[contact.geom[0]], contact_body2 = model.geom_bodyid[contact.geom[1]];
    if (contact_body1 != body1 || contact_body2 != body2) {  // contacts come in the order of their bodies
      body1 = contact_body1, body2 = contact_body2;
      pair = collect_dofs(model, data, body1, body2, false);
    }
    if (!pair.dof) {
      list.complete = false;
      return;
    }
    if (pair.count == 0) {
      contact.exclude = static_cast<int>(ContactExclude::kNoDofs);
      continue;
    }
    const int dim = contact.dim;
    const RowType type = dim == 1    ? RowType::kContactFrictionless
                         : pyramidal ? RowType::kContactPyramidal
                                     : RowType::kContactElliptic;
    const int rows = type == RowType::kContactPyramidal ? 2 * (dim - 1) : dim;
    Block* block = add_block(data, list, type, c, rows, dim, pair.dof, pair.count);
    if (!block) return;
    fill_contact_jacobian(model, data, contact, pair, *block);
    block->pos[0] = contact.dist;
    block->margin = contact.includemargin;
  }
}

}  // namespace torsor
