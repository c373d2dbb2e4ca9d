// Velocities and accelerations of objects, forces on points, local frames, and joint coordinates.
#include <algorithm>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/dynamics/object_frame.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

Vec p_tcm_to(const Model& model, const Data& data, const ObjectFrame& frame) {
  return load3(frame.xpos) - load3(data.subtree_com.row(model.body_rootid[frame.body], 3));
}

}  // namespace

ObjectFrame frame_of(const Model& model, const Data& data, ObjectType type, int id) {
  const auto check = [&](int count) {
    if (id < 0 || id >= count)
      throw Error(fmt::format("object {} does not exist: the model has {} of its type", id, count));
  };
  switch (type) {
    case ObjectType::kBody:
      check(model.nbody);
      return {id, data.xipos.row(id, 3), data.ximat.row(id, 9)};
    case ObjectType::kXBody:
      check(model.nbody);
      return {id, data.xpos.row(id, 3), data.xmat.row(id, 9)};
    case ObjectType::kGeom:
      check(model.ngeom);
      return {model.geom_bodyid[id], data.geom_xpos.row(id, 3), data.geom_xmat.row(id, 9)};
    case ObjectType::kSite:
      check(model.nsite);
      return {model.site_bodyid[id], data.site_xpos.row(id, 3), data.site_xmat.row(id, 9)};
    case ObjectType::kCamera:
      check(model.ncam);
      return {model.cam_bodyid[id], data.cam_xpos.row(id, 3), data.cam_xmat.row(id, 9)};
    default:
      throw Error("only bodies, geoms, sites and cameras have a velocity");
  }
}

void object_velocity(const Model& model, const Data& data, ObjectType type, int id, double out[6], bool local) {
  const ObjectFrame frame = frame_of(model, data, type, id);
  Twist<double> V = load6(data.cvel.row(frame.body, 6)).at(p_tcm_to(model, data, frame));
  if (local) V = {transposed_mul(load9(frame.xmat), V.w), transposed_mul(load9(frame.xmat), V.v)};
  store6(out, V);
}

// A point's acceleration is the spatial one read at the point, plus w x v. [Featherstone 2008, section 2.11]
// Gravity counts as an upward acceleration, except on static objects, which are at rest.
void object_acceleration(const Model& model, const Data& data, ObjectType type, int id, double out[6], bool local) {
  const ObjectFrame frame = frame_of(model, data, type, id);
  const Vec p_TcmO_W = p_tcm_to(model, data, frame);
  const Twist<double> V = load6(data.cvel.row(frame.body, 6)).at(p_TcmO_W);
  Twist<double> A = load6(data.cacc.row(frame.body, 6)).at(p_TcmO_W);
  A.v += cross(V.w, V.v);
  if (local) A = {transposed_mul(load9(frame.xmat), A.w), transposed_mul(load9(frame.xmat), A.v)};
  store6(out, A);
}

void apply_force(const Model& model, const Data& data, const double force_W[3], const double torque_W[3],
                 const double p_WoP_W[3], int body, double* qfrc) {
  const Vec p_TcmP_W = load3(p_WoP_W) - load3(data.subtree_com.row(model.body_rootid[body], 3));
  const Vec f_W = force_W ? load3(force_W) : Vec::zero(), t_W = torque_W ? load3(torque_W) : Vec::zero();
  const Wrench<double> F_Tcm_W{t_W + cross(p_TcmP_W, f_W), f_W};
  for (int i = last_dof(model, body); i >= 0; i = model.dof_parentid[i])
    qfrc[i] += power(F_Tcm_W, load6(data.cdof.row(i, 6)));
}

void local_to_global(const Data& data, double xpos[3], double xmat[9], const double pos[3], const double quat[4],
                     int body, SameFrame same) {
  const Mat3<double> R_WB = load9(data.xmat.row(body, 9));
  if (xpos && pos) {
    if (same == SameFrame::kBody)
      store3(xpos, load3(data.xpos.row(body, 3)));
    else if (same == SameFrame::kInertia)
      store3(xpos, load3(data.xipos.row(body, 3)));
    else
      store3(xpos, load3(data.xpos.row(body, 3)) + R_WB * load3(pos));
  }
  if (xmat && quat) {
    if (same == SameFrame::kBody || same == SameFrame::kBodyRotation)
      store9(xmat, R_WB);
    else if (same == SameFrame::kInertia || same == SameFrame::kInertiaRotation)
      store9(xmat, load9(data.ximat.row(body, 9)));
    else
      store9(xmat, to_mat(load4(data.xquat.row(body, 4)) * load4(quat)));
  }
}

void integrate_pos(const Model& model, double* qpos, const double* qvel, double dt) {
  world_kernels().integrate_position(model, qpos, qvel, dt, whole(model));
}

void differentiate_pos(const Model& model, double* qvel, double dt, const double* qpos1, const double* qpos2) {
  const double rate = 1 / dt;
  const auto rotation_rate = [&](int q, int v) {
    store3(qvel + v, quat_difference(load4(qpos2 + q), load4(qpos1 + q)) * rate);
  };
  for (int j = 0; j < model.njnt; ++j) {
    const int q = model.jnt_qposadr[j], v = model.jnt_dofadr[j];
    switch (static_cast<JointType>(model.jnt_type[j])) {
      case JointType::kFree:
        store3(qvel + v, (load3(qpos2 + q) - load3(qpos1 + q)) * rate);
        rotation_rate(q + 3, v + 3);
        break;
      case JointType::kBall:
        rotation_rate(q, v);
        break;
      case JointType::kSlide:
      case JointType::kHinge:
        qvel[v] = (qpos2[q] - qpos1[q]) * rate;
        break;
    }
  }
}

void normalize_quats(const Model& model, double* qpos) {
  for (int j = 0; j < model.njnt; ++j) {
    const JointType type = static_cast<JointType>(model.jnt_type[j]);
    if (type != JointType::kFree && type != JointType::kBall) continue;
    double* q = qpos + model.jnt_qposadr[j] + (type == JointType::kFree ? 3 : 0);
    store4(q, normalized(load4(q)));
  }
}

}  // namespace torsor
