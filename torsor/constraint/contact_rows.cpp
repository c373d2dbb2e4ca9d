// Rows of contacts.
#include "torsor/constraint/contact_rows.hpp"

#include "torsor/constraint/constraint.hpp"
#include "torsor/math/vec3.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Relative velocity of body 2 against body 1 at a contact point, per unit velocity of a dof: along the normal and two
// tangents, then about them.
class PointJacobian {
 public:
  PointJacobian(const Model& model, const Data& data, const Contact& contact)
      : data_(data),
        normal_(load3(contact.frame)),
        tangent1_(load3(contact.frame + 3)),
        tangent2_(load3(contact.frame + 6)) {
    for (int s = 0; s < 2; ++s) {
      const int root = model.body_rootid[model.geom_bodyid[contact.geom[s]]];
      p_TcmC_W_[s] = load3(contact.pos) - load3(data.subtree_com.row(root, 3));
    }
  }
  void compute(int dof, bool second, int dim, double J[6]) const {
    const double sign = second ? 1 : -1, *S = data_.cdof.row(dof, 6);
    const Vec w = load3(S) * sign, v = load3(S + 3) * sign + cross(w, p_TcmC_W_[second]);
    J[0] = dot(normal_, v);
    if (dim < 3) return;
    J[1] = dot(tangent1_, v);
    J[2] = dot(tangent2_, v);
    if (dim > 3) J[3] = dot(normal_, w);
    if (dim < 6) return;
    J[4] = dot(tangent1_, w);
    J[5] = dot(tangent2_, w);
  }

 private:
  const Data& data_;
  Vec normal_, tangent1_, tangent2_, p_TcmC_W_[2];
};

RowType row_type(const Contact& contact, bool pyramidal) {
  if (contact.dim == 1) return RowType::kContactFrictionless;
  return pyramidal ? RowType::kContactPyramidal : RowType::kContactElliptic;
}
int row_count(const Contact& contact, RowType type) {
  return type == RowType::kContactPyramidal ? 2 * (contact.dim - 1) : contact.dim;
}

// Edge 2k of a pyramid is normal + mu_k tangent_k, edge 2k + 1 the same with minus.
void write_jacobian(const Model& model, const Data& data, const Contact& contact, const PairDofs& pair, bool pyramid,
                    double* J) {
  const PointJacobian point(model, data, contact);
  const int n = pair.count, dim = contact.dim;
  for (int k = 0; k < n; ++k) {
    double column[6];
    point.compute(pair.dof[k], pair.side[k] == 2, dim, column);
    if (!pyramid) {
      for (int r = 0; r < dim; ++r) J[r * n + k] = column[r];
      continue;
    }
    for (int t = 0; t < dim - 1; ++t) {
      const double slip = contact.friction[t] * column[t + 1];
      J[2 * t * n + k] = column[0] + slip;
      J[(2 * t + 1) * n + k] = column[0] - slip;
    }
  }
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
    write_jacobian(model, data, contact, pair, type == RowType::kContactPyramidal, J);
  }
}

}  // namespace torsor
