// Lengths of actuators and their derivatives by qvel. What an actuator drives defines its length; a row of
// actuator_moment is what a unit force along that length does to the dofs.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/dynamics/kernels/transmission.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// A site with its pose in W. The quaternion, for rotations between sites, multiplies in MuJoCo's order, which turns the
// body by the site's rotation instead of the other way round.
struct Site {
  int body;
  Vec p_WoS_W;
  Mat3<double> R_WS;
  Quat<double> q_WS;
};

Site find_site(const Model& model, const Data& data, int id) {
  const int body = model.site_bodyid[id];
  return {body, load3(data.site_xpos.row(id, 3)), load9(data.site_xmat.row(id, 9)),
          load4(data.xquat.row(body, 4)) * load4(model.site_quat.row(id, 4))};
}

bool moves(const Model& model, int dof, int body) {
  for (int i = last_dof(model, body); i >= dof; i = model.dof_parentid[i]) {
    if (i == dof) return true;
  }
  return false;
}

// Velocity of a body's point per unit velocity of a dof; zero if the dof does not move the body.
Twist<double> twist_of(const Model& model, const Data& data, int dof, int body, const Vec& p_WoP_W) {
  if (!moves(model, dof, body)) return Twist<double>::zero();
  return load6(data.cdof.row(dof, 6)).at(p_WoP_W - load3(data.subtree_com.row(model.body_rootid[body], 3)));
}

class TransmissionStage {
 public:
  TransmissionStage(const Model& model, Data& data) : model_(model), data_(data) {}

  void compute(int a) {
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
        set_length(0);  // its moment comes from contacts
        return fill_moment([](int) { return 0.0; });
      case Transmission::kSo3:
        return reference < 0 ? ball(target) : orientation(target, reference);
    }
  }

 private:
  void set_length(double length) { data_.actuator_length[out_] = length; }

  template <class F>
  void fill_moment(F&& f) {
    const int begin = model_.moment_rowadr[out_], count = model_.moment_rownnz[out_];
    for (int k = begin; k < begin + count; ++k) data_.actuator_moment[k] = f(model_.moment_colind[k]);
  }

  // The slider moves along the z axis of its site, the rod ends at the crank: |crank - slider - s z| = rod.
  void slider_crank(int crank_id, int slider_id, double rod) {
    const Site crank = find_site(model_, data_, crank_id), slider = find_site(model_, data_, slider_id);
    const Vec axis = slider.R_WS * Vec{0, 0, 1}, reach = crank.p_WoS_W - slider.p_WoS_W;
    const double along = dot(axis, reach), square = along * along + rod * rod - dot(reach, reach);
    // a rod that is too short leaves the slider at the foot of the crank
    double length = along;
    Vec by_axis = reach, by_reach = axis;
    if (square > 0) {
      const double root = std::sqrt(square);
      length = along - root;
      by_axis = reach * (1 - along / root);
      by_reach = axis * (1 - along / root) + reach / root;
    }
    set_length(length * gear_[0]);
    fill_moment([&](int dof) {
      const Twist<double> V_slider = twist_of(model_, data_, dof, slider.body, slider.p_WoS_W);
      const Vec v_crank = twist_of(model_, data_, dof, crank.body, crank.p_WoS_W).v;
      return gear_[0] * (dot(by_axis, cross(V_slider.w, axis)) + dot(by_reach, v_crank - V_slider.v));
    });
  }

  void site(int id) {
    const Site s = find_site(model_, data_, id);
    const Vec force = s.R_WS * load3(gear_), torque = s.R_WS * load3(gear_ + 3);
    set_length(0);
    fill_moment([&](int dof) {
      const Twist<double> V = twist_of(model_, data_, dof, s.body, s.p_WoS_W);
      return dot(force, V.v) + dot(torque, V.w);
    });
  }

  // The pose in the frame of another site; motion that both share does not count.
  void site_in_reference(int id, int reference_id) {
    const Site s = find_site(model_, data_, id), r = find_site(model_, data_, reference_id);
    const Vec along = load3(gear_), about = load3(gear_ + 3);
    const Vec force = r.R_WS * along, torque = r.R_WS * about;
    double length = dot(force, s.p_WoS_W - r.p_WoS_W);
    if (norm2(about) > 0) length += dot(about, quat_difference(s.q_WS, r.q_WS));
    set_length(length);
    fill_moment([&](int dof) {
      const Twist<double> V_s = twist_of(model_, data_, dof, s.body, s.p_WoS_W);
      const Twist<double> V_r = twist_of(model_, data_, dof, r.body, r.p_WoS_W);
      return dot(force, V_s.v - V_r.v) + dot(torque, V_s.w - V_r.w);
    });
  }

  // Three outputs: the rotation vector of a ball joint.
  void ball(int j) {
    const Vec rotation = rotation_vector(normalized(load4(data_.qpos.row(model_.jnt_qposadr[j], 1))));
    for (int k = 0; k < 3; ++k) {
      data_.actuator_length[out_ + k] = rotation[k];
      data_.actuator_moment[model_.moment_rowadr[out_ + k]] = 1;
    }
  }

  // Three outputs: the rotation vector of a site in the frame of another, and its rate along the axes of the first.
  void orientation(int id, int reference_id) {
    const Site s = find_site(model_, data_, id), r = find_site(model_, data_, reference_id);
    const Vec rotation = quat_difference(s.q_WS, r.q_WS);
    const int first = out_;
    for (int k = 0; k < 3; ++k) {
      out_ = first + k;
      set_length(rotation[k]);
      const Vec axis = s.R_WS * Vec{k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
      fill_moment([&](int dof) {
        const Vec w_s = twist_of(model_, data_, dof, s.body, s.p_WoS_W).w;
        return dot(axis, w_s - twist_of(model_, data_, dof, r.body, r.p_WoS_W).w);
      });
    }
  }

  const Model& model_;
  Data& data_;
  int out_ = 0;
  const double* gear_ = nullptr;
};

}  // namespace

// Actuators that sleep have no moment meanwhile; their lengths and velocities stay as they were.
void compute_transmission(const Model& model, Data& data) {
  TransmissionStage stage(model, data);
  if (!data.awake.all) std::fill(data.actuator_moment.begin(), data.actuator_moment.end(), 0.0);
  for_each_awake_actuator(model, data, [&](int a) { stage.compute(a); });
}

void compute_actuator_velocity(const Model& model, Data& data) {
  if (data.awake.all) return compute_actuator_velocities(model, data);
  const bool is_off = model.opt.disabled(kDisableActuation);
  for_each_awake_actuator(model, data, [&](int a) {
    const int end = a + 1 < model.nactuator ? model.actuator_outadr[a + 1] : model.nout;
    for (int out = model.actuator_outadr[a]; out < end; ++out)
      compute_output_velocity<double>(model, data, out, is_off);
  });
}

}  // namespace torsor
