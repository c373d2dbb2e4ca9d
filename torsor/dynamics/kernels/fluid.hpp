// Forces of the surrounding medium, per body (box of equal inertia) or per geom (ellipsoid).
// Equations: MuJoCo's documentation, chapter "Fluid forces"; the largest projected area is pi r_max r_mid, as measured.
// The wrenches are functions of the local velocity alone. Their parts that depend on v or on w alone are templates of
// its scalar, so that derivatives come from dual numbers through the same code (fluid_slopes.hpp).
#pragma once

#include <cmath>

#include "torsor/dynamics/kernels/passive.hpp"
#include "torsor/math/dual.hpp"
#include "torsor/model/fluid_ellipsoid.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

constexpr double kPi = 3.14159265358979323846;

// What the medium is made of; no forces where both are zero, and no slopes where neither is above zero, as in MuJoCo.
TORSOR_INLINE bool has_fluid(const ModelView& model) { return model.opt.density != 0 || model.opt.viscosity != 0; }
TORSOR_INLINE bool has_fluid_slopes(const ModelView& model) { return model.opt.density > 0 || model.opt.viscosity > 0; }

// Half sizes of the box with the body's mass and moments.
TORSOR_INLINE Vec3<double> inertia_box(const ModelView& model, int b) {
  const Vec3<double> I = load3(model.body_inertia.row(b, 3));
  const double scale = 1.5 / model.body_mass[b];
  const double least = kMinValue;
  return {sqrt(max(least, I.y + I.z - I.x) * scale), sqrt(max(least, I.z + I.x - I.y) * scale),
          sqrt(max(least, I.x + I.y - I.z) * scale)};
}

// Quadratic drag of the faces, and Stokes' law for a sphere of the mean radius. S is the scalar of the velocity.
template <class S>
TORSOR_INLINE Vec3<S> inertia_box_torque(const Vec3<double>& r, double density, double viscosity, const Vec3<S>& w) {
  const double mean = (r.x + r.y + r.z) / 3, a = 8 * kPi * viscosity * mean * mean * mean;
  const double rx4 = r.x * r.x * r.x * r.x, ry4 = r.y * r.y * r.y * r.y, rz4 = r.z * r.z * r.z * r.z;
  const double half = 0.5 * density;
  return {-w.x * (S(a) + S(half * r.x * (ry4 + rz4)) * abs(w.x)),
          -w.y * (S(a) + S(half * r.y * (rz4 + rx4)) * abs(w.y)),
          -w.z * (S(a) + S(half * r.z * (rx4 + ry4)) * abs(w.z))};
}
template <class S>
TORSOR_INLINE Vec3<S> inertia_box_force(const Vec3<double>& r, double density, double viscosity, const Vec3<S>& v) {
  const double mean = (r.x + r.y + r.z) / 3, l = 6 * kPi * viscosity * mean, two = 2 * density;
  return {-v.x * (S(l) + S(two * r.y * r.z) * abs(v.x)), -v.y * (S(l) + S(two * r.z * r.x) * abs(v.y)),
          -v.z * (S(l) + S(two * r.x * r.y) * abs(v.z))};
}
template <class T>
TORSOR_INLINE Wrench<T> inertia_box_wrench(const Vec3<double>& r, double density, double viscosity, const Twist<T>& V) {
  return {inertia_box_torque(r, density, viscosity, V.w), inertia_box_force(r, density, viscosity, V.v)};
}

// Of geom g.
TORSOR_INLINE Vec3<double> semi_axes(const ModelView& model, int g) {
  return ellipsoid_semi_axes(static_cast<GeomType>(model.geom_type[g]), load3(model.geom_size.row(g, 3)));
}

// Row of geom_fluid, without the leading flag.
struct FluidCoefficients {
  double blunt, slender, angular, kutta, magnus;
  Vec3<double> added_mass, added_inertia;  // per unit density
};

