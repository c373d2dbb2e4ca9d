// Rows in packs, written into the slots of each lane.
// How many lanes share a slot decides which way the writing goes, and the compiler may compute numbers separately for
// each way: sums of products are explicit fma() here, since it does not contract the same ones everywhere.
#pragma once

#include <cmath>

#include "torsor/batch/kernels/rows.hpp"
#ifndef __CUDACC__
#include "torsor/math/pack.hpp"
#endif
#include "torsor/math/quat.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Numbers of a state, and numbers of the slots of a problem.
template <class P>
TORSOR_INLINE ConstPointerTo<P> packs(const ScalarOf<P>* numbers) {
  return PointerTraits<P>::from(numbers);
}
template <class P>
TORSOR_INLINE PointerTo<P> packs(ScalarOf<P>* numbers) {
  return PointerTraits<P>::from(numbers);
}
template <class P>
TORSOR_INLINE P* slot_packs(ScalarOf<P>* numbers) {
  return reinterpret_cast<P*>(numbers);
}

template <class P>
TORSOR_INLINE void blend(const MaskOf<P>& mask, const P& value, P& to) {
  to = select(mask, value, to);
}

// Where numbers of J are in the slots of a problem, by the row of a slot and the place of a dof.
template <class P>
struct SlotLayout {
  using Slots = solver::WideSlots<ScalarOf<P>>;
  static TORSOR_INLINE std::ptrdiff_t slot_stride(const Slots& slots, int dim) {
    return std::ptrdiff_t(slots.tiles) * solver::kWideTile * dim;
  }
  static TORSOR_INLINE std::ptrdiff_t offset(const Slots&, int dim, int row, int place) {
    constexpr int kTile = solver::kWideTile;
    return std::ptrdiff_t(place / kTile) * kTile * dim + place % kTile + row * kTile;
  }
};

// The lanes of a contact or row, those with the same slot together.
template <class P>
class SlotGroups {
 public:
  TORSOR_INLINE SlotGroups(unsigned lanes, const int* slots) {
    while (lanes != 0) {
      const int slot = slots[__builtin_ctz(lanes)];
      unsigned same = 0;
      for (unsigned left = lanes; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        same |= unsigned{slots[l] == slot} << l;
      }
      slot_[count_] = slot;
      lanes_[count_++] = mask_of_bits<P>(same);
      lanes &= ~same;
    }
  }
  // Writes value into array[slot * stride + offset].
  TORSOR_INLINE void write(P* array, std::ptrdiff_t stride, std::ptrdiff_t offset, const P& value) const {
    for (int g = 0; g < count_; ++g) blend(lanes_[g], value, array[slot_[g] * stride + offset]);
  }
  // Adds it there.
  TORSOR_INLINE void add(P* array, std::ptrdiff_t stride, std::ptrdiff_t offset, const P& value) const {
    for (int g = 0; g < count_; ++g) array[slot_[g] * stride + offset] += select(lanes_[g], value, P(0));
  }

 private:
  int count_ = 0;
  int slot_[kLanes<P>];
  MaskOf<P> lanes_[kLanes<P>];
};

// As impedance_at() for one world.
template <class P>
TORSOR_INLINE P impedance(const ImpedancePlan& plan, P violation) {
  if (plan.per_width == 0) return P(plan.dmin);
  const P x = min(abs(violation) * P(plan.per_width), P(1));
  P y = x;
  if (plan.power == 2) {
    const MaskOf<P> below = x <= P(plan.middle);
    const P part = select(below, x, P(1) - x);
    const P square = part * part * select(below, P(plan.per_middle), P(plan.per_rest));
    y = select(below, square, P(1) - square);
  } else if (plan.power != 1) {
    for (int l = 0; l < kLanes<P>; ++l) {
      const double x_l = lane(x, l), middle = plan.middle, power = plan.power;
      set_lane(y, l,
               ScalarOf<P>(x_l <= middle ? std::pow(x_l, power) / std::pow(middle, power - 1)
                                         : 1 - std::pow(1 - x_l, power) / std::pow(1 - middle, power - 1)));
    }
  }
  return fma(y, P(plan.dmax - plan.dmin), P(plan.dmin));
}

