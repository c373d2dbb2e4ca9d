// Rows of contacts.
#include "torsor/constraint/contact_rows.hpp"

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/dispatch.hpp"
#include "torsor/math/vec3.hpp"

namespace torsor {
namespace {

RowType row_type(const Contact& contact, bool pyramidal) {
  if (contact.dim == 1) return RowType::kContactFrictionless;
  return pyramidal ? RowType::kContactPyramidal : RowType::kContactElliptic;
}
int row_count(const Contact& contact, RowType type) {
  return type == RowType::kContactPyramidal ? 2 * (contact.dim - 1) : contact.dim;
}

ContactPointRows describe(const Model& model, const Data& data, const Contact& contact, bool is_pyramid) {
  ContactPointRows rows{contact.frame, contact.friction, {}, contact.dim, is_pyramid};
  for (int s = 0; s < 2; ++s) {
    const int root = model.body_rootid[model.geom_bodyid[contact.geom[s]]];
    store3(rows.p_TcmC_W[s], load3(contact.pos) - load3(data.subtree_com.row(root, 3)));
  }
  return rows;
}

}  // namespace

void find_contacts_with_rows(const Model& model, Data& data, ContactList& list) {
  if (data.ncon == 0) return;
  const auto most = static_cast<size_t>(data.ncon);
  list.items = data.arena().push_array<ContactList::Item>(most);
  list.pairs = list.items ? data.arena().push_array<PairDofs>(most) : nullptr;
  if (!list.pairs) return;
  int body1 = -1, body2 = -1, pairs = 0;
  for (int c = 0; c < data.ncon; ++c) {
    Contact& contact = data.contact[c];
    contact.efc_address = -1;
    if (contact.exclude != static_cast<int>(ContactExclude::kNone)) continue;
    const int contact_body1 = model.geom_bodyid[contact.geom[0]], contact_body2 = model.geom_bodyid[contact.geom[1]];
    if (contact_body1 != body1 || contact_body2 != body2) {  // contacts come in the order of their bodies
      body1 = contact_body1, body2 = contact_body2;
      list.pairs[pairs] = collect_dofs(model, data, body1, body2, false);
      if (!list.pairs[pairs++].dof) return;
    }
    if (list.pairs[pairs - 1].count == 0) {
      contact.exclude = static_cast<int>(ContactExclude::kNoDofs);
      continue;
    }
    list.items[list.count++] = {c, pairs - 1};
  }
}

void count_contact_rows(const Model& model, const Data& data, const ContactList& list, RowCounter& counter) {
  const bool pyramidal = is_pyramidal(model);
  for (int i = 0; i < list.count; ++i) {
    const Contact& contact = data.contact[list.items[i].contact];
    const RowType type = row_type(contact, pyramidal);
    counter.add(type, row_count(contact, type), list.pairs[list.items[i].pair].count);
  }
}

void write_contact_rows(const Model& model, Data& data, const ContactList& list, RowWriter& writer) {
  const bool pyramidal = is_pyramidal(model);
  const ContactKernels& kernels = contact_kernels();
  for (int i = 0; i < list.count; ++i) {
    Contact& contact = data.contact[list.items[i].contact];
    const PairDofs& pair = list.pairs[list.items[i].pair];
    const RowType type = row_type(contact, pyramidal);
    const int rows = row_count(contact, type);
    contact.efc_address = writer.next_row();
    ScalarRow row{type, list.items[i].contact, contact.dist, contact.includemargin};
    double* J = writer.add(row, pair.dof, pair.count);
    if (type == RowType::kContactElliptic) row.pos = row.margin = 0;  // slip has no position error
    for (int r = 1; r < rows; ++r) writer.add(row, pair.dof, pair.count);
    kernels.write_jacobian(describe(model, data, contact, type == RowType::kContactPyramidal), data.cdof.data(),
                           pair.dof, pair.side, pair.count, J);
  }
}

}  // namespace torsor
