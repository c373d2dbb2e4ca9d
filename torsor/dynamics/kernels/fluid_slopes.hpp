// Derivatives of the forces of the medium by qvel, in the sparse pattern D.
#pragma once

#include "torsor/dynamics/kernels/fluid.hpp"
#include "torsor/dynamics/kernels/implicit.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// From twists to wrenches, block by block: tv is the slope of the torque by v.
template <class T>
struct WrenchSlope {
  Mat3<T> tw, tv, fw, fv;
};

// The slope of force(v) by its three numbers; `force` takes and returns vectors of dual numbers.
template <class T, class F>
TORSOR_INLINE Mat3<T> slope_of(const Vec3<T>& v, F&& force) {
  using S = Dual<T, 3>;
  const Vec3<S> f = force(Vec3<S>{S::variable(v.x, 0), S::variable(v.y, 1), S::variable(v.z, 2)});
  return mat_from_rows(load3(f.x.slope), load3(f.y.slope), load3(f.z.slope));
}

template <class T>
TORSOR_INLINE WrenchSlope<T> inertia_box_slope(const Vec3<double>& r, double density, double viscosity,
                                               const Twist<T>& V) {
  return {slope_of(V.w, [&](const auto& w) { return inertia_box_torque(r, density, viscosity, w); }), Mat3<T>::zero(),
          Mat3<T>::zero(), slope_of(V.v, [&](const auto& v) { return inertia_box_force(r, density, viscosity, v); })};
}

// Of ellipsoid_coupling(): products of v and w, each by both of its factors.
template <class T>
TORSOR_INLINE WrenchSlope<T> coupling_slope(const Vec3<double>& r, const FluidCoefficients& c, double density,
                                            const Twist<T>& V) {
  const T rho = T(density);
  const Vec3<T> mass = as_scalars<T>(c.added_mass) * rho, inertia = as_scalars<T>(c.added_inertia) * rho;
  const T magnus = T(c.magnus * (4 * kPi / 3 * r.x * r.y * r.z)) * rho;
  const Mat3<T> momentum = skew(hadamard(mass, V.v)), spin = skew(hadamard(inertia, V.w));
  const Mat3<T> w = skew(V.w), v = skew(V.v);
  return {spin - w * diag(inertia), momentum - v * diag(mass), momentum - v * magnus, w * magnus - w * diag(mass)};
}

// With `drag_only` without lift and added mass, which take no energy from the body.
template <class T>
TORSOR_INLINE WrenchSlope<T> ellipsoid_slope(const Vec3<double>& r, FluidCoefficients c, double density,
                                             double viscosity, const Twist<T>& V, bool drag_only) {
  const Mat3<T> zero = Mat3<T>::zero();
  WrenchSlope<T> A = drag_only ? WrenchSlope<T>{zero, zero, zero, zero} : coupling_slope(r, c, density, V);
  if (drag_only) c.kutta = 0;
  A.tw = A.tw + slope_of(V.w, [&]<class S>(const Vec3<S>& w) {
           Vec3<S> t = Vec3<S>::zero();
           add_ellipsoid_torque(r, c, density, viscosity, w, t);
           return t;
         });
  A.fv = A.fv + slope_of(V.v, [&]<class S>(const Vec3<S>& v) {
           Vec3<S> f = Vec3<S>::zero();
           add_ellipsoid_drag(r, c, density, viscosity, v, f);
           return f;
         });
  return A;
}

template <class T>
TORSOR_INLINE void symmetrize(WrenchSlope<T>& A) {
  A.tw = (A.tw + transpose(A.tw)) * T(0.5);
  A.fv = (A.fv + transpose(A.fv)) * T(0.5);
  A.tv = (A.tv + transpose(A.fw)) * T(0.5);
  A.fw = transpose(A.tv);
}

// The same slope for twists and wrenches in the axes of W at p, from those in F at Fo.
template <class T>
TORSOR_INLINE WrenchSlope<T> in_world(const WrenchSlope<T>& A, const Mat3<T>& R_WF, const Vec3<T>& p_pFo_W) {
  const auto turned = [&](const Mat3<T>& block) { return mul_transposed(R_WF * block, R_WF); };
  const Mat3<T> p = skew(p_pFo_W), fv = turned(A.fv), tv = turned(A.tv), fw = turned(A.fw) - fv * p;
  return {turned(A.tw) - tv * p + p * fw, tv + p * fv, fw, fv};
}

