// Rows of contacts.
#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Relative velocity of body 2 against body 1 at the contact point along an axis, or about it.
RowWrench row_wrench(const Vec& p_Tcm1C_W, const Vec& p_Tcm2C_W, const Vec& axis_W, bool rotation) {
  const Wrench<double> at_C = rotation ? Wrench<double>{axis_W, Vec::zero()} : Wrench<double>{Vec::zero(), axis_W};
  RowWrench row;
  store6(row.W[0], -at_C.at(-p_Tcm1C_W));
  store6(row.W[1], at_C.at(-p_Tcm2C_W));
  return row;
}

// Normal, two tangents, then rotation about them.
void make_wrenches(const Model& model, const Data& data, const Contact& contact, int count, RowWrench* rows) {
  const int root1 = model.body_rootid[model.geom_bodyid[contact.geom[0]]];
  const int root2 = model.body_rootid[model.geom_bodyid[contact.geom[1]]];
  const Vec p_WoC_W = load3(contact.pos);
  const Vec p_Tcm1C_W = p_WoC_W - load3(data.subtree_com.row(root1, 3));
  const Vec p_Tcm2C_W = p_WoC_W - load3(data.subtree_com.row(root2, 3));
  for (int r = 0; r < count; ++r)
    rows[r] = row_wrench(p_Tcm1C_W, p_Tcm2C_W, load3(contact.frame + 3 * (r % 3)), r >= 3);
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
    RowWrench wrenches[6];
    make_wrenches(model, data, contact, dim, wrenches);
    fill_jacobian(data, pair, wrenches, *block);
    block->pos[0] = contact.dist;
    block->margin = contact.includemargin;
  }
}

}  // namespace torsor
