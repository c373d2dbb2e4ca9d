// Readings of sensors that follow from arrays of Data alone, in one world or in packs. Those of contacts, limits, rays,
// distances and energies are in sim/.
#pragma once

#include <cmath>
#include <numbers>

#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Whether a point is inside a shape at the origin of its own frame; never of a plane, mesh or height field.
template <class T>
TORSOR_LOCAL MaskOf<T> is_inside(GeomType shape, const double* size, const Vec3<T>& p) {
  const auto within = [&](const T& x, int k) { return abs(x) <= T(size[k]); };
  const T radial = p.x * p.x + p.y * p.y, square = T(size[0] * size[0]);
  switch (shape) {
    case GeomType::kSphere:
      return radial + p.z * p.z <= square;
    case GeomType::kCapsule: {
      const T over = abs(p.z) - T(size[1]), beyond = select(over > T(0), over, T(0));
      return radial + beyond * beyond <= square;
    }
    case GeomType::kEllipsoid: {
      const Vec3<T> q{p.x / T(size[0]), p.y / T(size[1]), p.z / T(size[2])};
      return dot(q, q) <= T(1);
    }
    case GeomType::kCylinder: {
      const MaskOf<T> beside = radial <= square, along = within(p.z, 1);
      return beside & along;
    }
    case GeomType::kBox: {
      const MaskOf<T> x = within(p.x, 0), y = within(p.y, 1), z = within(p.z, 2);
      return x & y & z;
    }
    default:
      return MaskOf<T>(false);
  }
}

// Keeps a reading within the sensor's cutoff; NaN stays NaN.
template <class T>
TORSOR_LOCAL void apply_cutoff(const ModelView& model, int id, PointerTo<T> reading) {
  const double cutoff = model.sensor_cutoff[id];
  const auto type = static_cast<SensorType>(model.sensor_type[id]);
  if (!(cutoff > 0) || type == SensorType::kContact) return;  // mixed units: not clipped, as in MuJoCo
  if (type == SensorType::kGeomFromTo) return;                // there it limits the search
  const auto kind = static_cast<SensorData>(model.sensor_datatype[id]);
  const T high(cutoff), low(-cutoff);
  for (int k = 0; k < model.sensor_dim[id]; ++k) {
    if (kind == SensorData::kReal) reading[k] = select(reading[k] < low, low, reading[k]);
    if (kind == SensorData::kReal || kind == SensorData::kPositive)
      reading[k] = select(reading[k] > high, high, reading[k]);
  }
}

// Whether an insidesite measures how far its object juts out; sim/ has the search for that.
TORSOR_INLINE bool measures_enclosure(const ModelView& model, int id) {
  return model.sensor_type[id] == static_cast<int>(SensorType::kInsideSite) && model.sensor_intprm[3 * id] != 0;
}

// Whether a sensor gives what it measures now, without a search: no history, no noise.
TORSOR_INLINE bool is_plain_sensor(const ModelView& model, int id) {
  if (measures_enclosure(model, id)) return false;
  return model.sensor_historyadr[id] < 0 && !(model.opt.enabled(kEnableSensorNoise) && model.sensor_noise[id] > 0);
}

// One sensor while it is read.
template <class T>
class SensorReader {
  using Vec = Vec3<T>;
  using Type = SensorType;

 public:
  TORSOR_INLINE SensorReader(const ModelView& model, const DataView<T>& data, int id)
      : model_(model), data_(data), id_(id), object_(model.sensor_objid[id]), reference_(model.sensor_refid[id]) {}

  // Types that read() knows, and what must have been computed for them.
  static TORSOR_HD constexpr bool needs_accelerations(Type type) {
    return type == Type::kAccelerometer || type == Type::kFrameLinAcc || type == Type::kFrameAngAcc;
  }
  static TORSOR_HD constexpr bool needs_forces(Type type) { return type == Type::kForce || type == Type::kTorque; }
  static TORSOR_HD constexpr bool needs_subtrees(Type type) {
    return type == Type::kSubtreeLinVel || type == Type::kSubtreeAngMom;
  }
  static TORSOR_HD constexpr bool knows(Type type) {
    return type == Type::kMagnetometer || type == Type::kCamProjection || type == Type::kInsideSite ||
           type == Type::kClock || type == Type::kVelocimeter || type == Type::kGyro || needs_forces(type) ||
           needs_accelerations(type) || (type >= Type::kJointPos && type <= Type::kBallAngVel) ||
           (type >= Type::kFramePos && type <= Type::kSubtreeAngMom);
  }

  TORSOR_HD void read(PointerTo<T> reading) const;

