#include "torsor/convention/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/convention/euler.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr double kUnitTolerance = 1e-3;  // quaternions this close to unit length are normalised

void add_if(bool open, const char* cell, std::vector<std::string>& cells) {
  if (open) cells.push_back(cell);
}

void find_open_rotation(const Row& row, std::vector<std::string>& cells) {
  add_if(row.rotation == RotationForm::kUnspecified, "rotation", cells);
  add_if(row.rotation == RotationForm::kQuaternion && row.quat == QuatOrder::kUnspecified, "quat", cells);
  add_if(row.rotation == RotationForm::kEuler && !row.euler.known(), "euler", cells);
  add_if(row.rotation == RotationForm::kEuler && row.angle == AngleUnit::kUnspecified, "angle", cells);
  add_if(!row.world.known(), "world", cells);
  add_if(!row.body.known(), "body", cells);
}

void find_open_layout(const Row& row, const SpatialLayout& layout, const std::string& name,
                      std::vector<std::string>& cells) {
  const auto add = [&](bool open, const char* cell) { add_if(open, (name + cell).c_str(), cells); };
  add(layout.point == Point::kUnspecified, ".point");
  add(layout.linear == Frame::kUnspecified, ".linear");
  add(layout.angular == Frame::kUnspecified, ".angular");
  add(layout.order == BlockOrder::kUnspecified, ".order");
  add(layout.angle == AngleUnit::kUnspecified, ".angle");
  const bool in_world = layout.linear == Frame::kWorld || layout.angular == Frame::kWorld;
  const bool in_body = layout.linear >= Frame::kBody || layout.angular >= Frame::kBody;
  add_if(in_world && !row.world.known(), "world", cells);
  add_if(in_body && !row.body.known(), "body", cells);
  add_if(row.length == 0, "length", cells);
}

// An error in an argument other than the converted numbers.
struct ArgumentProblem : Error {
  ArgumentProblem(const char* name, const std::string& problem) : Error(problem), argument(name) {}
  std::string argument;
};

void check_twist(const double* twist) {
  try {
    check_finite(twist, 6);
  } catch (const Error& error) {
    throw ArgumentProblem("twist", error.what());
  }
}

Quat<double> checked_unit(const Quat<double>& q) {
  const double length = std::sqrt(dot(q, q));
  if (!(std::abs(length - 1) <= kUnitTolerance)) {
    throw Error(fmt::format("a quaternion of length {:.6g}: it must be 1 to within {}", length, kUnitTolerance));
  }
  return normalized(q);
}

double angle_unit(const Row& row) { return row.angle == AngleUnit::kDegree ? kRadiansPerDegree : 1.0; }

rotations::EulerSequence euler_of(const Row& row) {
  return rotations::make_euler_sequence(row.euler.letters, rotations::EulerSpelling::kMujoco);
}

int rotation_offset(const Row& row) { return row.pose == PoseOrder::kRotationFirst ? 0 : 3; }
int position_offset(const Row& row) {
  return row.pose == PoseOrder::kRotationFirst ? width(row, Quantity::kRotation) : 0;
}

}  // namespace

void check_finite(const double* in, int count, int first_column) {
  for (int i = 0; i < count; ++i) {
    if (!std::isfinite(in[i])) throw Error(fmt::format("column {}: {} is not a number", first_column + i, in[i]));
  }
}

const char* to_string(Quantity quantity) {
  constexpr const char* kNames[] = {"rotation", "position", "pose", "twist", "acceleration", "wrench", "joint force"};
  return kNames[static_cast<int>(quantity)];
}

int width(const Row& row, Quantity quantity) {
  constexpr int kWidths[] = {4, 4, 9, 3, 3};
  if (quantity == Quantity::kPosition) return 3;
  if (quantity > Quantity::kPose) return 6;
  const int rotation = kWidths[static_cast<int>(row.rotation)];
  return quantity == Quantity::kRotation ? rotation : rotation + 3;
}