// Regularisation R = (1 - d) / d A.
template <class P>
TORSOR_INLINE P regularisation(P d, double weight) {
  return max((P(1) - d) / d * P(weight), P(kMinValue));
}

// SAP's regularisation of a row with this weight.
template <class P>
TORSOR_INLINE P compliance(const CompliancePlan& plan, const P& weight) {
  return max(max(P(plan.near_rigid) * weight, P(plan.least_R)), P(kMinValue));
}

// Dense rows in the slots of their lanes: the numbers of J one by one, then the rest.
template <class P>
class SingleWriter {
  using S = ScalarOf<P>;

 public:
  TORSOR_INLINE SingleWriter(unsigned lanes, const int* slots, const RowState<S>& state, const RowTarget<S>& target)
      : groups_(lanes, slots), singles_(target.problem->singles), state_(state), place_(target.place) {}

  // Rows follow each other in slots.
  TORSOR_INLINE void begin(int row) {
    row_ = row;
    J_a_ = J_v_ = P(0);
  }
  // J is zero before. A tendon that names a joint twice has two numbers for one dof.
  TORSOR_INLINE void put(int dof, const P& number) {
    J_a_ = fma(number, packs<P>(state_.qacc_smooth)[dof], J_a_);
    J_v_ = fma(number, packs<P>(state_.qvel)[dof], J_v_);
    const std::ptrdiff_t stride = SlotLayout<P>::slot_stride(singles_, 1);
    groups_.add(slot_packs<P>(singles_.J), stride, row_ * stride + place_[dof], number);
  }
  // aref = -damping J v - stiffness violation - bias; bounds of D x = minus the force.
  TORSOR_INLINE void end(double damping, const P& stiffness, const P& violation, const P& bias, const P& R,
                         double lower, double upper) const {
    groups_.write(slot_packs<P>(singles_.b), 1, row_, fma(stiffness, violation, fma(P(damping), J_v_, J_a_)) + bias);
    groups_.write(slot_packs<P>(singles_.D), 1, row_, P(1) / R);
    groups_.write(slot_packs<P>(singles_.R), 1, row_, R);
    groups_.write(slot_packs<P>(singles_.lower), 1, row_, P(lower));
    groups_.write(slot_packs<P>(singles_.upper), 1, row_, P(upper));
  }

 private:
  const SlotGroups<P> groups_;
  const solver::WideSingles<S>& singles_;
  const RowState<S>& state_;
  const int* place_;
  int row_ = 0;
  P J_a_ = P(0), J_v_ = P(0);  // J a_smooth, J qvel
};

// Threads that write one row together, dof by dof: as a rule there is one.
struct OneThread {
  TORSOR_INLINE int lane() const { return 0; }
  TORSOR_INLINE int lanes() const { return 1; }
  template <class P>
  TORSOR_INLINE P sum(const P& x) const {
    return x;
  }
};

// One contact in all its lanes.
template <class P, class Crew = OneThread>
class ContactWriter {
  using S = ScalarOf<P>;
  using Vec = Vec3<P>;

 public:
  TORSOR_INLINE ContactWriter(const PairPlan& pair, ConstPointerTo<P> numbers, unsigned lanes, const int* slots,
                              const RowState<S>& state, const RowTarget<S>& target, const Crew& crew = {})
      : pair_(pair), state_(state), target_(target), numbers_(numbers), groups_(lanes, slots), crew_(crew) {}