 private:
  struct Frame {
    int body;
    ConstPointerTo<T> xpos, xmat;
  };
  TORSOR_INLINE Type type() const { return static_cast<Type>(model_.sensor_type[id_]); }
  TORSOR_INLINE Frame frame_of(int type, int id) const;
  TORSOR_INLINE Frame frame() const { return frame_of(model_.sensor_objtype[id_], object_); }
  TORSOR_INLINE Frame reference() const { return frame_of(model_.sensor_reftype[id_], reference_); }
  TORSOR_INLINE bool has_reference() const { return reference_ >= 0; }
  TORSOR_INLINE Quat<T> rotation_of(int type, int id) const;
  static TORSOR_INLINE Vec in_axes(ConstPointerTo<T> xmat, const Vec& v_W) { return transposed_mul(load9(xmat), v_W); }
  TORSOR_INLINE Vec p_tcm_to(const Frame& frame) const {
    return load3(frame.xpos) - load3(data_.subtree_com.row(model_.body_rootid[frame.body], 3));
  }
  TORSOR_INLINE Twist<T> velocity_of(const Frame& frame) const {
    return load6(data_.cvel.row(frame.body, 6)).at(p_tcm_to(frame));
  }
  TORSOR_INLINE int output() const { return model_.actuator_outadr[object_]; }

  TORSOR_HD Vec frame_position() const;
  TORSOR_HD Vec frame_axis(int axis) const;
  TORSOR_HD Quat<T> frame_rotation() const;
  TORSOR_HD Vec frame_velocity(bool is_linear) const;
  TORSOR_HD Vec acceleration() const;
  TORSOR_HD Vec interaction() const;
  TORSOR_HD void project(PointerTo<T> reading) const;
  TORSOR_HD T tendon_force() const;
  TORSOR_HD T inside() const;
  TORSOR_HD MaskOf<T> inside_hull(int mesh, const Vec& p_S) const;
  TORSOR_HD void read_joint(PointerTo<T> reading) const;
  TORSOR_HD void read_frame(PointerTo<T> reading) const;

  const ModelView& model_;
  const DataView<T>& data_;
  const int id_, object_, reference_;
};

template <class T>
TORSOR_INLINE typename SensorReader<T>::Frame SensorReader<T>::frame_of(int type, int id) const {
  switch (static_cast<ObjectType>(type)) {
    case ObjectType::kBody:
      return {id, data_.xipos.row(id, 3), data_.ximat.row(id, 9)};
    case ObjectType::kGeom:
      return {model_.geom_bodyid[id], data_.geom_xpos.row(id, 3), data_.geom_xmat.row(id, 9)};
    case ObjectType::kSite:
      return {model_.site_bodyid[id], data_.site_xpos.row(id, 3), data_.site_xmat.row(id, 9)};
    case ObjectType::kCamera:
      return {model_.cam_bodyid[id], data_.cam_xpos.row(id, 3), data_.cam_xmat.row(id, 9)};
    default:
      return {id, data_.xpos.row(id, 3), data_.xmat.row(id, 9)};
  }
}

// R_WO as a quaternion. Cameras that track something are treated as fixed to their body.
template <class T>
TORSOR_INLINE Quat<T> SensorReader<T>::rotation_of(int type, int id) const {
  const auto on_body = [&](int body, const double* quat) { return load4(data_.xquat.row(body, 4)) * load4<T>(quat); };
  switch (static_cast<ObjectType>(type)) {
    case ObjectType::kBody:
      return on_body(id, model_.body_iquat.row(id, 4));
    case ObjectType::kGeom:
      return on_body(model_.geom_bodyid[id], model_.geom_quat.row(id, 4));
    case ObjectType::kSite:
      return on_body(model_.site_bodyid[id], model_.site_quat.row(id, 4));
    case ObjectType::kCamera:
      return on_body(model_.cam_bodyid[id], model_.cam_quat.row(id, 4));
    default:
      return load4(data_.xquat.row(id, 4));
  }
}

template <class T>
TORSOR_HD Vec3<T> SensorReader<T>::frame_position() const {
  const Vec p_W = load3(frame().xpos);
  if (!has_reference()) return p_W;
  const Frame R = reference();
  return in_axes(R.xmat, p_W - load3(R.xpos));
}

template <class T>
TORSOR_HD Vec3<T> SensorReader<T>::frame_axis(int axis) const {
  const auto xmat = frame().xmat;
  const Vec axis_W{xmat[axis], xmat[3 + axis], xmat[6 + axis]};
  return has_reference() ? in_axes(reference().xmat, axis_W) : axis_W;
}

template <class T>
TORSOR_HD Quat<T> SensorReader<T>::frame_rotation() const {
  const Quat<T> q = rotation_of(model_.sensor_objtype[id_], object_);
  return has_reference() ? conj(rotation_of(model_.sensor_reftype[id_], reference_)) * q : q;
}

