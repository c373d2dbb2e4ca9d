#include "torsor/bridge/state_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/model_axes.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/convention/joint.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

int coordinate_count(const Row& row, CoordinateKind kind) {
  if (is_pose(kind)) return width(row, Quantity::kPose);
  return kind == CoordinateKind::kBall ? width(row, Quantity::kRotation) : 1;
}

Error open_cell(const Convention& convention, const char* cell, const std::string& what) {
  return Error(
      fmt::format("the {} convention does not specify what {} needs: {}. Specify it in brackets, as in {}[{}=...]",
                  convention.id, what, cell, convention.id.substr(0, convention.id.find('[')), cell));
}

// The start of each joint's block, for joints in a given order.
template <class Count>
std::vector<int> starts(const std::vector<int>& order, const Count& count, int* total) {
  std::vector<int> result(order.size());
  *total = 0;
  for (const int joint : order) {
    result[joint] = *total;
    *total += count(joint);
  }
  return result;
}

}  // namespace

StateMap::StateMap(const Model& model, const Convention& from, const Convention& to, const StateMapOptions& options)
    : StateMap(make_joint_system(model), from, to, options) {}

StateMap::StateMap(const JointSystem& system, const Convention& given_from, const Convention& given_to,
                   const StateMapOptions& options)
    : from_id_(given_from.id), to_id_(given_to.id) {
  const Convention from = for_model(given_from, system.axes), to = for_model(given_to, system.axes);
  from_ = from.row, to_ = to.row;
  for (const JointCoordinates& joint : system.joints) {
    require_cells(joint, from);
    require_cells(joint, to);
  }
  const std::vector<int> from_order = list_joints(system, from, options.from_order ? &*options.from_order : nullptr);
  const std::vector<int> to_order = list_joints(system, to, options.to_order ? &*options.to_order : nullptr);
  joint_map_ = gather_between(from_order, to_order);
  const auto kind = [&](int j) { return system.joints[j].kind; };
  const auto q_from = starts(
      from_order, [&](int j) { return coordinate_count(from_, kind(j)); }, &nq_from_);
  const auto q_to = starts(
      to_order, [&](int j) { return coordinate_count(to_, kind(j)); }, &nq_to_);
  const auto v_from = starts(
      from_order, [&](int j) { return dof_count(kind(j)); }, &nv_);
  const auto v_to = starts(
      to_order, [&](int j) { return dof_count(kind(j)); }, &nv_);
  for (int i = 0; i < static_cast<int>(to_order.size()); ++i) {
    const int j = to_order[i];
    const JointCoordinates& joint = system.joints[j];
    const bool is_hinge = joint.kind != CoordinateKind::kSlide;
    const double in_from = dof_count(joint.kind) == 6 ? 1 : scalar_factor(from_, is_hinge);
    const double in_to = dof_count(joint.kind) == 6 ? 1 : scalar_factor(to_, is_hinge);
    const double force_from = dof_count(joint.kind) == 6 ? 1 : scalar_force_factor(from_, is_hinge);
    const double force_to = dof_count(joint.kind) == 6 ? 1 : scalar_force_factor(to_, is_hinge);
    blocks_.push_back({joint.kind, q_from[j], v_from[j], q_to[j], v_to[j], joint_map_[i], in_to / in_from,
                       force_to / force_from, scalar_offset(from_, joint.ref) * in_from,
                       scalar_offset(to_, joint.ref) * in_to, joint.place,
                       joint.name.empty() ? fmt::format("joint {}", j) : "'" + joint.name + "'"});
  }
  build_controls(system, from_order, to_order, options.driven_joints);
}

