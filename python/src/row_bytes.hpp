// Contacts, rows and their solution as bytes, for pickles of a Data.
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/data.hpp"

namespace torsor::python {

std::string rows_to_bytes(const Data& data);
// False, and no rows, when the bytes are not of the lengths that they claim. What they hold is not looked at:
// find_fault() of torsor/model/check.hpp does that.
bool rows_from_bytes(Data& data, std::string_view bytes);

}  // namespace torsor::python
