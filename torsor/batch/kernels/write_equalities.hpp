// Rows of equalities in packs: coinciding points or poses of two bodies, joints and tendons that follow another. The
// formulas are those of constraint/equality.cpp.
#pragma once

#include "torsor/batch/kernels/write_rows.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class P>
class EqualityWriter {
  using S = ScalarOf<P>;
  using Vec = Vec3<P>;

 public:
  TORSOR_INLINE EqualityWriter(const EqualityPlan& equality, unsigned lanes, const int* slots, const RowState<S>& state,
                               const RowTarget<S>& target)
      : equality_(equality),
        state_(state),
        sap_(target.sap),
        dofs_(target.equality_dofs + equality.first_dof),
        rows_(lanes, slots, state, target) {}

  TORSOR_HD void write() {
    if (equality_.type == EqualityType::kJoint || equality_.type == EqualityType::kTendon)
      write_coupling();
    else
      write_frames();
  }

 private:
  static constexpr double kFree = INFINITY;  // the force of an equality has no bounds

  // Two frames that coincide: points, and for a weld orientations.
  struct Frames {
    Vec p_Wo_W[2];
    Quat<P> q_W[2];
  };

  TORSOR_INLINE Quat<P> body_quat(int body) const { return load4(packs<P>(state_.xquat) + 4 * body); }

  TORSOR_HD Frames find_frames() const {
    Frames frames;
    const bool weld = equality_.type == EqualityType::kWeld;
    for (int k = 0; k < 2; ++k) {
      const int object = equality_.object[k], body = equality_.body[k];
      if (equality_.has_sites) {
        frames.p_Wo_W[k] = load3(packs<P>(state_.site_xpos) + 3 * object);
        frames.q_W[k] = body_quat(body) * load4<P>(equality_.site_quat[k]);
        continue;
      }
      // a connect stores the anchors in this order, a weld in the opposite order
      const Vec p_BoA_B = load3<P>(equality_.data + 3 * (weld ? 1 - k : k));
      frames.p_Wo_W[k] = load3(packs<P>(state_.xpos) + 3 * body) + load9(packs<P>(state_.xmat) + 9 * body) * p_BoA_B;
      frames.q_W[k] = weld && k == 0 ? body_quat(body) * load4<P>(equality_.data + 6) : body_quat(body);
    }
    return frames;
  }

  TORSOR_INLINE Vec com(int k) const { return load3(packs<P>(state_.subtree_com) + 3 * equality_.root[k]); }

  // Coefficients of a row: its velocity is W1 . V1 + W2 . V2, with the twists of the bodies at the COMs of their trees.
  struct RowWrench {
    Wrench<P> of[2];
  };

  TORSOR_HD void make_point_wrenches(const Frames& frames, RowWrench* wrenches) const {
    for (int axis = 0; axis < 3; ++axis) {
      Vec unit = Vec::zero();
      unit[axis] = P(1);
      for (int k = 0; k < 2; ++k)
        wrenches[axis].of[k] = Wrench<P>{Vec::zero(), k == 0 ? unit : -unit}.at(com(k) - frames.p_Wo_W[k]);
    }
  }

  // The vector part of q = conj(q2) q1 changes by 1/2 conj(q2) (0, w1 - w2) q1, which is linear in w.
  TORSOR_HD void make_rotation_wrenches(const Frames& frames, RowWrench* wrenches) const {
    const P scale = P(0.5 * equality_.data[kTorqueScale]);
    for (int axis = 0; axis < 3; ++axis) {
      const Quat<P> unit{P(0), P(axis == 0), P(axis == 1), P(axis == 2)};
      const Vec column = (conj(frames.q_W[1]) * unit * frames.q_W[0]).vec() * scale;
      for (int r = 0; r < 3; ++r) {
        wrenches[r].of[0].t[axis] = column[r];
        wrenches[r].of[1].t[axis] = -column[r];
        wrenches[r].of[0].f = wrenches[r].of[1].f = Vec::zero();
      }
    }
  }

  // The acceleration of a body for qacc = 0, at the COM of its tree.
  TORSOR_HD Twist<P> bias_acceleration(int side) const {
    Twist<P> A = Twist<P>::zero();
    for (int n = 0; n < equality_.dofs; ++n) {
      if ((dofs_[n].sides & side) == 0) continue;
      A += load6(packs<P>(state_.cdof_dot) + 6 * dofs_[n].dof) * packs<P>(state_.qvel)[dofs_[n].dof];
    }
    return A;
  }

  static TORSOR_INLINE Quat<P> pure(const Vec& v) { return {P(0), v.x, v.y, v.z}; }

  // J-dot qvel.
  TORSOR_HD void find_bias(const Frames& frames, Vec (&bias)[2]) const {
    Vec w[2], alpha[2], a[2];
    for (int k = 0; k < 2; ++k) {
      const Vec p_TcmP_W = frames.p_Wo_W[k] - com(k);
      const Twist<P> A = bias_acceleration(1 << k), V = load6(packs<P>(state_.cvel) + 6 * equality_.body[k]);
      w[k] = V.w;
      alpha[k] = A.w;
      a[k] = A.at(p_TcmP_W).v + cross(V.w, V.at(p_TcmP_W).v);  // centripetal part: the point moves with the body
    }
    bias[0] = a[0] - a[1];
    const Quat<P> q1 = frames.q_W[0], q2 = conj(frames.q_W[1]), dw = pure(w[0] - w[1]);
    const Vec rate = (q2 * pure(alpha[0] - alpha[1]) * q1).vec() +
                     ((q2 * dw * pure(w[0]) * q1).vec() - (q2 * pure(w[1]) * dw * q1).vec()) * P(0.5);
    bias[1] = rate * P(0.5 * equality_.data[kTorqueScale]);
  }

