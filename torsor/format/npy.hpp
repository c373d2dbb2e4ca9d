// NumPy's format for one array: a Python dict that describes it, then its numbers. [NumPy enhancement proposal 1]
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torsor {

// Numbers of any type as double, in C order; or texts.
struct NpyArray {
  std::vector<size_t> shape{};
  std::vector<double> numbers{};
  std::vector<std::string> texts{};  // UTF-8
  bool is_text = false;

  size_t size() const { return is_text ? texts.size() : numbers.size(); }
  size_t length() const { return shape.empty() ? 1 : shape[0]; }  // along the first axis
};

std::string to_text(const std::vector<size_t>& shape);  // "(3, 7)"

// Little-endian numbers (integers, booleans, float16, float32, float64) and texts of fixed length. Throws an Error for
// others: an array of Python objects is a pickle, and is not read.
NpyArray parse_npy_array(std::string_view bytes, const std::string& file = "array");

// float64, or texts.
std::string format_npy_array(const NpyArray& array);

}  // namespace torsor
