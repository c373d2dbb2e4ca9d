// Limits the memory of a model while it is read: its elements, and the many copies that a few lines can request.
#pragma once

#include <cstdint>
#include <string_view>

#include "torsor/core/count.hpp"
#include "torsor/format/mjcf/report.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

class Budget {
 public:
  explicit Budget(std::int64_t bytes) : limit_(bytes) {}

  // Adds to the total. Returns whether it is still within the limit.
  bool add(Count bytes);
  // Stops reading with an error at `where`.
  void fail(const Location& where, std::string_view what, Report& report) const;
  // add(), and fail() if it exceeds the limit.
  void take(Count bytes, const Location& where, std::string_view what, Report& report);
  void take_elements(Count elements, const Location& where, std::string_view what, Report& report);

 private:
  std::int64_t limit_;
  Count used_;
};

// Approximate number of bytes of an element: in the Spec, while it is compiled, and in the Model.
constexpr int kBytesPerElement = 2048;

// Bytes of one element; activations of an actuator also count in every keyframe.
template <class T>
Count weigh_element(const T& element) {
  if constexpr (requires { element.actdim; }) return Count(kBytesPerElement) + Count(64) * Count(element.actdim);
  return kBytesPerElement;
}

// Approximate number of bytes of a Spec.
Count weigh(const Spec& spec);
// Elements of one body, itself included.
Count count_elements(const BodySpec& body);

}  // namespace torsor::mjcf
