// Rows of dry friction, of drives and dampers that SAP solves implicitly, and of the limits of joints and tendons.
#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/constraint/kernels/row_values.hpp"
#include "torsor/constraint/row_writer.hpp"
#include "torsor/constraint/sap.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

// Rows that no dof can move are left out. As in MuJoCo, the values decide if the Jacobian is dense, the sparsity
// pattern if it is sparse.
bool is_kept(const Model& model, const double* J, int count) {
  return is_jacobian_sparse(model) ? count > 0 : std::any_of(J, J + count, [](double x) { return x != 0; });
}

template <class Sink>
void add_tendon_row(const Model& model, const Data& data, Sink& sink, const ScalarRow& row, double sign) {
  const int address = model.ten_J_rowadr[row.id], count = model.ten_J_rownnz[row.id];
  const double* J = data.ten_J.data() + address;
  if (is_kept(model, J, count)) sink.add_scalar(row, model.ten_J_colind.data() + address, J, count, sign);
}

// How near a limit must be to make a row: within its margin; for SAP also within reach of this step.
template <class Speed>
double limit_reach(const Model& model, double margin, Speed&& speed) {
  return formulation(model.opt).is_compliant ? std::max(margin, sap_limit_reach(model, speed())) : margin;
}

// Calls f(side, distance) for the limits of a scalar that are closer than `reach`: side -1 below, 1 above.
template <class F>
void for_each_limit(const double range[2], double value, double reach, F&& f) {
  for (const int side : {-1, 1}) {
    const double distance = side * (range[side > 0] - value);
    if (distance < reach) f(side, distance);
  }
}

// Limits the angle from the reference orientation, whatever its axis.
template <class Sink>
void add_ball_limit(const Model& model, const Data& data, Sink& sink, int j) {
  const int dof = model.jnt_dofadr[j];
  const Vec3<double> rotation = rotation_vector(normalized(load4(&data.qpos[model.jnt_qposadr[j]])));
  const double angle = norm(rotation), margin = model.jnt_margin[j];
  const double distance = std::max(model.jnt_range[2 * j], model.jnt_range[2 * j + 1]) - angle;
  const auto speed = [&] { return norm(load3(&data.qvel[dof])); };
  if (!(distance < limit_reach(model, margin, speed))) return;
  const int dofs[] = {dof, dof + 1, dof + 2};
  double axis[3];
  store3(axis, angle > kMinValue ? rotation / angle : Vec3<double>{1, 0, 0});
  sink.add_scalar({RowType::kLimitJoint, j, distance, margin}, dofs, axis, 3, -1);
}

template <class Sink>
void add_friction(const Model& model, const Data& data, const FrictionPlan* kept, Sink& sink) {
  if (model.opt.disabled(kDisableFrictionLoss)) return;
  if (kept) {
    sink.add_kept(*kept);
  } else {
    for_each_awake_run(model, data, [&](const Range& run) {
      for (int i = run.dof_begin; i < run.dof_end; ++i) {
        const double loss = model.dof_frictionloss[i];
        if (has_friction_row(loss)) sink.add_unit({RowType::kFrictionDof, i, 0, 0, loss}, i, 1);
      }
    });
  }
  for_each_awake_tendon(model, data, [&](int t) {
    const double loss = model.tendon_frictionloss[t];
    if (has_friction_row(loss)) add_tendon_row(model, data, sink, {RowType::kFrictionTendon, t, 0, 0, loss}, 1);
  });
}

// SAP's implicit actuators: one row per drive, with bounded force, like a friction row.
template <class Sink>
void add_drives(const Model& model, const Data& data, Sink& sink) {
  for_each_awake_actuator(model, data, [&](int a) {
    if (!is_implicit_drive(model, a)) return;
    const int out = model.actuator_outadr[a], address = model.moment_rowadr[out], count = model.moment_rownnz[out];
    const double* J = data.actuator_moment.data() + address;
    if (!is_kept(model, J, count)) return;
    sink.add_scalar({RowType::kDrive, a, 0, 0, drive_range(model, a).half}, model.moment_colind.data() + address, J,
                    count, 1);
  });
}

// SAP's damping of tendons.
template <class Sink>
void add_dampers(const Model& model, const Data& data, Sink& sink) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for_each_awake_tendon(model, data, [&](int t) {
    if (is_implicit_damper(model, t))
      add_tendon_row(model, data, sink, {RowType::kTendonDamper, t, 0, 0, kInfinity}, 1);
  });
}

template <class Sink>
void add_joint_limits(const Model& model, const Data& data, Sink& sink, const Range& run) {
  for (int j = run.jnt_begin; j < run.jnt_end; ++j) {
    const JointType type = static_cast<JointType>(model.jnt_type[j]);
    if (!model.jnt_limited[j] || type == JointType::kFree) continue;
    if (type == JointType::kBall) {
      add_ball_limit(model, data, sink, j);
      continue;
    }
    const int dof = model.jnt_dofadr[j];
    const double value = data.qpos[model.jnt_qposadr[j]], margin = model.jnt_margin[j];
    for_each_limit(&model.jnt_range[2 * j], value, limit_reach(model, margin, [&] { return data.qvel[dof]; }),
                   [&](int side, double distance) {
                     sink.add_unit({RowType::kLimitJoint, j, distance, margin}, dof, -side);
                   });
  }
}

template <class Sink>
void add_limits(const Model& model, const Data& data, Sink& sink) {
  if (model.opt.disabled(kDisableLimit)) return;
  for_each_awake_run(model, data, [&](const Range& run) { add_joint_limits(model, data, sink, run); });
  for_each_awake_tendon(model, data, [&](int t) {
    if (!model.tendon_limited[t]) return;
    const double margin = model.tendon_margin[t];
    const double reach = limit_reach(model, margin, [&] { return tendon_speed(model, data, t); });
    for_each_limit(&model.tendon_range[2 * t], data.ten_length[t], reach, [&](int side, double distance) {
      add_tendon_row(model, data, sink, {RowType::kLimitTendon, t, distance, margin}, -side);
    });
  });
}

template <class Sink>
void add_scalars(const Model& model, const Data& data, const FrictionPlan* kept, Sink& sink) {
  add_friction(model, data, kept, sink);
  if (formulation(model.opt).solves_for_drives) add_drives(model, data, sink);
  if (formulation(model.opt).solves_for_damping) add_dampers(model, data, sink);
  add_limits(model, data, sink);
}

}  // namespace

bool has_friction_row(double loss) { return makes_friction_row(loss); }

void count_scalar_rows(const Model& model, Data& data, const FrictionPlan* kept, RowCounter& counter) {
  add_scalars(model, data, kept, counter);
}
void write_scalar_rows(const Model& model, Data& data, const FrictionPlan* kept, RowWriter& writer) {
  add_scalars(model, data, kept, writer);
}

}  // namespace torsor
