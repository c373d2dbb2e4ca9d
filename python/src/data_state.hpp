// What pickles of a Data hold.
#pragma once

#include <utility>

#include "objects.hpp"

namespace torsor::python {

// The model and the values in what __getstate__() of a Data returned. Throws Error for anything else.
std::pair<nb::object, Data> data_from_state(const nb::tuple& state);

}  // namespace torsor::python