  TORSOR_HD void write_frames() {
    const Frames frames = find_frames();
    RowWrench wrenches[6];
    Vec pos[2] = {frames.p_Wo_W[0] - frames.p_Wo_W[1], Vec::zero()}, bias[2];
    make_point_wrenches(frames, wrenches);
    if (equality_.rows > 3) {
      make_rotation_wrenches(frames, wrenches + 3);
      pos[1] = (conj(frames.q_W[1]) * frames.q_W[0]).vec() * P(equality_.data[kTorqueScale]);
    }
    find_bias(frames, bias);
    const P d = impedance(equality_.impedance, sqrt(norm2(pos[0]) + norm2(pos[1])));
    P w(0);
    for (int r = 0; r < equality_.rows; ++r) {
      if (sap_.inverse && r % 3 == 0) w = weight_of_three(wrenches + r);
      rows_.begin(r);
      for (int n = 0; n < equality_.dofs; ++n) rows_.put(dofs_[n].dof, number_of(wrenches[r], n));
      if (sap_.inverse)
        end_held_row(w, pos[r / 3][r % 3]);
      else
        end_row(d, pos[r / 3][r % 3], bias[r / 3][r % 3], equality_.weight[r / 3]);
    }
  }
  TORSOR_INLINE P number_of(const RowWrench& wrench, int n) const {
    const Twist<P> axis = load6(packs<P>(state_.cdof) + 6 * dofs_[n].dof);
    P number = P(0);
    if (dofs_[n].sides & 1) number += power(wrench.of[0], axis);
    if (dofs_[n].sides & 2) number += power(wrench.of[1], axis);
    return number;
  }

  // SAP: a third of the norm of J diag(A)^-1 J' of three rows.
  TORSOR_HD P weight_of_three(const RowWrench* wrenches) const {
    P W[9], square(0);
    for (P& number : W) number = P(0);
    for (int n = 0; n < equality_.dofs; ++n) {
      P J[3];
      for (int r = 0; r < 3; ++r) J[r] = number_of(wrenches[r], n);
      for (int k = 0; k < 9; ++k) W[k] += J[k / 3] * J[k % 3] * packs<P>(sap_.inverse)[dofs_[n].dof];
    }
    for (const P& number : W) square += number * number;
    return sqrt(square) * P(1. / 3);
  }

  // If an equality is stiffer than a step resolves, its error halves in every step, as in constraint/sap.cpp.
  TORSOR_INLINE void end_held_row(const P& weight, const P& pos) const {
    const P w = max(weight, P(SapNumbers<S>::kLeastWeight)), R = compliance(equality_.compliance, w);
    const double h = sap_.timestep;
    const P stiffness =
        select(R == P(equality_.compliance.near_rigid) * w, P(1 / (2 * h * h)), P(equality_.normal.stiffness));
    rows_.end(equality_.normal.damping, stiffness, pos, P(0), R, -kFree, kFree);
  }

  // value1 - polynomial(value2), both relative to their reference.
  TORSOR_HD void write_coupling() {
    const bool tendons = equality_.type == EqualityType::kTendon;
    const auto moved = [&](int k) {
      const int object = equality_.object[k];
      if (object < 0) return P(0);
      return (tendons ? packs<P>(state_.ten_length)[object] : packs<P>(state_.qpos)[joint_source(k)]) -
             P(equality_.reference[k]);
    };
    const double* c = equality_.data;
    const P x = moved(1), value = P(c[0]) + x * (P(c[1]) + x * (P(c[2]) + x * (P(c[3]) + x * P(c[4]))));
    const P slope = P(c[1]) + x * (P(2 * c[2]) + x * (P(3 * c[3]) + x * P(4 * c[4])));
    const P error = moved(0) - value;
    rows_.begin(0);
    P w(0);
    for (int n = 0; n < equality_.dofs; ++n) {
      const P number = number_of(n, slope);
      rows_.put(dofs_[n].dof, number);
    }
    for (int n = 0; sap_.inverse && n < equality_.dofs; ++n) w += share_of_dof(n, slope);
    if (sap_.inverse)
      end_held_row(w, error);
    else
      end_row(impedance(equality_.impedance, error), error, P(0), equality_.weight[0]);
  }
  // SAP: what a dof adds to J diag(A)^-1 J'; tendons that share a dof have several numbers for it.
  TORSOR_INLINE P share_of_dof(int n, const P& slope) const {
    P sum(0);
    for (int m = 0; m < equality_.dofs; ++m) {
      if (dofs_[m].dof != dofs_[n].dof) continue;
      if (m < n) return P(0);
      sum += number_of(m, slope);
    }
    return sum * sum * packs<P>(sap_.inverse)[dofs_[n].dof];
  }
  TORSOR_INLINE int joint_source(int k) const {
    for (int n = 0; n < equality_.dofs; ++n)
      if (dofs_[n].sides & 1 << k) return dofs_[n].source;
    return 0;
  }
  TORSOR_INLINE P number_of(int n, const P& slope) const {
    const P own = equality_.type == EqualityType::kTendon ? packs<P>(state_.ten_J)[dofs_[n].source] : P(1);
    return dofs_[n].sides & 1 ? own : -slope * own;
  }

  TORSOR_INLINE void end_row(const P& d, const P& pos, const P& bias, double weight) const {
    rows_.end(equality_.normal.damping, P(equality_.normal.stiffness) * d, pos, bias, regularisation(d, weight), -kFree,
              kFree);
  }

  const EqualityPlan& equality_;
  const RowState<S>& state_;
  const SapNumbers<S>& sap_;
  const EqualityDof* dofs_;
  SingleWriter<P> rows_;
};

}  // namespace TORSOR_ISA
}  // namespace torsor
