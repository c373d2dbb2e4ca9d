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

TEST(PrincipalAxes, RebuildTheMatrixUpToTheStoppingAngle) {
  for_all(2000, [](Random& random) {
    const Sym3<double> A = rotate_diagonal(random.rotation(), random.moments(10));
    const auto axes = principal_axes(A);
    const Sym3<double> rebuilt = rotate_diagonal(to_mat(axes.q), axes.moments);
    EXPECT_NEAR_REL(rebuilt, A, 3e-6);
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

// Results of MuJoCo 3.12's mju_eig3 for matrices in which something is tied.
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
    {{1.1, 2.3, 1.7, 0.5, 0.5, 0.5},
     {0.3027548682600199, 0.76917864038061678, 0.33099262836697607, 0.45513469313358745}},
    {{1.1, 2.3, 1.7, 0.5, -0.5, 0.25},
     {0.67312211637202923, 0.44482248334836894, 0.26729618376099307, 0.526870311277301}},
    {{1.1, 2.3, 1.7, 0.25, -0.5, 0.5},
     {0.52282088967995577, 0.46349446046345344, 0.14129701807516171, 0.70133184379223734}},
    {{9, 9, 9, 4, 0, 4}, {0.70710678426215257, 0.4999999956488056, -3.078083399277172e-09, 0.50000000000163225}},
    {{2, 6, 6, 0, 1, -2}, {0.57315311685620562, 0.3355798173288923, 0.72700552848891886, 0.17419716526416779}},
    {{7, 4, 7, 0, -5, 2}, {0.89496566128186583, 0.19678915178196746, 0.35977209289908191, -0.17571151367585677}},
    {{6, 6, 6, 2, 0, 1}, {0.69797621802643683, 0.57363487087894705, 0.11326596243072863, 0.4134526039775861}},
    {{3, 2, 1, 1.3e-06, 0, 0}, {1, 0, 0, 0}},
    {{3, 2, 1, 1.6e-06, 0, 0}, {0.99999999999968003, 0, 0, 7.9995784351048159e-07}},
    {{1, 1, 1, 0.2, 0.2, 0.2}, {0.82047323857028331, 0.33985114297998731, -0.17591989660616117, 0.42470820027786693}},
};

TEST(PrincipalAxes, TiesAreBrokenAsInMuJoCo) {
  for (const Example& example : kExamples) EXPECT_NEAR_REL(principal_axes(example.A).q, example.q, 1e-10);
}

TEST(PrincipalAxes, NaNComesOutAsNaN) { EXPECT_TRUE(std::isnan(principal_axes(diag(Vec{NAN, 1, 2})).moments.x)); }

}  // namespace
}  // namespace torsor