  template <int kDim>
  TORSOR_INLINE void write() const {
    P J_a[kDim], J_v[kDim];  // J a_smooth, J qvel
    solver::WideSlots<S>& slots = this->slots(kDim);
    write_jacobian<kDim>(slots, J_a, J_v);
    const bool is_pyramid = kDim > 1 && target_.is_pyramidal, is_sap = target_.sap.inverse != nullptr;
    const P violation = numbers_[0] - P(pair_.range.margin), d = impedance(pair_.impedance, violation);
    const P w = is_sap ? weight<kDim>() : P(0);
    P R = is_sap ? compliance(pair_.compliance, w) : regularisation(d, pair_.weight);
    const double mu = pair_.friction[0], impratio = target_.impratio;
    if (is_pyramid) R = P(2 * mu * mu / impratio) * R;
    groups_.write(slot_packs<P>(slots.D), 1, 0, P(1) / R);
    if (kDim == 1) write_single(R);
    if (kDim > 1 && !is_pyramid) {
      const P ratio = is_sap ? P(target_.sap.sigma) * w / R : R * P(1 / std::fmax(kMinValue, impratio)) / R;
      groups_.write(slot_packs<P>(target_.problem->contacts[kind(kDim)].mu), 1, 0, P(mu) * sqrt(ratio));
    }
    const P normal_b = fma(P(pair_.normal.stiffness) * d, violation, fma(P(pair_.normal.damping), J_v[0], J_a[0]));
    groups_.write(slot_packs<P>(slots.b), kDim, 0, normal_b);
    const P damping = P(is_pyramid ? pair_.normal.damping : pair_.slip.damping);
    for (int r = 1; r < kDim; ++r) groups_.write(slot_packs<P>(slots.b), kDim, r, fma(damping, J_v[r], J_a[r]));
  }

 private:
  static TORSOR_HD constexpr int kind(int dim) { return dim == 3 ? 0 : dim == 4 ? 1 : 2; }
  TORSOR_INLINE solver::WideSlots<S>& slots(int dim) const {
    if (dim == 1) return target_.problem->singles;
    return target_.problem->contacts[kind(dim)];
  }
  // SAP: a third of the norm of J diag(A)^-1 J' of normal and tangents, which are not scaled here. A contact without
  // friction counts as if its tangents had the same weight.
  template <int kDim>
  TORSOR_INLINE P weight() const {
    constexpr int kRows = kDim == 1 ? 1 : 3;
    const Vec p_WoC_W = vector(1);
    P W[kRows * kRows];
    for (P& number : W) number = P(0);
    const PairDof *dof = target_.dofs + pair_.first_dof, *end = dof + pair_.dofs;
    for (; dof != end; ++dof) {
      const auto axis = packs<P>(state_.cdof) + 6 * dof->dof;
      const Vec com = load3(packs<P>(state_.subtree_com) + 3 * dof->root);
      const Vec v = load3(axis + 3) + cross(load3(axis), p_WoC_W - com);
      P J[kRows];
      for (int r = 0; r < kRows; ++r) J[r] = dot(vector(4 + 3 * r), v);
      for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < kRows; ++j) W[kRows * i + j] += J[i] * J[j] * packs<P>(target_.sap.inverse)[dof->dof];
    }
    P square(0);
    for (const P& number : W) square += number * number;
    const P norm = kDim == 1 ? W[0] * P(1 / std::sqrt(3.0)) : sqrt(square) * P(1. / 3);
    return max(norm, P(SapNumbers<S>::kLeastWeight));
  }

  TORSOR_INLINE Vec vector(int i) const { return {numbers_[i], numbers_[i + 1], numbers_[i + 2]}; }

  TORSOR_INLINE void write_single(P R) const {
    solver::WideSingles<S>& singles = target_.problem->singles;
    groups_.write(slot_packs<P>(singles.R), 1, 0, R);
    groups_.write(slot_packs<P>(singles.lower), 1, 0, P(-INFINITY));
    groups_.write(slot_packs<P>(singles.upper), 1, 0, P(0));
  }

  // Rows after the normal are those of tangents times their friction coefficients.
  template <int kDim>
  TORSOR_INLINE void write_jacobian(const solver::WideSlots<S>& slots, P* J_a, P* J_v) const {
    const Vec p_WoC_W = vector(1);
    Vec direction[kDim];
    for (int r = 0; r < kDim; ++r) {
      direction[r] = vector(4 + 3 * (r % 3)) * P(r == 0 ? 1 : pair_.friction[r - 1]);
      J_a[r] = J_v[r] = P(0);
    }
    const std::ptrdiff_t slot_stride = SlotLayout<P>::slot_stride(slots, kDim);
    const PairDof* const dofs = target_.dofs + pair_.first_dof;
    for (int n = crew_.lane(); n < pair_.dofs; n += crew_.lanes()) {
      const PairDof* const dof = dofs + n;
      const auto axis = packs<P>(state_.cdof) + 6 * dof->dof;
      const Vec com = load3(packs<P>(state_.subtree_com) + 3 * dof->root);
      const Vec w = load3(axis) * P(dof->sign), v = load3(axis + 3) * P(dof->sign) + cross(w, p_WoC_W - com);
      const P a_smooth = packs<P>(state_.qacc_smooth)[dof->dof], speed = packs<P>(state_.qvel)[dof->dof];
      const int place = target_.place[dof->dof];
      for (int r = 0; r < kDim; ++r) {
        const P number = dot(direction[r], r < 3 ? v : w);
        J_a[r] = fma(number, a_smooth, J_a[r]);
        J_v[r] = fma(number, speed, J_v[r]);
        groups_.write(slot_packs<P>(slots.J), slot_stride, SlotLayout<P>::offset(slots, kDim, r, place), number);
      }
    }
    for (int r = 0; r < kDim; ++r) {
      J_a[r] = crew_.sum(J_a[r]);
      J_v[r] = crew_.sum(J_v[r]);
    }
  }

  const PairPlan& pair_;
  const RowState<S>& state_;
  const RowTarget<S>& target_;
  const ConstPointerTo<P> numbers_;
  const SlotGroups<P> groups_;
  const Crew crew_;
};

