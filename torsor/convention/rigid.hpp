// Converts rigid-body quantities between ours and those of a row. Ours: SI units, our axes; pose of the body frame B in
// the world W; twists and wrenches at the body's origin Bo in the world's axes. A conversion between two rows goes
// through ours. These are templates, so that constant rows cost nothing; convert.hpp has the same for rows chosen at
// run time.
#pragma once

#include "torsor/convention/row.hpp"
#include "torsor/math/pose.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {

// Properties of a body that a conversion may need in addition to the numbers that it converts.
template <class T>
struct BodyPlace {
  Pose<T> X_WB = Pose<T>::identity();
  Vec3<T> p_BoBcm_B = Vec3<T>::zero();  // centre of mass
  Quat<T> q_BI = Quat<T>::identity();   // principal axes
  Pose<T> X_WP = Pose<T>::identity();   // the joint's parent anchor, fixed in the world or to a resting parent
  Pose<T> X_BA = Pose<T>::identity();   // the joint's child anchor
  Vec3<T> p_WoTcm_W = Vec3<T>::zero();  // centre of mass of the body's whole tree
  Vec3<T> v_Tcm_W = Vec3<T>::zero();    // its velocity; only accelerations read it
  Vec3<T> g_W = Vec3<T>::zero();        // gravity; only accelerations that contain it read it
};

// The two vectors in a row's axes and units, before they are ordered.
template <class T>
struct Parts {
  Vec3<T> linear, angular;
};

// Of a body's spin, and of its origin, both in world axes.
template <class T>
struct Accelerations {
  Vec3<T> alpha_W, a_Bo_W;
};

constexpr double kRadiansPerDegree = 0.017453292519943295769;

// The map to a row's twists (or wrenches): the same motion, read at another point (shift), in other axes and units.
//   linear  = A_linear  (v + w x r),  angular = A_angular w;  each A is a rotation, a signed permutation and a unit.
// For wrenches the inverse transpose follows from the same members, so that power is never changed:
//   force   = A_linear^-T f,          moment  = A_angular^-T (t - r x f).
template <class T>
class SpatialMap {
 public:
  TORSOR_INLINE SpatialMap(const SpatialLayout& layout, const Row& row, const BodyPlace<T>& place)
      : SpatialMap(layout, row, place.X_WB, place) {}
  // The same with the pose separate from the properties that do not depend on it.
  TORSOR_INLINE SpatialMap(const SpatialLayout& layout, const Row& row, const Pose<T>& X_WB, const BodyPlace<T>& body)
      : layout_(layout), row_(row), X_WB_(X_WB), body_(body), r_(find_shift()) {}

  TORSOR_INLINE Parts<T> twist(const Twist<T>& V_WBo_W) const {
    const Twist<T> V = at_point(V_WBo_W, r_);
    return {to_row(layout_.linear, V.v) * T(1 / row_.length), to_row_pseudo(V.w) * T(1 / radians())};
  }
  TORSOR_INLINE Twist<T> ours(const Parts<T>& twist) const {
    const Vec3<T> w = from_row_pseudo(twist.angular * T(radians()));
    return at_point(Twist<T>{w, from_row(layout_.linear, twist.linear * T(row_.length))}, -r_);
  }
  TORSOR_INLINE Parts<T> wrench(const Wrench<T>& F_Bo_W) const {
    const Wrench<T> F = at_point(F_Bo_W, r_);
    return {to_row(layout_.linear, F.f) * T(row_.length), to_row_pseudo(F.t) * T(radians())};
  }
  TORSOR_INLINE Wrench<T> ours_wrench(const Parts<T>& wrench) const {
    const Vec3<T> t = from_row_pseudo(wrench.angular * T(1 / radians()));
    return at_point(Wrench<T>{t, from_row(layout_.linear, wrench.linear * T(1 / row_.length))}, -r_);
  }

