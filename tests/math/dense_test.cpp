// Dense kernels against Eigen, for all small sizes and row strides.
#include "torsor/math/dense.hpp"

#define EIGEN_DONT_VECTORIZE  // an oracle may be slow, and GCC 12 warns about its AVX-512 code
#include <Eigen/Dense>

#include "tests/support/property.hpp"

namespace torsor {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double kPadding = -777;

// rows of ld numbers, of which A fills the first
std::vector<double> padded(const Matrix& A, int ld) {
  std::vector<double> result(A.rows() * ld, kPadding);
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) result[r * ld + c] = A(r, c);
  }
  return result;
}

Matrix random_matrix(Random& random, int rows, int cols) {
  return Matrix::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
}

Matrix random_positive_definite(Random& random, int n) {
  const Matrix A = random_matrix(random, n, n);
  return A * A.transpose() + 0.1 * Matrix::Identity(n, n);
}

std::vector<double> numbers(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

bool padding_is_untouched(const std::vector<double>& A, int rows, int cols, int ld) {
  for (int r = 0; r < rows; ++r) {
    for (int c = cols; c < ld; ++c) {
      if (A[r * ld + c] != kPadding) return false;
    }
  }
  return true;
}

TEST(Dense, DotAxpyAndScaleReachEveryElementAndNoOther) {
  for (int n = 0; n <= 67; ++n) {
    Random random(n + 1);
    const std::vector<double> a = random.numbers(n), b = random.numbers(n);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += a[i] * b[i];
    EXPECT_NEAR_REL(dot(n, a.data(), b.data()), expected, kRounding);

    std::vector<double> y = b, z = b;
    y.push_back(kPadding);
    z.push_back(kPadding);
    axpy(n, 2.5, a.data(), y.data());
    scale(n, 2.5, z.data());
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR_REL(y[i], 2.5 * a[i] + b[i], kRounding);
      EXPECT_EQ(z[i], 2.5 * b[i]);
    }
    EXPECT_EQ(y[n], kPadding);
    EXPECT_EQ(z[n], kPadding);
  }
}

TEST(Dense, MatrixTimesVectorAgreesWithEigen) {
  for_all(200, [](Random& random) {
    const int rows = random.integer(0, 20), cols = random.integer(0, 40), ld = cols + random.integer(0, 3);
    const Matrix A = random_matrix(random, rows, cols);
    const std::vector<double> a = padded(A, ld), x = random.numbers(cols), y = random.numbers(rows);
    std::vector<double> Ax(rows, NAN), Aty(cols, NAN);
    matvec(rows, cols, a.data(), ld, x.data(), Ax.data());
    matvec_transposed(rows, cols, a.data(), ld, y.data(), Aty.data());
    EXPECT_NEAR_REL(Ax, numbers(A * Eigen::VectorXd::Map(x.data(), cols)), kRounding);
    EXPECT_NEAR_REL(Aty, numbers(A.transpose() * Eigen::VectorXd::Map(y.data(), rows)), kRounding);
  });
}

TEST(Dense, TheCholeskyFactorMultipliesBackToTheMatrix) {
  for_all(300, [](Random& random) {
    const int n = random.integer(1, 40), ld = n + random.integer(0, 5);
    const Matrix A = random_positive_definite(random, n);
    std::vector<double> L = padded(A, ld);
    EXPECT_EQ(cholesky(n, L.data(), ld), n);
    EXPECT_TRUE(padding_is_untouched(L, n, n, ld));
    const Matrix full = Matrix::Map(L.data(), n, ld).leftCols(n);
    const Matrix lower = full.triangularView<Eigen::Lower>();
    EXPECT_LT((lower.transpose() * lower - A).cwiseAbs().maxCoeff(), 1e-14 * n);
    for (int r = 0; r < n; ++r) {  // the upper triangle is not even read, so it keeps its numbers
      for (int c = r + 1; c < n; ++c) EXPECT_EQ(full(r, c), A(r, c));
    }
  });
}

