// Vectors and matrices in plain memory against Eigen, and the laws that sparse rows and spatial vectors keep.
#include "torsor/math/linear.hpp"

#include <gtest/gtest.h>

#define EIGEN_DONT_VECTORIZE  // as in the other files of this program: Eigen allocates differently otherwise
#include <Eigen/Dense>
#include <vector>

namespace torsor::linear {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(Linear, VectorsAreEigens) {
  const Vector a = Vector::Random(9), b = Vector::Random(9);
  Vector y(9);
  EXPECT_NEAR(norm(9, a.data()), a.norm(), 1e-15);
  EXPECT_NEAR(norm1(9, a.data()), a.lpNorm<1>(), 1e-14);
  EXPECT_NEAR(dot(9, a.data(), b.data()), a.dot(b), 1e-14);
  EXPECT_NEAR(sum(9, a.data()), a.sum(), 1e-14);
  add(9, a.data(), b.data(), y.data());
  EXPECT_EQ(y, a + b);
  subtract(9, a.data(), b.data(), y.data());
  EXPECT_EQ(y, a - b);
  add_scaled(9, a.data(), 2.5, b.data(), y.data());
  EXPECT_LT((y - (a + 2.5 * b)).norm(), 1e-15);
  scale(9, 3, a.data(), y.data());
  EXPECT_EQ(y, 3 * a);
  fill(9, 7, y.data());
  EXPECT_EQ(y, Vector::Constant(9, 7));
}

TEST(Linear, VectorsMayBeWrittenInPlace) {
  Vector x = Vector::Random(5);
  const Vector before = x;
  add(5, x.data(), x.data(), x.data());
  EXPECT_EQ(x, 2 * before);
  EXPECT_NEAR(normalize(5, x.data()), 2 * before.norm(), 1e-15);
  EXPECT_NEAR(x.norm(), 1, 1e-15);
  x.setZero();
  EXPECT_EQ(normalize(5, x.data()), 0);
  EXPECT_EQ(x, Vector::Unit(5, 0));
}

TEST(Linear, MatricesAreByRows) {
  const Matrix A = Matrix::Random(4, 3), B = Matrix::Random(3, 5), C = Matrix::Random(4, 5), D = Matrix::Random(6, 3);
  const Vector x = Vector::Random(3), y = Vector::Random(4);
  Vector four(4), three(3);
  multiply(4, 3, A.data(), x.data(), four.data());
  EXPECT_LT((four - A * x).norm(), 1e-14);
  multiply_transposed(4, 3, A.data(), y.data(), three.data());
  EXPECT_LT((three - A.transpose() * y).norm(), 1e-14);
  Matrix result(4, 5);
  multiply_matrices(4, 3, 5, A.data(), B.data(), result.data());
  EXPECT_LT(distance(result, A * B), 1e-14);
  result.resize(3, 5);
  multiply_transposed_left(4, 3, 5, A.data(), C.data(), result.data());
  EXPECT_LT(distance(result, A.transpose() * C), 1e-14);
  result.resize(4, 6);
  multiply_transposed_right(4, 3, 6, A.data(), D.data(), result.data());
  EXPECT_LT(distance(result, A * D.transpose()), 1e-14);
  result.resize(3, 3);
  weighted_square(4, 3, A.data(), y.data(), result.data());
  EXPECT_LT(distance(result, A.transpose() * y.asDiagonal() * A), 1e-14);
  weighted_square(4, 3, A.data(), nullptr, result.data());
  EXPECT_LT(distance(result, A.transpose() * A), 1e-14);
  result.resize(3, 4);
  transpose(4, 3, A.data(), result.data());
  EXPECT_EQ(result, A.transpose());
}

TEST(Linear, SquareMatrices) {
  const Matrix A = Matrix::Random(4, 4);
  const Vector x = Vector::Random(4), y = Vector::Random(4);
  EXPECT_NEAR(bilinear(4, x.data(), A.data(), y.data()), x.dot(A * y), 1e-14);
  Matrix B(4, 4);
  symmetrize(4, A.data(), B.data());
  EXPECT_LT(distance(B, 0.5 * (A + A.transpose())), 1e-15);
  identity(4, B.data());
  EXPECT_EQ(B, Matrix::Identity(4, 4));
}

TEST(Linear, CholeskyFactorsSolvesAndIsUpdated) {
  const Matrix J = Matrix::Random(9, 6), A = J.transpose() * J + Matrix::Identity(6, 6);
  Matrix L = A;
  EXPECT_EQ(factor_cholesky(6, 1e-15, L.data()), 6);
  const Matrix lower = L.triangularView<Eigen::Lower>();
  EXPECT_LT(distance(lower * lower.transpose(), A), 1e-13);
  const Vector b = Vector::Random(6);
  Vector x = b;
  solve_cholesky(6, L.data(), x.data(), x.data());
  EXPECT_LT((A * x - b).norm(), 1e-13);
  for (const bool plus : {true, false}) {
    Matrix updated = L;
    Vector u = 0.3 * b;
    EXPECT_EQ(update_cholesky(6, plus, u.data(), updated.data()), 6);
    const Matrix changed = updated.triangularView<Eigen::Lower>();
    EXPECT_LT(distance(changed * changed.transpose(), A + (plus ? 0.09 : -0.09) * b * b.transpose()), 1e-12);
  }
}

TEST(Linear, ASingularMatrixHasALowerRankAndStaysFinite) {
  Matrix A = Matrix::Zero(3, 3);
  A(0, 0) = 4;
  EXPECT_EQ(factor_cholesky(3, 1e-15, A.data()), 1);
  EXPECT_TRUE(A.allFinite());
}

TEST(Linear, SparseRowsHoldTheSameMatrix) {
  Matrix A = Matrix::Random(5, 4);
  for (int i = 0; i < 20; i += 3) A.data()[i] = 0;
  A.row(2).setZero();
  const int count = make_sparse(5, 4, A.data(), 0, nullptr, nullptr, nullptr, nullptr);
  std::vector<int> rownnz(5), rowadr(5), colind(static_cast<size_t>(count));
  std::vector<double> values(static_cast<size_t>(count));
  EXPECT_EQ(make_sparse(5, 4, A.data(), count, rownnz.data(), rowadr.data(), colind.data(), values.data()), count);
  const Sparse sparse{5, 4, rownnz.data(), rowadr.data(), colind.data(), values.data()};
  Matrix dense(5, 4);
  make_dense(sparse, dense.data());
  EXPECT_EQ(dense, A);
  const Vector x = Vector::Random(4), y = Vector::Random(5);
  Vector five(5), four(4);
  multiply(sparse, x.data(), five.data());
  EXPECT_LT((five - A * x).norm(), 1e-14);
  multiply_transposed(sparse, y.data(), four.data());
  EXPECT_LT((four - A.transpose() * y).norm(), 1e-14);
}

TEST(Linear, PowerDoesNotDependOnPointAndAxes) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond::UnitRandom();
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> R = turn.toRotationMatrix();
  const Vector V = Vector::Random(6), F = Vector::Random(6), here = Vector::Random(3), there = Vector::Random(3);
  for (const double* axes : {static_cast<const double*>(nullptr), R.data()}) {
    Vector moved_V(6), moved_F(6);
    transform_motion(V.data(), here.data(), there.data(), axes, moved_V.data());
    transform_force(F.data(), here.data(), there.data(), axes, moved_F.data());
    EXPECT_NEAR(moved_V.dot(moved_F), V.dot(F), 1e-13);
  }
  Vector same(6);
  transform_motion(V.data(), here.data(), here.data(), nullptr, same.data());
  EXPECT_EQ(same, V);
}

}  // namespace
}  // namespace torsor::linear