  // Accelerations as the row has them, for an origin that accelerates by a and a body whose spin changes by alpha: the
  // rate of the numbers of twist(), or the spatial acceleration at the point.
  TORSOR_INLINE Parts<T> rate(const Twist<T>& V_WBo_W, const Accelerations<T>& A) const {
    const Vec3<T> a = A.a_Bo_W + cross(A.alpha_W, r_) + motion_terms(V_WBo_W);
    return {to_row(layout_.linear, a) * T(1 / row_.length), to_row_pseudo(A.alpha_W) * T(1 / radians())};
  }
  TORSOR_INLINE Accelerations<T> ours_rate(const Twist<T>& V_WBo_W, const Parts<T>& rate) const {
    const Vec3<T> alpha = from_row_pseudo(rate.angular * T(radians()));
    const Vec3<T> a = from_row(layout_.linear, rate.linear * T(row_.length));
    return {alpha, a - cross(alpha, r_) - motion_terms(V_WBo_W)};
  }

 private:
  const SpatialLayout& layout_;
  const Row& row_;
  const Pose<T>& X_WB_;
  const BodyPlace<T>& body_;
  const Vec3<T> r_;  // from Bo to the layout's point, in W

  // zero shifts are skipped explicitly, since the compiler may not remove a product with zero
  template <class V>
  TORSOR_INLINE V at_point(const V& v, const Vec3<T>& r) const {
    return layout_.point == Point::kOrigin ? v : v.at(r);
  }
  TORSOR_INLINE double radians() const { return layout_.angle == AngleUnit::kDegree ? kRadiansPerDegree : 1.0; }

  TORSOR_INLINE Vec3<T> find_shift() const {
    switch (layout_.point) {
      case Point::kCom:
        return rotate(X_WB_.q, body_.p_BoBcm_B);
      case Point::kWorldOrigin:
        return -X_WB_.p;
      case Point::kTreeCom:
        return body_.p_WoTcm_W - X_WB_.p;
      default:
        return Vec3<T>::zero();
    }
  }
  // terms of a row's acceleration in addition to a + alpha x r
  TORSOR_INLINE Vec3<T> motion_terms(const Twist<T>& V_WBo_W) const {
    const Vec3<T>& w = V_WBo_W.w;
    if (row_.acceleration == AccelerationForm::kSpatialMinusGravity) return -cross(w, V_WBo_W.v) - body_.g_W;
    // the point may move relative to the body; in rotating axes, the rotation also changes the numbers
    const Vec3<T> v = V_WBo_W.at(r_).v;
    Vec3<T> v_point = v;
    if (layout_.point == Point::kWorldOrigin) v_point = Vec3<T>::zero();
    if (layout_.point == Point::kTreeCom) v_point = body_.v_Tcm_W;
    const Vec3<T> terms = cross(w, v_point - V_WBo_W.v);
    return layout_.linear == Frame::kBody ? terms - cross(w, v) : terms;
  }
  TORSOR_INLINE const Axes& axes(Frame frame) const { return frame == Frame::kWorld ? row_.world : row_.body; }
  TORSOR_INLINE Vec3<T> to_frame(Frame frame, const Vec3<T>& v_W) const {
    if (frame == Frame::kBody) return rotate_inverse(X_WB_.q, v_W);
    return frame == Frame::kParent ? rotate_inverse(body_.X_WP.q, v_W) : v_W;
  }
  TORSOR_INLINE Vec3<T> from_frame(Frame frame, const Vec3<T>& v) const {
    if (frame == Frame::kBody) return rotate(X_WB_.q, v);
    return frame == Frame::kParent ? rotate(body_.X_WP.q, v) : v;
  }
  TORSOR_INLINE Vec3<T> to_row(Frame frame, const Vec3<T>& v_W) const {
    return to_axes(axes(frame), to_frame(frame, v_W));
  }
  TORSOR_INLINE Vec3<T> from_row(Frame frame, const Vec3<T>& v) const {
    return from_frame(frame, from_axes(axes(frame), v));
  }
  TORSOR_INLINE Vec3<T> to_row_pseudo(const Vec3<T>& v_W) const {
    return to_axes_pseudo(axes(layout_.angular), to_frame(layout_.angular, v_W));
  }
  TORSOR_INLINE Vec3<T> from_row_pseudo(const Vec3<T>& v) const {
    return from_frame(layout_.angular, from_axes_pseudo(axes(layout_.angular), v));
  }
};

