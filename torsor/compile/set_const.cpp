// Computes the derived values of a Model, by running the position stages once in qpos0.
#include "torsor/compile/set_const.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "torsor/compile/fluid.hpp"
#include "torsor/compile/same_frame.hpp"
#include "torsor/compile/sleep_policy.hpp"
#include "torsor/compile/statistics.hpp"
#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/geometry/hfield.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using compiler::Frame;
using compiler::Vec;

Frame load_frame(const double* pos, const double* quat) { return {load3(pos), load4(quat)}; }

void refresh_same_frames(Model& model) {
  const auto same = [&model](int body, const double* pos, const double* quat) {
    const Frame X_BI = load_frame(model.body_ipos.row(body, 3), model.body_iquat.row(body, 4));
    return static_cast<Byte>(compiler::find_same_frame(load_frame(pos, quat), X_BI));
  };
  for (int b = 0; b < model.nbody; ++b) {
    const Frame X_BI = load_frame(model.body_ipos.row(b, 3), model.body_iquat.row(b, 4));
    const SameFrame body_same = compiler::find_same_frame(X_BI, Frame::identity());
    model.body_sameframe[b] = static_cast<Byte>(body_same);
    if (b > 0 && model.body_simple[b] && body_same != SameFrame::kBody)
      throw Error(
          fmt::format("body '{}' was compiled as simple, but its inertial frame is no longer its body frame; "
                      "set simple=\"false\" before compiling",
                      model.name(ObjectType::kBody, b)));
  }
  for (int g = 0; g < model.ngeom; ++g)
    model.geom_sameframe[g] = same(model.geom_bodyid[g], model.geom_pos.row(g, 3), model.geom_quat.row(g, 4));
  for (int s = 0; s < model.nsite; ++s)
    model.site_sameframe[s] = same(model.site_bodyid[s], model.site_pos.row(s, 3), model.site_quat.row(s, 4));
}

// Bounds follow sizes; those of a mesh are its own. Height fields take their size from the asset.
void refresh_geom_bounds(Model& model, int g) {
  const GeomType type = static_cast<GeomType>(model.geom_type[g]);
  if (type == GeomType::kMesh || type == GeomType::kSdf) return;
  double* size = model.geom_size.row(g, 3);
  Aabb box = bounding_box(type, load3(size));
  model.geom_rbound[g] = bounding_radius(type, load3(size));
  if (type == GeomType::kHfield) {
    HfieldSize field;
    std::copy_n(model.hfield_size.row(model.geom_dataid[g], 4), 4, field.begin());
    store3(size, hfield_extent(field));
    box = bounding_box(field);
    model.geom_rbound[g] = bounding_radius(field);
  }
  store3(model.geom_aabb.row(g, 6), box.center);
  store3(model.geom_aabb.row(g, 6) + 3, box.half);
}

// The added mass of an ellipsoid in a fluid.
void refresh_geom_fluid(Model& model, int g) {
  double* fluid = model.geom_fluid.row(g, 12);
  if (fluid[0] == 0) return;
  Number5 coefficients;
  std::copy_n(fluid + 1, 5, coefficients.begin());
  const auto parameters = compiler::fluid_parameters(static_cast<GeomType>(model.geom_type[g]), coefficients,
                                                     load3(model.geom_size.row(g, 3)));
  std::copy(parameters.begin() + 6, parameters.end(), fluid + 6);
}

// What the broad phase knows of geoms, and of bodies as unions over their geoms.
void refresh_shapes(Model& model) {
  std::fill(model.body_margin.begin(), model.body_margin.end(), 0.0);
  std::fill(model.body_contype.begin(), model.body_contype.end(), 0);
  std::fill(model.body_conaffinity.begin(), model.body_conaffinity.end(), 0);
  for (int g = 0; g < model.ngeom; ++g) {
    refresh_geom_bounds(model, g);
    refresh_geom_fluid(model, g);
    const int b = model.geom_bodyid[g];
    model.body_margin[b] = std::max(model.body_margin[b], model.geom_margin[g] + model.geom_gap[g]);
    model.body_contype[b] |= model.geom_contype[g];
    model.body_conaffinity[b] |= model.geom_conaffinity[g];
  }
}

void refresh_subtree_masses(Model& model) {
  for (int b = 0; b < model.nbody; ++b) model.body_subtreemass[b] = model.body_mass[b];
  for (int b = model.nbody - 1; b > 0; --b) model.body_subtreemass[model.body_parentid[b]] += model.body_subtreemass[b];
}

