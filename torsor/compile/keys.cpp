// Keyframes: unspecified numbers are those of the reference pose.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

using Numbers = std::optional<std::vector<double>>;

// Too many numbers are an error. Too few set only the first ones, for example if a scene adds bodies to a robot that
// has keyframes; the rest keeps its default.
void check_numbers(Draft& draft, const KeySpec& key, const char* name, const Numbers& numbers, Count expected) {
  if (!numbers) return;
  const Count given = numbers->size();
  const auto say = [&] {
    return fmt::format("{} has {} numbers; the model needs {}", name, given.value(), expected.value());
  };
  if (given > expected) draft.error("key", key, say());
  if (given < expected) draft.warning("key", key, say());
}

void write_numbers(const Numbers& numbers, double* row) {
  for (size_t i = 0; numbers && i < numbers->size(); ++i) {
    const double number = (*numbers)[i];
    if (!std::isnan(number)) row[i] = number;  // attached keyframes leave other coordinates unspecified
  }
}

void normalize_plastic(const Model& model, double* plastic) {
  for (int j = 0; j < model.njnt; ++j) {
    if (model.jnt_plasticadr[j] < 0 || model.jnt_type[j] != static_cast<int>(JointType::kBall)) continue;
    double* quat = plastic + model.jnt_plasticadr[j];
    store4(quat, normalized(load4(quat)));
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
  double* plastic = model.key_plastic.row(k, model.nplastic);
  for (int j = 0; j < model.njnt; ++j) {
    const int count = model.jnt_type[j] == static_cast<int>(JointType::kBall) ? 4 : 1;
    if (model.jnt_plasticadr[j] >= 0)
      std::copy_n(model.qpos_spring.row(model.jnt_qposadr[j], 1), count, plastic + model.jnt_plasticadr[j]);
  }
  for (int t = 0; t < model.ntendon; ++t)  // set_const() settles lengths that are not specified
    if (model.tendon_plasticadr[t] >= 0)
      std::copy_n(model.tendon_lengthspring.row(t, 2), 2, plastic + model.tendon_plasticadr[t]);
  for (int b = 0; b < model.nbody; ++b) {
    const int mocap = model.body_mocapid[b];
    if (mocap < 0) continue;
    store3(model.key_mpos.row(k, 3 * model.nmocap) + 3 * mocap, load3(model.body_pos.row(b, 3)));
    store4(model.key_mquat.row(k, 4 * model.nmocap) + 4 * mocap, load4(model.body_quat.row(b, 4)));
  }
}

}  // namespace

void settle_keys(Draft& draft, const ModelSizes& sizes, bool has_all_controls) {
  for (const KeySpec& key : draft.spec.keys) {
    check_numbers(draft, key, "qpos", key.qpos, sizes.nq);
    check_numbers(draft, key, "qvel", key.qvel, sizes.nv);
    if (has_all_controls) check_numbers(draft, key, "act", key.act, sizes.na);
    if (has_all_controls) check_numbers(draft, key, "ctrl", key.ctrl, sizes.nu);
    check_numbers(draft, key, "plastic", key.plastic, sizes.nplastic);
    check_numbers(draft, key, "mpos", key.mpos, Count(3) * Count(sizes.nmocap));
    check_numbers(draft, key, "mquat", key.mquat, Count(4) * Count(sizes.nmocap));
  }
}

void write_keys(const Draft& draft, Model& model) {
  for (int k = 0; k < model.nkey; ++k) {
    write_defaults(model, k);
    if (k >= static_cast<int>(draft.spec.keys.size())) continue;
    const KeySpec& key = draft.spec.keys[static_cast<size_t>(k)];
    const int mpos = 3 * model.nmocap, mquat = 4 * model.nmocap;
    model.key_time[k] = key.time;
    write_numbers(key.qpos, model.key_qpos.row(k, model.nq));
    write_numbers(key.qvel, model.key_qvel.row(k, model.nv));
    write_numbers(key.act, model.key_act.row(k, model.na));
    write_numbers(key.ctrl, model.key_ctrl.row(k, model.nu));
    write_numbers(key.plastic, model.key_plastic.row(k, model.nplastic));
    write_numbers(key.mpos, model.key_mpos.row(k, mpos));
    write_numbers(key.mquat, model.key_mquat.row(k, mquat));
    normalize_qpos(model, model.key_qpos.row(k, model.nq));
    normalize_plastic(model, model.key_plastic.row(k, model.nplastic));
    for (int m = 0; m < model.nmocap; ++m) {
      double* quat = model.key_mquat.row(k, mquat) + 4 * m;
      store4(quat, normalized(load4(quat)));
    }
  }
}

}  // namespace torsor::compiler
