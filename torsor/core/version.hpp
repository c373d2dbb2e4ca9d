// The version of the library.
#pragma once

namespace torsor {

// Version of the library that is running, such as "0.1.0". A program can check that it was built with the same headers:
//   if (std::string_view(torsor::version()) != torsor::kHeaderVersion) ...
const char* version();

inline constexpr const char* kHeaderVersion = "0.1.0";

}  // namespace torsor
