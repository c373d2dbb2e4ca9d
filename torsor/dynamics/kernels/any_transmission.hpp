// Lengths of actuators and their derivatives by qvel, whatever they act on. What an actuator drives defines its length;
// a row of actuator_moment is what a unit force along that length does to the dofs.
#pragma once

#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/dynamics/kernels/transmission.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {

// A site with its pose in W. The quaternion, for rotations between sites, multiplies in MuJoCo's order, which turns the
// body by the site's rotation instead of the other way round.
template <class T>
struct PlacedSite {
  int body;
  Vec3<T> p_WoS_W;
  Mat3<T> R_WS;
  Quat<T> q_WS;
};

template <class T>
TORSOR_HD PlacedSite<T> place_site(const ModelView& model, const DataView<T>& data, int id) {
  const int body = model.site_bodyid[id];
  return {body, load3(data.site_xpos.row(id, 3)), load9(data.site_xmat.row(id, 9)),
          load4(data.xquat.row(body, 4)) * load4<T>(model.site_quat.row(id, 4))};
}

TORSOR_HD inline bool does_move(const ModelView& model, int dof, int body) {
  for (int i = last_dof(model, body); i >= dof; i = model.dof_parentid[i]) {
    if (i == dof) return true;
  }
  return false;
}

// Velocity of a body's point per unit velocity of a dof; zero if the dof does not move the body.
template <class T>
TORSOR_HD Twist<T> twist_of(const ModelView& model, const DataView<T>& data, int dof, int body,
                            const Vec3<T>& p_WoP_W) {
  if (!does_move(model, dof, body)) return Twist<T>::zero();
  return load6(data.cdof.row(dof, 6)).at(p_WoP_W - load3(data.subtree_com.row(model.body_rootid[body], 3)));
}

// All kinds of transmissions, of one world: branches depend on its state.
template <class T>
class TransmissionStage {
  using Vec = Vec3<T>;
  using Site = PlacedSite<T>;

 public:
  TORSOR_HD TransmissionStage(const ModelView& model, DataView<T>& data) : model_(model), data_(data) {}

  TORSOR_HD void compute(int a) {
    const int target = model_.actuator_trnid[2 * a], reference = model_.actuator_trnid[2 * a + 1];
    out_ = model_.actuator_outadr[a];
    gear_ = model_.actuator_gear.row(out_, 6);
    switch (static_cast<Transmission>(model_.actuator_trntype[a])) {
      case Transmission::kJoint:
        return compute_joint_transmission(model_, data_, target, out_, false);
      case Transmission::kJointInParent:
        return compute_joint_transmission(model_, data_, target, out_, true);
      case Transmission::kSliderCrank:
        return slider_crank(target, reference, model_.actuator_cranklength[a]);
      case Transmission::kTendon:
        return compute_tendon_transmission(model_, data_, target, out_);
      case Transmission::kSite:
        return reference < 0 ? site(target) : site_in_reference(target, reference);
      case Transmission::kBody:
        set_length(T(0));  // its moment comes from contacts
        return fill_moment([](int) { return T(0); });
      case Transmission::kSo3:
        return reference < 0 ? ball(target) : orientation(target, reference);
    }
  }

 private:
  TORSOR_HD void set_length(const T& length) { data_.actuator_length[out_] = length; }

  template <class F>
  TORSOR_HD void fill_moment(F&& f) {
    const int begin = model_.moment_rowadr[out_], count = model_.moment_rownnz[out_];
    for (int k = begin; k < begin + count; ++k) data_.actuator_moment[k] = f(model_.moment_colind[k]);
  }

