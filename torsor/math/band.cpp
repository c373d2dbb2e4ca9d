// Row by row: each row of L needs the rows before it only where both have numbers.
#include "torsor/math/band.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "torsor/math/linear.hpp"

namespace torsor::linear {
void band_from_dense(const Band& shape, const double* A, double* stored) {
  std::fill_n(stored, shape.size(), 0.0);  // places left of the first rows stay 0
  for (int row = 0; row < shape.total; ++row)
    for (int column = shape.first(row); column <= row; ++column)
      stored[shape.at(row, column)] = A[static_cast<ptrdiff_t>(row) * shape.total + column];
}

void band_to_dense(const Band& shape, const double* stored, bool symmetric, double* A) {
  std::fill_n(A, static_cast<ptrdiff_t>(shape.total) * shape.total, 0.0);
  for (int row = 0; row < shape.total; ++row) {
    for (int column = shape.first(row); column <= row; ++column) {
      const double value = stored[shape.at(row, column)];
      A[static_cast<ptrdiff_t>(row) * shape.total + column] = value;
      if (symmetric) A[static_cast<ptrdiff_t>(column) * shape.total + row] = value;
    }
  }
}

void multiply_band(const Band& shape, const double* stored, const double* X, int count, bool symmetric, double* Y) {
  for (int k = 0; k < count; ++k) {
    const double* x = X + static_cast<ptrdiff_t>(k) * shape.total;
    double* y = Y + static_cast<ptrdiff_t>(k) * shape.total;
    for (int row = 0; row < shape.total; ++row) {
      const int first = shape.first(row);
      y[row] = dot(row + 1 - first, stored + shape.at(row, first), x + first);
    }
    for (int row = 0; symmetric && row < shape.total; ++row)
      for (int column = shape.first(row); column < row; ++column) y[column] += stored[shape.at(row, column)] * x[row];
  }
}

double factor_band(const Band& shape, double add, double multiply, double* stored) {
  double least = -1;
  for (int row = 0; row < shape.total; ++row) {
    double& diagonal = stored[shape.at(row, row)];
    diagonal += add + multiply * diagonal;
    const int first = shape.first(row);
    for (int column = first; column <= row; ++column) {
      const int from = std::max(first, shape.first(column));
      double& value = stored[shape.at(row, column)];
      value -= dot(column - from, stored + shape.at(row, from), stored + shape.at(column, from));
      if (column < row) {
        value /= stored[shape.at(column, column)];
      } else {
        if (!(value > 0)) return 0;
        least = least < 0 ? value : std::min(least, value);
        value = std::sqrt(value);
      }
    }
  }
  return least;
}

void solve_band(const Band& shape, const double* factor, const double* b, double* x) {
  if (x != b) std::copy_n(b, shape.total, x);
  for (int row = 0; row < shape.total; ++row) {
    const int first = shape.first(row);
    x[row] = (x[row] - dot(row - first, factor + shape.at(row, first), x + first)) / factor[shape.at(row, row)];
  }
  for (int row = shape.total - 1; row >= 0; --row) {
    x[row] /= factor[shape.at(row, row)];
    for (int column = shape.first(row); column < row; ++column) x[column] -= factor[shape.at(row, column)] * x[row];
  }
}

}  // namespace torsor::linear