// As seen by an observer who moves with the reference frame.
template <class T>
TORSOR_HD Vec3<T> SensorReader<T>::frame_velocity(bool is_linear) const {
  const Frame O = frame();
  const Twist<T> V_W = velocity_of(O);
  if (!has_reference()) return is_linear ? V_W.v : V_W.w;
  const Frame R = reference();
  const Twist<T> V_R = velocity_of(R);
  const Vec p_RO_W = load3(O.xpos) - load3(R.xpos);
  return in_axes(R.xmat, is_linear ? V_W.v - V_R.v - cross(V_R.w, p_RO_W) : V_W.w - V_R.w);
}

// A point's acceleration is the spatial one read at the point, plus w x v. [Featherstone 2008, section 2.11]
// Gravity counts as an upward acceleration, of static objects too.
template <class T>
TORSOR_HD Vec3<T> SensorReader<T>::acceleration() const {
  const Frame O = frame();
  const Twist<T> V = velocity_of(O);
  Twist<T> A = load6(data_.cacc.row(O.body, 6)).at(p_tcm_to(O));
  A.v += cross(V.w, V.v);
  if (type() == Type::kFrameAngAcc) return A.w;
  return type() == Type::kAccelerometer ? in_axes(O.xmat, A.v) : A.v;
}

// The wrench that the parent exerts on the site's body, at the site and in its axes.
template <class T>
TORSOR_HD Vec3<T> SensorReader<T>::interaction() const {
  const Frame S = frame();
  const Wrench<T> F_S_W = load6_wrench(data_.cfrc_int.row(S.body, 6)).at(p_tcm_to(S));
  return in_axes(S.xmat, type() == Type::kForce ? F_S_W.f : F_S_W.t);
}

// Pixels from the upper left corner, x to the right, y down; a camera looks along its -z axis. The principal point
// counts as the image's centre, and every camera as a perspective one, with lenses divided in floats, as in MuJoCo.
template <class T>
TORSOR_HD void SensorReader<T>::project(PointerTo<T> reading) const {
  const int c = reference_;
  const Frame C = reference();
  const Vec p_C = in_axes(C.xmat, load3(frame().xpos) - load3(C.xpos));
  const int* resolution = model_.cam_resolution.row(c, 2);
  const float *size = model_.cam_sensorsize.row(c, 2), *lens = model_.cam_intrinsic.row(c, 4);
  double focal[2];
  for (int k = 0; k < 2; ++k) {
    focal[k] = size[0] > 0 && size[1] > 0 ? static_cast<double>(lens[k] / size[k] * static_cast<float>(resolution[k]))
                                          : 0.5 / std::tan(model_.cam_fovy[c] * std::numbers::pi / 360) * resolution[1];
  }
  const T depth = select(abs(p_C.z) < T(kMinValue), copysign(T(kMinValue), p_C.z), p_C.z);
  reading[0] = T(0.5 * resolution[0]) - T(focal[0]) * p_C.x / depth;
  reading[1] = T(0.5 * resolution[1]) + T(focal[1]) * p_C.y / depth;
}

// Below all faces of a mesh's convex hull; the frame of a site is that of the mesh's asset.
template <class T>
TORSOR_HD MaskOf<T> SensorReader<T>::inside_hull(int mesh, const Vec& p_S) const {
  const Quat<T> R_AM = load4<T>(model_.mesh_quat.row(mesh, 4));
  const Vec p_M = rotate_inverse(R_AM, p_S - load3<T>(model_.mesh_pos.row(mesh, 3)));
  const float* corners = model_.mesh_hullpos.data() + 3 * model_.mesh_hullvertadr[mesh];
  const auto corner = [corners](int k) {
    const float* at = corners + 3 * k;
    return Vec3<double>{double(at[0]), double(at[1]), double(at[2])};
  };
  T highest(-1);
  for (int f = model_.mesh_hullfaceadr[mesh], end = f + model_.mesh_hullfacenum[mesh]; f < end; ++f) {
    const int* face = model_.mesh_hullface.row(f, 3);
    const Vec3<double> a = corner(face[0]), normal = cross(corner(face[1]) - a, corner(face[2]) - a);
    const T height = T(normal.x) * p_M.x + T(normal.y) * p_M.y + T(normal.z) * p_M.z - T(dot(normal, a));
    highest = select(height > highest, height, highest);
  }
  return highest <= T(0);
}

template <class T>
TORSOR_HD T SensorReader<T>::inside() const {
  const Frame S = reference();
  const Vec p_S = in_axes(S.xmat, load3(frame().xpos) - load3(S.xpos));
  const auto shape = static_cast<GeomType>(model_.site_type[reference_]);
  if (shape == GeomType::kMesh) return select(inside_hull(model_.site_dataid[reference_], p_S), T(1), T(0));
  return select(is_inside<T>(shape, model_.site_size.row(reference_, 3), p_S), T(1), T(0));
}

