// The five ways of writing an orientation, the same for every element that has one.
#pragma once

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

void read_orientation(OrientationSpec& orientation, OrientationSpec::Form form, const Value& value);

template <OrientationSpec::Form Form, class T>
void read_form(T& object, const Value& value) {
  read_orientation(object.orientation, Form, value);
}

// For elements with a field `orientation`.
template <class T>
inline constexpr Attribute<T> kOrientationAttributes[] = {
    {"quat", read_form<OrientationSpec::Form::kQuat>, "1", "quaternion wxyz, made unit length"},
    {"axisangle", read_form<OrientationSpec::Form::kAxisAngle>, kAngle, "axis and angle"},
    {"xyaxes", read_form<OrientationSpec::Form::kXyAxes>, "1", "x axis, y axis"},
    {"zaxis", read_form<OrientationSpec::Form::kZAxis>, "1", "z axis, reached by the smallest rotation"},
    {"euler", read_form<OrientationSpec::Form::kEuler>, kAngle,
     "three angles about the axes of the compiler's eulerseq"},
};

template <class T>
Table<T> orientation_attributes() {
  return kOrientationAttributes<T>;
}

// Two ways at once are an error.
void check_one_orientation(const Element& element, Report& report);

}  // namespace torsor::mjcf
