// Numbers in readable form.
#pragma once

#include <cstdint>
#include <string>

namespace torsor::cli {

std::string format_number(double value);      // "0.0123457": six significant digits, no trailing zeros
std::string format_count(int64_t value);      // "1,234,567"
std::string format_duration(double seconds);  // "3.21 us", "12.3 ms", "4.56 s", "3 min 20 s"
std::string format_rate(double per_second);   // "216 k", "1.23 M"
std::string format_plural(int64_t count, const char* one, const char* many);  // "1 body", "2 bodies"
std::string format_bytes(size_t bytes);                                       // "12.3 kB"
std::string format_factor(double factor);                                     // "432x", "0.85x"
std::string format_vector(const double* values, int count);                   // "0 0.1 -0.25"

}  // namespace torsor::cli
