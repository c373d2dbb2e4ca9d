// Broadcasting: from arrays of any shape to runs of rows with a constant stride.
#include "broadcast.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/convention/rotation_rows.hpp"
#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

constexpr std::size_t kManyRows = 1000;  // from this size on, the GIL is released
constexpr std::ptrdiff_t kNumber = sizeof(double);

std::size_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

// The position of an element, given its flat index in C order.
Shape unravel(std::size_t flat, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t k = shape.size(); k-- > 0; flat /= shape[k]) index[k] = flat % shape[k];
  return index;
}

// The caller's numbers through the buffer protocol, whatever their strides.
class StridedMemory {
 public:
  StridedMemory() = default;
  ~StridedMemory() { close(); }
  StridedMemory(const StridedMemory&) = delete;
  StridedMemory& operator=(const StridedMemory&) = delete;

  bool open(nb::handle array) {
    close();
    is_open_ = PyObject_CheckBuffer(array.ptr()) &&
               PyObject_GetBuffer(array.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_STRIDES) == 0;
    if (!is_open_) PyErr_Clear();
    return is_open_ && buffer_.format && std::strcmp(buffer_.format, "d") == 0;
  }
  const double* data() const { return static_cast<const double*>(buffer_.buf); }
  Shape shape() const { return Shape(buffer_.shape, buffer_.shape + buffer_.ndim); }
  std::ptrdiff_t stride(std::size_t axis) const { return buffer_.strides[axis]; }  // in bytes

  // Whether rows are contiguous and aligned.
  bool has_rows(std::size_t row_axes) const {
    if (buffer_.len == 0) return true;
    if (reinterpret_cast<std::uintptr_t>(buffer_.buf) % alignof(double) != 0) return false;
    std::ptrdiff_t expected = kNumber;
    const std::size_t axes = static_cast<std::size_t>(buffer_.ndim);
    for (std::size_t k = axes; k-- > 0;) {
      if (buffer_.strides[k] % kNumber != 0) return false;
      if (k + row_axes < axes) continue;
      if (buffer_.strides[k] != expected) return false;
      expected *= buffer_.shape[k];
    }
    return true;
  }

 private:
  void close() {
    if (is_open_) PyBuffer_Release(&buffer_);
    is_open_ = false;
  }
  Py_buffer buffer_{};
  bool is_open_ = false;
};

// An argument with its leading axes, that is, those before the row.
class Rows {
 public:
  explicit Rows(const RowsArgument& argument) : name_(argument.name), row_shape_(argument.row_shape) {
    array_ = nb::borrow(argument.value);
    if (!memory_.open(array_) && !memory_.open(array_ = as_numbers(argument.value)))
      fail("expected an array of numbers");
    const Shape shape = memory_.shape();
    const std::size_t row_axes = row_shape_.size();
    if (shape.size() < row_axes || !std::equal(row_shape_.begin(), row_shape_.end(), shape.end() - row_axes))
      fail(fmt::format("expected shape (..., {}), got {}", fmt::join(row_shape_, ", "), to_text(shape)));
    if (!memory_.has_rows(row_axes)) memory_.open(array_ = array_.attr("copy")());
    leading_.assign(shape.begin(), shape.end() - row_axes);
  }

  const char* name() const { return name_; }
  const Shape& leading() const { return leading_; }
  const Shape& row_shape() const { return row_shape_; }
  const double* data() const { return memory_.data(); }

  // The stride along an axis of the broadcast shape, in numbers: 0 if this argument is repeated.
  std::ptrdiff_t stride(std::size_t axis, std::size_t axes) const {
    if (axis + leading_.size() < axes) return 0;
    const std::size_t own = axis + leading_.size() - axes;
    return leading_[own] == 1 ? 0 : memory_.stride(own) / kNumber;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Error(fmt::format("{}: {}", name_, message)); }

  nb::object as_numbers(nb::handle value) const {
    if (value.is_none()) fail("expected an array of numbers, got None");
    try {
      const nb::module_ numpy = nb::module_::import_("numpy");
      return numpy.attr("require")(value, numpy.attr("float64"), "A");
    } catch (nb::python_error&) {
      fail("expected an array of numbers");
    }
  }

  const char* name_;
  Shape row_shape_, leading_;
  nb::object array_;
  StridedMemory memory_;
};

using Arguments = std::vector<std::unique_ptr<Rows>>;

Shape broadcast_shape(const Arguments& arguments) {
  Shape result;
  for (const auto& argument : arguments) {
    const Shape& shape = argument->leading();
    if (shape.size() > result.size()) result.insert(result.begin(), shape.size() - result.size(), 1);
    for (std::size_t k = 0; k < shape.size(); ++k) {
      std::size_t& size = result[result.size() - shape.size() + k];
      if (size != 1 && shape[k] != 1 && size != shape[k]) {
        std::vector<std::string> shapes;
        for (const auto& each : arguments)
          shapes.push_back(fmt::format("{} {}", each->name(), to_text(each->leading())));
        throw Error(
            fmt::format("shapes before the last axes cannot be broadcast together: {}", fmt::join(shapes, ", ")));
      }
      if (size == 1) size = shape[k];
    }
  }
  return result;
}

