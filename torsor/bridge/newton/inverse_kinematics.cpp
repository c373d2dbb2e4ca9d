// Joint coordinates from the poses and twists of bodies, joint by joint.
#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::newton {
namespace {

// Least-squares solution of A x = b for n <= 6 independent columns of `rows` numbers each, by the normal equations.
void solve_least_squares(const double* columns, int rows, int n, const double* b, double* x) {
  double N[6][7] = {};
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int r = 0; r < rows; ++r) N[i][k] += columns[i * rows + r] * columns[k * rows + r];
    }
    for (int r = 0; r < rows; ++r) N[i][n] += columns[i * rows + r] * b[r];
  }
  for (int i = 0; i < n; ++i) {
    int pivot = i;
    for (int r = i + 1; r < n; ++r) pivot = std::fabs(N[r][i]) > std::fabs(N[pivot][i]) ? r : pivot;
    std::swap_ranges(N[i], N[i] + 7, N[pivot]);
    if (std::fabs(N[i][i]) < 1e-14) N[i][i] = 1;  // coinciding axes: the later one does not move
    for (int r = 0; r < n; ++r) {
      const double factor = r == i ? 0 : N[r][i] / N[i][i];
      for (int k = i; k <= n; ++k) N[r][k] -= factor * N[i][k];
    }
  }
  for (int i = 0; i < n; ++i) x[i] = N[i][n] / N[i][i];
}

double angle_about(const Quat<double>& q, const Vec3<double>& axis) {
  const double angle = 2 * std::atan2(dot(q.vec(), axis), q.w);
  return angle > M_PI ? angle - 2 * M_PI : angle < -M_PI ? angle + 2 * M_PI : angle;
}

// Decomposes a rotation into angles about successive axes, each carried by the previous ones, by Newton's method from a
// guess. Returns the residual rotation.
double refine(const Quat<double>& q, const Vec3<double>* axes, int n, double* angles) {
  double rest = 0;
  for (int iteration = 0; iteration < 30; ++iteration) {
    Quat<double> turned = Quat<double>::identity(), later = Quat<double>::identity();
    for (int i = 0; i < n; ++i) turned = turned * from_axis_angle(axes[i], angles[i]);
    double columns[9], residual[3], step[3];
    store3(residual, rotation_vector(conj(turned) * q));
    rest = norm(load3(residual));
    if (rest < 1e-15) break;
    for (int i = n - 1; i >= 0; --i) {
      store3(&columns[3 * i], rotate_inverse(later, axes[i]));
      later = from_axis_angle(axes[i], angles[i]) * later;
    }
    solve_least_squares(columns, 3, n, residual, step);
    for (int i = 0; i < n; ++i) angles[i] += step[i];
  }
  for (int i = 0; i < n; ++i) angles[i] = std::remainder(angles[i], 2 * M_PI);
  return rest;
}

// Of the two decompositions into rotations about two or three axes, takes the one with the smaller angles. The guesses
// are those for orthogonal axes.
void decompose(const Quat<double>& q, const Vec3<double>* axes, int n, double* angles) {
  if (n == 1) return void(angles[0] = angle_about(q, axes[0]));
  const Vec3<double> e1 = axes[0], e2 = normalized(axes[1] - e1 * dot(e1, axes[1])), e3 = cross(e1, e2);
  const Mat3<double> E = mat_from_cols(e1, e2, e3), R = transposed_mul(E, to_mat(q) * E);
  const double a = std::atan2(-R(1, 2), R(2, 2)), b = std::asin(std::clamp(R(0, 2), -1.0, 1.0));
  const double c = std::atan2(-R(0, 1), R(0, 0)), sign = n == 3 && dot(axes[2], e3) < 0 ? -1 : 1;
  const double guesses[3][3] = {{a, b, c * sign}, {a + M_PI, M_PI - b, (c + M_PI) * sign}, {0, 0, 0}};
  double best_size = 0, best_rest = 1e9;
  for (const double* guess : guesses) {
    double found[3] = {guess[0], guess[1], guess[2]}, size = 0;
    const double rest = refine(q, axes, n, found);
    for (int i = 0; i < n; ++i) size += found[i] * found[i];
    const bool is_better = rest < 1e-9 && best_rest < 1e-9 ? size < best_size - 1e-9 : rest < best_rest;
    if (!is_better) continue;
    best_size = size, best_rest = rest;
    std::copy_n(found, n, angles);
  }
}

class InverseKinematics {
 public:
  InverseKinematics(const ModelData& model, const State& state) : model_(model), lists_(model.lists), state_(state) {}

  void find_positions(double* joint_q) const {
    for (int j = 0; j < lists_.joint_count(); ++j) find_position(j, joint_q + lists_.joint_q_start[j]);
  }

  // The child's twist is that of the parent plus the contributions of the joint's dofs, all at the tree's centre of
  // mass.
  void find_velocities(Data& data) const {
    for (int j = 0; j < lists_.joint_count(); ++j) {
      if (model_.joint_dofadr[j] < 0) continue;
      const int child = model_.layout.body_engine[lists_.joint_child[j]];
      const Vec3<double> p_Tcm_W = load3(&data.subtree_com[3 * model_.engine.body_rootid[child]]);
      const Twist<double> V = relative_twist(j, p_Tcm_W);
      const double relative[6] = {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z};
      solve_least_squares(&data.cdof[6 * model_.joint_dofadr[j]], 6, lists_.qd_end(j) - lists_.joint_qd_start[j],
                          relative, &data.qvel[model_.joint_dofadr[j]]);
    }
  }