  // The slider moves along the z axis of its site, the rod ends at the crank: |crank - slider - s z| = rod.
  TORSOR_HD void slider_crank(int crank_id, int slider_id, double rod) {
    const Site crank = place_site<T>(model_, data_, crank_id), slider = place_site<T>(model_, data_, slider_id);
    const Vec axis = slider.R_WS * Vec{T(0), T(0), T(1)}, reach = crank.p_WoS_W - slider.p_WoS_W;
    const T along = dot(axis, reach), square = along * along + T(rod * rod) - dot(reach, reach);
    // a rod that is too short leaves the slider at the foot of the crank
    T length = along;
    Vec by_axis = reach, by_reach = axis;
    if (square > T(0)) {
      const T root = sqrt(square);
      length = along - root;
      by_axis = reach * (T(1) - along / root);
      by_reach = axis * (T(1) - along / root) + reach / root;
    }
    set_length(length * T(gear_[0]));
    fill_moment([&](int dof) {
      const Twist<T> V_slider = twist_of(model_, data_, dof, slider.body, slider.p_WoS_W);
      const Vec v_crank = twist_of(model_, data_, dof, crank.body, crank.p_WoS_W).v;
      return T(gear_[0]) * (dot(by_axis, cross(V_slider.w, axis)) + dot(by_reach, v_crank - V_slider.v));
    });
  }

  TORSOR_HD void site(int id) {
    const Site s = place_site<T>(model_, data_, id);
    const Vec force = s.R_WS * load3<T>(gear_), torque = s.R_WS * load3<T>(gear_ + 3);
    set_length(T(0));
    fill_moment([&](int dof) {
      const Twist<T> V = twist_of(model_, data_, dof, s.body, s.p_WoS_W);
      return dot(force, V.v) + dot(torque, V.w);
    });
  }

  // The pose in the frame of another site; motion that both share does not count.
  TORSOR_HD void site_in_reference(int id, int reference_id) {
    const Site s = place_site<T>(model_, data_, id), r = place_site<T>(model_, data_, reference_id);
    const Vec along = load3<T>(gear_), about = load3<T>(gear_ + 3);
    const Vec force = r.R_WS * along, torque = r.R_WS * about;
    T length = dot(force, s.p_WoS_W - r.p_WoS_W);
    if (norm2(about) > T(0)) length += dot(about, quat_difference(s.q_WS, r.q_WS));
    set_length(length);
    fill_moment([&](int dof) {
      const Twist<T> V_s = twist_of(model_, data_, dof, s.body, s.p_WoS_W);
      const Twist<T> V_r = twist_of(model_, data_, dof, r.body, r.p_WoS_W);
      return dot(force, V_s.v - V_r.v) + dot(torque, V_s.w - V_r.w);
    });
  }

  // Three outputs: the rotation vector of a ball joint.
  TORSOR_HD void ball(int j) {
    const Vec rotation = rotation_vector(normalized(load4(data_.qpos.row(model_.jnt_qposadr[j], 1))));
    for (int k = 0; k < 3; ++k) {
      data_.actuator_length[out_ + k] = rotation[k];
      data_.actuator_moment[model_.moment_rowadr[out_ + k]] = T(1);
    }
  }

  // Three outputs: the rotation vector of a site in the frame of another, and its rate along the axes of the first.
  TORSOR_HD void orientation(int id, int reference_id) {
    const Site s = place_site<T>(model_, data_, id), r = place_site<T>(model_, data_, reference_id);
    const Vec rotation = quat_difference(s.q_WS, r.q_WS);
    const int first = out_;
    for (int k = 0; k < 3; ++k) {
      out_ = first + k;
      set_length(rotation[k]);
      const Vec axis = s.R_WS * Vec{T(k == 0), T(k == 1), T(k == 2)};
      fill_moment([&](int dof) {
        const Vec w_s = twist_of(model_, data_, dof, s.body, s.p_WoS_W).w;
        return dot(axis, w_s - twist_of(model_, data_, dof, r.body, r.p_WoS_W).w);
      });
    }
  }

  const ModelView& model_;
  DataView<T>& data_;
  int out_ = 0;
  const double* gear_ = nullptr;
};

}  // namespace torsor
