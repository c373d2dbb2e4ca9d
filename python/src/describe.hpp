// repr() of objects with many attributes: one line each.
#pragma once

#include <string>
#include <vector>

#include "text.hpp"

namespace torsor::python {

// "<Title", then a line "  name: value" for each attribute, then ">". The title is the class unless one is given.
nanobind::str describe(nanobind::handle self, const std::vector<std::string>& names, std::string title = {});

// The names of the bits of a flag enum of the module that are set, such as "CONTACT | GRAVITY"; "" for none.
std::string flag_names(const char* enum_name, int bits);
// The name of a value of an enum of the module, "" without one.
std::string value_name(const char* enum_name, int value);

}  // namespace torsor::python