std::vector<std::string> open_cells(const Row& row, Quantity quantity) {
  std::vector<std::string> cells;
  switch (quantity) {
    case Quantity::kRotation:
      find_open_rotation(row, cells);
      break;
    case Quantity::kPosition:
      add_if(!row.world.known(), "world", cells);
      add_if(row.length == 0, "length", cells);
      break;
    case Quantity::kPose:
      find_open_rotation(row, cells);
      add_if(row.pose == PoseOrder::kUnspecified, "pose", cells);
      add_if(row.pose_of == PoseOf::kUnspecified, "pose_of", cells);
      add_if(row.length == 0, "length", cells);
      break;
    case Quantity::kAcceleration:
      add_if(row.acceleration == AccelerationForm::kUnspecified, "acceleration", cells);
      [[fallthrough]];
    case Quantity::kTwist:
      find_open_layout(row, row.twist, "twist", cells);
      break;
    case Quantity::kWrench:
      find_open_layout(row, row.wrench, "wrench", cells);
      add_if(row.wrench_sign == 0, "wrench.sign", cells);
      break;
    case Quantity::kJointForce:
      find_open_layout(row, joint_force_layout(row), row.joint_force_is_wrench ? "wrench" : "twist", cells);
      break;
  }
  return cells;
}

void require(const Convention& convention, Quantity quantity) {
  const std::vector<std::string> cells = open_cells(convention.row, quantity);
  if (cells.empty()) return;
  throw Error(fmt::format(
      "the {} convention does not specify what a {} needs: {}. Specify it in brackets, as in {}[{}=...]; "
      "'torsor conventions show {}' lists the values",
      convention.id, to_string(quantity), fmt::join(cells, ", "), convention.id.substr(0, convention.id.find('[')),
      cells.front(), convention.id.substr(0, convention.id.find('['))));
}

Quat<double> rotation_from_numbers(const Row& row, const double* in) {
  check_finite(in, width(row, Quantity::kRotation));
  switch (row.rotation) {
    case RotationForm::kMatrix: {
      Mat3<double> R;
      for (int i = 0; i < 9; ++i) R.m[i] = in[i];
      const Mat3<double> error = transposed_mul(R, R) - Mat3<double>::identity();
      for (const double e : error.m) {
        if (std::abs(e) > kUnitTolerance || det(R) < 0) throw Error("a matrix that is not a rotation");
      }
      return from_mat(R);
    }
    case RotationForm::kRotationVector:
      return quat_from_rotation_vector(load3(in));
    case RotationForm::kEuler:
      return rotations::quat_from_euler(euler_of(row), load3(in) * angle_unit(row));
    default:
      return checked_unit(load_quat(row.quat, in));
  }
}

void rotation_to_numbers(const Row& row, const Quat<double>& q, double* out) {
  switch (row.rotation) {
    case RotationForm::kMatrix: {
      const Mat3<double> R = to_mat(q);
      for (int i = 0; i < 9; ++i) out[i] = R.m[i];
      return;
    }
    case RotationForm::kRotationVector:
      return store3(out, rotation_vector(q));
    case RotationForm::kEuler:
      return store3(out, rotations::euler_from_quat(euler_of(row), q) * (1 / angle_unit(row)));
    default:
      return store_quat(row.quat, q, out);
  }
}

Quat<double> read_rotation(const Row& row, const double* in) {
  return from_axes(row.world, row.body, rotation_from_numbers(row, in));
}
void write_rotation(const Row& row, const Quat<double>& q, double* out) {
  rotation_to_numbers(row, to_axes(row.world, row.body, q), out);
}
Pose<double> read_pose(const Row& row, const BodyPlace<double>& place, const double* in) {
  check_finite(in, width(row, Quantity::kPose));
  return from_row(row, place,
                  {load3(in + position_offset(row)), rotation_from_numbers(row, in + rotation_offset(row))});
}
void write_pose(const Row& row, const BodyPlace<double>& place, double* out) {
  const Pose<double> pose = to_row(row, place.X_WB, place);
  store3(out + position_offset(row), pose.p);
  rotation_to_numbers(row, pose.q, out + rotation_offset(row));
}

BodyConversion::BodyConversion(const Convention& from, const Convention& to, const BodyPlace<double>& body)
    : from_(from), to_(to), body_(body) {}

void BodyConversion::require_both(Quantity quantity) const {
  require(from_, quantity);
  require(to_, quantity);
}

template <class Work>
void BodyConversion::for_rows(size_t count, const Work& work) const {
  size_t i = 0;
  try {
    for (; i < count; ++i) work(i);
  } catch (const ArgumentProblem& error) {
    throw RowError(error.argument, i, error.what());
  } catch (const Error& error) {
    throw RowError("", i, error.what());
  }
}

