// mju_rotVecQuat, mju_mulPose, mju_quat2Mat and so on: rotations, poses and their derivatives.
#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/convention/euler.hpp"
#include "torsor/core/error.hpp"
#include "torsor/math/linear.hpp"
#include "torsor/math/pose.hpp"
#include "torsor/math/principal_axes.hpp"
#include "torsor/math/quat_motion.hpp"

namespace torsor::python::mj {
namespace {

using V = Vec3<double>;
using Q = Quat<double>;

V vec(const Args& a, int i) { return load3(a.reals(i)); }
Q quat(const Args& a, int i) { return load4(a.reals(i)); }
PyObject* give(const Args& a, int i, const V& v) { return store3(a.reals(i), v), none(); }
PyObject* give(const Args& a, int i, const Q& q) { return store4(a.reals(i), q), none(); }
PyObject* give(const Args& a, int i, const Mat3<double>& R) { return std::copy_n(R.m, 9, a.reals(i)), none(); }
Mat3<double> mat(const Args& a, int i) {
  Mat3<double> R;
  std::copy_n(a.reals(i), 9, R.m);
  return R;
}

PyObject* rotate_vector(Args& a) { return give(a, 0, rotate(quat(a, 2), vec(a, 1))); }
PyObject* conjugate(Args& a) { return give(a, 0, conj(quat(a, 1))); }
PyObject* multiply(Args& a) { return give(a, 0, quat(a, 1) * quat(a, 2)); }
PyObject* multiply_axis(Args& a) { return give(a, 0, times_vector(quat(a, 1), vec(a, 2))); }
PyObject* from_axis(Args& a) { return give(a, 0, from_axis_angle(vec(a, 1), a.real(2))); }
PyObject* to_velocity(Args& a) { return give(a, 0, rotation_vector(quat(a, 1)) * (1 / a.real(2))); }
PyObject* difference(Args& a) { return give(a, 0, quat_difference(quat(a, 1), quat(a, 2))); }
PyObject* to_matrix(Args& a) { return give(a, 0, to_mat(quat(a, 1))); }
PyObject* from_matrix(Args& a) { return give(a, 0, from_mat(mat(a, 1))); }
// tr(R' A), which the nearest rotation makes largest.
double agreement_of(const Q& q, const Mat3<double>& A) {
  const Mat3<double> R = to_mat(q);
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += dot(R.col(i), A.col(i));
  return sum;
}

// Turns a rotation towards a matrix until it comes to rest [Mueller, Bender, Chentanez, Macklin 2016]. Returns how many
// turns it took.
int turn_towards(const Mat3<double>& A, Q& q) {
  constexpr int kMost = 500;
  int turns = 0;
  for (; turns < kMost; ++turns) {
    const Mat3<double> R = to_mat(q);
    V torque{0, 0, 0};
    for (int i = 0; i < 3; ++i) torque += cross(R.col(i), A.col(i));
    const V turn = torque * (1 / (std::fabs(agreement_of(q, A)) + 1e-15));
    const double angle = norm(turn);
    if (!(angle >= 1e-9)) break;
    q = normalized(from_axis_angle(turn * (1 / angle), angle) * q);
  }
  return turns;
}

// Whether half a turn about some axis raises the agreement by more than `least`, for a rotation that has come to rest.
// For B = A R', which is then symmetric, half a turn about the unit vector e changes it by -2 (tr B - e' B e).
bool gains_by_half_a_turn(const Mat3<double>& A, const Q& q, double least) {
  const Mat3<double> B = mul_transposed(A, to_mat(q));
  const double trace = B(0, 0) + B(1, 1) + B(2, 2);
  const auto entry = [&](int i,
                         int k) {  // of (tr B + least / 2) 1 - B: positive definite if no half turn gains as much
    return (i == k ? trace + 0.5 * least : 0.0) - 0.5 * (B(i, k) + B(k, i));
  };
  const double xx = entry(0, 0), xy = entry(0, 1), xz = entry(0, 2), yy = entry(1, 1), yz = entry(1, 2),
               zz = entry(2, 2);
  const double minor = xx * yy - xy * xy;
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return !(xx > 0 && minor > 0 && determinant > 0);
}

// The rotation nearest to a matrix, from the given one. Turns also come to rest where the agreement is not the largest,
// half a turn from where it is: then they start again from around there.
PyObject* nearest_rotation(Args& a) {  // quat mat
  constexpr double kPush = 0.5, kBetter = 1e-9;
  const Mat3<double> A = mat(a, 1);
  Q q = normalized(quat(a, 0));
  int turns = turn_towards(A, q);
  double scale = 0;
  for (const double number : A.m) scale = std::max(scale, std::fabs(number));
  if (gains_by_half_a_turn(A, q, kBetter * scale)) {
    double best = agreement_of(q, A);
    for (int axis = 0; axis < 3; ++axis) {
      V push{0, 0, 0};
      push[axis] = 1;
      Q other = normalized(from_axis_angle(push, kPush) * q);
      const int more = turn_towards(A, other);
      const double found = agreement_of(other, A);
      if (!(found > best + kBetter * scale)) continue;
      q = other, best = found, turns += more;
      axis = -1;
    }
  }
  give(a, 0, q);
  return whole(turns);
}
PyObject* rate(Args& a) { return give(a, 0, quat_rate(quat(a, 1), vec(a, 2))); }
PyObject* integrate_rotation(Args& a) { return give(a, 0, integrate(quat(a, 0), vec(a, 1), a.real(2))); }
PyObject* z_to(Args& a) { return give(a, 0, quat_z_to(vec(a, 1))); }

PyObject* from_euler(Args& a) {
  const std::string_view axes = a.text(2);
  if (axes.size() != 3) throw Error("mju_euler2Quat: seq must contain exactly 3 characters");
  for (size_t i = 0; i < 3; ++i) {
    if (std::string_view("xyzXYZ").find(axes[i]) == std::string_view::npos)
      throw Error(fmt::format("mju_euler2Quat: seq[{}] is '{}', should be one of x, y, z, X, Y, Z", i, axes[i]));
  }
  const auto sequence = rotations::make_euler_sequence(std::string(a.text(2)), rotations::EulerSpelling::kMujoco);
  return give(a, 0, rotations::quat_from_euler(sequence, vec(a, 1)));
}

PyObject* multiply_poses(Args& a) {  // posres quatres pos1 quat1 pos2 quat2
  const Pose<double> product = Pose<double>{vec(a, 2), quat(a, 3)} * Pose<double>{vec(a, 4), quat(a, 5)};
  give(a, 1, normalized(product.q));
  return give(a, 0, product.p);
}
PyObject* negate_pose(Args& a) {
  const Pose<double> result = inverse(Pose<double>{vec(a, 2), quat(a, 3)});
  give(a, 1, result.q);
  return give(a, 0, result.p);
}
PyObject* transform_vector(Args& a) { return give(a, 0, apply(Pose<double>{vec(a, 1), quat(a, 2)}, vec(a, 3))); }

PyObject* transform_spatial(Args& a) {  // res vec flg_force newpos oldpos rotnew2old
  double result[6];
  const auto transform = a.truth(2) ? linear::transform_force : linear::transform_motion;
  transform(a.reals(1), a.reals(4), a.reals(3), a.reals(5), result);
  return std::copy_n(result, 6, a.reals(0)), none();
}

PyObject* multiply_matrix3(Args& a) {
  double result[3];
  linear::multiply(3, 3, a.reals(1), a.reals(2), result);
  return std::copy_n(result, 3, a.reals(0)), none();
}
PyObject* multiply_matrix3_transposed(Args& a) {
  double result[3];
  linear::multiply_transposed(3, 3, a.reals(1), a.reals(2), result);
  return std::copy_n(result, 3, a.reals(0)), none();
}

PyObject* eigen3(Args& a) {  // eigval eigvec quat mat
  const PrincipalAxes<double> axes = principal_axes(mat(a, 3));
  give(a, 0, axes.moments);
  give(a, 2, axes.q);
  give(a, 1, to_mat(axes.q));
  return whole(0);
}

// Derivatives of the rotation vector of conj(qb) qa by rotations of qa and of qb in their own axes: with u = theta n,
//   Da = 1 + [u]/2 + (1 - (theta/2) cot(theta/2)) [n]^2,  Db = -Da'.
Mat3<double> right_jacobian_inverse(const V& u) {
  const double angle = norm(u), half = 0.5 * angle;
  const V n = angle < 6e-8 ? V{0, 0, 0} : u * (1 / angle);
  const double c = angle < 6e-8 ? 0 : 1 - half / std::tan(half);
  const double skew[9] = {0, -u.z, u.y, u.z, 0, -u.x, -u.y, u.x, 0};
  Mat3<double> D;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double square = n[i] * n[j] - (i == j ? dot(n, n) : 0);  // [n]^2
      D.m[3 * i + j] = (i == j) + 0.5 * skew[3 * i + j] + c * square;
    }
  return D;
}

PyObject* difference_derivatives(Args& a) {  // qa qb Da Db
  if (a.size(0) != 4 || a.size(1) != 4) throw_type_error("qa and qb should have 4 elements");
  for (const int i : {2, 3})
    if (a.is_given(i) && a.size(i) != 9)
      throw_type_error(i == 2 ? "Da should be 9 elements" : "Db should be 9 elements");
  const Mat3<double> D = right_jacobian_inverse(quat_difference(quat(a, 0), quat(a, 1)));
  if (a.is_given(2)) give(a, 2, D);
  if (a.is_given(3))
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a.reals(3)[3 * i + j] = -D.m[3 * j + i];
  return none();
}

// Derivatives of the rotated quaternion's tangent, at the rotation vector scale * vel: by the rotation before
// (transposed rotation), by the rotation vector (right Jacobian) and by scale.
PyObject* integration_derivatives(Args& a) {  // vel scale Dquat Dvel Dscale
  const V u = vec(a, 0) * a.real(1);
  const double angle = norm(u);
  const V n = angle < 1e-15 ? V{0, 0, 0} : u * (1 / angle);
  const double s = angle < 1e-8 ? 1 : std::sin(angle) / angle, c = angle < 1e-8 ? 0 : (1 - std::cos(angle)) / angle;
  const Mat3<double> R = to_mat(quat_from_rotation_vector(u));
  const double skew[9] = {0, -n.z, n.y, n.z, 0, -n.x, -n.y, n.x, 0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      a.reals(2)[3 * i + j] = R.m[3 * j + i];
      const double right = (i == j ? s : 0) + (angle < 1e-8 ? 0 : (1 - s) * n[i] * n[j]) - c * skew[3 * i + j];
      a.reals(3)[3 * i + j] = right;
    }
  return give(a, 4, vec(a, 0));
}

}  // namespace

