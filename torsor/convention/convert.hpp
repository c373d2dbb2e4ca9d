// Conversions between conventions that are chosen at run time: of one body's rotations, poses, twists, accelerations,
// wrenches and forces. Built once from two conventions, applied to one row of numbers or to many without allocating.
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
// How many numbers the row writes it in; needs the row's rotation form for rotations and poses.
int width(const Row& row, Quantity quantity);
// Names of the cells that the row leaves open although the quantity needs them.
std::vector<std::string> open_cells(const Row& row, Quantity quantity);
// Throws an Error that names those cells and how to fill them.
void require(const Convention& convention, Quantity quantity);

// Throws an Error that names the column of the first number that is not finite.
void check_finite(const double* in, int count, int first_column = 0);

// A rotation as the row writes it, in the row's own axes. Throws for numbers that are not finite or not a rotation.
Quat<double> rotation_from_numbers(const Row& row, const double* in);
void rotation_to_numbers(const Row& row, const Quat<double>& q, double* out);

// Numbers of one row to ours and back, for rows that leave nothing open. Quaternions within 1e-3 of unit length are
// made unit; others, and numbers that are not finite, throw an Error.
Quat<double> read_rotation(const Row& row, const double* in);
void write_rotation(const Row& row, const Quat<double>& q, double* out);
Pose<double> read_pose(const Row& row, const BodyPlace<double>& place, const double* in);
void write_pose(const Row& row, const BodyPlace<double>& place, double* out);  // of place.X_WB

class BodyConversion {
 public:
  // body: centre of mass, anchors and so on, as far as the two rows ask for them; its X_WB is not read.
  BodyConversion(const Convention& from, const Convention& to, const BodyPlace<double>& body = {});

  // Rows after each other. The pose of each row is given in the convention `from`, and tells the axes and points of the
  // rest. Each function throws an Error that names what either convention leaves open, or a RowError.
  void rotations(const double* in, double* out, size_t count) const;
  void positions(const double* in, double* out, size_t count) const;  // of points in the world
  void poses(const double* in, double* out, size_t count) const;
  void twists(const double* poses, const double* in, double* out, size_t count) const;
  void accelerations(const double* poses, const double* twists, const double* in, double* out, size_t count) const;
  void wrenches(const double* poses, const double* in, double* out, size_t count) const;
  void joint_forces(const double* poses, const double* in, double* out, size_t count) const;
  void states(const double* in, double* out, size_t count) const;  // a pose and a twist in one row

  // What of the body the conversion of a quantity reads, by the names com, principal_axes, parent_anchor, child_anchor,
  // tree_com, tree_com_velocity, gravity.
  std::vector<std::string> needs(Quantity quantity) const;

  // The 6 x 6 matrix that turns twists of `from` into those of `to`, row by row: what Jacobians of the body are
  // multiplied with from the left. The force matrix is its inverse transpose.
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