template <class T>
TORSOR_HD T SensorReader<T>::tendon_force() const {
  T force(0);
  for (int a = 0; a < model_.nactuator; ++a) {
    const bool is_tendon = model_.actuator_trntype[a] == static_cast<int>(Transmission::kTendon);
    if (is_tendon && model_.actuator_trnid[2 * a] == object_) force += data_.actuator_force[model_.actuator_outadr[a]];
  }
  return force;
}

// Of joints, tendons and actuators.
template <class T>
TORSOR_HD void SensorReader<T>::read_joint(PointerTo<T> reading) const {
  switch (type()) {
    case Type::kJointPos:
      reading[0] = data_.qpos[model_.jnt_qposadr[object_]];
      return;
    case Type::kJointVel:
      reading[0] = data_.qvel[model_.jnt_dofadr[object_]];
      return;
    case Type::kJointActFrc:
      reading[0] = data_.qfrc_actuator[model_.jnt_dofadr[object_]];
      return;
    case Type::kBallQuat:
      return store4(reading, normalized(load4(data_.qpos.row(model_.jnt_qposadr[object_], 1))));
    case Type::kBallAngVel:
      return store3(reading, load3(data_.qvel.row(model_.jnt_dofadr[object_], 1)));
    case Type::kTendonPos:
      reading[0] = data_.ten_length[object_];
      return;
    case Type::kTendonVel:
      reading[0] = data_.ten_velocity[object_];
      return;
    case Type::kTendonActFrc:
      reading[0] = tendon_force();
      return;
    case Type::kActuatorPos:
      reading[0] = data_.actuator_length[output()];
      return;
    case Type::kActuatorVel:
      reading[0] = data_.actuator_velocity[output()];
      return;
    default:
      reading[0] = data_.actuator_force[output()];
  }
}

// Of frames and subtrees.
template <class T>
TORSOR_HD void SensorReader<T>::read_frame(PointerTo<T> reading) const {
  switch (type()) {
    case Type::kFramePos:
      return store3(reading, frame_position());
    case Type::kFrameQuat:
      return store4(reading, frame_rotation());
    case Type::kFrameXAxis:
    case Type::kFrameYAxis:
    case Type::kFrameZAxis:
      return store3(reading, frame_axis(static_cast<int>(type()) - static_cast<int>(Type::kFrameXAxis)));
    case Type::kFrameLinVel:
    case Type::kFrameAngVel:
      return store3(reading, frame_velocity(type() == Type::kFrameLinVel));
    case Type::kSubtreeCom:
      return store3(reading, load3(data_.subtree_com.row(object_, 3)));
    case Type::kSubtreeLinVel:
      return store3(reading, load3(data_.subtree_linvel.row(object_, 3)));
    case Type::kSubtreeAngMom:
      return store3(reading, load3(data_.subtree_angmom.row(object_, 3)));
    default:
      return store3(reading, acceleration());
  }
}

template <class T>
TORSOR_HD void SensorReader<T>::read(PointerTo<T> reading) const {
  switch (type()) {
    case Type::kClock:
      reading[0] = data_.time;
      return;
    case Type::kMagnetometer:
      return store3(reading, in_axes(frame().xmat, load3<T>(model_.opt.magnetic)));
    case Type::kCamProjection:
      return project(reading);
    case Type::kInsideSite:
      reading[0] = inside();
      return;
    case Type::kVelocimeter:
      return store3(reading, in_axes(frame().xmat, velocity_of(frame()).v));
    case Type::kGyro:
      return store3(reading, in_axes(frame().xmat, velocity_of(frame()).w));
    case Type::kForce:
    case Type::kTorque:
      return store3(reading, interaction());
    case Type::kAccelerometer:
      return store3(reading, acceleration());
    default:
      return type() < Type::kJointLimitPos ? read_joint(reading) : read_frame(reading);
  }
}

// All plain sensors that SensorReader knows; those of accelerations and forces only on request.
template <class T>
TORSOR_LOCAL void read_plain_sensors(const ModelView& model, DataView<T>& data, bool with_forces) {
  using Reader = SensorReader<T>;
  for (int id = 0; id < model.nsensor; ++id) {
    const auto type = static_cast<SensorType>(model.sensor_type[id]);
    if (!Reader::knows(type) || !is_plain_sensor(model, id)) continue;
    if (!with_forces && (Reader::needs_accelerations(type) || Reader::needs_forces(type))) continue;
    const auto reading = data.sensordata.row(model.sensor_adr[id], 1);
    Reader(model, data, id).read(reading);
    apply_cutoff<T>(model, id, reading);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