// Friction or a limit of a joint or tendon.
template <class P>
class ScalarWriter {
  using S = ScalarOf<P>;

 public:
  TORSOR_INLINE ScalarWriter(const ScalarPlan& scalar, UnitRow row, const RowState<S>& state,
                             const RowTarget<S>& target)
      : scalar_(scalar),
        state_(state),
        target_(target),
        sign_(row == UnitRow::kUpper ? -1 : 1),
        lower_(scalar.is_friction ? -scalar.loss : -INFINITY),
        upper_(scalar.is_friction ? scalar.loss : 0) {
    const P violation = scalar.is_friction ? P(0) : distance(scalar, state, row == UnitRow::kUpper) - P(scalar.margin);
    const P d = impedance(scalar.impedance, violation);
    stiffness_ = P(scalar.reference.stiffness) * d;
    violation_ = violation;
    if (!target.sap.inverse) {
      R_ = regularisation(d, scalar.weight);
      return;
    }
    const P w = max(weight(), P(SapNumbers<S>::kLeastWeight));
    R_ = scalar.is_friction ? P(target.sap.sigma) * w : compliance(scalar.compliance, w);
  }

  // How near a limit must be to make a row: within its margin; for SAP also within reach of this step.
  static TORSOR_INLINE P reach(const ScalarPlan& scalar, const RowState<S>& state, const RowTarget<S>& target) {
    if (!target.sap.inverse) return P(scalar.margin);
    constexpr double kAcceleration = 200;  // as in sap_limit_reach()
    const auto qvel = packs<P>(state.qvel);
    const double h = target.sap.timestep;
    P speed(0);
    if (scalar.is_unit()) speed = abs(qvel[scalar.dof]);
    if (scalar.is_ball) speed = norm(load3(qvel + scalar.dof));
    for (int k = scalar.first; k < scalar.first + scalar.count; ++k)
      speed += packs<P>(state.ten_J)[k] * qvel[target.tendon_dofs[k]];
    return max(P(scalar.margin), P(2 * h) * (abs(speed) + P(h * kAcceleration)));
  }

