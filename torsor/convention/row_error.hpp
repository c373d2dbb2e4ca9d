// What is wrong with one of many rows of numbers.
#pragma once

#include <cstddef>
#include <string>

#include "torsor/core/error.hpp"

namespace torsor {

class RowError : public Error {
 public:
  RowError(std::string argument, std::size_t row, std::string problem, int element = -1);

  const std::string& argument() const { return argument_; }  // "" for what is converted, where that goes without saying
  std::size_t row() const { return row_; }
  int element() const { return element_; }  // of the row, -1 if it is about the row as a whole
  const std::string& problem() const { return problem_; }

 private:
  std::string argument_, problem_;
  std::size_t row_;
  int element_;
};

}  // namespace torsor
