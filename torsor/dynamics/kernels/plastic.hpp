// Ideal plasticity of springs: where a spring is displaced by more than it yields at, its rest follows, so that it is
// displaced by just that much. Rests are part of the state; they change at the end of a step.
#pragma once

#include "torsor/dynamics/kernels/passive.hpp"
#include "torsor/dynamics/kernels/tendons.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// How far the rest of a spring moves: what its displacement has beyond +-limit.
template <class T>
TORSOR_INLINE T plastic_flow(const T& x, const T& limit) {
  return select(x > limit, x - limit, select(x < -limit, x + limit, T(0)));
}

template <class T>
TORSOR_INLINE void yield_joint(const ModelView& model, DataView<T>& data, int j) {
  const int plastic = model.jnt_plasticadr[j], q = model.jnt_qposadr[j];
  const T limit = max(T(0), T(model.jnt_springyield[j]));
  if (model.jnt_type[j] != static_cast<int>(JointType::kBall)) {
    data.plastic[plastic] += plastic_flow(data.qpos[q] - data.plastic[plastic], limit);
    return;
  }
  const Quat<T> now = normalized(load4(data.qpos.row(q, 1)));
  const Vec3<T> rotation = quat_difference(now, load4(data.plastic.row(plastic, 1)));
  const T angle = norm(rotation);
  const MaskOf<T> yields = angle > limit;
  if (!any(yields)) return;
  const T scale = -limit / max(angle, T(kMinValue));
  const Quat<T> rest = now * quat_from_rotation_vector(rotation * scale);
  const Quat<T> before = load4(data.plastic.row(plastic, 1));
  store4(data.plastic.row(plastic, 1), select(yields, rest, before));
}

// The length at the end of the step, to first order. A slack tendon, whose dead band begins at 0, keeps that end when
// it is stretched.
template <class T>
TORSOR_INLINE void yield_tendon(const ModelView& model, DataView<T>& data, int t, ConstPointerTo<T> qvel, const T& h) {
  const int plastic = model.tendon_plasticadr[t];
  const T low = data.plastic[plastic], high = data.plastic[plastic + 1];
  const T limit = max(T(0), T(model.tendon_springyield[t]));
  T length = data.ten_length[t];
  for_each_tendon_dof(model, t, [&](int dof, int k) { length += h * data.ten_J[k] * qvel[dof]; });
  const T stretch = max(T(0), length - high - limit), shrink = min(T(0), length - low + limit);
  const MaskOf<T> is_stretched = stretch > T(0), keeps_low = (low == T(0)) & (high > T(0)) & is_stretched;
  const T flow = select(is_stretched, stretch, shrink);
  data.plastic[plastic] = low + select(keeps_low, T(0), flow);
  data.plastic[plastic + 1] = high + flow;
}

// qpos is that at the end of the step, lengths and moments of tendons are those at its start, and `qvel` is the
// velocity that moved qpos.
template <class T>
TORSOR_LOCAL void yield_springs(const ModelView& model, DataView<T>& data, ConstPointerTo<T> qvel, const T& h) {
  if (model.nplastic == 0 || model.opt.disabled(kDisableSpring)) return;
  for (int j = 0; j < model.njnt; ++j)
    if (model.jnt_plasticadr[j] >= 0) yield_joint(model, data, j);
  for (int t = 0; t < model.ntendon; ++t)
    if (model.tendon_plasticadr[t] >= 0) yield_tendon(model, data, t, qvel, h);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