// Whether the vectors of two layouts are equal except for their order: then numbers are copied, without rounding.
constexpr bool same_parts(const Row& a, SpatialLayout layout_a, const Row& b, const SpatialLayout& layout_b) {
  layout_a.order = layout_b.order;
  return layout_a == layout_b && a.world == b.world && a.body == b.body && a.length == b.length;
}

// The frame whose pose the row gives, from the pose of B and back.
template <class T>
TORSOR_INLINE Pose<T> posed_frame(const Row& row, const Pose<T>& X_WB, const BodyPlace<T>& body) {
  switch (row.pose_of) {
    case PoseOf::kBodyAtCom:
      return {apply(X_WB, body.p_BoBcm_B), X_WB.q};
    case PoseOf::kInertia:
      return X_WB * Pose<T>{body.p_BoBcm_B, body.q_BI};
    case PoseOf::kAnchors:
      return inverse(body.X_WP) * X_WB * body.X_BA;
    default:
      return X_WB;
  }
}
template <class T>
TORSOR_INLINE Pose<T> body_pose(const Row& row, const BodyPlace<T>& place, const Pose<T>& X) {
  switch (row.pose_of) {
    case PoseOf::kBodyAtCom:
      return {X.p - rotate(X.q, place.p_BoBcm_B), X.q};
    case PoseOf::kInertia:
      return X * inverse(Pose<T>{place.p_BoBcm_B, place.q_BI});
    case PoseOf::kAnchors:
      return place.X_WP * X * inverse(place.X_BA);
    default:
      return X;
  }
}

// Axes of the frame in which a row's position is given, and of the frame that it poses: anchors are carried by bodies.
constexpr const Axes& outer_axes(const Row& row) { return row.pose_of == PoseOf::kAnchors ? row.body : row.world; }

// The pose X_WB in the row's convention, but still as position and quaternion wxyz.
template <class T>
TORSOR_INLINE Pose<T> to_row(const Row& row, const Pose<T>& X_WB, const BodyPlace<T>& body) {
  const Pose<T> X = posed_frame(row, X_WB, body);
  return {to_axes(outer_axes(row), X.p) * T(1 / row.length), to_axes(outer_axes(row), row.body, X.q)};
}
template <class T>
TORSOR_INLINE Pose<T> from_row(const Row& row, const BodyPlace<T>& place, const Pose<T>& pose) {
  const Pose<T> X{from_axes(outer_axes(row), pose.p * T(row.length)), from_axes(outer_axes(row), row.body, pose.q)};
  return body_pose(row, place, X);
}

template <class T>
TORSOR_INLINE void store_quat(QuatOrder order, const Quat<T>& q, T* out) {
  const int first = order == QuatOrder::kXyzw ? 0 : 1;
  out[first] = q.x, out[first + 1] = q.y, out[first + 2] = q.z;
  out[order == QuatOrder::kXyzw ? 3 : 0] = q.w;
}
template <class T>
TORSOR_INLINE Quat<T> load_quat(QuatOrder order, const T* in) {
  return order == QuatOrder::kXyzw ? Quat<T>{in[3], in[0], in[1], in[2]} : Quat<T>{in[0], in[1], in[2], in[3]};
}
template <class T>
TORSOR_INLINE void store_parts(BlockOrder order, const Parts<T>& parts, T* out) {
  store3(out + (order == BlockOrder::kAngularFirst ? 3 : 0), parts.linear);
  store3(out + (order == BlockOrder::kAngularFirst ? 0 : 3), parts.angular);
}
template <class T>
TORSOR_INLINE Parts<T> load_parts(BlockOrder order, const T* in) {
  const int linear = order == BlockOrder::kAngularFirst ? 3 : 0;
  return {load3(in + linear), load3(in + 3 - linear)};
}

}  // namespace torsor
