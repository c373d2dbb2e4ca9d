// Principal axes: what any method must give, and the choices among equals that make ours the reference's.
#include "torsor/math/principal_axes.hpp"

#define EIGEN_DONT_VECTORIZE  // an oracle may be slow, and GCC 12 warns about its AVX-512 code
#include <Eigen/Dense>

#include "tests/support/property.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Q = Quat<double>;

TEST(PrincipalAxes, RebuildTheMatrix) {
  for_all(2000, [](Random& random) {
    const Sym3<double> A = rotate_diagonal(random.rotation(), random.moments(10));
    const auto axes = principal_axes(A);
    const Sym3<double> rebuilt = rotate_diagonal(to_mat(axes.q), axes.moments);
    EXPECT_NEAR_REL(rebuilt, A, 1e-13);
    EXPECT_NEAR(dot(axes.q, axes.q), 1, 1e-14);
  });
}

TEST(PrincipalAxes, MomentsAreTheEigenvaluesDecreasing) {
  for_all(2000, [](Random& random) {
    const Mat A = to_mat(rotate_diagonal(random.rotation(), random.vec3(10)));
    const auto axes = principal_axes(A);
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> oracle(Eigen::Map<const Eigen::Matrix3d>(A.m));
    const Eigen::Vector3d expected = oracle.eigenvalues().reverse();
    EXPECT_NEAR_REL(axes.moments, (Vec{expected[0], expected[1], expected[2]}), 1e-10);
  });
}

TEST(PrincipalAxes, EqualMomentsKeepTheAxesOfTheMatrix) {
  EXPECT_EQ(components(principal_axes(diag(Vec{2, 2, 2})).q), components(Q::identity()));
  EXPECT_EQ(components(principal_axes(diag(Vec{3, 2, 2})).q), components(Q::identity()));
  // a gap below the tolerance is no gap
  EXPECT_EQ(components(principal_axes(diag(Vec{2, 2 + 1e-13, 2})).q), components(Q::identity()));
}

TEST(PrincipalAxes, SortingTurnsByAQuarterAboutTheThirdAxis) {
  const double half = std::sqrt(0.5);
  const auto xy = principal_axes(diag(Vec{1, 2, 0.5}));
  EXPECT_NEAR_REL(xy.q, (Q{half, 0, 0, half}), 1e-15);
  EXPECT_EQ(components(xy.moments), (std::vector<double>{2, 1, 0.5}));
  EXPECT_NEAR_REL(principal_axes(diag(Vec{3, 1, 2})).q, (Q{half, half, 0, 0}), 1e-15);
  // increasing: swaps (0 1), (1 2), (0 1)
  const Q about_z{half, 0, 0, half}, about_x{half, half, 0, 0};
  EXPECT_NEAR_REL(principal_axes(diag(Vec{1, 2, 3})).q, about_z * about_x * about_z, 1e-15);
}

// Results of MuJoCo 4.0's mju_eig3 for matrices in which something is tied.
struct Example {
  Sym3<double> A;
  Q q;
};
const Example kExamples[] = {
    {{2, 2, 1, 0.1, 0, 0}, {0.9238795325112874, 0, 0, 0.38268343236509}},
    {{2, 2, 1, -0.1, 0, 0}, {0.92387953251128674, 0, 0, -0.38268343236508984}},
    {{2, 2, 3, -0.1, 0, 0}, {0.65328148243818829, 0.27059805007309851, -0.65328148243818829, 0.27059805007309851}},
    {{2, 1, 2, 0, 0.1, 0}, {0.65328148243818829, 0.65328148243818829, -0.27059805007309851, 0.27059805007309851}},
    {{2, 1, 2, 0, -0.1, 0}, {0.65328148243818873, 0.65328148243818873, 0.27059805007309873, -0.27059805007309873}},
    {{2, 3, 2, 0, 0.1, 0}, {0.27059805007309851, 0.65328148243818829, 0.65328148243818829, 0.27059805007309851}},
    {{1, 2, 2, 0, 0, -0.1}, {0.65328148243818829, 0.27059805007309851, 0.65328148243818829, 0.27059805007309851}},
    {{3, 2, 2, 0, 0, 0.1}, {0.9238795325112874, 0.38268343236509, 0, 0}},
    {{1.1, 2.3, 1.7, 0.5, 0.5, 0.5}, {0.30275486906364435, 0.7691786414871509, 0.330992627630084, 0.4551346912648721}},
    {{1.1, 2.3, 1.7, 0.5, -0.5, 0.25},
     {0.6731221165210307, 0.44482248312661055, 0.2672961835918698, 0.5268703113599643}},
    {{1.1, 2.3, 1.7, 0.25, -0.5, 0.5}, {0.5228208892654002, 0.463494460543118, 0.14129701780418324, 0.701331844103221}},
    {{9, 9, 9, 4, 0, 4}, {0.70710678118654813, 0.50000000000000033, 0, 0.50000000000000044}},
    {{2, 6, 6, 0, 1, -2}, {0.5731530762724333, 0.3355799866167146, 0.7270054503603708, 0.1741972987393498}},
    {{7, 4, 7, 0, -5, 2}, {0.8949656610395333, 0.19678915126969487, 0.35977209316185743, -0.1757115149458363}},
    {{6, 6, 6, 2, 0, 1}, {0.6979762349196629, 0.5736348503222319, 0.11326595025589807, 0.4134526073152648}},
    {{3, 2, 1, 1.3e-06, 0, 0}, {0.9999999999997888, 0, 0, 6.499999999984898e-07}},
    {{3, 2, 1, 1.6e-06, 0, 0}, {0.99999999999968, 0, 0, 7.99999999997184e-07}},
    {{1, 1, 1, 0.2, 0.2, 0.2}, {0.82047323857028331, 0.33985114297998731, -0.17591989660616117, 0.42470820027786693}},
};

TEST(PrincipalAxes, TiesAreBrokenAsInMuJoCo) {
  for (const Example& example : kExamples) EXPECT_NEAR_REL(principal_axes(example.A).q, example.q, 1e-10);
}

TEST(PrincipalAxes, NaNComesOutAsNaN) { EXPECT_TRUE(std::isnan(principal_axes(diag(Vec{NAN, 1, 2})).moments.x)); }

}  // namespace
}  // namespace torsor