void StateMap::require_cells(const JointCoordinates& joint, const Convention& convention) const {
  const Row& row = convention.row;
  const std::string what = joint.name.empty() ? "a joint" : fmt::format("joint '{}'", joint.name);
  if (is_pose(joint.kind)) {
    require(convention, Quantity::kPose);
    require(convention, Quantity::kTwist);
    require(convention, Quantity::kJointForce);
    return;
  }
  if (joint.kind == CoordinateKind::kBall) {
    if (row.ball == Frame::kUnspecified) throw open_cell(convention, "ball", what);
    require(convention, Quantity::kRotation);
  }
  const bool is_hinge = joint.kind != CoordinateKind::kSlide;
  if (is_hinge && row.angle == AngleUnit::kUnspecified) throw open_cell(convention, "angle", what);
  if (!is_hinge && row.length == 0) throw open_cell(convention, "length", what);
  if (joint.ref != 0 && row.zero == JointZero::kUnspecified)
    throw open_cell(convention, "zero", what + ", whose ref is not zero,");
}

void StateMap::build_controls(const JointSystem& system, const std::vector<int>& from, const std::vector<int>& to,
                              std::vector<int> driven) {
  const int njoints = static_cast<int>(system.joints.size());
  if (driven.empty()) {
    for (int j = 0; j < njoints; ++j) {
      if (dof_count(system.joints[j].kind) == 1) driven.push_back(j);
    }
  }
  for (const int j : driven) {
    if (j < 0 || j >= njoints) throw Error(fmt::format("there is no joint {} to drive", j));
    if (dof_count(system.joints[j].kind) != 1)
      throw Error(fmt::format("a control drives a hinge or a slide, not joint {}", j));
  }
  // positions of the controls among those of either convention, sorted by the joint that they drive
  const auto sorted = [&](const std::vector<int>& order) {
    std::vector<int> rank(njoints), controls(driven.size());
    for (int i = 0; i < njoints; ++i) rank[order[i]] = i;
    for (size_t i = 0; i < controls.size(); ++i) controls[i] = static_cast<int>(i);
    std::stable_sort(controls.begin(), controls.end(), [&](int a, int b) { return rank[driven[a]] < rank[driven[b]]; });
    return controls;
  };
  const std::vector<int> in_from = sorted(from), in_to = sorted(to);
  std::vector<int> place(driven.size()), block(njoints);
  for (size_t i = 0; i < in_from.size(); ++i) place[in_from[i]] = static_cast<int>(i);
  for (int i = 0; i < njoints; ++i) block[to[i]] = i;
  for (const int control : in_to) controls_.push_back({place[control], block[driven[control]]});
}

template <class Work>
void StateMap::for_rows(size_t count, const Work& work) const {
  size_t row = 0;
  const Block* block = nullptr;
  try {
    for (; row < count; ++row) {
      for (const Block& b : blocks_) {
        block = &b;
        work(row, b);
      }
    }
  } catch (const Error& error) {
    throw Error(fmt::format("row {}, {}: {}", row, block->name, error.what()));
  }
}

namespace {

struct PlacedBody {  // a body at the pose of its free joint's coordinates
  PlacedBody(const Row& row, const BodyPlace<double>& constants, const double* q) : place(constants) {
    place.X_WB = read_pose(row, constants, q);
  }
  BodyPlace<double> place;
};

Quat<double> read_ball(const Row& row, const BodyPlace<double>& place, const double* q) {
  return from_row_ball(row, place.X_BA.q, rotation_from_numbers(row, q));
}

void convert_ball_rate(const Row& from, const Row& to, const BodyPlace<double>& place, const double* q,
                       const double* in, double factor, double* out) {
  if (from.ball == to.ball && from.body == to.body) return store3(out, load3(in) * factor);
  const Quat<double> rotation = read_ball(from, place, q);
  const Vec3<double> w_B = from_row_ball_rate(from, place.X_BA.q, rotation, load3(in));
  store3(out, to_row_ball_rate(to, place.X_BA.q, rotation, w_B) * factor);
}

}  // namespace

void StateMap::positions(const double* q, double* out, size_t count) const {
  for_rows(count, [&](size_t row, const Block& block) {
    const double* in = q + row * nq_from_ + block.q_from;
    double* result = out + row * nq_to_ + block.q_to;
    if (is_pose(block.kind)) {
      write_pose(to_, PlacedBody(from_, block.place, in).place, result);
    } else if (block.kind == CoordinateKind::kBall) {
      rotation_to_numbers(to_, to_row_ball(to_, block.place.X_BA.q, read_ball(from_, block.place, in)), result);
    } else {
      check_finite(in, 1, block.q_from);
      *result = (*in - block.offset_from) * block.factor + block.offset_to;
    }
  });
}