TEST(Dense, CholeskySolvesAsEigenDoes) {
  for_all(300, [](Random& random) {
    const int n = random.integer(1, 40), ld = n + random.integer(0, 5);
    const Matrix A = random_positive_definite(random, n);
    std::vector<double> L = padded(A, ld), x = random.numbers(n);
    const Eigen::VectorXd expected = A.llt().solve(Eigen::VectorXd::Map(x.data(), n));
    cholesky(n, L.data(), ld);
    cholesky_solve(n, L.data(), ld, x.data());
    EXPECT_NEAR_REL(x, numbers(expected), 1e-11);
  });
}

TEST(Dense, CholeskyKeepsTheZerosBetweenBranchesOfATree) {
  // dofs 1, 2 and 3, 4 are two branches on dof 0
  const int n = 5, branch[] = {0, 1, 1, 2, 2};
  Random random(1);
  Matrix A = random_positive_definite(random, n);
  for (int r = 1; r < n; ++r) {
    for (int c = 1; c < r; ++c) {
      if (branch[r] != branch[c]) A(r, c) = A(c, r) = 0;
    }
  }
  A += 5 * Matrix::Identity(n, n);
  cholesky(n, A.data(), n);
  for (int r = 1; r < n; ++r) {
    for (int c = 1; c < r; ++c) EXPECT_EQ(A(r, c) == 0, branch[r] != branch[c]);
  }
}

TEST(Dense, CholeskyCountsTheGoodPivotsAndReplacesTheOthers) {
  for_all(100, [](Random& random) {
    const int n = random.integer(2, 12), rank = random.integer(1, n - 1);
    const Matrix B = random_matrix(random, n, rank);
    std::vector<double> L = padded(B * B.transpose(), n);
    EXPECT_EQ(cholesky(n, L.data(), n, 1e-10), rank);
    for (const double x : L) EXPECT_TRUE(std::isfinite(x));
  });
  double bad[] = {NAN};
  EXPECT_EQ(cholesky(1, bad, 1), 0);
  double negative[] = {-1};
  EXPECT_EQ(cholesky(1, negative, 1, 0.25), 0);
  EXPECT_EQ(negative[0], 0.5);
}

TEST(Dense, LuSolvesAsEigenDoes) {
  for_all(300, [](Random& random) {
    const int n = random.integer(1, 40), ld = n + random.integer(0, 5);
    Matrix A = random_matrix(random, n, n);
    if (random.chance(0.5)) A.diagonal().setZero();  // no way without swapping rows
    if (n == 1) A(0, 0) = 0.5;
    std::vector<double> LU = padded(A, ld), b = random.numbers(n), x = b;
    std::vector<int> pivots(n);
    ASSERT_TRUE(lu_factor(n, LU.data(), ld, pivots.data()));
    lu_solve(n, LU.data(), ld, pivots.data(), x.data());
    EXPECT_TRUE(padding_is_untouched(LU, n, n, ld));
    const Eigen::VectorXd expected = A.partialPivLu().solve(Eigen::VectorXd::Map(b.data(), n));
    const double condition = A.norm() * A.inverse().norm();
    EXPECT_NEAR_REL(x, numbers(expected), 1e-14 * condition);
    EXPECT_NEAR_REL(numbers(A * Eigen::VectorXd::Map(x.data(), n)), b, 1e-14 * condition);
  });
}

TEST(Dense, LuTakesTheLargestPivot) {
  for_all(100, [](Random& random) {
    const int n = random.integer(2, 20);
    std::vector<double> LU = padded(random_matrix(random, n, n), n);
    std::vector<int> pivots(n);
    ASSERT_TRUE(lu_factor(n, LU.data(), n, pivots.data()));
    for (int r = 1; r < n; ++r) {
      for (int c = 0; c < r; ++c) EXPECT_LE(std::abs(LU[r * n + c]), 1);
    }
  });
}

TEST(Dense, LuSaysThatAMatrixIsSingular) {
  double zero_column[] = {1, 0, 2, 0}, dependent[] = {1, 2, 2, 4}, nan[] = {NAN, 1, 1, 1};
  int pivots[2];
  EXPECT_FALSE(lu_factor(2, zero_column, 2, pivots));
  EXPECT_FALSE(lu_factor(2, dependent, 2, pivots));
  EXPECT_FALSE(lu_factor(2, nan, 2, pivots));
}

}  // namespace
}  // namespace torsor