// qDeriv += J' A J, where J v is the twist of body b at the COM of its tree. All dofs of b are in the pattern of each
// of its rows. Numbers of one kind of all dofs lie side by side, so that several dofs are computed at once.
TORSOR_LOCAL void add_congruence(const ModelView& model, DataView<double>& data, int b, const WrenchSlope<double>& A,
                                 double* scratch) {
  using Lanes = NativePack<double>;
  constexpr int kLanes = kNativeLanes<double>;
  const int last = last_dof(model, b);
  int count = 0;
  for (int i = last; i >= 0; i = model.dof_parentid[i]) ++count;
  const int ld = (count + kLanes - 1) / kLanes * kLanes;
  double *S = scratch, *AS = S + 6 * ld, *sum = AS + 6 * ld;  // 6 x ld: S of each dof, and A S
  for (int k = 0; k < 6 * ld; k += kLanes) Lanes(0).store(S + k);
  for (int i = last, k = count - 1; i >= 0; i = model.dof_parentid[i], --k) {
    for (int n = 0; n < 6; ++n) S[n * ld + k] = data.cdof[6 * i + n];
  }
  for (int k = 0; k < ld; k += kLanes) {
    const Vec3<Lanes> w{Lanes::load(S + k), Lanes::load(S + ld + k), Lanes::load(S + 2 * ld + k)};
    const Vec3<Lanes> v{Lanes::load(S + 3 * ld + k), Lanes::load(S + 4 * ld + k), Lanes::load(S + 5 * ld + k)};
    const auto product = [&](const Mat3<double>& by_w, const Mat3<double>& by_v, double* to) {
      for (int r = 0; r < 3; ++r) {
        Lanes x = Lanes(by_w(r, 0)) * w.x + Lanes(by_w(r, 1)) * w.y + Lanes(by_w(r, 2)) * w.z;
        x += Lanes(by_v(r, 0)) * v.x + Lanes(by_v(r, 1)) * v.y + Lanes(by_v(r, 2)) * v.z;
        x.store(to + r * ld + k);
      }
    };
    product(A.tw, A.tv, AS);
    product(A.fw, A.fv, AS + 3 * ld);
  }
  for (int i = last, r = count - 1; i >= 0; i = model.dof_parentid[i], --r) {
    for (int k = 0; k < ld; k += kLanes) {
      Lanes x(0);
      for (int n = 0; n < 6; ++n) x = fma(Lanes(S[n * ld + r]), Lanes::load(AS + n * ld + k), x);
      x.store(sum + k);
    }
    const int begin = model.D_rowadr[i], size = model.D_rownnz[i];
    if (size == count) {
      for (int k = 0; k < count; ++k) data.qDeriv[begin + k] += sum[k];
      continue;
    }
    for (int j = last, k = count - 1, place = begin + size - 1; j >= 0; j = model.dof_parentid[j], --k) {
      while (model.D_colind[place] > j) --place;
      data.qDeriv[place] += sum[k];
    }
  }
}

// The slope of the medium's wrench on body b, in W at the COM of its tree.
TORSOR_LOCAL WrenchSlope<double> fluid_slope(const ModelView& model, const DataView<double>& data, int b,
                                             bool drag_only) {
  const double density = model.opt.density, viscosity = model.opt.viscosity;
  const Vec3<double> p_WoTcm_W = load3(data.subtree_com.row(model.body_rootid[b], 3));
  if (!has_fluid_ellipsoid(model, b)) {
    const Vec3<double> p_WoBcm_W = load3(data.xipos.row(b, 3));
    const Mat3<double> R_WI = load9(data.ximat.row(b, 9));
    const Twist<double> V = velocity_in_medium(model, data, b, p_WoBcm_W, R_WI);
    return in_world(inertia_box_slope(inertia_box(model, b), std::fmax(0, density), std::fmax(0, viscosity), V), R_WI,
                    p_WoBcm_W - p_WoTcm_W);
  }
  const Mat3<double> zero = Mat3<double>::zero();
  WrenchSlope<double> sum{zero, zero, zero, zero};
  for (int g = model.body_geomadr[b], end = g + model.body_geomnum[b]; g < end; ++g) {
    if (!is_fluid_ellipsoid(model, g)) continue;
    const Vec3<double> p_WoG_W = load3(data.geom_xpos.row(g, 3));
    const Mat3<double> R_WG = load9(data.geom_xmat.row(g, 9));
    const Twist<double> V = velocity_in_medium(model, data, b, p_WoG_W, R_WG);
    const FluidCoefficients c = load_fluid(model.geom_fluid.row(g, 12));
    const WrenchSlope<double> A =
        in_world(ellipsoid_slope(semi_axes(model, g), c, density, viscosity, V, drag_only), R_WG, p_WoG_W - p_WoTcm_W);
    sum = {sum.tw + A.tw, sum.tv + A.tv, sum.fw + A.fw, sum.fv + A.fv};
  }
  return sum;
}

TORSOR_LOCAL void add_fluid_slopes(const ModelView& model, DataView<double>& data, FluidSlope part, double* scratch) {
  for (int b = 1; b < model.nbody; ++b) {
    if (model.body_mass[b] < kMinValue) continue;
    WrenchSlope<double> A = fluid_slope(model, data, b, part == FluidSlope::kDrag);
    if (part == FluidSlope::kDrag || (part == FluidSlope::kSymmetric && !floats_alone(model, b))) symmetrize(A);
    add_congruence(model, data, b, A, scratch);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
