// Options that contradict each other or are invalid.
#pragma once

#include <string>

#include "torsor/model/model.hpp"

namespace torsor {

// What is wrong with the options and how to fix it; "" if they are valid.
std::string settings_problem(const Option& option);

// Throws Error for such options. Steps and forward dynamics call this, since options are editable.
void require_settings(const Model& model);

}  // namespace torsor
