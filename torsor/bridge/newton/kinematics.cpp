// Forward kinematics, Jacobians and mass matrices of a newton::Model, all through the engine.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/bridge/body_view.hpp"
#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::newton {
namespace {

// d (engine's qvel) / d joint_qd at a state, column by column: the map is linear in the velocity.
std::vector<double> velocity_columns(const ModelData& model, const State& state, Data& data) {
  const int count = model.lists.joint_dof_count(), nv = model.engine.nv;
  std::vector<double> columns(static_cast<size_t>(count) * static_cast<size_t>(nv)), unit(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    unit[i] = 1;
    model.set_velocities(state.joint_q.data(), unit.data(), data);
    std::copy_n(data.qvel.data(), nv, &columns[static_cast<size_t>(i) * static_cast<size_t>(nv)]);
    unit[i] = 0;
  }
  return columns;
}

double product(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void eval_fk(const Model& model, const std::vector<double>& joint_q, const std::vector<double>& joint_qd,
             State& state) {
  const ModelData& data = *model.data();
  data.check(state, "the state");
  if (joint_q.size() != state.joint_q.size() || joint_qd.size() != state.joint_qd.size()) {
    throw Error(fmt::format("the model has {} coordinates and {} velocities, not {} and {}", state.joint_q.size(),
                            state.joint_qd.size(), joint_q.size(), joint_qd.size()));
  }
  const std::lock_guard lock(data.mutex);
  data.set_positions(joint_q.data(), data.scratch);
  if (data.needs_kinematics()) compute_kinematics(data.engine, data.scratch);
  data.set_velocities(joint_q.data(), joint_qd.data(), data.scratch);
  data.read_bodies(data.scratch, state);
  // bodies at coordinates other than those of the state count as edited
  if (joint_q == state.joint_q && joint_qd == state.joint_qd)
    state.mark_computed();
  else
    state.mark_edited();
}

std::vector<double> eval_jacobian(const Model& model, const State& state) {
  const ModelData& data = *model.data();
  const ModelBuilder& lists = data.lists;
  data.check(state, "the state");
  const std::lock_guard lock(data.mutex);
  data.set_positions(state.joint_q.data(), data.scratch);
  compute_kinematics(data.engine, data.scratch);
  compute_com_position(data.engine, data.scratch);
  const std::vector<double> columns = velocity_columns(data, state, data.scratch);
  const int nv = data.engine.nv, width = model.max_dofs(), rows = 6 * model.max_joints();
  std::vector<double> result(static_cast<size_t>(lists.articulation_count()) * static_cast<size_t>(rows * width));
  std::vector<double> of_body(6 * static_cast<size_t>(nv));
  for (int a = 0; a < lists.articulation_count(); ++a) {
    const int first = lists.articulation_start[a], end = model.joint_end(a), dof = lists.joint_qd_start[first];
    for (int j = first; j < end; ++j) {
      read_body_jacobian(data.engine, data.scratch, data.layout.body_engine[lists.joint_child[j]], data.convention,
                         of_body.data());
      for (int row = 0; row < 6; ++row) {
        for (int i = dof; i < lists.qd_end(end - 1); ++i) {
          result[static_cast<size_t>((a * rows + 6 * (j - first) + row) * width + i - dof)] =
              product(&of_body[row * nv], &columns[i * nv], nv);
        }
      }
    }
  }
  return result;
}

std::vector<double> eval_mass_matrix(const Model& model, const State& state) {
  const ModelData& data = *model.data();
  const ModelBuilder& lists = data.lists;
  data.check(state, "the state");
  const std::lock_guard lock(data.mutex);
  Data& scratch = data.scratch;
  data.set_positions(state.joint_q.data(), scratch);
  compute_kinematics(data.engine, scratch);
  compute_com_position(data.engine, scratch);
  compute_body_mass_matrix(data.engine, scratch);
  const std::vector<double> columns = velocity_columns(data, state, scratch);
  const int nv = data.engine.nv, width = model.max_dofs();
  std::vector<double> result(static_cast<size_t>(lists.articulation_count()) * static_cast<size_t>(width * width));
  std::vector<double> momentum(static_cast<size_t>(nv));
  for (int a = 0; a < lists.articulation_count(); ++a) {
    const int dof = lists.joint_qd_start[lists.articulation_start[a]], end = lists.qd_end(model.joint_end(a) - 1);
    for (int k = dof; k < end; ++k) {
      multiply_mass_matrix(data.engine, scratch, &columns[k * nv], momentum.data());
      for (int i = 0; i < nv; ++i) momentum[i] -= data.engine.dof_armature[i] * columns[k * nv + i];
      for (int i = dof; i < end; ++i)
        result[static_cast<size_t>((a * width + i - dof) * width + k - dof)] =
            product(&columns[i * nv], momentum.data(), nv);
    }
  }
  return result;
}

}  // namespace torsor::newton
