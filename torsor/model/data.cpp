// Allocation, copy and reset of Data.
#include "torsor/model/data.hpp"

#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/core/layout.hpp"

namespace torsor {
namespace {

void copy(const Field<double>& from, const Field<double>& to) {
  if (to.size() > 0) std::memcpy(to.data(), from.data(), sizeof(double) * static_cast<size_t>(to.size()));
}

// What smooth dynamics and integrators push at most, so that an explicit `memory` never starves them.
size_t smooth_scratch(const Model& m) {
  const auto n = [](int size) { return static_cast<size_t>(size); };
  const size_t numbers = 4 * n(m.nq) + 16 * n(m.nv) + 80 * n(m.nbody) + 2 * n(m.nD) + 2 * n(m.nC) + n(m.nM);
  return sizeof(double) * numbers + 64 * 32;
}

size_t arena_capacity(const Model& model) {
  return model.memory >= 0 ? static_cast<size_t>(model.memory) + smooth_scratch(model) : Arena::kDefaultCapacity;
}

}  // namespace

Data::Data(const Model& model) : arena_(arena_capacity(model)), signature_(model.signature) {
  static_cast<ModelSizes&>(*this) = model;
  buffer_ = place_fields(*this);
  reset(model, *this);
}

Data::Data(const Data& other) : DataView<double>(other), arena_(other.arena_.capacity()) {
  buffer_ = place_fields(*this);
  copy_values(other);
}

Data& Data::operator=(const Data& other) {
  if (this == &other) return *this;
  if (signature_ != other.signature_ || buffer_.size() != other.buffer_.size()) return *this = Data(other);
  time = other.time;
  energy[0] = other.energy[0];
  energy[1] = other.energy[1];
  copy_values(other);  // in place: views of the arrays stay valid
  return *this;
}

void Data::copy_values(const Data& other) {
  if (buffer_.size() > 0) std::memcpy(buffer_.data(), other.buffer_.data(), buffer_.size());
  std::memcpy(warning, other.warning, sizeof(warning));
  std::memcpy(timer, other.timer, sizeof(timer));
  timers_on = other.timers_on;
  has_energy_position = other.has_energy_position;
  has_energy_velocity = other.has_energy_velocity;
  has_subtree_velocity = other.has_subtree_velocity;
  has_rne_post = other.has_rne_post;
  signature_ = other.signature_;
}

void poison([[maybe_unused]] Data& data, [[maybe_unused]] Stage stage) {
#if defined(TORSOR_POISON) && TORSOR_POISON
  data.for_each_field(stage, [](const FieldInfo&, Field<double>& field) {
    for (double& value : field) value = std::numeric_limits<double>::quiet_NaN();
  });
#endif
}

void reset(const Model& model, Data& data) {
  data.for_each_field([](const FieldInfo&, Field<double>& field) {
    if (field.size() > 0) std::memset(field.data(), 0, sizeof(double) * static_cast<size_t>(field.size()));
  });
  data.time = 0;
  data.energy[0] = data.energy[1] = 0;
  data.arena().reset();
  for (WarningCount& warning : data.warning) warning = {};
  for (TimerCount& timer : data.timer) timer = {};
  data.has_energy_position = data.has_energy_velocity = data.has_subtree_velocity = data.has_rne_post = false;
  copy(model.qpos0, data.qpos);
  for (int b = 0; b < model.nbody; ++b) {
    const int mocap = model.body_mocapid[b];
    if (mocap < 0) continue;
    std::memcpy(&data.mocap_pos[3 * mocap], &model.body_pos[3 * b], 3 * sizeof(double));
    std::memcpy(&data.mocap_quat[4 * mocap], &model.body_quat[4 * b], 4 * sizeof(double));
  }
}

void reset_to_key(const Model& model, Data& data, int key) {
  if (key < 0 || key >= model.nkey)
    throw Error(fmt::format("keyframe {} does not exist: the model has {} keyframes", key, model.nkey));
  reset(model, data);
  const auto load = [key](const Field<double>& keys, const Field<double>& to) {
    const size_t n = static_cast<size_t>(to.size());
    if (n > 0) std::memcpy(to.data(), keys.data() + static_cast<size_t>(key) * n, n * sizeof(double));
  };
  data.time = model.key_time[key];
  load(model.key_qpos, data.qpos);
  load(model.key_qvel, data.qvel);
  load(model.key_act, data.act);
  load(model.key_mpos, data.mocap_pos);
  load(model.key_mquat, data.mocap_quat);
  load(model.key_ctrl, data.ctrl);
}

}  // namespace torsor
