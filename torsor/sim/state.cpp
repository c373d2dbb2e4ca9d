// Parts of the state as one vector.
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

// Calls f(pointer, numbers) for each part in the signature, in the order of its bits. Switches are numbers too.
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
}

}  // namespace

int state_size(const Model& m, int signature) {
  const auto part = [signature](int bit, int size) { return signature & bit ? size : 0; };
  return part(kStateTime, 1) + part(kStateQpos, m.nq) + part(kStateQvel, m.nv) + part(kStateAct, m.na) +
         part(kStateHistory, m.nhistory) + part(kStateWarmStart, m.nv) + part(kStateCtrl, m.nu) +
         part(kStateQfrcApplied, m.nv) + part(kStateXfrcApplied, 6 * m.nbody) + part(kStateEqActive, m.neq) +
         part(kStateMocapPos, 3 * m.nmocap) + part(kStateMocapQuat, 4 * m.nmocap) + part(kStateUserData, m.nuserdata);
}

void get_state(const Model&, const Data& data, double* state, int signature) {
  for_each_part(const_cast<Data&>(data), signature,
                [&](const auto* part, int n) { state = std::copy(part, part + n, state); });
}

void set_state(const Model&, Data& data, const double* state, int signature) {
  for_each_part(data, signature, [&](auto* part, int n) {
    std::transform(state, state + n, part,
                   [](double number) { return static_cast<std::remove_reference_t<decltype(*part)>>(number); });
    state += n;
  });
}

}  // namespace torsor
