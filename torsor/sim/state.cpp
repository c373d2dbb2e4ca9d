// Parts of the state as one vector.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

// Calls f(pointer, count) for each part in the signature, in the order of its bits. Booleans count as numbers.
template <class F>
void for_each_part(Data& data, int signature, F&& f) {
  const auto part = [&](int bit, const Field<double>& field) {
    if (signature & bit) f(field.data(), field.size());
  };
  if (signature & kStateTime) f(&data.time, 1);
  part(kStateQpos, data.qpos);
  part(kStateQvel, data.qvel);
  part(kStateAct, data.act);
  part(kStateHistory, data.history);
  part(kStateWarmStart, data.qacc_warmstart);
  part(kStateCtrl, data.ctrl);
  part(kStateQfrcApplied, data.qfrc_applied);
  part(kStateXfrcApplied, data.xfrc_applied);
  if (signature & kStateEqActive) f(data.eq_active.data(), data.eq_active.size());
  part(kStateMocapPos, data.mocap_pos);
  part(kStateMocapQuat, data.mocap_quat);
  part(kStateUserData, data.userdata);
  part(kStatePlastic, data.plastic);
}

// Seed and step of the noise, as numbers of 32 bits each.
constexpr int kNoiseNumbers = 4;
bool has_noise(const Model& model, int signature) {
  return (signature & kStateNoise) != 0 && model.opt.enabled(kEnableSensorNoise);
}
void put_noise(const Data& data, double* state) {
  for (const uint64_t number : {data.noise_seed, data.noise_step}) {
    *state++ = static_cast<double>(number & 0xFFFFFFFF);
    *state++ = static_cast<double>(number >> 32);
  }
}
// Anything else counts as zero.
uint64_t take_whole(const double* halves) {
  const auto half = [](double x) { return x >= 0 && x < 4294967296.0 ? static_cast<uint64_t>(x) : uint64_t{0}; };
  return half(halves[0]) | half(halves[1]) << 32;
}

}  // namespace

int state_size(const Model& m, int signature) {
  const auto part = [signature](int bit, int size) { return signature & bit ? size : 0; };
  return part(kStateTime, 1) + part(kStateQpos, m.nq) + part(kStateQvel, m.nv) + part(kStateAct, m.na) +
         part(kStateHistory, m.nhistory) + part(kStateWarmStart, m.nv) + part(kStateCtrl, m.nu) +
         part(kStateQfrcApplied, m.nv) + part(kStateXfrcApplied, 6 * m.nbody) + part(kStateEqActive, m.neq) +
         part(kStateMocapPos, 3 * m.nmocap) + part(kStateMocapQuat, 4 * m.nmocap) + part(kStateUserData, m.nuserdata) +
         part(kStatePlastic, m.nplastic) + (has_noise(m, signature) ? kNoiseNumbers : 0);
}

void get_state(const Model& model, const Data& data, double* state, int signature) {
  for_each_part(const_cast<Data&>(data), signature,
                [&](const auto* part, int n) { state = std::copy(part, part + n, state); });
  if (has_noise(model, signature)) put_noise(data, state);
}

void set_state(const Model& model, Data& data, const double* state, int signature) {
  for_each_part(data, signature, [&](auto* part, int n) {
    std::transform(state, state + n, part,
                   [](double number) { return static_cast<std::remove_reference_t<decltype(*part)>>(number); });
    state += n;
  });
  if (!has_noise(model, signature)) return;
  data.noise_seed = take_whole(state);
  data.noise_step = take_whole(state + 2);
}

// Part by part through a vector, which needs room for the largest part only.
void copy_state(const Model& model, const Data& from, Data& to, int signature) {
  require_fit(model, from);
  require_fit(model, to);
  if (&from == &to) return;
  std::vector<double> part;
  for (int bit = 1; bit <= kStateNoise; bit <<= 1) {
    if (!(signature & bit)) continue;
    part.resize(static_cast<size_t>(state_size(model, bit)));
    get_state(model, from, part.data(), bit);
    set_state(model, to, part.data(), bit);
  }
}

void extract_state(const Model& model, const double* state, int signature, double* result, int wanted) {
  if (wanted & ~signature)
    throw Error(fmt::format("state signature {} does not contain all parts of {}: {} is missing", signature, wanted,
                            wanted & ~signature));
  for (int bit = 1; bit <= kStateNoise; bit <<= 1) {
    if (!(signature & bit)) continue;
    const int size = state_size(model, bit);
    if (wanted & bit) result = std::copy(state, state + size, result);
    state += size;
  }
}

void set_keyframe(Model& model, const Data& data, int key) {
  require_fit(model, data);
  if (key < 0 || key >= model.nkey)
    throw Error(fmt::format("keyframe {} does not exist: the model has {} keyframes", key, model.nkey));
  const auto keep = [key](const Field<double>& from, const Field<double>& keys) {
    std::copy(from.begin(), from.end(), keys.row(key, from.size()));
  };
  model.key_time[key] = data.time;
  keep(data.qpos, model.key_qpos);
  keep(data.qvel, model.key_qvel);
  keep(data.act, model.key_act);
  keep(data.mocap_pos, model.key_mpos);
  keep(data.mocap_quat, model.key_mquat);
  keep(data.ctrl, model.key_ctrl);
  keep(data.plastic, model.key_plastic);
}

}  // namespace torsor