BodyPlace<double> BodyConversion::place_at(const double* pose) const {
  BodyPlace<double> place = body_;
  try {
    place.X_WB = read_pose(from_.row, body_, pose);
  } catch (const Error& error) {
    throw ArgumentProblem("pose", error.what());
  }
  return place;
}

void BodyConversion::rotations(const double* in, double* out, size_t count) const {
  require_both(Quantity::kRotation);
  const int n = width(from_.row, Quantity::kRotation), m = width(to_.row, Quantity::kRotation);
  for_rows(count, [&](size_t i) { write_rotation(to_.row, read_rotation(from_.row, in + i * n), out + i * m); });
}

void BodyConversion::positions(const double* in, double* out, size_t count) const {
  require_both(Quantity::kPosition);
  for_rows(count, [&](size_t i) {
    check_finite(in + 3 * i, 3);
    const Vec3<double> p = from_axes(from_.row.world, load3(in + 3 * i)) * from_.row.length;
    store3(out + 3 * i, to_axes(to_.row.world, p) * (1 / to_.row.length));
  });
}

void BodyConversion::poses(const double* in, double* out, size_t count) const {
  require_both(Quantity::kPose);
  const int n = width(from_.row, Quantity::kPose), m = width(to_.row, Quantity::kPose);
  for_rows(count, [&](size_t i) {
    BodyPlace<double> place = body_;
    place.X_WB = read_pose(from_.row, body_, in + i * n);
    write_pose(to_.row, place, out + i * m);
  });
}

void BodyConversion::twists(const double* poses, const double* in, double* out, size_t count) const {
  require(from_, Quantity::kPose);
  require_both(Quantity::kTwist);
  const int n = width(from_.row, Quantity::kPose);
  const SpatialLayout &a = from_.row.twist, &b = to_.row.twist;
  for_rows(count, [&](size_t i) {
    check_finite(in + 6 * i, 6);
    const BodyPlace<double> place = place_at(poses + i * n);
    const Twist<double> V_WBo_W = SpatialMap<double>(a, from_.row, place).ours(load_parts(a.order, in + 6 * i));
    store_parts(b.order, SpatialMap<double>(b, to_.row, place).twist(V_WBo_W), out + 6 * i);
  });
}

void BodyConversion::accelerations(const double* poses, const double* twists, const double* in, double* out,
                                   size_t count) const {
  require(from_, Quantity::kPose);
  require_both(Quantity::kAcceleration);
  const int n = width(from_.row, Quantity::kPose);
  const SpatialLayout &a = from_.row.twist, &b = to_.row.twist;
  for_rows(count, [&](size_t i) {
    check_twist(twists + 6 * i);
    check_finite(in + 6 * i, 6);
    const BodyPlace<double> place = place_at(poses + i * n);
    const SpatialMap<double> source(a, from_.row, place);
    const Twist<double> V_WBo_W = source.ours(load_parts(a.order, twists + 6 * i));
    const Accelerations<double> A = source.ours_rate(V_WBo_W, load_parts(a.order, in + 6 * i));
    store_parts(b.order, SpatialMap<double>(b, to_.row, place).rate(V_WBo_W, A), out + 6 * i);
  });
}

namespace {
// Forces of either kind: the dual maps of two layouts.
void convert_force(const Row& from, const SpatialLayout& a, const Row& to, const SpatialLayout& b,
                   const BodyPlace<double>& place, double sign, const double* in, double* out) {
  check_finite(in, 6);
  const Wrench<double> F_Bo_W = SpatialMap<double>(a, from, place).ours_wrench(load_parts(a.order, in)) * sign;
  store_parts(b.order, SpatialMap<double>(b, to, place).wrench(F_Bo_W), out);
}
}  // namespace

void BodyConversion::wrenches(const double* poses, const double* in, double* out, size_t count) const {
  require(from_, Quantity::kPose);
  require_both(Quantity::kWrench);
  const int n = width(from_.row, Quantity::kPose);
  const double sign = from_.row.wrench_sign * to_.row.wrench_sign;
  for_rows(count, [&](size_t i) {
    convert_force(from_.row, from_.row.wrench, to_.row, to_.row.wrench, place_at(poses + i * n), sign, in + 6 * i,
                  out + 6 * i);
  });
}

