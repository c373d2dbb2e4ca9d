// Quaternions (w, x, y, z) and poses (position and quaternion), one at a time.
#include <algorithm>
#include <string>

#include <nanobind/stl/tuple.h>

#include "torsor/convention/euler.hpp"
#include "torsor/math/pose.hpp"
#include "torsor/math/quat_motion.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "text.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Vec3<double> vector_from(const char* name, const ArrayLike& value) { return load3(Input(name, value, {3}).data()); }
Quat<double> quat_from(const char* name, const ArrayLike& value) { return load4(Input(name, value, {4}).data()); }
Pose<double> pose_from(const char* pos_name, const ArrayLike& pos, const char* quat_name, const ArrayLike& quat) {
  return {vector_from(pos_name, pos), quat_from(quat_name, quat)};
}

Array to_array(const Vec3<double>& v) { return make_array({v.x, v.y, v.z}); }
Array to_array(const Quat<double>& q) { return make_array({q.w, q.x, q.y, q.z}); }
std::tuple<Array, Array> to_arrays(const Pose<double>& X) { return {to_array(X.p), to_array(normalized(X.q))}; }

void bind_quaternions(nb::module_& m) {
  m.def(
      "mul_quat",
      [](const ArrayLike& quat1, const ArrayLike& quat2) {
        return to_array(quat_from("quat1", quat1) * quat_from("quat2", quat2));
      },
      "quat1"_a, "quat2"_a, R"(The product of two quaternions (wxyz): rotates by quat2 first, then by quat1.

>>> torsor.mul_quat([0, 1, 0, 0], [0, 0, 1, 0])
array([0., 0., 0., 1.])
)");
  m.def(
      "neg_quat", [](const ArrayLike& quat) { return to_array(conj(quat_from("quat", quat))); }, "quat"_a,
      R"(The conjugate of a quaternion (wxyz), its inverse rotation.

>>> torsor.neg_quat([0.6, 0.8, 0, 0])
array([ 0.6, -0.8, -0. , -0. ])
)");
  m.def(
      "rot_vec_quat",
      [](const ArrayLike& vec, const ArrayLike& quat) {
        return to_array(rotate(quat_from("quat", quat), vector_from("vec", vec)));
      },
      "vec"_a, "quat"_a, R"(A vector rotated by a unit quaternion (wxyz).

>>> torsor.rot_vec_quat([1, 2, 3], [0, 0, 0, 1])
array([-1., -2.,  3.])
)");
  m.def(
      "quat_to_mat", [](const ArrayLike& quat) { return make_matrix3(to_mat(quat_from("quat", quat)).m); }, "quat"_a,
      R"(The 3 x 3 rotation matrix of a unit quaternion (wxyz).

>>> torsor.quat_to_mat([1, 0, 0, 0])
array([[1., 0., 0.],
       [0., 1., 0.],
       [0., 0., 1.]])
)");
  m.def(
      "mat_to_quat",
      [](const ArrayLike& mat) {
        const Input numbers("mat", mat, {3, 3}, {9});
        Mat3<double> R;
        std::copy_n(numbers.data(), 9, R.m);
        return to_array(from_mat(R));
      },
      "mat"_a, R"(The unit quaternion (wxyz) of a rotation matrix: 3 x 3, or its 9 numbers by rows.

>>> torsor.mat_to_quat([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
array([1., 0., 0., 0.])
)");
  m.def(
      "axis_angle_to_quat",
      [](const ArrayLike& axis, double angle) { return to_array(from_axis_angle(vector_from("axis", axis), angle)); },
      "axis"_a, "angle"_a, R"(The quaternion (wxyz) of a rotation by an angle in radians about an axis of unit length.

>>> torsor.axis_angle_to_quat([0, 0, 1], 0.0)
array([1., 0., 0., 0.])
)");
  m.def(
      "integrate_quat",
      [](const ArrayLike& quat, const ArrayLike& vel, double dt) {
        return to_array(integrate(quat_from("quat", quat), vector_from("vel", vel), dt));
      },
      "quat"_a, "vel"_a, "dt"_a,
      R"(The quaternion (wxyz) after rotating for a time dt at an angular velocity in the body's axes.

>>> numpy.allclose(torsor.integrate_quat([1, 0, 0, 0], [numpy.pi, 0, 0], 1.0), [0, 1, 0, 0])
True
)");
  m.def(
      "sub_quat",
      [](const ArrayLike& quat1, const ArrayLike& quat2) {
        return to_array(quat_difference(quat_from("quat1", quat1), quat_from("quat2", quat2)));
      },
      "quat1"_a, "quat2"_a, R"(The rotation vector that leads from quat2 to quat1 (both wxyz), in the axes of quat2.

>>> numpy.allclose(torsor.sub_quat([0, 1, 0, 0], [1, 0, 0, 0]), [numpy.pi, 0, 0])
True
)");
}

void bind_quaternion_rates(nb::module_& m) {
  m.def(
      "mul_quat_axis",
      [](const ArrayLike& quat, const ArrayLike& axis) {
        return to_array(times_vector(quat_from("quat", quat), vector_from("axis", axis)));
      },
      "quat"_a, "axis"_a,
      R"(The product of a quaternion (wxyz) and a vector, taken as a quaternion with zero scalar part.

>>> torsor.mul_quat_axis([1, 0, 0, 0], [1, 2, 3])
array([0., 1., 2., 3.])
)");
  m.def(
      "deriv_quat",
      [](const ArrayLike& quat, const ArrayLike& vel) {
        return to_array(quat_rate(quat_from("quat", quat), vector_from("vel", vel)));
      },
      "quat"_a, "vel"_a, R"(The time derivative of a quaternion (wxyz) at an angular velocity in the world's axes.

>>> torsor.deriv_quat([1, 0, 0, 0], [2, 4, 6])
array([0., 1., 2., 3.])
)");
  m.def(
      "quat_to_vel",
      [](const ArrayLike& quat, double dt) {
        if (dt == 0) throw nb::value_error("dt must not be zero");
        return to_array(rotation_vector(quat_from("quat", quat)) * (1 / dt));
      },
      "quat"_a, "dt"_a, R"(The angular velocity that rotates by a unit quaternion (wxyz) in a time dt.

>>> numpy.allclose(torsor.quat_to_vel([0, 1, 0, 0], 2.0), [numpy.pi / 2, 0, 0])
True
)");
  m.def(
      "quat_z_to_vec", [](const ArrayLike& vec) { return to_array(quat_z_to(vector_from("vec", vec))); }, "vec"_a,
      R"(The quaternion (wxyz) of the smallest rotation from the z axis to a direction.

>>> torsor.quat_z_to_vec([0, 0, 5])
array([1., 0., 0., 0.])
)");
  m.def(
      "euler_to_quat",
      [](const ArrayLike& euler, const std::string& seq) {
        return to_array(rotations::quat_from_euler(
            rotations::make_euler_sequence(seq, rotations::EulerSpelling::kMujoco), vector_from("euler", euler)));
      },
      "euler"_a, "seq"_a,
      R"(The quaternion (wxyz) of three Euler angles in radians: lower case for moving axes, upper case for fixed axes.

>>> numpy.allclose(torsor.euler_to_quat([numpy.pi, 0, 0], "xyz"), [0, 1, 0, 0])
True
)");
}

void bind_pose_functions(nb::module_& m) {
  m.def(
      "mul_pose",
      [](const ArrayLike& pos1, const ArrayLike& quat1, const ArrayLike& pos2, const ArrayLike& quat2) {
        return to_arrays(pose_from("pos1", pos1, "quat1", quat1) * pose_from("pos2", pos2, "quat2", quat2));
      },
      "pos1"_a, "quat1"_a, "pos2"_a, "quat2"_a,
      R"(The product (pos, quat) of two poses, quaternions wxyz: pose 2 is given in the frame of pose 1.

>>> torsor.mul_pose([1, 0, 0], [0, 0, 0, 1], [1, 0, 0], [1, 0, 0, 0])
(array([0., 0., 0.]), array([0., 0., 0., 1.]))
)");
  m.def(
      "neg_pose",
      [](const ArrayLike& pos, const ArrayLike& quat) {
        return to_arrays(inverse(pose_from("pos", pos, "quat", quat)));
      },
      "pos"_a, "quat"_a, R"(The inverse (pos, quat) of a pose, quaternions wxyz.

>>> torsor.neg_pose([1, 0, 0], [1, 0, 0, 0])[0]
array([-1., -0., -0.])
)");
  m.def(
      "trn_vec_pose",
      [](const ArrayLike& pos, const ArrayLike& quat, const ArrayLike& vec) {
        return to_array(apply(pose_from("pos", pos, "quat", quat), vector_from("vec", vec)));
      },
      "pos"_a, "quat"_a, "vec"_a, R"(A point in the frame of a pose (pos, quat wxyz), converted to the parent frame.

>>> torsor.trn_vec_pose([1, 0, 0], [0, 0, 0, 1], [1, 2, 3])
array([ 0., -2.,  3.])
)");
}

}  // namespace

void bind_poses(nb::module_& m) {
  bind_quaternions(m);
  bind_quaternion_rates(m);
  bind_pose_functions(m);
}

}  // namespace torsor::python
