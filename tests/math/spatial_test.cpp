// Twists, wrenches and inertia: what must not depend on the reference point, and what moving it does.
#include "torsor/math/spatial.hpp"

#include <numeric>

#include "tests/support/property.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Inertia = SpatialInertia<double>;

Inertia random_inertia(Random& random) {
  return make_inertia(random.uniform(0.1, 10), random.moments(), random.rotation(), random.vec3(2));
}

TEST(Spatial, PowerDoesNotDependOnTheReferencePoint) {
  for_all(10'000, [](Random& random) {
    const auto V_WBp_W = random.twist();
    const auto F_Bp_W = random.wrench();
    const auto p_pq_W = random.vec3(100);
    EXPECT_NEAR_REL(power(F_Bp_W, V_WBp_W), power(F_Bp_W.at(p_pq_W), V_WBp_W.at(p_pq_W)), 1e-12);
  });
}

TEST(Spatial, ASpinningBodyMovesFasterFurtherOut) {
  const Twist<double> V{{0, 0, 2}, {0, 0, 0}};
  EXPECT_EQ(components(V.at({3, 0, 0}).v), (std::vector<double>{0, 6, 0}));
}

TEST(Spatial, AForceTurnsAboutAPointBesideIt) {
  const Wrench<double> F_p{{0, 0, 0}, {0, 1, 0}};  // acts at p; q is 3 to the left, so p is 3 to the right of q
  EXPECT_EQ(components(F_p.at({-3, 0, 0}).t), (std::vector<double>{0, 0, 3}));
}

TEST(Spatial, MovingTheReferencePointTwiceIsMovingItOnce) {
  for_all(1000, [](Random& random) {
    const auto V = random.twist();
    const auto F = random.wrench();
    const Vec p_pq = random.vec3(), p_qr = random.vec3();
    EXPECT_NEAR_REL(V.at(p_pq).at(p_qr), V.at(p_pq + p_qr), kRounding);
    EXPECT_NEAR_REL(F.at(p_pq).at(p_qr), F.at(p_pq + p_qr), kRounding);
    EXPECT_NEAR_REL(V.at(p_pq).at(-p_pq), V, kRounding);
  });
}

TEST(Spatial, PowerIsLinearInTwistAndWrench) {
  for_all(200, [](Random& random) {
    const auto a = random.twist(), b = random.twist();
    const auto F = random.wrench(), G = random.wrench();
    const double s = random.uniform(-2, 2);
    EXPECT_NEAR_REL(power(F, a + b * s), power(F, a) + s * power(F, b), 1e-14);
    EXPECT_NEAR_REL(power(F - s * G, a), power(F, a) - s * power(G, a), 1e-14);
  });
}

// the operators that only add, of a type with two vectors
template <class Pair>
void expect_componentwise(const Pair& a, const Pair& b) {
  const std::vector<double> x = components(a), y = components(b);
  Pair sum = a, difference = a;
  sum += b;
  difference -= b;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(components(a + b)[i], x[i] + y[i]);
    EXPECT_EQ(components(a - b)[i], x[i] - y[i]);
    EXPECT_EQ(components(sum)[i], x[i] + y[i]);
    EXPECT_EQ(components(difference)[i], x[i] - y[i]);
    EXPECT_EQ(components(-a)[i], -x[i]);
    EXPECT_EQ(components(Pair::zero())[i], 0);
  }
}

TEST(Spatial, SumsAndDifferencesActOnEachComponent) {
  for_all(100, [](Random& random) {
    expect_componentwise(random.twist(), random.twist());
    expect_componentwise(random.wrench(), random.wrench());
  });
}

TEST(Spatial, CrossOfATwistWithItselfIsZero) {
  for_all(200, [](Random& random) {
    const auto a = random.twist(), b = random.twist();
    EXPECT_NEAR_REL(cross(a, a), Twist<double>::zero(), kRounding);
    EXPECT_NEAR_REL(cross(a, b), -cross(b, a), kRounding);
  });
}

TEST(Spatial, CrossesSatisfyTheJacobiIdentity) {
  for_all(1000, [](Random& random) {
    const auto a = random.twist(), b = random.twist(), c = random.twist();
    EXPECT_NEAR_REL(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)), Twist<double>::zero(),
                    kRounding);
  });
}

TEST(Spatial, CarryingMotionAndForceAlongKeepsTheirPower) {
  for_all(1000, [](Random& random) {
    const auto a = random.twist(), b = random.twist();
    const auto F = random.wrench();
    EXPECT_NEAR_REL(power(cross_force(a, F), b), -power(F, cross(a, b)), kRounding);
  });
}

TEST(Spatial, CrossesDoNotDependOnTheReferencePoint) {
  for_all(1000, [](Random& random) {
    const auto a = random.twist(), b = random.twist();
    const auto F = random.wrench();
    const Vec p_pq = random.vec3(10);
    EXPECT_NEAR_REL(cross(a, b).at(p_pq), cross(a.at(p_pq), b.at(p_pq)), 1e-14);
    EXPECT_NEAR_REL(cross_force(a, F).at(p_pq), cross_force(a.at(p_pq), F.at(p_pq)), 1e-14);
  });
}

