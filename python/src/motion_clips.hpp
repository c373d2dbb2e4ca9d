// MotionClip in Python: the engine's clip, and its arrays as NumPy views of its memory.
#pragma once

#include <nanobind/ndarray.h>

#include "arrays.hpp"
#include "torsor/format/motion/clip.hpp"

namespace torsor::python {

using ClipArray = nb::ndarray<nb::numpy, double>;

// A view of numbers that `owner` keeps alive.
inline ClipArray view_of(const double* numbers, std::initializer_list<size_t> shape, nb::handle owner) {
  return ClipArray(const_cast<double*>(numbers), shape.size(), shape.begin(), owner);
}
// A new array that owns its numbers.
ClipArray array_of(std::vector<double> numbers, std::initializer_list<size_t> shape);

// Numbers of any array-like, with checks of the shape: `width` 0 accepts any.
std::vector<double> numbers_of_rows(const char* name, nb::handle value, size_t& rows, size_t& width);

// A list of numbers.
std::vector<double> numbers_of_row(const char* name, nb::handle value);

void bind_clip_operations(nb::class_<MotionClip>& cls);  // edits, kinematics, comparison
void bind_motion_library(nb::module_& m);
void bind_embodiments(nb::module_& m);

}  // namespace torsor::python
