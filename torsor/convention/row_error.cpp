#include "torsor/convention/row_error.hpp"

#include <utility>

#include <fmt/format.h>

namespace torsor {
namespace {

std::string describe(const std::string& argument, std::size_t row, const std::string& problem, int element) {
  return fmt::format("{}{}row {}{}: {}", argument, argument.empty() ? "" : ", ", row,
                     element < 0 ? "" : fmt::format(", element {}", element), problem);
}

}  // namespace

RowError::RowError(std::string argument, std::size_t row, std::string problem, int element)
    : Error(describe(argument, row, problem, element)),
      argument_(std::move(argument)),
      problem_(std::move(problem)),
      row_(row),
      element_(element) {}

}  // namespace torsor