// The axes of the broadcast shape; axes that every argument traverses with one stride are merged.
struct Walk {
  Shape shape;
  std::vector<std::vector<std::ptrdiff_t>> strides;  // by axis, by argument
};
Walk make_walk(const Arguments& arguments, const Shape& shape) {
  Walk walk;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) continue;
    std::vector<std::ptrdiff_t> strides;
    for (const auto& argument : arguments) strides.push_back(argument->stride(k, shape.size()));
    const auto goes_on = [&](std::ptrdiff_t outer, std::ptrdiff_t inner) {
      return outer == inner * static_cast<std::ptrdiff_t>(shape[k]);
    };
    if (!walk.shape.empty() &&
        std::equal(walk.strides.back().begin(), walk.strides.back().end(), strides.begin(), goes_on)) {
      walk.shape.back() *= shape[k];
      walk.strides.back() = strides;
    } else {
      walk.shape.push_back(shape[k]);
      walk.strides.push_back(strides);
    }
  }
  if (walk.shape.empty()) {
    walk.shape.push_back(1);
    walk.strides.emplace_back(arguments.size(), 0);
  }
  return walk;
}

// "quat[3, 1]: has length 2", with the index in the caller's own array.
std::string describe_row(const RowError& error, std::size_t row, const Arguments& arguments, const Shape& shape) {
  const auto is_named = [&](const auto& argument) { return argument->name() == error.argument(); };
  const auto found = std::find_if(arguments.begin(), arguments.end(), is_named);
  const Rows& argument = found == arguments.end() ? *arguments.front() : **found;  // a kernel may use another name
  const Shape all = unravel(row, shape);
  Shape index(all.end() - static_cast<std::ptrdiff_t>(argument.leading().size()), all.end());
  for (std::size_t k = 0; k < index.size(); ++k)
    if (argument.leading()[k] == 1) index[k] = 0;
  if (error.element() >= 0) {
    const Shape element = unravel(static_cast<std::size_t>(error.element()), argument.row_shape());
    index.insert(index.end(), element.begin(), element.end());
  }
  if (index.empty()) return fmt::format("{}: {}", argument.name(), error.problem());
  return fmt::format("{}[{}]: {}", argument.name(), fmt::join(index, ", "), error.problem());
}

void run(const Arguments& arguments, const Shape& shape, const std::vector<double*>& out,
         const std::vector<std::size_t>& widths, const std::function<void(const RowsRun&)>& kernel) {
  const Walk walk = make_walk(arguments, shape);
  const std::size_t total = product(shape), length = walk.shape.back();
  const Shape outer(walk.shape.begin(), walk.shape.end() - 1);
  RowsRun rows{std::vector<const double*>(arguments.size()), walk.strides.back(), out, length};
  for (std::size_t start = 0, turn = 0; start < total; start += length, ++turn) {
    const Shape index = unravel(turn, outer);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      rows.in[i] = arguments[i]->data();
      for (std::size_t k = 0; k < index.size(); ++k)
        rows.in[i] += static_cast<std::ptrdiff_t>(index[k]) * walk.strides[k][i];
    }
    for (std::size_t i = 0; i < out.size(); ++i) rows.out[i] = out[i] + start * widths[i];
    try {
      kernel(rows);
    } catch (const RowError& error) {
      throw Error(describe_row(error, start + error.row(), arguments, shape));
    }
  }
}

}  // namespace

std::vector<nb::object> map_rows(const std::vector<RowsArgument>& arguments, const std::vector<Shape>& results,
                                 const std::function<void(const RowsRun&)>& kernel) {
  Arguments rows;
  for (const RowsArgument& argument : arguments) rows.push_back(std::make_unique<Rows>(argument));
  const Shape shape = broadcast_shape(rows);
  std::vector<nb::object> arrays;
  std::vector<double*> out;
  std::vector<std::size_t> widths;
  for (const Shape& row_shape : results) {
    Shape whole = shape;
    whole.insert(whole.end(), row_shape.begin(), row_shape.end());
    const Output output("", nb::borrow<OptionalArray>(nb::none()), whole);
    arrays.push_back(output.array());
    out.push_back(output.data());
    widths.push_back(product(row_shape));
  }
  if (product(shape) < kManyRows) {
    run(rows, shape, out, widths, kernel);
  } else {
    const nb::gil_scoped_release others_may_run;
    run(rows, shape, out, widths, kernel);
  }
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (shape.empty() && results[i].empty()) arrays[i] = arrays[i].attr("item")();
  return arrays;
}

}  // namespace torsor::python
