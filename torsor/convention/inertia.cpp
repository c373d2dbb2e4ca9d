#include "torsor/convention/inertia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"
#include "torsor/math/principal_axes.hpp"

namespace torsor {
namespace {

Sym3<double> packed(const Mat3<double>& I) { return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}; }

// S I S' and back; the signs of left-handed axes cancel.
Sym3<double> in_axes(const Axes& axes, const Sym3<double>& I) {
  const Mat3<double> S = axes_matrix<double>(axes);
  return packed(mul_transposed(S * to_mat(I), S));
}

// Steiner's term of a mass at c.
Sym3<double> point_mass(double m, const Vec3<double>& c) {
  return {m * (c.y * c.y + c.z * c.z),
          m * (c.x * c.x + c.z * c.z),
          m * (c.x * c.x + c.y * c.y),
          -m * c.x * c.y,
          -m * c.x * c.z,
          -m * c.y * c.z};
}

void check(const Row& row, InertiaForm form, Point point) {
  if (!row.body.known() || row.length == 0)
    throw Error("inertia needs the row's axes of bodies and its unit of length");
  if (form == InertiaForm::kUnspecified) throw Error("inertia needs a form");
  if (point != Point::kOrigin && point != Point::kCom) throw Error("inertia is taken about the origin or the COM");
  if (form == InertiaForm::kPrincipal && point != Point::kCom) throw Error("principal moments are about the COM");
  if (form == InertiaForm::kPrincipal && row.rotation == RotationForm::kUnspecified) {
    throw Error("principal axes need the row's way to write rotations");
  }
}

void check_physical(double mass, const Vec3<double>& moments) {
  const double sum = moments.x + moments.y + moments.z, largest = std::max<double>({moments.x, moments.y, moments.z});
  const double smallest = std::min<double>({moments.x, moments.y, moments.z});
  if (!(mass >= 0) || !(smallest >= -1e-9 * sum) || !(2 * largest <= sum * (1 + 1e-9))) {
    throw Error(fmt::format("mass {} with principal moments {}, {}, {} is not physically possible", mass, moments.x,
                            moments.y, moments.z));
  }
}

}  // namespace

int inertia_width(const Row& row, InertiaForm form) {
  if (form == InertiaForm::kMatrix) return 9;
  return form == InertiaForm::kPrincipal ? 3 + width(row, Quantity::kRotation) : 6;
}

void write_inertia(const Row& row, InertiaForm form, Point point, const BodyInertia& inertia, double* out) {
  check(row, form, point);
  const double per_length = 1 / row.length, per_area = per_length * per_length;
  out[0] = inertia.mass;
  store3(out + 1, to_axes(row.body, inertia.p_BoBcm_B) * per_length);
  double* numbers = out + 4;
  Sym3<double> I_B = inertia.I_BBcm_B;
  if (point == Point::kOrigin) I_B = I_B + point_mass(inertia.mass, inertia.p_BoBcm_B);
  if (form == InertiaForm::kPrincipal) {
    const PrincipalAxes<double> principal = principal_axes(I_B);
    store3(numbers, principal.moments * per_area);
    rotation_to_numbers(row, to_axes(row.body, row.body, principal.q), numbers + 3);
    return;
  }
  const Sym3<double> I = in_axes(row.body, I_B);
  if (form == InertiaForm::kMatrix) {
    const Mat3<double> M = to_mat(I);
    for (int i = 0; i < 9; ++i) numbers[i] = M.m[i] * per_area;
    return;
  }
  const bool urdf = form == InertiaForm::kUrdf;
  const double mujoco_order[6] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz},
               urdf_order[6] = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
  for (int i = 0; i < 6; ++i) numbers[i] = (urdf ? urdf_order : mujoco_order)[i] * per_area;
}

BodyInertia read_inertia(const Row& row, InertiaForm form, Point point, const double* in) {
  check(row, form, point);
  check_finite(in, 4 + inertia_width(row, form));
  BodyInertia result;
  result.mass = in[0];
  result.p_BoBcm_B = from_axes(row.body, load3(in + 1)) * row.length;
  const double* n = in + 4;
  Sym3<double> I;
  if (form == InertiaForm::kPrincipal) {
    const Quat<double> q = from_axes(row.body, row.body, rotation_from_numbers(row, n + 3));
    I = rotate_diagonal(to_mat(q), load3(n));
  } else {
    if (form == InertiaForm::kMatrix) {
      const Mat3<double> M{n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]};
      for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
        if (std::abs(M(i, j) - M(j, i)) > 1e-9 * (std::abs(M(i, j)) + std::abs(M(i, i)) + std::abs(M(j, j)))) {
          throw Error("an inertia matrix must be symmetric");
        }
      }
      I = packed(M);
    } else if (form == InertiaForm::kUrdf) {
      I = {n[0], n[3], n[5], n[1], n[2], n[4]};
    } else {
      I = {n[0], n[1], n[2], n[3], n[4], n[5]};
    }
    I = in_axes(row.body.inverse(), I);
  }
  const double area = row.length * row.length;
  I = {I.xx * area, I.yy * area, I.zz * area, I.xy * area, I.xz * area, I.yz * area};
  if (point == Point::kOrigin) I = I + point_mass(-result.mass, result.p_BoBcm_B);
  result.I_BBcm_B = I;
  check_physical(result.mass, principal_axes(I).moments);
  return result;
}

std::array<double, 36> spatial_inertia(const Row& row, const BodyPlace<double>& place, const BodyInertia& inertia) {
  const Mat3<double> R = to_mat(place.X_WB.q);
  const Vec3<double> c_W = R * inertia.p_BoBcm_B;
  const Sym3<double> I_Bcm_W = packed(mul_transposed(R * to_mat(inertia.I_BBcm_B), R));
  const SpatialInertia<double> I_Bo_W{I_Bcm_W + point_mass(inertia.mass, c_W), c_W * inertia.mass, inertia.mass};
  const SpatialMap<double> map(row.twist, row, place);
  std::array<double, 36> matrix;
  for (int column = 0; column < 6; ++column) {
    double unit[6] = {}, result[6];
    unit[column] = 1;
    store_parts(row.twist.order, map.wrench(I_Bo_W * map.ours(load_parts(row.twist.order, unit))), result);
    for (int i = 0; i < 6; ++i) matrix[6 * i + column] = result[i];
  }
  return matrix;
}

}  // namespace torsor
