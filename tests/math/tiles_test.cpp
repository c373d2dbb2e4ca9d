// Dense matrices by tiles against Eigen, for all small sizes.
#include "torsor/math/tiles.hpp"

#define EIGEN_DONT_VECTORIZE  // an oracle may be slow, and GCC 12 warns about its AVX-512 code
#include <Eigen/Dense>

#include "tests/support/property.hpp"
#include "torsor/math/tiles_factor.hpp"

namespace torsor {
namespace {

using Tiled = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

// an aligned matrix of rows x ld, padded with zeros
struct Padded {
  int rows, ld;
  std::vector<double> numbers;
  double* data;

  Padded(int rows_, int cols) : rows(rows_), ld(padded(cols)), numbers(std::size_t(rows) * ld + kTile, 0.0) {
    data = numbers.data() + kTile - (reinterpret_cast<std::uintptr_t>(numbers.data()) / sizeof(double)) % kTile;
  }
  Padded(const Tiled& A, int more_rows = 0) : Padded(int(A.rows()) + more_rows, int(A.cols())) {
    for (int r = 0; r < A.rows(); ++r) {
      for (int c = 0; c < A.cols(); ++c) data[r * ld + c] = A(r, c);
    }
  }
  Padded(const Padded&) = delete;
  Vector head(int n) const { return Vector::Map(data, n); }
};

Tiled random_tiled(Random& random, int rows, int cols) {
  return Tiled::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
}

// whole tiles are zero, by chance; the diagonal outweighs the rest
Tiled random_tile_sparse(Random& random, int n, double density) {
  Tiled A = random_tiled(random, n, n);
  A = (A + A.transpose()).eval();
  for (int i = 0; i < n; i += kTile) {
    for (int j = i + kTile; j < n; j += kTile) {
      if (random.chance(density)) continue;
      const int rows = std::min(kTile, n - i), cols = std::min(kTile, n - j);
      A.block(i, j, rows, cols).setZero();
      A.block(j, i, cols, rows).setZero();
    }
  }
  return A + 2 * n * Tiled::Identity(n, n);
}

struct Pattern : TilePattern {
  std::vector<std::uint64_t> storage;
  Pattern(const Tiled& A) {
    tiles = padded(int(A.rows())) / kTile;
    shift = shift_for(tiles);
    storage.assign(tiles, 0);
    rows = storage.data();
    for (int i = 0; i < A.rows(); ++i) {
      for (int j = 0; j < A.cols(); ++j) {
        if (A(i, j) != 0 && j >= i) rows[i / kTile] |= bit(j / kTile);
      }
    }
  }
};

TEST(Tiles, ProductsAgreeWithEigenAndPadWithZeros) {
  for_all(300, [](Random& random) {
    const int rows = random.integer(1, 40), cols = random.integer(1, 90);
    const Tiled A = random_tiled(random, rows, cols);
    const Vector x = random_tiled(random, cols, 1), y = random_tiled(random, rows, 1);
    const Padded a(A), px(1, cols), py(1, rows);
    std::copy(x.begin(), x.end(), px.data);
    std::copy(y.begin(), y.end(), py.data);
    Padded Ax(1, rows), Aty(1, cols);
    multiply_rows(rows, a.data, a.ld, px.data, Ax.data);
    multiply_transposed(rows, a.data, a.ld, py.data, Aty.data);
    EXPECT_LT((Ax.head(rows) - A * x).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((Aty.head(cols) - A.transpose() * y).cwiseAbs().maxCoeff(), 1e-13);
    for (int i = rows; i < Ax.ld; ++i) EXPECT_EQ(Ax.data[i], 0);
    for (int i = cols; i < Aty.ld; ++i) EXPECT_EQ(Aty.data[i], 0);
  });
}

TEST(Tiles, ProductsOfSparseRowsAddUpInTheUpperTriangle) {
  for_all(200, [](Random& random) {
    const int n = random.integer(1, 60), count = random.integer(1, 30);
    Tiled X = random_tiled(random, count, n);
    Tiled H = random_tile_sparse(random, n, 1);
    const Vector weight = random_tiled(random, count, 1);
    const Pattern pattern(H);
    std::vector<TileRun> runs;
    for (int r = 0; r < count; ++r) {  // each row keeps some tiles; some rows go together
      std::uint64_t keep = 0;
      for (int t = 0; t < pattern.tiles; ++t) keep |= random.chance(0.5) ? pattern.bit(t) : 0;
      if (r > 0 && random.chance(0.5)) {
        keep = runs.back().tiles;
        runs.back().end = r + 1;
      } else {
        runs.push_back({r, r + 1, keep});
      }
      for (int c = 0; c < n; ++c) X(r, c) *= (keep & pattern.bit(c / kTile)) != 0;
    }
    const Padded x(X), w(weight.asDiagonal() * X);
    Padded h(H, kTile);
    add_products(pattern, w.data, x.data, runs.data(), int(runs.size()), h.data, h.ld);
    const Tiled expected = H + X.transpose() * weight.asDiagonal() * X;
    for (int i = 0; i < n; ++i) {
      for (int j = i; j < n; ++j) EXPECT_NEAR(h.data[i * h.ld + j], expected(i, j), 1e-12) << i << " " << j;
    }
  });
}

// n x n, tiles present with the given density; filler in the rows of the padding must not matter
void check_factor(Random& random, int n, double density) {
  const Tiled A = random_tile_sparse(random, n, density);
  const Pattern pattern(A);
  add_fill(pattern);
  Padded h(A, kTile), U(padded(n), n), W(padded(n), n), inverse(1, n), x(1, n);
  for (int k = n * h.ld; k < (n + kTile) * h.ld; ++k) h.data[k] = NAN;
  std::fill(U.numbers.begin(), U.numbers.end(), NAN);
  std::fill(W.numbers.begin(), W.numbers.end(), NAN);
  const Vector b = random_tiled(random, n, 1);
  std::copy(b.begin(), b.end(), x.data);
  factor_tiles(n, pattern, h.data, h.ld, {U.data, W.data, inverse.data});
  solve_tiles(n, pattern, {U.data, W.data, inverse.data}, h.ld, x.data);
  EXPECT_LT((x.head(n) - A.ldlt().solve(b)).norm(), 1e-13 * b.norm()) << n;
  for (int i = n; i < x.ld; ++i) EXPECT_EQ(x.data[i], 0);
}

TEST(Tiles, TheFactorSolvesAsEigenDoes) {
  for_all(300, [](Random& random) { check_factor(random, random.integer(1, 80), 1); });
}
TEST(Tiles, TilesThatAreZeroAreNeverRead) {
  for_all(300, [](Random& random) { check_factor(random, random.integer(9, 160), random.uniform(0, 0.3)); });
}
TEST(Tiles, NeighboursShareABitBeyondSixtyFourTiles) {
  for_all(1, [](Random& random) { check_factor(random, 64 * kTile + 21, 0.01); });
}

TEST(Tiles, APivotBelowTheLeastIsReplacedByIt) {
  const int n = 3;
  const Tiled A{{4, 2, 0}, {2, 1, 0}, {0, 0, 9}};  // rank 2
  const Pattern pattern(A);
  const Padded h(A, kTile);
  Padded U(padded(n), n), W(padded(n), n), inverse(1, n);
  factor_tiles(n, pattern, h.data, h.ld, {U.data, W.data, inverse.data}, 1e-3);
  EXPECT_EQ(inverse.data[0], 0.25);
  EXPECT_EQ(inverse.data[1], 1000);
  EXPECT_EQ(inverse.data[2], 1 / 9.0);
}

}  // namespace
}  // namespace torsor