TORSOR_INLINE FluidCoefficients load_fluid(const double* row) {
  return {row[1], row[2], row[3], row[4], row[5], load3(row + 6), load3(row + 9)};
}

// A vector of the model as one of scalars with slopes.
template <class S>
TORSOR_INLINE Vec3<S> as_scalars(const Vec3<double>& x) {
  return {S(x.x), S(x.y), S(x.z)};
}

// What the Kutta lift and the drag need to know of the flow along v: with n the normal of the section whose outline is
// the shadow of the ellipsoid, the shadow's area is (largest area) sqrt(n n / n u), where u is the direction of v and n
// is scaled such that it is free of units, lest it vanish for small geoms. The cosine of the angle between n and u is
// n u / |n|, and the lift is (n x v) x v times area cos / |n|. Without motion, which is a speed of 1e-15 or less as in
// MuJoCo, there is neither.
template <class S>
struct Flow {
  Vec3<S> n;
  S area, lift;
};
template <class S>
TORSOR_INLINE Flow<S> make_flow(const Vec3<double>& r, double largest_product, const Vec3<S>& v, const S& speed) {
  const double scale = largest_product > 0 ? 1 / largest_product : 0;
  const double yz = r.y * r.z * scale, zx = r.z * r.x * scale, xy = r.x * r.y * scale;
  const auto is_fast = speed > S(kMinValue);
  const Vec3<S> u = v * (S(1) / select(is_fast, speed, S(1)));
  const Vec3<S> n = hadamard(as_scalars<S>(Vec3<double>{yz * yz, zx * zx, xy * xy}), u);
  const S n2 = norm2(n), nu = dot(n, u);
  const auto moves = is_fast & (n2 > S(0));  // n2 may round to zero for the flattest of geoms; then nu >= n2
  const S area = select(moves, S(kPi * largest_product) * sqrt(n2 / select(moves, nu, S(1))), S(0));
  return {n, area, area * nu / select(moves, n2, S(1))};
}

// MuJoCo's derivative of the drag of rotation divides by 1e-15 where the norm of the weighted w is less than that,
// which fades its slopes out: for millimetre-sized geoms at common speeds. The force does not.
template <class S>
TORSOR_INLINE void fade(Vec3<S>&, const S&) {}  // a value without slopes
template <class X, int N>
TORSOR_INLINE void fade(Vec3<Dual<X, N>>& x, const Dual<X, N>& measure) {
  const X factor = min(X(1), measure.value / X(kMinValue));
  for (Dual<X, N>* each : {&x.x, &x.y, &x.z}) {
    for (X& slope : each->slope) slope *= factor;
  }
}

// The force that added mass and Magnus lift exert on each other's axis of v and w: without the acceleration terms of
// added mass, it is a product of both. Its slopes are in fluid_slopes.hpp.
template <class T>
TORSOR_INLINE Wrench<T> ellipsoid_coupling(const Vec3<double>& r, const FluidCoefficients& c, double density,
                                           const Twist<T>& V) {
  const T rho = T(density);
  const Vec3<T> momentum = hadamard(as_scalars<T>(c.added_mass), V.v) * rho;
  const Vec3<T> spin = hadamard(as_scalars<T>(c.added_inertia), V.w) * rho;
  const double volume = 4 * kPi / 3 * r.x * r.y * r.z;
  return {cross(momentum, V.v) + cross(spin, V.w),
          cross(momentum, V.w) + cross(V.w, V.v) * (T(c.magnus * volume) * rho)};
}

