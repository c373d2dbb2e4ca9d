// Rows of equality constraints: coinciding points or poses of two bodies, joints and tendons that follow another.
#include "torsor/constraint/blocks.hpp"

#include <algorithm>

#include "torsor/constraint/coupling.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Two frames that an equality holds together.
struct Frames {
  int body[2];
  Vec p_Wo_W[2];        // the points that coincide
  Quat<double> R_W[2];  // the orientations that coincide, of a weld
};

Quat<double> site_quat(const Model& model, const Data& data, int site) {
  return load4(data.xquat.row(model.site_bodyid[site], 4)) * load4(model.site_quat.row(site, 4));
}

Frames find_frames(const Model& model, const Data& data, int id) {
  const bool weld = model.eq_type[id] == static_cast<int>(EqualityType::kWeld);
  const bool sites = model.eq_objtype[id] == static_cast<int>(ObjectType::kSite);
  const double* values = model.eq_data.row(id, kEqualityNumbers);
  const int object[2] = {model.eq_obj1id[id], model.eq_obj2id[id]};
  Frames frames;
  for (int k = 0; k < 2; ++k) {
    frames.body[k] = sites ? model.site_bodyid[object[k]] : object[k];
    if (sites) {
      frames.p_Wo_W[k] = load3(data.site_xpos.row(object[k], 3));
      frames.R_W[k] = site_quat(model, data, object[k]);
      continue;
    }
    const Quat<double> R_WB = load4(data.xquat.row(object[k], 4));
    // a connect stores the anchors in this order, a weld in the opposite order
    const Vec p_BoA_B = load3(values + 3 * (weld ? 1 - k : k));
    frames.p_Wo_W[k] = load3(data.xpos.row(object[k], 3)) + load9(data.xmat.row(object[k], 9)) * p_BoA_B;
    frames.R_W[k] = weld && k == 0 ? R_WB * load4(values + 6) : R_WB;
  }
  return frames;
}

// Velocity of point 1 minus that of point 2, along the axes of W.
void make_point_wrenches(const Model& model, const Data& data, const Frames& frames, RowWrench* rows) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec unit = Vec::zero();
    unit[axis] = 1;
    for (int k = 0; k < 2; ++k) {
      const Vec Tcm = load3(data.subtree_com.row(model.body_rootid[frames.body[k]], 3));
      const Wrench<double> F = Wrench<double>{Vec::zero(), k == 0 ? unit : -unit}.at(Tcm - frames.p_Wo_W[k]);
      store6(rows[axis].W[k], F);
    }
  }
}

