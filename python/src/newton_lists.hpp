// The lists of a newton::ModelBuilder by their names, as Python values.
#pragma once

#include <string>
#include <vector>

#include "bindings.hpp"
#include "torsor/bridge/newton/builder.hpp"

namespace torsor::python {

std::vector<std::string> list_names();
nb::object get_list(const newton::ModelBuilder& builder, const std::string& name);
// Throws torsor::Error unless the length is the same.
void set_list(newton::ModelBuilder& builder, const std::string& name, nb::handle values);

}  // namespace torsor::python
