// The page of web/, built into one file: HTML with its script and its style inside, and nothing to load.
#pragma once

#include <string_view>

namespace torsor::view {

// Without data it connects to the server that it came from; in a replay (replay.hpp) it plays what is in the file.
std::string_view page();

}  // namespace torsor::view
