// Gathers cones and rows for the solvers.
#include "torsor/constraint/solver_rows.hpp"

#include <algorithm>

#include "torsor/constraint/constraint.hpp"

namespace torsor {

int gather_cones(const Data& data, const int* row, int count, solver::Cone* cones) {
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const int r = row ? row[i] : i;
    if (data.efc_type[r] != static_cast<int>(RowType::kContactElliptic)) continue;
    const Contact& contact = data.contact[data.efc_id[r]];
    solver::Cone& cone = cones[found++];
    cone.row = i;
    cone.dim = contact.dim;
    cone.mu = contact.mu;
    std::copy(contact.friction, contact.friction + 5, cone.friction);
    i += contact.dim - 1;
  }
  return found;
}

bool whole_rows(const Model& model, Data& data, solver::Rows& rows) {
  rows.count = data.nefc;
  rows.equality = data.ne;
  rows.friction = data.nf;
  rows.D = data.efc_D.data();
  rows.R = data.efc_R.data();
  rows.aref = data.efc_aref.data();
  rows.frictionloss = data.efc_frictionloss.data();
  rows.cones = nullptr;
  rows.cone_count = 0;
  if (is_pyramidal(model)) return true;
  auto* cones = data.arena().push_array<solver::Cone>(static_cast<size_t>(data.ncon));
  if (!cones) return false;
  rows.cone_count = gather_cones(data, nullptr, data.nefc, cones);
  rows.cones = cones;
  return true;
}

}  // namespace torsor