void BodyConversion::joint_forces(const double* poses, const double* in, double* out, size_t count) const {
  require(from_, Quantity::kPose);
  require_both(Quantity::kJointForce);
  const int n = width(from_.row, Quantity::kPose);
  const SpatialLayout a = joint_force_layout(from_.row), b = joint_force_layout(to_.row);
  for_rows(count, [&](size_t i) {
    convert_force(from_.row, a, to_.row, b, place_at(poses + i * n), 1, in + 6 * i, out + 6 * i);
  });
}

void BodyConversion::states(const double* in, double* out, size_t count) const {
  require_both(Quantity::kPose);
  require_both(Quantity::kTwist);
  const int n = width(from_.row, Quantity::kPose), m = width(to_.row, Quantity::kPose);
  const SpatialLayout &a = from_.row.twist, &b = to_.row.twist;
  for_rows(count, [&](size_t i) {
    const double* state = in + i * (n + 6);
    double* result = out + i * (m + 6);
    check_finite(state + n, 6);
    const BodyPlace<double> place = place_at(state);
    const Twist<double> V_WBo_W = SpatialMap<double>(a, from_.row, place).ours(load_parts(a.order, state + n));
    write_pose(to_.row, place, result);
    store_parts(b.order, SpatialMap<double>(b, to_.row, place).twist(V_WBo_W), result + m);
  });
}

std::vector<std::string> BodyConversion::needs(Quantity quantity) const {
  std::vector<std::string> names;
  const auto add = [&](bool needed, const char* name) {
    if (needed && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const Row &a = from_.row, &b = to_.row;
  const auto add_pose = [&](const Row& row) {
    const bool anchors = row.pose_of == PoseOf::kAnchors, inertia = row.pose_of == PoseOf::kInertia;
    add(inertia || row.pose_of == PoseOf::kBodyAtCom, "com");
    add(inertia, "principal_axes");
    add(anchors, "parent_anchor");
    add(anchors, "child_anchor");
  };
  if (quantity == Quantity::kRotation || quantity == Quantity::kPosition) return names;
  if (quantity == Quantity::kPose) {
    if (a.pose_of == b.pose_of) return names;
    add_pose(a);
    add_pose(b);
    return names;
  }
  const bool wrench = quantity == Quantity::kWrench, force = quantity == Quantity::kJointForce;
  const SpatialLayout la = wrench ? a.wrench : (force ? joint_force_layout(a) : a.twist);
  const SpatialLayout lb = wrench ? b.wrench : (force ? joint_force_layout(b) : b.twist);
  const bool second = quantity == Quantity::kAcceleration;
  if (same_parts(a, la, b, lb) && (!second || a.acceleration == b.acceleration)) return names;
  for (const auto& [row, layout] : {std::pair{&a, la}, {&b, lb}}) {
    const bool moves = row->acceleration == AccelerationForm::kRate;
    const bool differs = la.point != lb.point || second;
    add(differs && layout.point == Point::kCom, "com");
    add(differs && layout.point == Point::kTreeCom, "tree_com");
    add(second && moves && layout.point == Point::kTreeCom, "tree_com_velocity");
    add(layout.linear == Frame::kParent || layout.angular == Frame::kParent, "parent_anchor");
  }
  add(second && a.acceleration != b.acceleration, "gravity");
  // the pose in the source gives the body's axes and, for points not fixed to the body, its position
  if (a.pose_of != PoseOf::kBody && a.pose_of != PoseOf::kBodyAtCom) add_pose(a);
  return names;
}

std::array<double, 36> BodyConversion::twist_matrix(const double* pose) const {
  std::array<double, 36> matrix;
  for (int column = 0; column < 6; ++column) {
    double unit[6] = {}, result[6];
    unit[column] = 1;
    twists(pose, unit, result, 1);
    for (int row = 0; row < 6; ++row) matrix[6 * row + column] = result[row];
  }
  return matrix;
}

std::array<double, 36> BodyConversion::wrench_matrix(const double* pose) const {
  require(from_, Quantity::kPose);
  require_both(Quantity::kTwist);
  const BodyPlace<double> place = place_at(pose);
  std::array<double, 36> matrix;
  for (int column = 0; column < 6; ++column) {
    double unit[6] = {}, result[6];
    unit[column] = 1;
    convert_force(from_.row, from_.row.twist, to_.row, to_.row.twist, place, 1, unit, result);
    for (int row = 0; row < 6; ++row) matrix[6 * row + column] = result[row];
  }
  return matrix;
}

}  // namespace torsor