void bind_pose_functions(nb::module_& m) {
  const Function rows[] = {
      {"mju_rotVecQuat", "res:V3 vec:v3 quat:v4", rotate_vector},
      {"mju_negQuat", "res:V4 quat:v4", conjugate},
      {"mju_mulQuat", "res:V4 quat1:v4 quat2:v4", multiply},
      {"mju_mulQuatAxis", "res:V4 quat:v4 axis:v3", multiply_axis},
      {"mju_axisAngle2Quat", "res:V4 axis:v3 angle:f", from_axis},
      {"mju_quat2Vel", "res:V3 quat:v4 dt:f", to_velocity},
      {"mju_subQuat", "res:V3 qa:v4 qb:v4", difference},
      {"mju_quat2Mat", "res:V9 quat:v4", to_matrix},
      {"mju_mat2Quat", "quat:V4 mat:v9", from_matrix},
      {"mju_mat2Rot", "quat:V4 mat:v9", nearest_rotation},
      {"mju_derivQuat", "res:V4 quat:v4 vel:v3", rate},
      {"mju_quatIntegrate", "quat:V4 vel:v3 scale:f", integrate_rotation},
      {"mju_quatZ2Vec", "quat:V4 vec:v3", z_to},
      {"mju_euler2Quat", "quat:V4 euler:v3 seq:s", from_euler},
      {"mju_mulPose", "posres:V3 quatres:V4 pos1:v3 quat1:v4 pos2:v3 quat2:v4", multiply_poses},
      {"mju_negPose", "posres:V3 quatres:V4 pos:v3 quat:v4", negate_pose},
      {"mju_trnVecPose", "res:V3 pos:v3 quat:v4 vec:v3", transform_vector},
      {"mju_transformSpatial", "res:V6 vec:v6 flg_force:i newpos:v3 oldpos:v3 rotnew2old:v9", transform_spatial},
      {"mju_mulMatVec3", "res:V3 mat:v9 vec:v3", multiply_matrix3},
      {"mju_mulMatTVec3", "res:V3 mat:v9 vec:v3", multiply_matrix3_transposed},
      {"mju_eig3", "eigval:V3 eigvec:V9 quat:V4 mat:v9", eigen3},
      {"mjd_subQuat", "qa:v qb:v Da:W? Db:W?", difference_derivatives},
      {"mjd_quatIntegrate", "vel:v3 scale:f Dquat:V9 Dvel:V9 Dscale:V3", integration_derivatives},
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
