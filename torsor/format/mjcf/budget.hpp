// What a model may take while it is read: elements, and the copies that a few lines can ask for.
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

  // Whether the model stays small enough with so much more.
  bool add(Count bytes);
  // Stops reading with an error at `where`.
  void fail(const Location& where, std::string_view what, Report& report) const;
  // Both.
  void take(Count bytes, const Location& where, std::string_view what, Report& report);
  void take_elements(Count elements, const Location& where, std::string_view what, Report& report);

 private:
  std::int64_t limit_;
  Count used_;
};

// About the bytes that an element takes in the Spec, while it is compiled, and in the Model.
constexpr int kBytesPerElement = 2048;

// The bytes of one element; activations of an actuator are numbers of every keyframe, too.
template <class T>
Count weigh_element(const T& element) {
  if constexpr (requires { element.actdim; }) return Count(kBytesPerElement) + Count(64) * Count(element.actdim);
  return kBytesPerElement;
}

// About the bytes of a Spec.
Count weigh(const Spec& spec);
// Elements of one body, itself included.
Count count_elements(const BodySpec& body);

}  // namespace torsor::mjcf
