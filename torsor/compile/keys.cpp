// Keyframes: what a keyframe leaves open is as in the reference pose.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

using Numbers = std::optional<std::vector<double>>;

// Too many numbers are an error. Too few say something about the first ones only, as when a scene adds bodies to a
// robot that has keyframes; the rest stays as it is.
void write_numbers(Draft& draft, const KeySpec& key, const char* name, const Numbers& numbers, int expected,
                   double* row) {
  if (!numbers) return;
  const int given = static_cast<int>(numbers->size());
  if (given > expected)
    return draft.error("key", key, fmt::format("{} has {} numbers; the model needs {}", name, given, expected));
  if (given < expected)
    draft.warning("key", key, fmt::format("{} has {} numbers; the model needs {}", name, given, expected));
  for (int i = 0; i < given; ++i) {
    const double number = (*numbers)[static_cast<size_t>(i)];
    if (!std::isnan(number)) row[i] = number;  // attached keyframes leave other coordinates open
  }
}

void normalize_qpos(const Model& model, double* qpos) {
  for (int j = 0; j < model.njnt; ++j) {
    const JointType type = static_cast<JointType>(model.jnt_type[j]);
    if (type != JointType::kFree && type != JointType::kBall) continue;
    double* quat = qpos + model.jnt_qposadr[j] + (type == JointType::kFree ? 3 : 0);
    store4(quat, normalized(load4(quat)));
  }
}

void write_defaults(const Model& model, int k) {
  std::copy(model.qpos0.begin(), model.qpos0.end(), model.key_qpos.row(k, model.nq));
  for (int b = 0; b < model.nbody; ++b) {
    const int mocap = model.body_mocapid[b];
    if (mocap < 0) continue;
    store3(model.key_mpos.row(k, 3 * model.nmocap) + 3 * mocap, load3(model.body_pos.row(b, 3)));
    store4(model.key_mquat.row(k, 4 * model.nmocap) + 4 * mocap, load4(model.body_quat.row(b, 4)));
  }
}

}  // namespace

void write_keys(Draft& draft, Model& model) {
  for (int k = 0; k < model.nkey; ++k) {
    write_defaults(model, k);
    if (k >= static_cast<int>(draft.spec.keys.size())) continue;
    const KeySpec& key = draft.spec.keys[static_cast<size_t>(k)];
    const int mpos = 3 * model.nmocap, mquat = 4 * model.nmocap;
    model.key_time[k] = key.time;
    write_numbers(draft, key, "qpos", key.qpos, model.nq, model.key_qpos.row(k, model.nq));
    write_numbers(draft, key, "qvel", key.qvel, model.nv, model.key_qvel.row(k, model.nv));
    write_numbers(draft, key, "act", key.act, model.na, model.key_act.row(k, model.na));
    write_numbers(draft, key, "ctrl", key.ctrl, model.nu, model.key_ctrl.row(k, model.nu));
    write_numbers(draft, key, "mpos", key.mpos, mpos, model.key_mpos.row(k, mpos));
    write_numbers(draft, key, "mquat", key.mquat, mquat, model.key_mquat.row(k, mquat));
    normalize_qpos(model, model.key_qpos.row(k, model.nq));
    for (int m = 0; m < model.nmocap; ++m) {
      double* quat = model.key_mquat.row(k, mquat) + 4 * m;
      store4(quat, normalized(load4(quat)));
    }
  }
}

}  // namespace torsor::compiler
