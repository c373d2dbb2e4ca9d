// Band matrices and box programs against dense computations.
#include "torsor/math/band.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/math/box_qp.hpp"
#include "torsor/math/linear.hpp"

namespace torsor::linear {
namespace {

std::vector<double> positive_definite(Random& random, int n) {
  std::vector<double> root(static_cast<size_t>(n * n)), A(root.size());
  for (double& x : root) x = random.uniform(-1, 1);
  multiply_transposed_right(n, n, n, root.data(), root.data(), A.data());
  for (int i = 0; i < n; ++i) A[static_cast<size_t>(i * n + i)] += 1;
  return A;
}

TEST(Band, SolvingGivesBackTheVectorThatWasMultiplied) {
  for_all(300, [](Random& random) {
    const int total = random.integer(1, 9), dense = random.integer(0, total), band = random.integer(1, total);
    const Band shape{total, band, dense};
    std::vector<double> stored(static_cast<size_t>(shape.size())), x(static_cast<size_t>(total)), b(x), solved(x);
    band_from_dense(shape, positive_definite(random, total).data(), stored.data());
    for (int i = 0; i < total; ++i) stored[static_cast<size_t>(shape.at(i, i))] += total;  // what the band cuts off
    for (double& value : x) value = random.uniform(-1, 1);
    multiply_band(shape, stored.data(), x.data(), 1, true, b.data());
    ASSERT_GT(factor_band(shape, 0, 0, stored.data()), 0);
    solve_band(shape, stored.data(), b.data(), solved.data());
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(solved[i], x[i], 1e-9);
  });
}

TEST(Band, AMatrixThatIsNotPositiveHasNoFactor) {
  std::vector<double> stored{1, -1};
  EXPECT_EQ(factor_band({2, 1, 0}, 0, 0, stored.data()), 0);
}

TEST(BoxProgram, TheGradientPointsOutOfTheBoxAtBoundsAndVanishesInside) {
  for_all(300, [](Random& random) {
    const int n = random.integer(1, 8);
    const size_t size = static_cast<size_t>(n);
    const std::vector<double> H = positive_definite(random, n);
    std::vector<double> g(size), lower(size), upper(size), x(size, 0.0), gradient(size), R(size * size);
    for (size_t i = 0; i < size; ++i) {
      g[i] = random.uniform(-4, 4);
      lower[i] = random.uniform(-1, -0.1);
      upper[i] = random.uniform(0.1, 1);
    }
    ASSERT_GE(solve_box({n, H.data(), g.data(), lower.data(), upper.data()}, x.data(), R.data(), nullptr), 0);
    multiply(n, n, H.data(), x.data(), gradient.data());
    for (size_t i = 0; i < size; ++i) {
      const double slope = gradient[i] + g[i];
      EXPECT_TRUE(x[i] >= lower[i] && x[i] <= upper[i]);
      EXPECT_TRUE(x[i] == lower[i] || slope < 1e-7) << slope;
      EXPECT_TRUE(x[i] == upper[i] || slope > -1e-7) << slope;
    }
  });
}

}  // namespace
}  // namespace torsor::linear
