// Contacts, rows and their solution as bytes, for pickles of a Data.
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/data.hpp"

namespace torsor::python {

std::string rows_to_bytes(const Data& data);
// False, without rows, if the bytes do not have the lengths that they claim. Their contents are not checked here, but
// by find_fault() of torsor/model/check.hpp.
bool rows_from_bytes(Data& data, std::string_view bytes);

}  // namespace torsor::python
