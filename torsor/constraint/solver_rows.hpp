// The rows of a Data in the form that the solvers use.
#pragma once

#include "torsor/model/data.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor {

// The cones of the elliptic contacts among the given rows, addressed by position in the list of rows. Returns their
// number.
int gather_cones(const Data& data, const int* row, int count, solver::Cone* cones);

// All rows in their own order; cones are in scratch. False when scratch ran out.
bool whole_rows(const Model& model, Data& data, solver::Rows& rows);

}  // namespace torsor