  void find_loop_velocity(int j, double* joint_qd) const {
    const Pose<double> X_WA = parent_anchor(j);
    const Vec3<double> w_A = rotate_inverse(X_WA.q, relative_twist(j, X_WA.p).w);
    for (int dof = lists_.joint_qd_start[j]; dof < lists_.qd_end(j); ++dof)
      joint_qd[dof] = dot(w_A, to_vec(lists_.joint_axis[dof]));
  }

 private:
  Pose<double> body_pose(int body) const {
    Transform numbers;
    std::copy_n(&state_.body_q[7 * body], 7, numbers.begin());
    return to_pose(numbers);
  }
  Pose<double> parent_anchor(int j) const {
    const int parent = lists_.joint_parent[j];
    return (parent < 0 ? Pose<double>::identity() : body_pose(parent)) * to_pose(lists_.joint_X_p[j]);
  }
  Twist<double> twist_at(int body, const Vec3<double>& p_W) const {
    if (body < 0) return {Vec3<double>::zero(), Vec3<double>::zero()};
    BodyPlace<double> place;
    place.X_WB = body_pose(body);
    place.p_BoBcm_B = to_vec(lists_.body_com[body]);
    const Row& row = model_.convention.row;
    const Parts<double> parts = load_parts(row.twist.order, &state_.body_qd[6 * body]);
    return SpatialMap<double>(row.twist, row, place).ours(parts).at(p_W - place.X_WB.p);
  }
  Twist<double> relative_twist(int j, const Vec3<double>& p_W) const {
    const Twist<double> child = twist_at(lists_.joint_child[j], p_W), parent = twist_at(lists_.joint_parent[j], p_W);
    return {child.w - parent.w, child.v - parent.v};
  }

  void find_position(int j, double* q) const {
    const Pose<double> X = inverse(parent_anchor(j)) * body_pose(lists_.joint_child[j]) * to_pose(lists_.joint_X_c[j]);
    const Transform numbers = to_transform(X);
    switch (lists_.joint_type[j]) {
      case JointKind::kFixed:
        return;
      case JointKind::kFree:
      case JointKind::kDistance:
        std::copy(numbers.begin(), numbers.end(), q);
        return;
      case JointKind::kBall:
        std::copy(numbers.begin() + 3, numbers.end(), q);
        return;
      default:
        return find_axes(j, X, q);
    }
  }

  void find_axes(int j, const Pose<double>& X, double* q) const {
    const int dof = lists_.joint_qd_start[j], linear = lists_.joint_dof_dim[j][0], angular = lists_.joint_dof_dim[j][1];
    Vec3<double> axes[6] = {};
    for (int i = 0; i < linear + angular; ++i) axes[i] = to_vec(lists_.joint_axis[dof + i]);
    if (angular > 0) decompose(X.q, axes + linear, angular, q + linear);
    if (linear == 0) return;
    // rotations about anchors away from the joint's anchor also move the child
    Pose<double> turned = Pose<double>::identity();
    for (int i = linear; i < linear + angular; ++i) {
      const Vec3<double> anchor = anchor_of(j, dof + i);
      const Quat<double> turn = from_axis_angle(axes[i], q[i]);
      turned = turned * Pose<double>{anchor - rotate(turn, anchor), turn};
    }
    double columns[9], displacement[3];
    for (int i = 0; i < linear; ++i) store3(&columns[3 * i], axes[i]);
    store3(displacement, X.p - turned.p);
    solve_least_squares(columns, 3, linear, displacement, q);
  }

  Vec3<double> anchor_of(int j, int dof) const {
    if (!lists_.dof_native[dof]) return Vec3<double>::zero();
    return apply(inverse(to_pose(lists_.joint_X_c[j])), to_vec(lists_.dof_native[dof]->pos));
  }

  const ModelData& model_;
  const ModelBuilder& lists_;
  const State& state_;
};

}  // namespace

void eval_ik(const Model& model, const State& state, std::vector<double>& joint_q, std::vector<double>& joint_qd) {
  model.data()->check(state, "the state");
  model.data()->find_joints(state, joint_q, joint_qd);
}

void ModelData::find_joints(const State& state, std::vector<double>& joint_q, std::vector<double>& joint_qd) const {
  const ModelData& data = *this;
  const InverseKinematics ik(data, state);
  std::vector<double> q(static_cast<size_t>(data.lists.joint_coord_count()));
  std::vector<double> qd(static_cast<size_t>(data.lists.joint_dof_count()));
  ik.find_positions(q.data());
  const std::lock_guard lock(data.mutex);
  data.set_positions(q.data(), data.scratch);
  compute_kinematics(data.engine, data.scratch);
  compute_com_position(data.engine, data.scratch);
  ik.find_velocities(data.scratch);
  data.read_velocities(data.scratch, qd.data());
  for (int j = 0; j < data.lists.joint_count(); ++j) {
    if (data.layout.joint_is_loop[j]) ik.find_loop_velocity(j, qd.data());
  }
  joint_q = std::move(q);
  joint_qd = std::move(qd);
}

}  // namespace torsor::newton
