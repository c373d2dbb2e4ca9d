// The version of the library.
#pragma once

namespace torsor {

// Of the library that runs, such as "0.1.0". A program that was built with other headers sees that they differ:
//   if (std::string_view(torsor::version()) != torsor::kHeaderVersion) ...
const char* version();

inline constexpr const char* kHeaderVersion = "0.1.0";

}  // namespace torsor