// Negative gravity compensation alone does not count, as in MuJoCo.
void refresh_flags(Model& model) {
  const auto is_set = [](const Field<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
  };
  model.flg_gravcomp =
      std::any_of(model.body_gravcomp.begin(), model.body_gravcomp.end(), [](double part) { return part > 0; });
  model.flg_surfacevel = is_set(model.geom_surfacevel);
  model.flg_adhesion = is_set(model.geom_adhesion) || is_set(model.pair_adhesion);
  model.flg_actbody = std::any_of(model.actuator_trntype.begin(), model.actuator_trntype.end(),
                                  [](int type) { return type == static_cast<int>(Transmission::kBody); });
  model.flg_actjoint =
      std::any_of(model.jnt_actuatorid.begin(), model.jnt_actuatorid.end(), [](int id) { return id != -1; });
}

// Computes J M^-1 J' = |D^-1/2 L^-T J'|^2. A Jacobian of one body has entries only at its ancestors' dofs, and so has
// L^-T J'. The cost is therefore the square of the depth of the tree, not of the number of dofs.
class InverseWeights {
 public:
  InverseWeights(const Model& model, const Data& data) : model_(model), data_(data) {}

  // The dofs that end with `last`, root first.
  void set_chain(int last) {
    chain_.clear();
    for (int i = last; i >= 0; i = model_.dof_parentid[i]) chain_.push_back(i);
    std::reverse(chain_.begin(), chain_.end());
    row_.assign(chain_.size(), 0);
  }
  const std::vector<int>& chain() const { return chain_; }
  std::vector<double>& row() { return row_; }  // the Jacobian's row at the chain; consumed by weight()

  double weight() {
    double sum = 0;
    for (size_t k = chain_.size(); k-- > 0;) {
      const int i = chain_[k], address = model_.M_rowadr[i], others = model_.M_rownnz[i] - 1;
      for (int c = 0; c < others; ++c) row_[static_cast<size_t>(c)] -= data_.qLD[address + c] * row_[k];
      sum += row_[k] * row_[k] * data_.qLDiagInv[i];
    }
    return sum;
  }

 private:
  const Model& model_;
  const Data& data_;
  std::vector<int> chain_;
  std::vector<double> row_;
};

// The diagonal of the inverse of M; equal within the translations and within the rotations of one joint.
void refresh_dof_weights(Model& model, const Data& data) {
  InverseWeights weights(model, data);
  for (int i = 0; i < model.nv; ++i) {
    weights.set_chain(i);
    weights.row().back() = 1;
    const bool is_slider_body = model.body_simple[model.dof_bodyid[i]] == 2;
    model.dof_invweight0[i] = is_slider_body ? 1 / model.body_mass[model.dof_bodyid[i]] : weights.weight();
  }
  for (int j = 0; j < model.njnt; ++j) {
    const JointType type = static_cast<JointType>(model.jnt_type[j]);
    const int triples = type == JointType::kFree ? 2 : type == JointType::kBall ? 1 : 0;
    for (int k = 0; k < triples; ++k) {
      double* w = model.dof_invweight0.row(model.jnt_dofadr[j] + 3 * k, 1);
      w[0] = w[1] = w[2] = (w[0] + w[1] + w[2]) / 3;
    }
  }
}

// The last dof that moves each body, -1 for none.
std::vector<int> find_last_dofs(const Model& model) {
  std::vector<int> last(static_cast<size_t>(model.nbody), -1);
  for (int b = 1; b < model.nbody; ++b) {
    const bool moves = model.body_dofnum[b] > 0;
    last[static_cast<size_t>(b)] =
        moves ? model.body_dofadr[b] + model.body_dofnum[b] - 1 : last[static_cast<size_t>(model.body_parentid[b])];
  }
  return last;
}

// Means over three directions, of translation and of rotation, at the body's COM.
void refresh_body_weights(Model& model, const Data& data) {
  InverseWeights weights(model, data);
  const std::vector<int> last_dofs = find_last_dofs(model);
  for (int b = 0; b < model.nbody; ++b) {
    double* result = model.body_invweight0.row(b, 2);
    result[0] = result[1] = 0;
    if (b > 0 && model.body_simple[b] == 2) {
      result[0] = 1 / model.body_mass[b];
      continue;
    }
    weights.set_chain(last_dofs[static_cast<size_t>(b)]);
    const Vec p_TcmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(model.body_rootid[b], 3));
    for (int k = 0; k < 6; ++k) {
      for (size_t n = 0; n < weights.chain().size(); ++n) {
        const Twist<double> S_Tcm_W = load6(data.cdof.row(weights.chain()[n], 6));
        const Vec v_Bcm_W = S_Tcm_W.v + cross(S_Tcm_W.w, p_TcmBcm_W);
        weights.row()[n] = k < 3 ? v_Bcm_W[k] : S_Tcm_W.w[k - 3];
      }
      result[k / 3] += weights.weight() / 3;
    }
  }
}

