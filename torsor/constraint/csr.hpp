// The Jacobian of the rows in other forms, on demand; these allocate.
#pragma once

#include <vector>

#include "torsor/model/data.hpp"

namespace torsor {

// Rows of a sparse matrix. Compressed: one after the other. Uncompressed: row i begins at i times `columns`.
struct SparseRows {
  int columns = 0;
  std::vector<int> rownnz, rowadr, colind;
  std::vector<double> values;
};

// J (nefc x nv), or J' (nv x nefc).
SparseRows jacobian_rows(const Data& data, bool transposed, bool compressed);

// The same matrix in the other layout.
SparseRows relaid(const SparseRows& matrix, bool compressed);

// J M^-1 J' + R, nefc x nefc by rows.
std::vector<double> regularised_delassus(const Model& model, const Data& data);

}  // namespace torsor
