// Islands of one row, such as an arm at one of its limits: the minimum is known in closed form.
#pragma once

#include "torsor/constraint/islands.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {

// Solves an island that has one row exactly: qacc, qfrc_constraint, efc_force and efc_state, and in `solution` and
// `statistic` what an iteration of Newton's method from qacc_smooth would report. False, with nothing written, where
// the island has more rows, the solver is another one, or a number is bad: then the general solver has to be asked.
bool solve_single_row(const Model& model, Data& data, const Islands& islands, int index, solver::Solution& solution,
                      solver::Statistic& statistic);

}  // namespace torsor
