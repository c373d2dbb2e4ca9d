// An error in one of many rows of numbers.
#pragma once

#include <cstddef>
#include <string>

#include "torsor/core/error.hpp"

namespace torsor {

class RowError : public Error {
 public:
  RowError(std::string argument, std::size_t row, std::string problem, int element = -1);

  const std::string& argument() const { return argument_; }  // "" for the converted numbers, if obvious
  std::size_t row() const { return row_; }
  int element() const { return element_; }  // of the row, -1 for the whole row
  const std::string& problem() const { return problem_; }

 private:
  std::string argument_, problem_;
  std::size_t row_;
  int element_;
};

}  // namespace torsor
