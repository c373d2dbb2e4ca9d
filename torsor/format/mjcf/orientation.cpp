// Orientations, and attributes of which an element can have only one.
#include "torsor/format/mjcf/orientation.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace torsor::mjcf {
namespace {

bool read_quat(Number4& quat, const Value& value) {
  Number4 numbers{};
  if (read_numbers(numbers.data(), 4, 4, value, kExact) == 0) return false;
  if (std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0; })) {
    value.fail("must not be zero");
    return false;
  }
  quat = numbers;
  return true;
}

template <std::size_t N>
bool read_exactly(std::array<double, N>& out, const Value& value) {
  return read_numbers(out.data(), static_cast<int>(N), static_cast<int>(N), value, kExact) > 0;
}

}  // namespace

// Replaces the form that came from a default class.
void read_orientation(OrientationSpec& orientation, OrientationSpec::Form form, const Value& value) {
  using Form = OrientationSpec::Form;
  const bool given = form == Form::kQuat        ? read_quat(orientation.quat, value)
                     : form == Form::kAxisAngle ? read_exactly(orientation.axisangle, value)
                     : form == Form::kXyAxes    ? read_exactly(orientation.xyaxes, value)
                     : form == Form::kZAxis     ? read_exactly(orientation.zaxis, value)
                                                : read_exactly(orientation.euler, value);
  if (given) orientation.form = form;
}

Text write_orientation(const OrientationSpec& orientation, OrientationSpec::Form form,
                       const OrientationSpec* standard) {
  using Form = OrientationSpec::Form;
  if (orientation.form != form) return std::nullopt;
  const bool as_standard = standard && standard->form == form;
  const auto text = [&](auto member) -> Text {
    if (as_standard && same_value(orientation.*member, standard->*member)) return std::nullopt;
    return text_of(orientation.*member);
  };
  if (form == Form::kAxisAngle) return text(&OrientationSpec::axisangle);
  if (form == Form::kXyAxes) return text(&OrientationSpec::xyaxes);
  if (form == Form::kZAxis) return text(&OrientationSpec::zaxis);
  if (form == Form::kEuler) return text(&OrientationSpec::euler);
  return text(&OrientationSpec::quat);
}

void check_one_orientation(const Element& element, Report& report) {
  std::string_view first;
  for (const char* name : {"quat", "axisangle", "xyaxes", "zaxis", "euler"}) {
    if (element.text(name).find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    if (!first.empty()) {
      report.attribute_error(element, name,
                             fmt::format("'{}' and '{}' are two orientations of one {}", first, name, element.name()));
    }
    first = name;
  }
}

void check_exclusive(const Element& element, Report& report, std::initializer_list<const char*> names) {
  std::string_view first;
  for (const char* name : names) {
    if (!element.has(name)) continue;
    if (!first.empty())
      report.attribute_error(element, name, fmt::format("'{}' and '{}' are mutually exclusive", first, name));
    first = name;
  }
}

}  // namespace torsor::mjcf
