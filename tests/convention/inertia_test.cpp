// Inertia between conventions: forms by hand, and energy that no convention may change.
#include "torsor/convention/inertia.hpp"

#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

BodyInertia random_inertia(Random& random) {
  BodyInertia inertia;
  inertia.mass = random.uniform(0.5, 3), inertia.p_BoBcm_B = random.vec3();
  inertia.I_BBcm_B = rotate_diagonal(random.rotation(), random.moments());
  return inertia;
}

TEST(Inertia, FormsListTheSameNumbersInTheirOwnOrders) {
  const BodyInertia inertia{2, {0, 0, 1}, {4, 5, 6, 0.1, 0.2, 0.3}};
  const Row row = find_convention("mujoco").row;
  double mujoco[10], urdf[10], matrix[13], about_origin[10];
  write_inertia(row, InertiaForm::kMujocoFull, Point::kCom, inertia, mujoco);
  write_inertia(row, InertiaForm::kUrdf, Point::kCom, inertia, urdf);
  write_inertia(row, InertiaForm::kMatrix, Point::kCom, inertia, matrix);
  write_inertia(row, InertiaForm::kMujocoFull, Point::kOrigin, inertia, about_origin);
  const std::vector<double> in_mujoco{2, 0, 0, 1, 4, 5, 6, 0.1, 0.2, 0.3}, in_urdf{2, 0, 0, 1, 4, 0.1, 0.2, 5, 0.3, 6};
  const std::vector<double> in_matrix{2, 0, 0, 1, 4, 0.1, 0.2, 0.1, 5, 0.3, 0.2, 0.3, 6};
  const std::vector<double> steiner{2, 0, 0, 1, 6, 7, 6, 0.1, 0.2, 0.3};  // 2 kg at a distance of 1 along z
  EXPECT_TRUE(std::equal(in_mujoco.begin(), in_mujoco.end(), mujoco));
  EXPECT_TRUE(std::equal(in_urdf.begin(), in_urdf.end(), urdf));
  EXPECT_TRUE(std::equal(in_matrix.begin(), in_matrix.end(), matrix));
  EXPECT_TRUE(std::equal(steiner.begin(), steiner.end(), about_origin));
}

TEST(Inertia, UnityMirrorsTheProducts) {
  const BodyInertia inertia{1, {1, 2, 3}, {4, 5, 6, 0.1, 0.2, 0.3}};
  double out[10];
  write_inertia(find_convention("unity").row, InertiaForm::kMujocoFull, Point::kCom, inertia, out);
  // x is -y, y is z, z is x of ours: xx = yy', yy = zz', zz = xx', xy = -yz', xz = -xy', yz = xz'
  const double expected[10] = {1, -2, 3, 1, 5, 6, 4, -0.3, -0.1, 0.2};
  for (int i = 0; i < 10; ++i) EXPECT_DOUBLE_EQ(out[i], expected[i]) << i;
}

TEST(Inertia, ThereAndBackIsTheSameInEveryConventionFormAndPoint) {
  for_all(50, [](Random& random) {
    const BodyInertia inertia = random_inertia(random);
    for (Convention& c : list_conventions()) {
      set_cells(c.row, c.example.assume);
      if (!c.row.body.known() || c.row.length == 0 || c.row.rotation == RotationForm::kUnspecified) continue;
      for (const auto& [form, point] : {std::pair{InertiaForm::kMujocoFull, Point::kCom},
                                        {InertiaForm::kMujocoFull, Point::kOrigin},
                                        {InertiaForm::kUrdf, Point::kCom},
                                        {InertiaForm::kMatrix, Point::kOrigin},
                                        {InertiaForm::kPrincipal, Point::kCom}}) {
        std::vector<double> numbers(4 + inertia_width(c.row, form));
        write_inertia(c.row, form, point, inertia, numbers.data());
        const BodyInertia again = read_inertia(c.row, form, point, numbers.data());
        ASSERT_NEAR(again.mass, inertia.mass, 1e-15) << c.id;
        ASSERT_LT(norm(again.p_BoBcm_B - inertia.p_BoBcm_B), 1e-14) << c.id;
        const Mat3<double> difference = to_mat(again.I_BBcm_B) - to_mat(inertia.I_BBcm_B);
        for (const double d : difference.m) ASSERT_NEAR(d, 0, 1e-11) << c.id << " form " << int(form);
      }
    }
  });
}

TEST(Inertia, KineticEnergyIsTheSameNumberInEveryConvention) {
  for_all(50, [](Random& random) {
    const BodyInertia inertia = random_inertia(random);
    BodyPlace<double> place;
    place.X_WB = random.pose(), place.p_BoBcm_B = inertia.p_BoBcm_B, place.q_BI = random.quat();
    place.X_WP = random.pose(), place.X_BA = random.pose(), place.p_WoTcm_W = random.vec3();
    const Twist<double> V_WBo_W = random.twist(2);
    // from first principles: translation of the COM, and rotation about it
    const Vec3<double> v_C = V_WBo_W.at(rotate(place.X_WB.q, inertia.p_BoBcm_B)).v;
    const Vec3<double> w_B = rotate_inverse(place.X_WB.q, V_WBo_W.w);
    const double energy = 0.5 * inertia.mass * dot(v_C, v_C) + 0.5 * dot(w_B, inertia.I_BBcm_B * w_B);
    for (Convention& c : list_conventions()) {
      set_cells(c.row, c.example.assume);
      if (!open_cells(c.row, Quantity::kTwist).empty()) continue;
      const auto I = spatial_inertia(c.row, place, inertia);
      double twist[6], sum = 0;
      store_parts(c.row.twist.order, SpatialMap<double>(c.row.twist, c.row, place).twist(V_WBo_W), twist);
      for (int i = 0; i < 36; ++i) sum += twist[i / 6] * I[i] * twist[i % 6];
      ASSERT_NEAR(sum / 2, energy, 1e-12 * (1 + energy)) << c.id;
    }
  });
}

TEST(Inertia, WhatNoBodyHasIsRefused) {
  const Row row = find_convention("mujoco").row;
  const double heavy_axis[10] = {1, 0, 0, 0, 1, 1, 3, 0, 0, 0}, negative[10] = {-1, 0, 0, 0, 1, 1, 1, 0, 0, 0};
  const double skewed[13] = {1, 0, 0, 0, 1, 0.1, 0, 0, 1, 0, 0, 0, 1}, nan[10] = {1, 0, 0, 0, NAN, 1, 1, 0, 0, 0};
  EXPECT_THROW(read_inertia(row, InertiaForm::kMujocoFull, Point::kCom, heavy_axis), Error);
  EXPECT_THROW(read_inertia(row, InertiaForm::kMujocoFull, Point::kCom, negative), Error);
  EXPECT_THROW(read_inertia(row, InertiaForm::kMatrix, Point::kCom, skewed), Error);
  EXPECT_THROW(read_inertia(row, InertiaForm::kUrdf, Point::kCom, nan), Error);
  EXPECT_THROW(read_inertia(row, InertiaForm::kPrincipal, Point::kOrigin, heavy_axis), Error);
}

}  // namespace
}  // namespace torsor
