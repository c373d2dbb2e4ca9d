#include "torsor/bridge/body_view.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/bridge/model_axes.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/convention/rows.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

void check_body(const Model& model, int body) {
  if (body < 0 || body >= model.nbody)
    throw Error(fmt::format("there is no body {}; the model has {}", body, model.nbody));
}

// In our axes, as all that follows.
Twist<double> body_twist(const Model& model, const Data& data, int body) {
  const Vec3<double> p_TcmBo_W = load3(&data.xpos[3 * body]) - load3(&data.subtree_com[3 * model.body_rootid[body]]);
  return twist_from_model(model.axes, load6(&data.cvel[6 * body]).at(p_TcmBo_W));
}

// The row and the place with the options applied: a chosen point replaces the COM, chosen axes replace the parent
// anchor.
struct View {
  View(const Model& model, const Data& data, int body, const Convention& convention, const ViewOptions& options)
      : row(for_model(convention, model.axes).row), place(make_body_place(model, data, body)) {
    for (SpatialLayout* layout : {&row.twist, &row.wrench}) {
      if (options.p_BoQ_B) layout->point = Point::kCom;
      if (options.axes_body == 0) layout->linear = layout->angular = Frame::kWorld;
      if (options.axes_body > 0) layout->linear = layout->angular = Frame::kParent;
    }
    if (options.p_BoQ_B) place.p_BoBcm_B = from_axes(model.axes.body, *options.p_BoQ_B);
    if (options.axes_body < 0) return;
    check_body(model, options.axes_body);
    const Quat<double> q_WA = load4(&data.xquat[4 * options.axes_body]);
    place.X_WP.q = from_axes(model.axes.world, model.axes.body, q_WA);
  }
  void require(const Convention& convention, Quantity quantity) const {
    Convention changed = convention;
    changed.row = row;
    torsor::require(changed, quantity);
  }
  Row row;
  BodyPlace<double> place;
};

// xfrc_applied is a force and a moment about the COM, in world axes.
Wrench<double> applied_wrench(const Model& model, const Data& data, int body) {
  const double* f = &data.xfrc_applied[6 * body];
  const Vec3<double> p_CO_W = load3(&data.xpos[3 * body]) - load3(&data.xipos[3 * body]);
  return wrench_from_model(model.axes, Wrench<double>{load3(f + 3), load3(f)}.at(p_CO_W));
}

// Whether the row has the same layout as xfrc_applied: then numbers are copied, without rounding.
bool is_xfrc(const Model& model, const Row& row, const ViewOptions& options) {
  Row engine = rows::mujoco;
  engine.world = model.axes.world, engine.body = model.axes.body;
  return !options.p_BoQ_B && same_parts(row, row.wrench, engine, engine.wrench);
}

// In the axes of xfrc_applied.
Wrench<double> wrench_at_com(const Model& model, const Data& data, int body, const Convention& convention,
                             const double* wrench, const ViewOptions& options) {
  check_body(model, body);
  if (body == 0) throw Error("a load on the world (body 0) has no effect");
  for (int i = 0; i < 6; ++i) {
    if (!std::isfinite(wrench[i])) throw Error(fmt::format("number {} of the wrench, {}, is not finite", i, wrench[i]));
  }
  const View view(model, data, body, convention, options);
  view.require(convention, Quantity::kWrench);
  const Parts<double> parts = load_parts(view.row.wrench.order, wrench);
  if (is_xfrc(model, view.row, options)) return Wrench<double>{parts.angular, parts.linear} * view.row.wrench_sign;
  const SpatialMap<double> map(view.row.wrench, view.row, view.place);
  const Wrench<double> F_Bo_W = wrench_to_model(model.axes, map.ours_wrench(parts) * view.row.wrench_sign);
  return F_Bo_W.at(load3(&data.xipos[3 * body]) - load3(&data.xpos[3 * body]));
}

}  // namespace

BodyPlace<double> make_body_place(const Model& model, const Data& data, int body) {
  check_body(model, body);
  const int parent = model.body_parentid[body], root = model.body_rootid[body];
  BodyPlace<double> place;
  const ModelAxes& axes = model.axes;
  place.X_WB = pose_from_model(axes, {load3(&data.xpos[3 * body]), load4(&data.xquat[4 * body])});
  place.p_BoBcm_B = from_axes(axes.body, load3(&model.body_ipos[3 * body]));
  place.q_BI = turn_from_model(axes, load4(&model.body_iquat[4 * body]));
  const bool is_free =
      model.body_dofnum[body] == 6 && model.jnt_type[model.body_jntadr[body]] == static_cast<int>(JointType::kFree);
  if (!is_free) {  // the pose of a free body in the model is its initial pose, not an anchor
    const Pose<double> X_WP{load3(&data.xpos[3 * parent]), load4(&data.xquat[4 * parent])};
    const Pose<double> X_PB{load3(&model.body_pos[3 * body]), load4(&model.body_quat[4 * body])};
    place.X_WP = pose_from_model(axes, X_WP * X_PB);
  }
  place.p_WoTcm_W = from_axes(axes.world, load3(&data.subtree_com[3 * root]));
  place.v_Tcm_W = from_axes(axes.world, load3(&data.subtree_linvel[3 * root]));
  place.g_W = from_axes(axes.world, load3(model.opt.gravity));
  return place;
}

