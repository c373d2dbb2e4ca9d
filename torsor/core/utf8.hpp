// Text that comes from a file is UTF-8, or made so before it is shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torsor {

bool is_utf8(std::string_view text);

// The text with a question mark for each byte that is not UTF-8.
std::string to_utf8(std::string_view text);

// At most `most` bytes of the text, with question marks for control characters too.
std::string printable(std::string_view text, std::size_t most);

}  // namespace torsor