// Adds Kutta lift, drag with the shadow's area, and Stokes' law for a sphere of the mean radius.
template <class S>
TORSOR_INLINE void add_ellipsoid_drag(const Vec3<double>& r, const FluidCoefficients& c, double density,
                                      double viscosity, const Vec3<S>& v, Vec3<S>& f) {
  const double largest = max(r.x, max(r.y, r.z)), smallest = min(r.x, min(r.y, r.z));
  const double middle = r.x + r.y + r.z - largest - smallest, mean = (r.x + r.y + r.z) / 3;
  const S rho = S(density), speed = norm(v), largest_area = S(kPi * largest * middle);
  const Flow<S> flow = make_flow(r, largest * middle, v, speed);
  f += cross(cross(flow.n, v), v) * (S(c.kutta) * rho * flow.lift);
  const S drag = rho * (S(c.blunt) * flow.area + S(c.slender) * (largest_area - flow.area)) * speed;
  f -= v * (drag + S(6 * kPi * viscosity * mean));
}

// Adds the drag of rotation, and Stokes' law for it.
template <class S>
TORSOR_INLINE void add_ellipsoid_torque(const Vec3<double>& r, const FluidCoefficients& c, double density,
                                        double viscosity, const Vec3<S>& w, Vec3<S>& t) {
  const double mean = (r.x + r.y + r.z) / 3;
  const auto swept = [](double axis, double a, double b) {
    const double reach = max(a, b);
    return 8 * kPi / 15 * axis * reach * reach * reach * reach;
  };
  const Vec3<double> I{swept(r.x, r.y, r.z), swept(r.y, r.z, r.x), swept(r.z, r.x, r.y)};
  const double I_max = max(I.x, max(I.y, I.z));
  const Vec3<double> weight{c.angular * I.x + c.slender * (I_max - I.x), c.angular * I.y + c.slender * (I_max - I.y),
                            c.angular * I.z + c.slender * (I_max - I.z)};
  const S swept_speed = norm(hadamard(as_scalars<S>(weight), w));
  Vec3<S> drag = w * (S(density) * swept_speed);
  fade(drag, swept_speed);
  t -= drag + w * S(8 * kPi * viscosity * mean * mean * mean);
}

template <class T>
TORSOR_INLINE Wrench<T> ellipsoid_wrench(const Vec3<double>& r, const FluidCoefficients& c, double density,
                                         double viscosity, const Twist<T>& V) {
  Wrench<T> F = ellipsoid_coupling(r, c, density, V);
  add_ellipsoid_drag(r, c, density, viscosity, V.v, F.f);
  add_ellipsoid_torque(r, c, density, viscosity, V.w, F.t);
  return F;
}

// Velocity of a point of body b relative to the medium, in the axes of R_WF.
template <class T>
TORSOR_INLINE Twist<T> velocity_in_medium(const ModelView& model, const DataView<T>& data, int b,
                                          const Vec3<T>& p_WoF_W, const Mat3<T>& R_WF) {
  const Vec3<T> p_TcmF_W = p_WoF_W - load3(data.subtree_com.row(model.body_rootid[b], 3));
  const Twist<T> V_W = load6(data.cvel.row(b, 6)).at(p_TcmF_W);
  return {transposed_mul(R_WF, V_W.w), transposed_mul(R_WF, V_W.v - load3<T>(model.opt.wind))};
}

// Adds a wrench in the axes of F about Fo to the joint forces.
template <class T>
TORSOR_INLINE void apply_local_wrench(const ModelView& model, DataView<T>& data, int b, const Wrench<T>& F_Fo_F,
                                      const Vec3<T>& p_WoF_W, const Mat3<T>& R_WF) {
  const Vec3<T> p_TcmF_W = p_WoF_W - load3(data.subtree_com.row(model.body_rootid[b], 3));
  const Vec3<T> f_W = R_WF * F_Fo_F.f;
  apply_wrench(model, data, b, Wrench<T>{R_WF * F_Fo_F.t + cross(p_TcmF_W, f_W), f_W}, data.qfrc_fluid.data());
}

// Whether geom g is an ellipsoid in the medium; one such geom switches the body's box off.
TORSOR_INLINE bool is_fluid_ellipsoid(const ModelView& model, int g) { return model.geom_fluid[12 * g] > 0; }

