// Options that do not fit each other or have no meaning.
#pragma once

#include <string>

#include "torsor/model/model.hpp"

namespace torsor {

inline bool is_sap(const Option& option) { return option.solver == static_cast<int>(SolverType::kSap); }

// What is wrong with the options and what to do about it, "" when nothing is.
std::string settings_problem(const Option& option);

// Throws Error for such options. Steps and forward dynamics ask, since options are editable.
void require_settings(const Model& model);

}  // namespace torsor
