// Rows of a Data as the solvers want them.
#pragma once

#include "torsor/model/data.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor {

// The cones of the elliptic contacts among the given rows, whose places in the list are those of the rows; their
// number.
int gather_cones(const Data& data, const int* row, int count, solver::Cone* cones);

// All rows in their own order; cones are in scratch. False when scratch ran out.
bool whole_rows(const Model& model, Data& data, solver::Rows& rows);

}  // namespace torsor