  // How far the limit is; a ball joint has no lower one.
  static TORSOR_INLINE P distance(const ScalarPlan& scalar, const RowState<S>& state, bool upper) {
    if (scalar.is_ball) return upper ? P(scalar.range[1]) - norm(rotation(scalar, state)) : P(INFINITY);
    const P value = scalar.tendon < 0 ? packs<P>(state.qpos)[scalar.qpos] : packs<P>(state.ten_length)[scalar.tendon];
    return upper ? P(scalar.range[1]) - value : value - P(scalar.range[0]);
  }

  // b and D of the row of a hinge or slide.
  TORSOR_INLINE P unit_b() const {
    const P J_a = P(sign_) * packs<P>(state_.qacc_smooth)[scalar_.dof],
            J_v = P(sign_) * packs<P>(state_.qvel)[scalar_.dof];
    return fma(stiffness_, violation_, fma(P(scalar_.reference.damping), J_v, J_a));
  }
  TORSOR_INLINE P unit_D() const { return P(1) / R_; }

  // A unit slot belongs to one dof in all lanes.
  TORSOR_INLINE void write_unit(unsigned lanes, int slot) const {
    const solver::WideUnits<S>& units = target_.problem->units;
    const MaskOf<P> mask = mask_of_bits<P>(lanes);
    const auto put = [&](S* array, P value) { slot_packs<P>(array)[slot] = select(mask, value, P(0)); };
    put(units.J, P(sign_));
    put(units.b, unit_b());
    put(units.D, unit_D());
    put(units.R, R_);
    put(units.lower, P(lower_));
    put(units.upper, P(upper_));
  }

  TORSOR_INLINE void write_single(unsigned lanes, const int* slots) const {
    SingleWriter<P> row(lanes, slots, state_, target_);
    if (scalar_.is_ball) {
      const Vec3<P> vector = rotation(scalar_, state_), axis = normalized(vector);
      for (int k = 0; k < 3; ++k) row.put(scalar_.dof + k, P(sign_) * axis[k]);
    }
    for (int k = scalar_.first; k < scalar_.first + scalar_.count; ++k)
      row.put(target_.tendon_dofs[k], P(sign_) * packs<P>(state_.ten_J)[k]);
    row.end(scalar_.reference.damping, stiffness_, violation_, P(0), R_, lower_, upper_);
  }

 private:
  // SAP: J diag(A)^-1 J'.
  TORSOR_INLINE P weight() const {
    const auto inverse = packs<P>(target_.sap.inverse);
    if (scalar_.is_unit()) return inverse[scalar_.dof];
    P sum(0);
    if (scalar_.is_ball) {
      const Vec3<P> axis = normalized(rotation(scalar_, state_));
      for (int k = 0; k < 3; ++k) sum += axis[k] * axis[k] * inverse[scalar_.dof + k];
    }
    for (int k = scalar_.first; k < scalar_.first + scalar_.count; ++k) {
      const P J = packs<P>(state_.ten_J)[k];
      sum += J * J * inverse[target_.tendon_dofs[k]];
    }
    return sum;
  }

  static TORSOR_INLINE Vec3<P> rotation(const ScalarPlan& scalar, const RowState<S>& state) {
    return rotation_vector(normalized(load4(packs<P>(state.qpos) + scalar.qpos)));
  }

  const ScalarPlan& scalar_;
  const RowState<S>& state_;
  const RowTarget<S>& target_;
  const double sign_, lower_, upper_;
  P stiffness_, violation_, R_;
};

}  // namespace TORSOR_ISA
}  // namespace torsor
