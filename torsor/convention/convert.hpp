// Conversions between conventions chosen at run time, for rotations, poses, twists, accelerations, wrenches and forces
// of one body. Built once from two conventions, then applied to one or many rows of numbers without allocation.
//
//   BodyConversion to_newton(find_convention("mujoco"), find_convention("newton"), body);
//   to_newton.twists(poses, twists, out, count);   // poses and twists in MuJoCo's numbers
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "torsor/convention/convention.hpp"
#include "torsor/convention/rigid.hpp"
#include "torsor/convention/row_error.hpp"

namespace torsor {

enum class Quantity : char { kRotation, kPosition, kPose, kTwist, kAcceleration, kWrench, kJointForce };

const char* to_string(Quantity quantity);
// The number of numbers of a quantity; for rotations and poses it depends on the row's rotation form.
int width(const Row& row, Quantity quantity);
// Names of the unspecified cells that the quantity needs.
std::vector<std::string> open_cells(const Row& row, Quantity quantity);
// Throws an Error that names those cells and how to fill them.
void require(const Convention& convention, Quantity quantity);

// Throws an Error that names the column of the first number that is not finite.
void check_finite(const double* in, int count, int first_column = 0);

// A rotation from the row's form, in the row's own axes. Throws for numbers that are not finite or not a rotation.
Quat<double> rotation_from_numbers(const Row& row, const double* in);
void rotation_to_numbers(const Row& row, const Quat<double>& q, double* out);

// Converts numbers of a row to ours and back, for rows without unspecified cells. Quaternions within 1e-3 of unit
// length are normalised; others, and numbers that are not finite, throw an Error.
Quat<double> read_rotation(const Row& row, const double* in);
void write_rotation(const Row& row, const Quat<double>& q, double* out);
Pose<double> read_pose(const Row& row, const BodyPlace<double>& place, const double* in);
void write_pose(const Row& row, const BodyPlace<double>& place, double* out);  // of place.X_WB

class BodyConversion {
 public:
  // body: centre of mass, anchors and so on, as far as the two rows need them; its X_WB is not read.
  BodyConversion(const Convention& from, const Convention& to, const BodyPlace<double>& body = {});

  // Contiguous rows. The pose of each row is in the convention `from`; it determines axes and points of the other
  // quantities. Each function throws an Error that names cells that either convention does not specify, or a RowError.
  void rotations(const double* in, double* out, size_t count) const;
  void positions(const double* in, double* out, size_t count) const;  // of points in the world
  void poses(const double* in, double* out, size_t count) const;
  void twists(const double* poses, const double* in, double* out, size_t count) const;
  void accelerations(const double* poses, const double* twists, const double* in, double* out, size_t count) const;
  void wrenches(const double* poses, const double* in, double* out, size_t count) const;
  void joint_forces(const double* poses, const double* in, double* out, size_t count) const;
  void states(const double* in, double* out, size_t count) const;  // a pose and a twist in one row

  // The properties of the body that the conversion of a quantity reads: com, principal_axes, parent_anchor,
  // child_anchor, tree_com, tree_com_velocity, gravity.
  std::vector<std::string> needs(Quantity quantity) const;

  // The 6 x 6 matrix, row-major, that converts twists of `from` to those of `to`; multiply Jacobians of the body by it
  // from the left. The force matrix is its inverse transpose.
  std::array<double, 36> twist_matrix(const double* pose) const;
  std::array<double, 36> wrench_matrix(const double* pose) const;  // for forces dual to the two twists

  const Convention& from() const { return from_; }
  const Convention& to() const { return to_; }
  void set_body(const BodyPlace<double>& body) { body_ = body; }

 private:
  Convention from_, to_;
  BodyPlace<double> body_;

  void require_both(Quantity quantity) const;
  template <class Work>
  void for_rows(size_t count, const Work& work) const;
  BodyPlace<double> place_at(const double* pose) const;
};

}  // namespace torsor
