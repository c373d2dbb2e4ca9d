// Plain loops, for programs that use the engine; the engine's own kernels are in dense.hpp.
#include "torsor/math/linear.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/math/mat3.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor::linear {
namespace {

constexpr double kShortest = 1e-15;

ptrdiff_t at(int row, int columns, int column = 0) { return static_cast<ptrdiff_t>(row) * columns + column; }

template <class Spatial>
void store(const Spatial& moved, const double* R_FT, double out[6]) {
  double turned[6];
  store6(turned, moved);
  if (!R_FT) return copy(6, turned, out);
  for (const int half : {0, 3}) store3(out + half, transposed_mul(load9(R_FT), load3(turned + half)));
}

}  // namespace

void fill(int n, double value, double* x) { std::fill_n(x, n, value); }

void copy(int n, const double* x, double* y) {
  if (x != y) std::copy_n(x, n, y);
}

void scale(int n, double s, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] = s * x[i];
}

void add(int n, const double* a, const double* b, double* y) {
  for (int i = 0; i < n; ++i) y[i] = a[i] + b[i];
}

void subtract(int n, const double* a, const double* b, double* y) {
  for (int i = 0; i < n; ++i) y[i] = a[i] - b[i];
}

void add_scaled(int n, const double* a, double s, const double* b, double* y) {
  for (int i = 0; i < n; ++i) y[i] = a[i] + s * b[i];
}

double sum(int n, const double* x) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += x[i];
  return total;
}

double norm1(int n, const double* x) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += std::fabs(x[i]);
  return total;
}

double dot(int n, const double* a, const double* b) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += a[i] * b[i];
  return total;
}

double norm(int n, const double* x) { return std::sqrt(dot(n, x, x)); }

double normalize(int n, double* x) {
  const double length = norm(n, x);
  if (length >= kShortest) {
    scale(n, 1 / length, x, x);
  } else if (n > 0) {
    fill(n, 0, x);
    x[0] = 1;
  }
  return length;
}

void cross(const double a[3], const double b[3], double y[3]) {
  const Vec3<double> product = torsor::cross(load3(a), load3(b));
  store3(y, product);
}

void multiply(int rows, int columns, const double* A, const double* x, double* y) {
  for (int i = 0; i < rows; ++i) y[i] = dot(columns, A + at(i, columns), x);
}

void multiply_transposed(int rows, int columns, const double* A, const double* x, double* y) {
  fill(columns, 0, y);
  for (int i = 0; i < rows; ++i) add_scaled(columns, y, x[i], A + at(i, columns), y);
}

double bilinear(int n, const double* x, const double* A, const double* y) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += x[i] * dot(n, A + at(i, n), y);
  return total;
}

void transpose(int rows, int columns, const double* A, double* B) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) B[at(j, rows, i)] = A[at(i, columns, j)];
  }
}

void symmetrize(int n, const double* A, double* B) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) B[at(i, n, j)] = B[at(j, n, i)] = 0.5 * (A[at(i, n, j)] + A[at(j, n, i)]);
  }
}

void identity(int n, double* A) {
  fill(n * n, 0, A);
  for (int i = 0; i < n; ++i) A[at(i, n, i)] = 1;
}

void multiply_matrices(int rows, int columns, int columns_B, const double* A, const double* B, double* C) {
  for (int i = 0; i < rows; ++i) multiply_transposed(columns, columns_B, B, A + at(i, columns), C + at(i, columns_B));
}

void multiply_transposed_left(int rows, int columns, int columns_B, const double* A, const double* B, double* C) {
  fill(columns * columns_B, 0, C);
  for (int k = 0; k < rows; ++k) {
    for (int i = 0; i < columns; ++i) {
      double* row = C + at(i, columns_B);
      add_scaled(columns_B, row, A[at(k, columns, i)], B + at(k, columns_B), row);
    }
  }
}

void multiply_transposed_right(int rows, int columns, int rows_B, const double* A, const double* B, double* C) {
  for (int i = 0; i < rows; ++i) multiply(rows_B, columns, B, A + at(i, columns), C + at(i, rows_B));
}

