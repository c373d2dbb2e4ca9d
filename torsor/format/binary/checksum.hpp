// The 64-bit checksum at the end of a binary model.
#pragma once

#include <cstdint>
#include <string_view>

namespace torsor {

// Every step is a bijection of the running value, so bytes that differ in one place always differ in their checksum.
uint64_t checksum(std::string_view bytes);

}  // namespace torsor
