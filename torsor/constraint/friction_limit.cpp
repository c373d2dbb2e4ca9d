// Rows of dry friction, of drives and dampers that SAP solves implicitly, and of the limits of joints and tendons.
#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/constraint/sap.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

Block* add_tendon_row(const Model& model, Data& data, BlockList& list, RowType type, int t, double sign) {
  const int address = model.ten_J_rowadr[t], count = model.ten_J_rownnz[t];
  Block* block = add_block(data, list, type, t, 1, 1, &model.ten_J_colind.data()[address], count);
  for (int k = 0; block && k < count; ++k) block->J[k] = sign * data.ten_J[address + k];
  return block;
}

// How near a limit must be to make a row: within its margin; for SAP also within reach of this step.
double limit_reach(const Model& model, double margin, double speed) {
  return is_sap(model.opt) ? std::max(margin, sap_limit_reach(model, speed)) : margin;
}

// Calls f(side, distance) for the limits of a scalar that are closer than `reach`: side -1 below, 1 above.
template <class F>
void for_each_limit(const double range[2], double value, double reach, F&& f) {
  for (const int side : {-1, 1}) {
    const double distance = side * (range[side > 0] - value);
    if (distance < reach) f(side, distance);
  }
}

void set_limit(Block* block, double distance, double margin) {
  if (!block) return;
  block->pos[0] = distance;
  block->margin = margin;
}

// Limits the angle from the reference orientation, whatever its axis.
void add_ball_limit(const Model& model, Data& data, BlockList& list, int j) {
  const int dof = model.jnt_dofadr[j];
  const Vec3<double> rotation = rotation_vector(normalized(load4(&data.qpos[model.jnt_qposadr[j]])));
  const double angle = norm(rotation);
  const double distance = std::max(model.jnt_range[2 * j], model.jnt_range[2 * j + 1]) - angle;
  const double speed = norm(load3(&data.qvel[dof]));
  if (!(distance < limit_reach(model, model.jnt_margin[j], speed))) return;
  int* columns = data.arena().push_array<int>(3);
  if (!columns) {
    list.complete = false;
    return;
  }
  for (int k = 0; k < 3; ++k) columns[k] = dof + k;
  Block* block = add_block(data, list, RowType::kLimitJoint, j, 1, 1, columns, 3);
  if (!block) return;
  const Vec3<double> axis = angle > kMinValue ? rotation / angle : Vec3<double>{1, 0, 0};
  for (int k = 0; k < 3; ++k) block->J[k] = -axis[k];
  set_limit(block, distance, model.jnt_margin[j]);
}

}  // namespace

bool has_friction_row(double loss) { return loss > 0 || !(loss >= -kMaxValue); }

void add_friction_blocks(const Model& model, Data& data, BlockList& list) {
  if (model.opt.disabled(kDisableFrictionLoss)) return;
  for (int i = 0; i < model.nv; ++i) {
    if (!has_friction_row(model.dof_frictionloss[i])) continue;
    Block* block = add_dof_block(data, list, RowType::kFrictionDof, i, i, 1);
    if (block) block->frictionloss = model.dof_frictionloss[i];
  }
  for (int t = 0; t < model.ntendon; ++t) {
    if (!has_friction_row(model.tendon_frictionloss[t])) continue;
    Block* block = add_tendon_row(model, data, list, RowType::kFrictionTendon, t, 1);
    if (block) block->frictionloss = model.tendon_frictionloss[t];
  }
}

// One row per drive, with bounded force, like a friction row.
void add_drive_blocks(const Model& model, Data& data, BlockList& list) {
  if (!is_sap(model.opt)) return;
  for (int a = 0; a < model.nactuator; ++a) {
    if (!is_implicit_drive(model, a)) continue;
    const int out = model.actuator_outadr[a], address = model.moment_rowadr[out], count = model.moment_rownnz[out];
    Block* block = add_block(data, list, RowType::kDrive, a, 1, 1, &model.moment_colind.data()[address], count);
    if (!block) return;
    std::copy_n(&data.actuator_moment.data()[address], count, block->J);
    block->frictionloss = drive_range(model, a).half;
  }
}

void add_damper_blocks(const Model& model, Data& data, BlockList& list) {
  for (int t = 0; is_sap(model.opt) && t < model.ntendon; ++t) {
    if (!is_implicit_damper(model, t)) continue;
    Block* block = add_tendon_row(model, data, list, RowType::kTendonDamper, t, 1);
    if (block) block->frictionloss = std::numeric_limits<double>::infinity();
  }
}

void add_limit_blocks(const Model& model, Data& data, BlockList& list) {
  if (model.opt.disabled(kDisableLimit)) return;
  for (int j = 0; j < model.njnt; ++j) {
    const JointType type = static_cast<JointType>(model.jnt_type[j]);
    if (!model.jnt_limited[j] || type == JointType::kFree) continue;
    if (type == JointType::kBall) {
      add_ball_limit(model, data, list, j);
      continue;
    }
    const double value = data.qpos[model.jnt_qposadr[j]], margin = model.jnt_margin[j];
    const double reach = limit_reach(model, margin, data.qvel[model.jnt_dofadr[j]]);
    for_each_limit(&model.jnt_range[2 * j], value, reach, [&](int side, double distance) {
      set_limit(add_dof_block(data, list, RowType::kLimitJoint, j, model.jnt_dofadr[j], -side), distance, margin);
    });
  }
  for (int t = 0; t < model.ntendon; ++t) {
    if (!model.tendon_limited[t]) continue;
    const double margin = model.tendon_margin[t];
    const double reach = limit_reach(model, margin, tendon_speed(model, data, t));
    for_each_limit(&model.tendon_range[2 * t], data.ten_length[t], reach, [&](int side, double distance) {
      set_limit(add_tendon_row(model, data, list, RowType::kLimitTendon, t, -side), distance, margin);
    });
  }
}

}  // namespace torsor