void StateMap::velocities(const double* q, const double* v, double* out, size_t count) const {
  for_rows(count, [&](size_t row, const Block& block) {
    const double *at = q + row * nq_from_ + block.q_from, *in = v + row * nv_ + block.v_from;
    double* result = out + row * nv_ + block.v_to;
    check_finite(in, dof_count(block.kind), block.v_from);
    if (is_pose(block.kind) && same_parts(from_, from_.twist, to_, to_.twist)) {
      store_parts(to_.twist.order, load_parts(from_.twist.order, in), result);
    } else if (is_pose(block.kind)) {
      const PlacedBody body(from_, block.place, at);
      const SpatialMap<double> a(from_.twist, from_, body.place), b(to_.twist, to_, body.place);
      store_parts(to_.twist.order, b.twist(a.ours(load_parts(from_.twist.order, in))), result);
    } else if (block.kind == CoordinateKind::kBall) {
      convert_ball_rate(from_, to_, block.place, at, in, block.factor, result);
    } else {
      *result = *in * block.factor;
    }
  });
}

void StateMap::accelerations(const double* q, const double* v, const double* a, double* out, size_t count) const {
  for_rows(count, [&](size_t row, const Block& block) {
    const double *at = q + row * nq_from_ + block.q_from, *in = a + row * nv_ + block.v_from;
    double* result = out + row * nv_ + block.v_to;
    check_finite(in, dof_count(block.kind), block.v_from);
    if (is_pose(block.kind)) {
      const PlacedBody body(from_, block.place, at);
      const SpatialMap<double> source(from_.twist, from_, body.place), target(to_.twist, to_, body.place);
      const BlockOrder order = from_.twist.order;
      check_finite(v + row * nv_ + block.v_from, 6, block.v_from);
      const Twist<double> V_WBo_W = source.ours(load_parts(order, v + row * nv_ + block.v_from));
      store_parts(to_.twist.order, target.rate(V_WBo_W, source.ours_rate(V_WBo_W, load_parts(order, in))), result);
    } else if (block.kind == CoordinateKind::kBall) {  // w x w is zero: accelerations convert as velocities do
      convert_ball_rate(from_, to_, block.place, at, in, block.factor, result);
    } else {
      *result = *in * block.factor;
    }
  });
}

void StateMap::forces(const double* q, const double* f, double* out, size_t count) const {
  const SpatialLayout from_layout = joint_force_layout(from_), to_layout = joint_force_layout(to_);
  for_rows(count, [&](size_t row, const Block& block) {
    const double *at = q + row * nq_from_ + block.q_from, *in = f + row * nv_ + block.v_from;
    double* result = out + row * nv_ + block.v_to;
    check_finite(in, dof_count(block.kind), block.v_from);
    if (is_pose(block.kind) && same_parts(from_, from_layout, to_, to_layout)) {
      store_parts(to_layout.order, load_parts(from_layout.order, in), result);
    } else if (is_pose(block.kind)) {
      const PlacedBody body(from_, block.place, at);
      const SpatialMap<double> a(from_layout, from_, body.place), b(to_layout, to_, body.place);
      store_parts(to_layout.order, b.wrench(a.ours_wrench(load_parts(from_layout.order, in))), result);
    } else if (block.kind == CoordinateKind::kBall) {
      convert_ball_rate(from_, to_, block.place, at, in, block.force_factor, result);
    } else {
      *result = *in * block.force_factor;
    }
  });
}