// The diagonal of M, without the armature of tendons, which is not in data.M yet.
void refresh_dof_inertias(Model& model, const Data& data) {
  for (int i = 0; i < model.nv; ++i) model.dof_M0[i] = data.M[model.M_rowadr[i] + model.M_rownnz[i] - 1];
}

// J M^-1 J'. If a fixed tendon names a joint twice, its last entry counts here, which is 0, as in MuJoCo.
void refresh_tendon_weights(Model& model, const Data& data) {
  std::vector<double> row(static_cast<size_t>(model.nv)), solved;
  for (int t = 0; t < model.ntendon; ++t) {
    std::fill(row.begin(), row.end(), 0.0);
    for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k)
      row[static_cast<size_t>(model.ten_J_colind[k])] = data.ten_J[k];
    solved = row;
    solve_mass_matrix(model, data, solved.data());
    model.tendon_invweight0[t] = std::inner_product(row.begin(), row.end(), solved.begin(), 0.0);
    model.tendon_length0[t] = data.ten_length[t];
  }
}

// Tendons without a spring length take their length at qpos_spring.
void settle_spring_lengths(Model& model, Data& data) {
  const auto is_open = [&model](int t) {
    return model.tendon_lengthspring[2 * t] == -1 && model.tendon_lengthspring[2 * t + 1] == -1;
  };
  bool some = false;
  for (int t = 0; t < model.ntendon; ++t) some = some || is_open(t);
  if (!some) return;
  std::copy(model.qpos_spring.begin(), model.qpos_spring.end(), data.qpos.begin());
  compute_kinematics(model, data);
  compute_com_position(model, data);
  compute_tendons(model, data);
  for (int t = 0; t < model.ntendon; ++t) {
    if (!is_open(t)) continue;
    model.tendon_lengthspring[2 * t] = model.tendon_lengthspring[2 * t + 1] = data.ten_length[t];
    for (int k = 0; model.tendon_plasticadr[t] >= 0 && k < model.nkey; ++k) {
      double* rest = model.key_plastic.row(k, model.nplastic) + model.tendon_plasticadr[t];
      if (rest[0] == -1 && rest[1] == -1) rest[0] = rest[1] = data.ten_length[t];
    }
  }
}

// The COM that the position of a camera or light on body b is relative to: that of its target, or else of its body.
Vec reference_com(const Data& data, int b, int target) {
  return load3(data.subtree_com.row(target < 0 ? b : target, 3));
}

void refresh_cameras(Model& model, const Data& data) {
  for (int c = 0; c < model.ncam; ++c) {
    const int b = model.cam_bodyid[c];
    const Vec p_BoCo_W = load9(data.xmat.row(b, 9)) * load3(model.cam_pos.row(c, 3));
    const Vec p_WoBo_W = load3(data.xpos.row(b, 3)), p_WoCom_W = reference_com(data, b, model.cam_targetbodyid[c]);
    store3(model.cam_pos0.row(c, 3), p_BoCo_W);
    store3(model.cam_poscom0.row(c, 3), p_WoBo_W + p_BoCo_W - p_WoCom_W);
    store9(model.cam_mat0.row(c, 9), to_mat(load4(data.xquat.row(b, 4)) * load4(model.cam_quat.row(c, 4))));
  }
}

void refresh_lights(Model& model, const Data& data) {
  for (int l = 0; l < model.nlight; ++l) {
    const int b = model.light_bodyid[l];
    const Mat3<double> R_WB = load9(data.xmat.row(b, 9));
    const Vec p_BoLo_W = R_WB * load3(model.light_pos.row(l, 3));
    const Vec p_WoBo_W = load3(data.xpos.row(b, 3)), p_WoCom_W = reference_com(data, b, model.light_targetbodyid[l]);
    store3(model.light_pos0.row(l, 3), p_BoLo_W);
    store3(model.light_poscom0.row(l, 3), p_WoBo_W + p_BoLo_W - p_WoCom_W);
    store3(model.light_dir0.row(l, 3), R_WB * load3(model.light_dir.row(l, 3)));
  }
}

