// Matrices by tiles against Eigen, for all small sizes.
#include "torsor/math/tiles.hpp"

#define EIGEN_DONT_VECTORIZE  // an oracle may be slow, and GCC 12 warns about its AVX-512 code
#include <Eigen/Dense>

#include "tests/support/property.hpp"
#include "torsor/math/tile_factor.hpp"
#include "torsor/math/tile_products.hpp"

namespace torsor {
namespace {

using Tiled = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using TiledVector = Eigen::VectorXd;

// an aligned matrix of rows x ld, padded with zeros
struct Padded {
  int rows, ld;
  std::vector<double> numbers;
  double* data;

  Padded(int rows_, int cols, double value = 0)
      : rows(rows_), ld(padded_size(cols)), numbers(std::size_t(rows) * ld + kTile, value) {
    data = numbers.data() + kTile - (reinterpret_cast<std::uintptr_t>(numbers.data()) / sizeof(double)) % kTile;
  }
  explicit Padded(const Tiled& A) : Padded(int(A.rows()), int(A.cols())) {
    for (int r = 0; r < A.rows(); ++r) {
      for (int c = 0; c < A.cols(); ++c) data[r * ld + c] = A(r, c);
    }
  }
  Padded(const Padded&) = delete;
  TiledVector head(int n) const { return TiledVector::Map(data, n); }
};

Tiled random_tiled(Random& random, int rows, int cols) {
  return Tiled::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
}

TEST(Tiles, ProductsAgreeWithEigenAndPadWithZeros) {
  for_all(300, [](Random& random) {
    const int rows = random.integer(1, 40), cols = random.integer(1, 90);
    const Tiled A = random_tiled(random, rows, cols);
    const TiledVector x = random_tiled(random, cols, 1), y = random_tiled(random, rows, 1);
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

// A positive definite matrix of tiles that are there by chance, each row of tiles with its own padding.
struct SparseTiles {
  std::vector<int> count, first;  // first: row of the matrix
  Tiled A;
  std::vector<std::uint64_t> words;
  TileBits bits;

  SparseTiles(Random& random, int tiles, double density, bool all_full) : count(tiles, kTile), first(tiles, 0) {
    int n = 0;
    for (int t = 0; t < tiles; ++t) {
      if (!all_full || t == tiles - 1) count[t] = random.integer(1, kTile);
      first[t] = n;
      n += count[t];
    }
    bits = {tiles, TileBits::words_for(tiles), nullptr};
    words.assign(std::size_t(tiles) * bits.words, 0);
    bits.bits = words.data();
    A = 2 * n * Tiled::Identity(n, n);
    for (int i = 0; i < tiles; ++i) {
      bits.set(i, i);
      for (int j = 0; j <= i; ++j) {
        if (j < i && !random.chance(density)) continue;
        bits.set(i, j);
        const Tiled block = random_tiled(random, count[i], count[j]);
        A.block(first[i], first[j], count[i], count[j]) += block;
        A.block(first[j], first[i], count[j], count[i]) += block.transpose();
      }
    }
  }
};

struct OwnedPlan : TilePlan {
  std::vector<int> ints[3];
  std::vector<Update> own_updates;
  OwnedPlan(const TileBits& bits, const std::vector<int>& counts) {
    tiles = bits.tiles;
    count = counts.data();
    add_fill(bits, *this);
    ints[0].resize(tiles + 1);
    ints[1].resize(slots);
    ints[2].resize(slots + 1);
    own_updates.resize(updates);
    row_begin = ints[0].data();
    column = ints[1].data();
    update_begin = ints[2].data();
    update = own_updates.data();
    fill_plan(bits, *this);
  }
};

// filler in the rows of the padding, and whatever was in the factor before, must not matter
void check_factor(Random& random, int tiles, double density, bool all_full) {
  const SparseTiles from(random, tiles, density, all_full);
  const OwnedPlan plan(from.bits, from.count);
  EXPECT_EQ(plan.update_begin[plan.slots], plan.updates);
  Padded H(plan.slots, kSlot), U(plan.slots, kSlot, NAN), W(plan.slots, kSlot, NAN);
  Padded inverse(tiles, kTile, NAN), x(tiles, kTile);
  const int n = int(from.A.rows());
  const TiledVector b = random_tiled(random, n, 1);
  for (int k = 0; k < tiles; ++k) {
    for (int i = 0; i < from.count[k]; ++i) x.data[k * kTile + i] = b[from.first[k] + i];
    for (int slot = plan.row_begin[k]; slot < plan.row_begin[k + 1]; ++slot) {
      const int j = plan.column[slot];
      for (int r = 0; r < kTile; ++r) {
        for (int c = 0; c < from.count[j]; ++c) {
          H.data[slot * kSlot + r * kTile + c] = r < from.count[k] ? from.A(from.first[k] + r, from.first[j] + c) : NAN;
        }
      }
    }
  }
  factor_tiles(plan, H.data, {U.data, W.data, inverse.data});
  solve_tiles(plan, {U.data, W.data, inverse.data}, x.data);
  const TiledVector expected = from.A.ldlt().solve(b);
  for (int k = 0; k < tiles; ++k) {
    for (int i = 0; i < kTile; ++i) {
      const double wanted = i < from.count[k] ? expected[from.first[k] + i] : 0;
      EXPECT_NEAR(x.data[k * kTile + i], wanted, 1e-13 * b.norm());
    }
  }
}

TEST(Tiles, TheFactorSolvesAsEigenDoes) {
  for_all(300, [](Random& random) { check_factor(random, random.integer(1, 10), 1, true); });
}
TEST(Tiles, TilesThatAreNotThereAreNeverMissed) {
  for_all(300, [](Random& random) {
    const int tiles = random.integer(1, 20);
    const double density = random.uniform(0, 0.4);
    check_factor(random, tiles, density, random.chance(0.5));
  });
}
TEST(Tiles, ThereMayBeMoreTilesThanBitsInAWord) {
  for_all(2, [](Random& random) { check_factor(random, 70, 0.02, false); });
}

TEST(Tiles, ProductsOfSparseRowsAddUp) {
  for_all(200, [](Random& random) {
    const int tiles = random.integer(1, 6), n = tiles * kTile, count = random.integer(1, 30);
    Tiled X = random_tiled(random, count, n);
    const SparseTiles from(random, tiles, 1, false);
    const OwnedPlan plan(from.bits, from.count);
    const TiledVector weight = random_tiled(random, count, 1);
    const TileSets sets = TileSets::for_tiles(tiles);
    std::vector<TileRun> runs;
    for (int r = 0; r < count; ++r) {  // each row keeps some tiles; some rows go together
      std::uint64_t keep = 0;
      for (int t = 0; t < tiles; ++t) keep |= random.chance(0.5) ? sets.bit(t) : 0;
      if (r > 0 && random.chance(0.5)) {
        keep = runs.back().tiles;
        runs.back().end = r + 1;
      } else {
        runs.push_back({r, r + 1, keep});
      }
      for (int c = 0; c < n; ++c) X(r, c) *= (keep & sets.bit(c / kTile)) != 0;
    }
    const Padded x(X), w(weight.asDiagonal() * X);
    Padded H(plan.slots, kSlot, 1);
    add_products(plan, sets, w.data, x.data, x.ld, runs.data(), int(runs.size()), H.data);
    const Tiled expected = X.transpose() * weight.asDiagonal() * X;
    for (int k = 0; k < tiles; ++k) {
      for (int slot = plan.row_begin[k]; slot < plan.row_begin[k + 1]; ++slot) {
        for (int e = 0; e < kSlot; ++e) {
          const double wanted = expected(k * kTile + e / kTile, plan.column[slot] * kTile + e % kTile);
          EXPECT_NEAR(H.data[slot * kSlot + e] - 1, wanted, 1e-13);
        }
      }
    }
  });
}

TEST(Tiles, BranchesOfATreeDoNotFillIn) {
  // tile 0 is the root, 1 and 2 hang on it, 3 on 2
  std::uint64_t words[4] = {0b1, 0b11, 0b101, 0b1101};
  const TileBits bits{4, 1, words};
  TilePlan plan;
  plan.tiles = 4;
  add_fill(bits, plan);
  EXPECT_EQ(plan.slots, 4 + 4);
}

TEST(Tiles, APivotBelowTheLeastIsReplacedByIt) {
  const std::vector<int> count{3};
  std::uint64_t word = 1;
  const OwnedPlan plan({1, 1, &word}, count);
  Padded H(1, kSlot), U(1, kSlot), W(1, kSlot), inverse(1, kTile);
  const double numbers[3][3] = {{4, 2, 0}, {2, 1, 0}, {0, 0, 9}};  // rank 2
  for (int i = 0; i < 3; ++i) std::copy(numbers[i], numbers[i] + 3, H.data + i * kTile);
  factor_tiles(plan, H.data, {U.data, W.data, inverse.data}, 1e-3);
  EXPECT_EQ(inverse.data[0], 0.25);
  EXPECT_EQ(inverse.data[1], 1000);
  EXPECT_EQ(inverse.data[2], 1 / 9.0);
}

}  // namespace
}  // namespace torsor