void read_body_pose(const Model& model, const Data& data, int body, const Convention& convention, double* pose) {
  require(convention, Quantity::kPose);
  write_pose(for_model(convention, model.axes).row, make_body_place(model, data, body), pose);
}

void read_body_twist(const Model& model, const Data& data, int body, const Convention& convention, double* twist,
                     const ViewOptions& options) {
  check_body(model, body);
  const View view(model, data, body, convention, options);
  view.require(convention, Quantity::kTwist);
  const SpatialMap<double> map(view.row.twist, view.row, view.place);
  store_parts(view.row.twist.order, map.twist(body_twist(model, data, body)), twist);
}

void read_body_jacobian(const Model& model, const Data& data, int body, const Convention& convention, double* jacobian,
                        const ViewOptions& options) {
  check_body(model, body);
  const View view(model, data, body, convention, options);
  view.require(convention, Quantity::kTwist);
  const int nv = model.nv;
  std::vector<double> jacp(3 * nv), jacr(3 * nv);
  jac_body(model, data, jacp.data(), jacr.data(), body);
  const SpatialMap<double> map(view.row.twist, view.row, view.place);
  for (int i = 0; i < nv; ++i) {
    const Twist<double> V{{jacr[i], jacr[nv + i], jacr[2 * nv + i]}, {jacp[i], jacp[nv + i], jacp[2 * nv + i]}};
    double column[6];
    store_parts(view.row.twist.order, map.twist(twist_from_model(model.axes, V)), column);
    for (int k = 0; k < 6; ++k) jacobian[k * nv + i] = column[k];
  }
}

void read_body_wrench(const Model& model, const Data& data, int body, const Convention& convention, double* wrench,
                      const ViewOptions& options) {
  check_body(model, body);
  const View view(model, data, body, convention, options);
  view.require(convention, Quantity::kWrench);
  const double* applied = &data.xfrc_applied[6 * body];
  const double sign = view.row.wrench_sign;
  if (is_xfrc(model, view.row, options)) {
    return store_parts(view.row.wrench.order, Parts<double>{load3(applied) * sign, load3(applied + 3) * sign}, wrench);
  }
  const SpatialMap<double> map(view.row.wrench, view.row, view.place);
  store_parts(view.row.wrench.order, map.wrench(applied_wrench(model, data, body) * view.row.wrench_sign), wrench);
}

void set_body_wrench(const Model& model, Data& data, int body, const Convention& convention, const double* wrench,
                     const ViewOptions& options) {
  const Wrench<double> F_Bcm_W = wrench_at_com(model, data, body, convention, wrench, options);
  store3(&data.xfrc_applied[6 * body], F_Bcm_W.f);
  store3(&data.xfrc_applied[6 * body + 3], F_Bcm_W.t);
}

void apply_body_wrench(const Model& model, Data& data, int body, const Convention& convention, const double* wrench,
                       const ViewOptions& options) {
  const Wrench<double> F_Bcm_W = wrench_at_com(model, data, body, convention, wrench, options);
  double* applied = &data.xfrc_applied[6 * body];
  store3(applied, load3(applied) + F_Bcm_W.f);
  store3(applied + 3, load3(applied + 3) + F_Bcm_W.t);
}

JointForces::JointForces(const Model& model, const Convention& convention, const std::optional<Order>& order)
    : in_(model, convention, find_convention("mujoco[joint_force=wrench]"), {order, Order(DeclaredOrder{}), {}}),
      out_(model, find_convention("mujoco[joint_force=wrench]"), convention, {Order(DeclaredOrder{}), order, {}}),
      q_(in_.nq_from()),
      f_(model.nv) {}

void JointForces::set(const Model& model, Data& data, const double* joint_f) {
  out_.positions(data.qpos.data(), q_.data());
  in_.forces(q_.data(), joint_f, f_.data());
  for (int j = 0; j < model.njnt; ++j) {
    const int adr = model.jnt_dofadr[j], b = model.jnt_bodyid[j];
    if (model.jnt_type[j] == static_cast<int>(JointType::kFree)) {
      for (int k = 0; k < 6; ++k) data.xfrc_applied[6 * b + k] = f_[adr + k], data.qfrc_applied[adr + k] = 0;
    } else {
      const int count = model.jnt_type[j] == static_cast<int>(JointType::kBall) ? 3 : 1;
      for (int k = 0; k < count; ++k) data.qfrc_applied[adr + k] = f_[adr + k];
    }
  }
}

void JointForces::read(const Model& model, const Data& data, double* joint_f) {
  for (int i = 0; i < model.nv; ++i) f_[i] = data.qfrc_applied[i];
  for (int j = 0; j < model.njnt; ++j) {
    if (model.jnt_type[j] != static_cast<int>(JointType::kFree)) continue;
    for (int k = 0; k < 6; ++k) f_[model.jnt_dofadr[j] + k] = data.xfrc_applied[6 * model.jnt_bodyid[j] + k];
  }
  out_.forces(data.qpos.data(), f_.data(), joint_f);
}

}  // namespace torsor