// The vector part of q = conj(q2) q1 changes by 1/2 conj(q2) (0, w1 - w2) q1, which is linear in w: one row per
// component.
void make_rotation_wrenches(const Quat<double>& q1, const Quat<double>& q2, double scale, RowWrench* rows) {
  for (int axis = 0; axis < 3; ++axis) {
    const Quat<double> unit{0, axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    const Vec column = (conj(q2) * unit * q1).vec() * (0.5 * scale);
    for (int r = 0; r < 3; ++r) {
      rows[r].W[0][axis] = column[r];
      rows[r].W[1][axis] = -column[r];
      rows[r].W[0][3 + axis] = rows[r].W[1][3 + axis] = 0;
    }
  }
}

void add_frames(const Model& model, Data& data, BlockList& list, int id) {
  const bool weld = model.eq_type[id] == static_cast<int>(EqualityType::kWeld);
  const Frames frames = find_frames(model, data, id);
  const PairDofs pair = collect_dofs(model, data, frames.body[0], frames.body[1], true);
  if (!pair.dof || pair.count == 0) return;
  const int rows = weld ? 6 : 3;
  Block* block = add_block(data, list, id, rows, pair.dof, pair.count);
  if (!block) return;
  RowWrench wrenches[6];
  make_point_wrenches(model, data, frames, wrenches);
  store3(block->pos, frames.p_Wo_W[0] - frames.p_Wo_W[1]);
  if (weld) {
    const double torquescale = model.eq_data[kEqualityNumbers * id + kTorqueScale];
    make_rotation_wrenches(frames.R_W[0], frames.R_W[1], torquescale, wrenches + 3);
    store3(block->pos + 3, (conj(frames.R_W[1]) * frames.R_W[0]).vec() * torquescale);
  }
  fill_jacobian(data, pair, wrenches, *block);
}

// value1 - polynomial(value2), both relative to their reference.
struct Coupling {
  double error, slope;  // slope of the polynomial
};

Coupling couple(const double coefficient[5], double x1, double x2) {
  const double* c = coefficient;
  const double value = c[0] + x2 * (c[1] + x2 * (c[2] + x2 * (c[3] + x2 * c[4])));
  const double slope = c[1] + x2 * (2 * c[2] + x2 * (3 * c[3] + x2 * 4 * c[4]));
  return {x1 - value, slope};
}

void add_joints(const Model& model, Data& data, BlockList& list, int id) {
  const auto moved = [&](int j) { return data.qpos[model.jnt_qposadr[j]] - model.qpos0[model.jnt_qposadr[j]]; };
  const int first = model.eq_obj1id[id], second = model.eq_obj2id[id];
  const Coupling coupling =
      couple(model.eq_data.row(id, kEqualityNumbers), moved(first), second >= 0 ? moved(second) : 0);
  int* dof = data.arena().push_array<int>(2);
  if (!dof) return;
  const int count = second >= 0 ? 2 : 1;
  Block* block = add_block(data, list, id, 1, dof, count);
  if (!block) return;
  const int dof1 = model.jnt_dofadr[first], dof2 = second >= 0 ? model.jnt_dofadr[second] : -1;
  const bool ordered = second < 0 || dof1 < dof2;
  dof[ordered ? 0 : 1] = dof1;
  block->J[ordered ? 0 : 1] = 1;
  if (second >= 0) {
    dof[ordered ? 1 : 0] = dof2;
    block->J[ordered ? 1 : 0] = -coupling.slope;
  }
  block->pos[0] = coupling.error;
}

// The dofs of both tendons, merged.
void add_tendons(const Model& model, Data& data, BlockList& list, int id) {
  const auto moved = [&](int t) { return data.ten_length[t] - model.tendon_length0[t]; };
  const int first = model.eq_obj1id[id], second = model.eq_obj2id[id];
  const Coupling coupling =
      couple(model.eq_data.row(id, kEqualityNumbers), moved(first), second >= 0 ? moved(second) : 0);
  const int count1 = model.ten_J_rownnz[first], count2 = second >= 0 ? model.ten_J_rownnz[second] : 0;
  const int begin1 = model.ten_J_rowadr[first], begin2 = second >= 0 ? model.ten_J_rowadr[second] : 0;
  int* dof = data.arena().push_array<int>(static_cast<size_t>(count1 + count2));
  if (!dof) return;
  Block* block = add_block(data, list, id, 1, dof, count1 + count2);
  if (!block) return;
  block->pos[0] = coupling.error;
  int n = 0;
  for (int a = 0, b = 0; a < count1 || b < count2; ++n) {
    const int column1 = a < count1 ? model.ten_J_colind[begin1 + a] : model.nv;
    const int column2 = b < count2 ? model.ten_J_colind[begin2 + b] : model.nv;
    dof[n] = column1 < column2 ? column1 : column2;
    block->J[n] = 0;
    if (column1 <= column2) block->J[n] += data.ten_J[begin1 + a++];
    if (column2 <= column1) block->J[n] -= coupling.slope * data.ten_J[begin2 + b++];
  }
  block->dofs = n;
}

}  // namespace

namespace {

// The acceleration of a body for qacc = 0, at the COM of its tree.
Twist<double> bias_acceleration(const Model& model, const Data& data, int body) {
  Twist<double> A = Twist<double>::zero();
  for (int i = last_dof(model, body); i >= 0; i = model.dof_parentid[i])
    A += load6(data.cdof_dot.row(i, 6)) * data.qvel[i];
  return A;
}

Quat<double> pure(const Vec& v) { return {0, v.x, v.y, v.z}; }

}  // namespace

