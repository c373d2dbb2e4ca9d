// Sparse rows in two layouts, and matrices that are computed from the Jacobian on demand.
#include "torsor/constraint/csr.hpp"

#include <algorithm>

#include "torsor/constraint/constraint.hpp"

namespace torsor {
namespace {

// Addresses for the given numbers of entries, and room for them.
void lay_out(SparseRows& matrix, bool compressed) {
  const size_t rows = matrix.rownnz.size(), columns = static_cast<size_t>(matrix.columns);
  matrix.rowadr.resize(rows);
  int total = 0;
  for (size_t i = 0; i < rows; ++i) {
    matrix.rowadr[i] = compressed ? total : static_cast<int>(i * columns);
    total += matrix.rownnz[i];
  }
  const size_t room = compressed ? static_cast<size_t>(total) : rows * columns;
  matrix.colind.assign(room, 0);
  matrix.values.assign(room, 0);
}

// J is read row by row, so the columns of J' come out ascending.
SparseRows transposed_jacobian(const Data& data) {
  SparseRows result;
  result.columns = data.nefc;
  result.rownnz.assign(static_cast<size_t>(data.nv), 0);
  for (int k = 0; k < data.nJ; ++k) ++result.rownnz[static_cast<size_t>(data.efc_J_colind[k])];
  lay_out(result, true);
  std::vector<int> next = result.rowadr;
  for (int row = 0; row < data.nefc; ++row) {
    for (int k = data.efc_J_rowadr[row], end = k + data.efc_J_rownnz[row]; k < end; ++k) {
      const size_t place = static_cast<size_t>(next[static_cast<size_t>(data.efc_J_colind[k])]++);
      result.colind[place] = row;
      result.values[place] = data.efc_J[k];
    }
  }
  return result;
}

}  // namespace

SparseRows relaid(const SparseRows& matrix, bool compressed) {
  SparseRows result;
  result.columns = matrix.columns;
  result.rownnz = matrix.rownnz;
  lay_out(result, compressed);
  for (size_t i = 0; i < matrix.rownnz.size(); ++i) {
    std::copy_n(matrix.colind.begin() + matrix.rowadr[i], matrix.rownnz[i], result.colind.begin() + result.rowadr[i]);
    std::copy_n(matrix.values.begin() + matrix.rowadr[i], matrix.rownnz[i], result.values.begin() + result.rowadr[i]);
  }
  return result;
}

SparseRows jacobian_rows(const Data& data, bool transposed, bool compressed) {
  if (transposed) return relaid(transposed_jacobian(data), compressed);
  SparseRows result;
  result.columns = data.nv;
  result.rownnz.assign(data.efc_J_rownnz.begin(), data.efc_J_rownnz.end());
  result.rowadr.assign(data.efc_J_rowadr.begin(), data.efc_J_rowadr.end());
  result.colind.assign(data.efc_J_colind.begin(), data.efc_J_colind.end());
  result.values.assign(data.efc_J.begin(), data.efc_J.end());
  return relaid(result, compressed);
}

std::vector<double> regularised_delassus(const Model& model, const Data& data) {
  const size_t n = static_cast<size_t>(data.nefc);
  std::vector<double> A(n * n);
  delassus(model, data, A.data());
  for (size_t i = 0; i < n; ++i) A[i * n + i] += data.efc_R[static_cast<int>(i)];
  return A;
}

}  // namespace torsor
