// The five ways to write an orientation, common to all elements that have one.
#pragma once

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

void read_orientation(OrientationSpec& orientation, OrientationSpec::Form form, const Value& value);
// The text of one form; nothing if the orientation has another form.
Text write_orientation(const OrientationSpec& orientation, OrientationSpec::Form form, const OrientationSpec* standard);

template <OrientationSpec::Form Form, class T>
void read_form(T& object, const Value& value) {
  read_orientation(object.orientation, Form, value);
}

template <OrientationSpec::Form Form, class T>
Text write_form(const T& object, const T* standard) {
  return write_orientation(object.orientation, Form, standard ? &standard->orientation : nullptr);
}

template <OrientationSpec::Form Form, class T>
inline constexpr Access<T> kForm{read_form<Form, T>, write_form<Form, T>};

// For elements with a field `orientation`.
template <class T>
inline constexpr Attribute<T> kOrientationAttributes[] = {
    {"quat", kForm<OrientationSpec::Form::kQuat, T>, "1", "quaternion wxyz, normalised"},
    {"axisangle", kForm<OrientationSpec::Form::kAxisAngle, T>, kAngle, "axis and angle"},
    {"xyaxes", kForm<OrientationSpec::Form::kXyAxes, T>, "1", "x axis, y axis"},
    {"zaxis", kForm<OrientationSpec::Form::kZAxis, T>, "1", "z axis, reached by the smallest rotation"},
    {"euler", kForm<OrientationSpec::Form::kEuler, T>, kAngle,
     "three angles about the axes of the compiler's eulerseq"},
};

template <class T>
Table<T> orientation_attributes() {
  return kOrientationAttributes<T>;
}

// More than one orientation is an error.
void check_one_orientation(const Element& element, Report& report);

}  // namespace torsor::mjcf
