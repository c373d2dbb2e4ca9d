// Text that comes from a file is UTF-8, or made so before it is shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torsor::mjcf {

bool is_utf8(std::string_view text);

// At most `most` bytes of the text, with a question mark for each byte that is not UTF-8, and for control characters.
std::string printable(std::string_view text, std::size_t most);

}  // namespace torsor::mjcf