void equality_bias(const Model& model, const Data& data, int id, double bias[6]) {
  const bool weld = model.eq_type[id] == static_cast<int>(EqualityType::kWeld);
  const Frames frames = find_frames(model, data, id);
  Vec w[2], alpha[2], a[2];
  for (int k = 0; k < 2; ++k) {
    const int body = frames.body[k];
    const Vec p_TcmP_W = frames.p_Wo_W[k] - load3(data.subtree_com.row(model.body_rootid[body], 3));
    const Twist<double> A = bias_acceleration(model, data, body), V = load6(data.cvel.row(body, 6));
    w[k] = V.w;
    alpha[k] = A.w;
    a[k] = A.at(p_TcmP_W).v + cross(V.w, V.at(p_TcmP_W).v);  // centripetal part: the point moves with the body
  }
  store3(bias, a[0] - a[1]);
  if (!weld) return;
  const Quat<double> q1 = frames.R_W[0], q2 = conj(frames.R_W[1]), dw = pure(w[0] - w[1]);
  const Vec rate = (q2 * pure(alpha[0] - alpha[1]) * q1).vec() +
                   ((q2 * dw * pure(w[0]) * q1).vec() - (q2 * pure(w[1]) * dw * q1).vec()) * 0.5;
  store3(bias + 3, rate * (0.5 * model.eq_data[kEqualityNumbers * id + kTorqueScale]));
}

namespace {

// One awake tree would have woken the others.
bool is_equality_asleep(const Model& model, const Data& data, int id) {
  if (data.awake.all) return false;
  const EqualityTrees trees = find_equality_trees(model, data, id);
  return std::none_of(trees.state, trees.state + trees.count, [](int state) { return state == 1; }) &&
         std::any_of(trees.state, trees.state + trees.count, [](int state) { return state == 0; });
}

}  // namespace

EqualityTrees find_equality_trees(const Model& model, const Data& data, int id) {
  EqualityTrees trees;
  const auto add_body = [&](int body) { trees.add(model.body_treeid[body], data.body_awake[body]); };
  const auto add_tendon = [&](int tendon) {
    for (int k = 0; k < std::min(2, model.tendon_treenum[tendon]); ++k) {
      const int tree = model.tendon_treeid[2 * tendon + k];
      trees.add(tree, data.tree_awake[tree]);
    }
  };
  const bool sites = model.eq_objtype[id] == static_cast<int>(ObjectType::kSite);
  for (const int object : {model.eq_obj1id[id], model.eq_obj2id[id]}) {
    if (object < 0) continue;
    switch (static_cast<EqualityType>(model.eq_type[id])) {
      case EqualityType::kConnect:
      case EqualityType::kWeld:
        add_body(sites ? model.site_bodyid[object] : object);
        break;
      case EqualityType::kJoint:
        add_body(model.jnt_bodyid[object]);
        break;
      case EqualityType::kTendon:
        add_tendon(object);
        break;
    }
  }
  return trees;
}

void find_equalities(const Model& model, Data& data, BlockList& list) {
  if (model.neq == 0 || model.opt.disabled(kDisableEquality)) return;
  if (!data.awake.all && data.awake.run_count == 0) return;
  list.items = data.arena().push_array<Block>(static_cast<size_t>(model.neq));
  if (!list.items) return;
  for (int id = 0; id < model.neq; ++id) {
    if (!data.eq_active[id] || is_equality_asleep(model, data, id)) continue;
    switch (static_cast<EqualityType>(model.eq_type[id])) {
      case EqualityType::kConnect:
      case EqualityType::kWeld:
        add_frames(model, data, list, id);
        break;
      case EqualityType::kJoint:
        add_joints(model, data, list, id);
        break;
      case EqualityType::kTendon:
        add_tendons(model, data, list, id);
        break;
    }
  }
}

}  // namespace torsor