// The anchor of a connect in body 2, and the pose of a weld for which none was given, both in qpos0.
void refresh_equalities(Model& model, const Data& data) {
  const auto pose = [&data](int body) { return load_frame(data.xpos.row(body, 3), data.xquat.row(body, 4)); };
  for (int e = 0; e < model.neq; ++e) {
    if (model.eq_objtype[e] != static_cast<int>(ObjectType::kBody)) continue;
    double* numbers = model.eq_data.row(e, kEqualityNumbers);
    const Frame X_12 = inverse(pose(model.eq_obj1id[e])) * pose(model.eq_obj2id[e]);
    if (model.eq_type[e] == static_cast<int>(EqualityType::kConnect)) {
      store3(numbers + 3, apply(inverse(X_12), load3(numbers)));
    } else if (model.eq_type[e] == static_cast<int>(EqualityType::kWeld) && numbers[kFollowsQpos0] != 0) {
      store3(numbers + 3, apply(X_12, load3(numbers)));
      store4(numbers + 6, X_12.q);
    }
  }
}

// J' of an output, as a dense vector.
void spread_moment(const Model& model, const Data& data, int out, std::vector<double>& row) {
  std::fill(row.begin(), row.end(), 0.0);
  for (int k = model.moment_rowadr[out], end = k + model.moment_rownnz[out]; k < end; ++k)
    row[static_cast<size_t>(model.moment_colind[k])] = data.actuator_moment[k];
}

// The inertia that an actuator moves in qpos0, (J M^-1 J')^-1; the mean of J M^-1 J' for several outputs. Zero for an
// actuator that moves nothing.
double reflected_inertia(const Model& model, const Data& data, int a) {
  std::vector<double> row(static_cast<size_t>(model.nv)), solved;
  double sum = 0;
  for (int k = 0; k < model.actuator_outnum[a]; ++k) {
    spread_moment(model, data, model.actuator_outadr[a] + k, row);
    solved = row;
    solve_mass_matrix(model, data, solved.data());
    sum += std::inner_product(row.begin(), row.end(), solved.begin(), 0.0);
  }
  return sum > kMinValue ? model.actuator_outnum[a] / sum : 0;
}

// A positive velocity coefficient of a servo means a damping ratio: kv = ratio 2 sqrt(kp m).
void settle_damping_ratio(Model& model, const Data& data, int a) {
  double* bias = model.actuator_biasprm.row(a, 10);
  const bool is_pid = model.actuator_gaintype[a] == static_cast<int>(ActuatorGain::kPid);
  if (!(bias[2] > 0) || (!is_pid && model.actuator_gainprm[10 * a] != -bias[1])) return;
  bias[2] *= -2 * std::sqrt(-bias[1] * reflected_inertia(model, data, a));
}

// If a fixed tendon names a joint twice, the last entry counts, as for tendon weights.
void refresh_actuators(Model& model, Data& data) {
  compute_transmission(model, data);
  std::vector<double> acceleration(static_cast<size_t>(model.nv));
  for (int out = 0; out < model.nout; ++out) {
    spread_moment(model, data, out, acceleration);
    solve_mass_matrix(model, data, acceleration.data());
    model.actuator_length0[out] = data.actuator_length[out];
    model.actuator_acc0[out] =
        std::sqrt(std::inner_product(acceleration.begin(), acceleration.end(), acceleration.begin(), 0.0));
  }
}

// What needs no state.
void refresh_plain_values(Model& model) {
  refresh_flags(model);
  refresh_shapes(model);
  refresh_same_frames(model);
  refresh_subtree_masses(model);
  compiler::refresh_sleep_policies(model);
}

void refresh_in_reference_pose(Model& model, Data& data) {
  compute_kinematics(model, data);
  compute_com_position(model, data);
  compute_tendons(model, data);
  compute_body_mass_matrix(model, data);
  refresh_dof_inertias(model, data);
  add_tendon_armature(model, data);
  factor_mass_matrix(model, data);
  refresh_dof_weights(model, data);
  refresh_body_weights(model, data);
  refresh_tendon_weights(model, data);
  refresh_actuators(model, data);
  refresh_equalities(model, data);
  refresh_cameras(model, data);
  refresh_lights(model, data);
  compiler::compute_dof_lengths(model, data);
}

}  // namespace

void set_const(Model& model) {
  refresh_plain_values(model);
  Data data(model);
  refresh_in_reference_pose(model, data);
  model.index_contacts();
}

void compiler::set_const_and_settle(Model& model) {
  refresh_plain_values(model);
  Data data(model);
  refresh_in_reference_pose(model, data);
  for (int a = 0; a < model.nactuator; ++a) settle_damping_ratio(model, data, a);
  compute_statistics(model, data);
  settle_spring_lengths(model, data);
  model.index_contacts();
}

}  // namespace torsor
