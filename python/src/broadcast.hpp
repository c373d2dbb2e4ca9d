// Functions over rows of numbers, such as (..., 4), with NumPy's rules of broadcasting over the axes before the row.
// Strided arrays are not copied; the GIL is released for large ones.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "arrays.hpp"

namespace torsor::python {

// One argument: its name in messages, its value, and the shape of a row: {4}, {3, 3}, or {} for a number.
struct RowsArgument {
  const char* name;
  nb::handle value;
  Shape row_shape;
};

// The arguments of a kernel: `count` rows of each input, `stride` numbers apart, and the place of each result.
struct RowsRun {
  std::vector<const double*> in;
  std::vector<std::ptrdiff_t> stride;
  std::vector<double*> out;  // contiguous rows
  std::size_t count;
};

// One array per result, of shape (broadcast shape of the arguments, row shape); a number if that is ().
// A RowError of the kernel becomes an Error that names the index in the caller's array.
std::vector<nb::object> map_rows(const std::vector<RowsArgument>& arguments, const std::vector<Shape>& results,
                                 const std::function<void(const RowsRun&)>& kernel);

}  // namespace torsor::python
