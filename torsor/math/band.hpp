// Symmetric positive definite matrices with a band around the diagonal and a few dense rows at the end ("arrow"), as
// trajectory optimisation has them. Only the lower triangle is stored: first the `total - dense` rows of the band, each
// `band` numbers whose last is the diagonal, then the dense rows, each `total` numbers.
#pragma once

namespace torsor::linear {

struct Band {
  int total = 0, band = 0, dense = 0;  // size of the matrix; numbers per row of the band; dense rows at the end

  int banded() const { return total - dense; }
  int size() const { return banded() * band + dense * total; }
  // The first column of a row, and the place of element (row, column) in the storage.
  int first(int row) const { return row < banded() ? (row < band - 1 ? 0 : row - band + 1) : 0; }
  int at(int row, int column) const {
    return row < banded() ? row * band + band - 1 - row + column : banded() * band + (row - banded()) * total + column;
  }
};

void band_from_dense(const Band& shape, const double* A, double* stored);
// Only the lower triangle, or both with `symmetric`.
void band_to_dense(const Band& shape, const double* stored, bool symmetric, double* A);
// Y = A X for `count` vectors, one per row of X and Y.
void multiply_band(const Band& shape, const double* stored, const double* X, int count, bool symmetric, double* Y);
// A = L L' in place, after adding `add + multiply * diagonal` to the diagonal. Returns the smallest pivot; 0 if it is
// not positive, and then the result is not a factor.
double factor_band(const Band& shape, double add, double multiply, double* stored);
void solve_band(const Band& shape, const double* factor, const double* b, double* x);  // x = (L L')^-1 b; x may be b

}  // namespace torsor::linear