TEST(Spatial, InertiaAboutTheCentreOfMassIsMassAndMoments) {
  for_all(200, [](Random& random) {
    const double m = random.uniform(0.1, 10);
    const Vec moments = random.moments();
    const Mat R = random.rotation();
    const Inertia a = make_inertia(m, moments, R, Vec::zero());
    const auto V = random.twist();
    const Wrench<double> P = a * V;
    EXPECT_NEAR_REL(P.f, V.v * m, kRounding);
    EXPECT_NEAR_REL(P.t, R * hadamard(moments, transposed_mul(R, V.w)), 1e-14);
  });
}

TEST(Spatial, TheParallelAxisTheoremHolds) {
  for_all(200, [](Random& random) {
    const double m = random.uniform(0.1, 10);
    const Vec moments = random.moments(), c = random.vec3(3);
    const Mat R = random.rotation();
    const Mat parallel_axis = (Mat::identity() * norm2(c) - outer(c, c)) * m;
    const Inertia a = make_inertia(m, moments, R, c);
    EXPECT_NEAR_REL(a.I, to_mat(rotate_diagonal(R, moments)) + parallel_axis, 1e-14);
    EXPECT_NEAR_REL(a.h, c * m, 0);
    EXPECT_EQ(a.m, m);
  });
}

TEST(Spatial, ShiftingAnInertiaIsMakingItAboutTheNewPoint) {
  for_all(1000, [](Random& random) {
    const double m = random.uniform(0.1, 10);
    const Vec moments = random.moments(), p_pcm = random.vec3(2), p_pq = random.vec3(2);
    const Mat R = random.rotation();
    EXPECT_NEAR_REL(make_inertia(m, moments, R, p_pcm).shifted(p_pq), make_inertia(m, moments, R, p_pcm - p_pq), 1e-14);
  });
}

TEST(Spatial, MomentumDoesNotDependOnWhereItIsComputed) {
  for_all(1000, [](Random& random) {
    const Inertia I_p = random_inertia(random);
    const auto V_p = random.twist();
    const Vec p_pq = random.vec3(3);
    EXPECT_NEAR_REL((I_p * V_p).at(p_pq), I_p.shifted(p_pq) * V_p.at(p_pq), 1e-13);
  });
}

TEST(Spatial, ShiftingAMasslessInertiaKeepsItsRotationalPart) {
  const Inertia flywheel{{1, 2, 3, 0, 0, 0}, Vec::zero(), 0};
  EXPECT_EQ(components(flywheel.shifted({5, 6, 7})), components(flywheel));
}

TEST(Spatial, KineticEnergyIsThatOfTranslationPlusRotation) {
  for_all(1000, [](Random& random) {
    const double m = random.uniform(0.1, 10);
    const Vec moments = random.moments(), p_pcm = random.vec3(2);
    const Mat R = random.rotation();
    const auto V_p = random.twist();
    const Vec v_cm = V_p.at(p_pcm).v, w_principal = transposed_mul(R, V_p.w);
    const double energy = 0.5 * (m * norm2(v_cm) + dot(w_principal, hadamard(moments, w_principal)));
    EXPECT_NEAR_REL(0.5 * power(make_inertia(m, moments, R, p_pcm) * V_p, V_p), energy, 1e-14);
  });
}

TEST(Spatial, InertiasAboutOnePointAddUp) {
  for_all(200, [](Random& random) {
    const Inertia a = random_inertia(random), b = random_inertia(random);
    const auto V = random.twist();
    Inertia sum = Inertia::zero();
    sum += a;
    sum += b;
    EXPECT_NEAR_REL(sum, a + b, 0);
    EXPECT_NEAR_REL(sum * V, a * V + b * V, 1e-14);
  });
}

TEST(Spatial, ArraysHoldAngularBeforeLinearAndInertiaBeforeMass) {
  double in[10], out[10];
  std::iota(in, in + 10, 1.0);
  const auto V = load6(in);
  const auto F = load6_wrench(in);
  EXPECT_EQ(components(V.w), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(components(F.f), (std::vector<double>{4, 5, 6}));
  store6(out, V);
  EXPECT_TRUE(std::equal(in, in + 6, out));
  store6(out, F * 2);
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(out[5], 12);
  const Inertia a = load10(in);
  EXPECT_EQ(a.I.xx, 1);
  EXPECT_EQ(a.I.xy, 4);
  EXPECT_EQ(a.I.yz, 6);
  EXPECT_EQ(a.h.x, 7);
  EXPECT_EQ(a.m, 10);
  store10(out, a);
  EXPECT_TRUE(std::equal(in, in + 10, out));
}

}  // namespace
}  // namespace torsor