void weighted_square(int rows, int columns, const double* A, const double* d, double* C) {
  fill(columns * columns, 0, C);
  for (int k = 0; k < rows; ++k) {
    const double* row_A = A + at(k, columns);
    for (int i = 0; i < columns; ++i) {
      double* row_C = C + at(i, columns);
      add_scaled(columns, row_C, (d ? d[k] : 1) * row_A[i], row_A, row_C);
    }
  }
}

int factor_cholesky(int n, double least, double* A) {
  int rank = n;
  for (int j = 0; j < n; ++j) {
    double* row_j = A + at(j, n);
    double pivot = row_j[j] - dot(j, row_j, row_j);
    if (!(pivot >= least)) {
      pivot = least;
      --rank;
    }
    row_j[j] = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      double* row_i = A + at(i, n);
      row_i[j] = (row_i[j] - dot(j, row_i, row_j)) / row_j[j];
    }
  }
  return rank;
}

void solve_cholesky(int n, const double* L, const double* b, double* x) {
  copy(n, b, x);
  for (int i = 0; i < n; ++i) x[i] = (x[i] - dot(i, L + at(i, n), x)) / L[at(i, n, i)];
  for (int i = n - 1; i >= 0; --i) {
    x[i] /= L[at(i, n, i)];
    add_scaled(i, x, -x[i], L + at(i, n), x);
  }
}

// One rotation (or hyperbolic rotation) per column moves x into L. [Golub and Van Loan, section 6.5.4]
int update_cholesky(int n, bool plus, double* x, double* L) {
  int rank = n;
  for (int k = 0; k < n; ++k) {
    double& diagonal = L[at(k, n, k)];
    double square = diagonal * diagonal + (plus ? 1 : -1) * x[k] * x[k];
    if (!(square >= kShortest)) {
      square = kShortest;
      --rank;
    }
    const double r = std::sqrt(square), c = r / diagonal, s = x[k] / diagonal;
    diagonal = r;
    for (int i = k + 1; i < n; ++i) {
      double& below = L[at(i, n, k)];
      below = (below + (plus ? s : -s) * x[i]) / c;
      x[i] = c * x[i] - s * below;
    }
  }
  return rank;
}

int make_sparse(int rows, int columns, const double* A, int capacity, int* rownnz, int* rowadr, int* colind,
                double* values) {
  const ptrdiff_t size = at(rows, columns);
  const int count = static_cast<int>(std::count_if(A, A + size, [](double x) { return x != 0; }));
  if (count > capacity) return count;
  int address = 0;
  for (int i = 0; i < rows; ++i) {
    rowadr[i] = address;
    for (int j = 0; j < columns; ++j) {
      if (A[at(i, columns, j)] == 0) continue;
      colind[address] = j;
      values[address++] = A[at(i, columns, j)];
    }
    rownnz[i] = address - rowadr[i];
  }
  return count;
}

void make_dense(const Sparse& A, double* dense) {
  fill(A.rows * A.columns, 0, dense);
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.rowadr[i]; k < A.rowadr[i] + A.rownnz[i]; ++k) dense[at(i, A.columns, A.colind[k])] = A.values[k];
  }
}

void multiply(const Sparse& A, const double* x, double* y) {
  for (int i = 0; i < A.rows; ++i) {
    double total = 0;
    for (int k = A.rowadr[i]; k < A.rowadr[i] + A.rownnz[i]; ++k) total += A.values[k] * x[A.colind[k]];
    y[i] = total;
  }
}

void multiply_transposed(const Sparse& A, const double* x, double* y) {
  fill(A.columns, 0, y);
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.rowadr[i]; k < A.rowadr[i] + A.rownnz[i]; ++k) y[A.colind[k]] += A.values[k] * x[i];
  }
}

void transform_motion(const double in[6], const double from[3], const double to[3], const double* R_FT, double out[6]) {
  store(load6(in).at(load3(to) - load3(from)), R_FT, out);
}

void transform_force(const double in[6], const double from[3], const double to[3], const double* R_FT, double out[6]) {
  store(load6_wrench(in).at(load3(to) - load3(from)), R_FT, out);
}

}  // namespace torsor::linear