void StateMap::limits(const double* in, double* out) const {
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    // the limit of a ball joint is an angle, that of a distance joint a length: neither has an offset
    const bool is_scalar = dof_count(block.kind) == 1;
    const double factor = block.kind == CoordinateKind::kDistance ? from_.length / to_.length : block.factor;
    for (int side = 0; side < 2; ++side) {
      const double limit = in[2 * block.joint_from + side];
      if (std::isnan(limit)) throw Error(block.name + ": a limit is not a number");
      out[2 * i + side] = is_scalar ? (limit - block.offset_from) * factor + block.offset_to : limit * factor;
    }
  }
}

void StateMap::require_scalar(const Block& block, const double* in, const char* what) const {
  for (int i = 0; i < dof_count(block.kind); ++i) {
    if (in[i] != 0)
      throw Error(fmt::format("{}: only hinges and slides have {}; these must be zero", block.name, what));
  }
}

void StateMap::position_targets(const double* in, double* out) const {
  check_finite(in, nv_);
  for (const Block& block : blocks_) {
    if (dof_count(block.kind) == 1) {
      out[block.v_to] = (in[block.v_from] - block.offset_from) * block.factor + block.offset_to;
    } else {
      require_scalar(block, in + block.v_from, "targets");
      std::fill_n(out + block.v_to, dof_count(block.kind), 0.0);
    }
  }
}

void StateMap::velocity_targets(const double* in, double* out) const {
  check_finite(in, nv_);
  for (const Block& block : blocks_) {
    if (dof_count(block.kind) == 1) {
      out[block.v_to] = in[block.v_from] * block.factor;
    } else {
      require_scalar(block, in + block.v_from, "targets");
      std::fill_n(out + block.v_to, dof_count(block.kind), 0.0);
    }
  }
}

void StateMap::gains(const double* in, double* out) const { armature(in, out); }  // both are force over a rate

void StateMap::armature(const double* in, double* out) const {
  check_finite(in, nv_);
  for (const Block& block : blocks_) {
    const double* values = in + block.v_from;
    double* result = out + block.v_to;
    const double factor = block.force_factor / block.factor;
    if (dof_count(block.kind) == 1) {
      *result = *values * factor;
      continue;
    }
    const auto alike = [&](int k) { return values[k] == values[k + 1] && values[k] == values[k + 2]; };
    if (block.kind == CoordinateKind::kBall) {
      if (!alike(0)) throw Error(block.name + ": three different values depend on the axes, which rotate");
      for (int k = 0; k < 3; ++k) result[k] = values[k] * factor;
      continue;
    }
    const bool shifts = from_.twist.point != to_.twist.point, scaled = from_.length != to_.length;
    const bool zero = std::all_of(values, values + 6, [](double value) { return value == 0; });
    if (!zero && (shifts || scaled || from_.twist.angle != to_.twist.angle || !alike(0) || !alike(3))) {
      throw Error(block.name +
                  ": values of a free joint that depend on axes, units or the reference point cannot be converted");
    }
    const int swap = from_.twist.order == to_.twist.order ? 0 : 3;
    for (int k = 0; k < 6; ++k) result[k] = values[(k + swap) % 6];
  }
}

void StateMap::controls(ControlKind kind, const double* in, double* out, size_t count) const {
  for (size_t row = 0; row < count; ++row) {
    for (int i = 0; i < nu(); ++i) {
      const Block& block = blocks_[controls_[i].block];
      const double value = in[row * nu() + controls_[i].from];
      if (!std::isfinite(value))
        throw Error(fmt::format("row {}, column {}: {} is not a number", row, controls_[i].from, value));
      double& result = out[row * nu() + i];
      if (kind == ControlKind::kForce) result = value * block.force_factor;
      if (kind == ControlKind::kVelocity) result = value * block.factor;
      if (kind == ControlKind::kPosition) result = (value - block.offset_from) * block.factor + block.offset_to;
    }
  }
}

std::vector<int> StateMap::dof_map() const {
  std::vector<int> map(nv_);
  for (const Block& block : blocks_) {
    const int count = dof_count(block.kind), swap = is_pose(block.kind) && from_.twist.order != to_.twist.order ? 3 : 0;
    for (int k = 0; k < count; ++k) map[block.v_to + k] = block.v_from + (k + swap) % count;
  }
  return map;
}

}  // namespace torsor