TORSOR_INLINE bool has_fluid_ellipsoid(const ModelView& model, int b) {
  for (int g = model.body_geomadr[b], end = g + model.body_geomnum[b]; g < end; ++g) {
    if (is_fluid_ellipsoid(model, g)) return true;
  }
  return false;
}

// Numbers below zero have no effect on boxes, and the opposite one on ellipsoids, as in MuJoCo.
template <class T>
TORSOR_LOCAL void compute_fluid(const ModelView& model, DataView<T>& data, const Range& range) {
  const double density = model.opt.density, viscosity = model.opt.viscosity;
  for (int b = range.body_begin; b < range.body_end; ++b) {
    if (model.body_mass[b] < kMinValue) continue;
    if (!has_fluid_ellipsoid(model, b)) {
      const Vec3<T> p_WoBcm_W = load3(data.xipos.row(b, 3));
      const Mat3<T> R_WI = load9(data.ximat.row(b, 9));
      const Twist<T> V = velocity_in_medium(model, data, b, p_WoBcm_W, R_WI);
      const Wrench<T> F = inertia_box_wrench(inertia_box(model, b), std::fmax(0, density), std::fmax(0, viscosity), V);
      apply_local_wrench(model, data, b, F, p_WoBcm_W, R_WI);
      continue;
    }
    for (int g = model.body_geomadr[b], end = g + model.body_geomnum[b]; g < end; ++g) {
      if (!is_fluid_ellipsoid(model, g)) continue;
      const Vec3<T> p_WoG_W = load3(data.geom_xpos.row(g, 3));
      const Mat3<T> R_WG = load9(data.geom_xmat.row(g, 9));
      const Twist<T> V = velocity_in_medium(model, data, b, p_WoG_W, R_WG);
      const FluidCoefficients c = load_fluid(model.geom_fluid.row(g, 12));
      apply_local_wrench(model, data, b, ellipsoid_wrench(semi_axes(model, g), c, density, viscosity, V), p_WoG_W,
                         R_WG);
    }
  }
}

// Compensation that counts as an actuator's force is left out.
template <class T>
TORSOR_INLINE void sum_passive(const ModelView& model, DataView<T>& data, const Range& range) {
  for (int i = range.dof_begin; i < range.dof_end; ++i) {
    data.qfrc_passive[i] = data.qfrc_spring[i] + data.qfrc_damper[i] + data.qfrc_fluid[i];
    if (!model.jnt_actgravcomp[model.dof_jntid[i]]) data.qfrc_passive[i] += data.qfrc_gravcomp[i];
  }
}

// Whether all passive forces are of joints, each by itself
TORSOR_INLINE bool has_passive_joints_alone(const ModelView& model) { return !model.flg_gravcomp && !has_fluid(model); }
template <class T>
TORSOR_INLINE void compute_passive_joints(const ModelView& model, DataView<T>& data, const Range& range) {
  compute_springs(model, data, range);
  compute_dampers(model, data, range);
  for (int i = range.dof_begin; i < range.dof_end; ++i) data.qfrc_gravcomp[i] = data.qfrc_fluid[i] = T(0);
  sum_passive(model, data, range);
}

// All passive forces and their sum. With springs and dampers both switched off there are none at all, gravity
// compensation and medium included.
template <class T>
TORSOR_LOCAL void compute_passive(const ModelView& model, DataView<T>& data, const Range& range) {
  const bool off = model.opt.disabled(kDisableSpring) && model.opt.disabled(kDisableDamper);
  compute_springs(model, data, range);
  compute_dampers(model, data, range);
  compute_gravity_compensation(model, data, off, range);
  for (int i = range.dof_begin; i < range.dof_end; ++i) data.qfrc_fluid[i] = T(0);
  if (has_fluid(model) && !off) compute_fluid(model, data, range);
  sum_passive(model, data, range);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
