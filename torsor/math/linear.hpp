// Vectors, row-major matrices and sparse matrices in plain memory, for programs that use the engine. Sizes come first,
// results last. Functions of vectors may write where they read; results of matrix functions must lie apart from their
// arguments.
#pragma once

#include <cstddef>

namespace torsor::linear {

// --- vectors of n numbers ----------------------------------------------------------------------------------------
void fill(int n, double value, double* x);                                      // x = value
void copy(int n, const double* x, double* y);                                   // y = x
void scale(int n, double s, const double* x, double* y);                        // y = s x
void add(int n, const double* a, const double* b, double* y);                   // y = a + b
void subtract(int n, const double* a, const double* b, double* y);              // y = a - b
void add_scaled(int n, const double* a, double s, const double* b, double* y);  // y = a + s b
double sum(int n, const double* x);
double norm1(int n, const double* x);  // sum of absolute values
double norm(int n, const double* x);   // Euclidean
double dot(int n, const double* a, const double* b);
// Normalises x and returns its former length; a vector shorter than 1e-15 becomes (1, 0, ...).
double normalize(int n, double* x);
void cross(const double a[3], const double b[3], double y[3]);

// --- matrices by rows: element (i, j) of a rows x columns matrix is A[i * columns + j] ----------------------------
void multiply(int rows, int columns, const double* A, const double* x, double* y);             // y = A x
void multiply_transposed(int rows, int columns, const double* A, const double* x, double* y);  // y = A' x
double bilinear(int n, const double* x, const double* A, const double* y);                     // x' A y
void transpose(int rows, int columns, const double* A, double* B);                             // B = A'
void symmetrize(int n, const double* A, double* B);                                            // B = (A + A') / 2
void identity(int n, double* A);
// C = A B, C = A' B and C = A B'. The sizes are those of A, and the free size of B.
void multiply_matrices(int rows, int columns, int columns_B, const double* A, const double* B, double* C);
void multiply_transposed_left(int rows, int columns, int columns_B, const double* A, const double* B, double* C);
void multiply_transposed_right(int rows, int columns, int rows_B, const double* A, const double* B, double* C);
void weighted_square(int rows, int columns, const double* A, const double* d,
                     double* C);  // C = A' diag(d) A; d null: 1

// --- positive definite matrices -----------------------------------------------------------------------------------
// A = L L' in the lower triangle of A; the upper one stays. Pivots below `least` become `least`; returns the rank,
// which is n less the number of those.
int factor_cholesky(int n, double least, double* A);
void solve_cholesky(int n, const double* L, const double* b, double* x);  // x = (L L')^-1 b; x may be b
// L of L L' + x x', or of L L' - x x'. Overwrites x. Returns the rank as factor_cholesky() does.
int update_cholesky(int n, bool plus, double* x, double* L);

// --- sparse rows: the k-th number of row i is values[rowadr[i] + k], in column colind[rowadr[i] + k] ---------------
struct Sparse {
  int rows = 0, columns = 0;
  const int *rownnz = nullptr, *rowadr = nullptr, *colind = nullptr;
  const double* values = nullptr;
};
// Compressed rows of all numbers of A that are not zero; returns how many these are. With more than `capacity`, nothing
// is written and only the count is returned, so that a first call with 0 gives the size.
int make_sparse(int rows, int columns, const double* A, int capacity, int* rownnz, int* rowadr, int* colind,
                double* values);
void make_dense(const Sparse& A, double* dense);
void multiply(const Sparse& A, const double* x, double* y);             // y = A x
void multiply_transposed(const Sparse& A, const double* x, double* y);  // y = A' x

// --- spatial vectors: rotation, then translation ------------------------------------------------------------------
// A motion (angular and linear velocity) or a force (torque and force) that is given at the point `from`, read at the
// point `to`. Both points and `in` are in the same axes; the result is in the axes of R_FT (rotation from the new axes
// to the old, by rows), or in the old axes where that is null.
void transform_motion(const double in[6], const double from[3], const double to[3], const double* R_FT, double out[6]);
void transform_force(const double in[6], const double from[3], const double to[3], const double* R_FT, double out[6]);

}  // namespace torsor::linear
