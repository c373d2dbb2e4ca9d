#include "describe.hpp"

#include <fmt/format.h>

namespace torsor::python {

namespace nb = nanobind;

nb::str describe(nb::handle self, const std::vector<std::string>& names, std::string title) {
  if (title.empty()) title = nb::str(self.type().attr("__name__")).c_str();
  std::string text = "<" + title;
  for (const std::string& name : names)
    text += fmt::format("\n  {}: {}", name, nb::repr(self.attr(name.c_str())).c_str());
  return to_str(text + "\n>");
}

namespace {

nb::object enum_class(const char* name) { return nb::module_::import_("torsor._core").attr(name); }

}  // namespace

std::string flag_names(const char* enum_name, int bits) {
  std::string text;
  for (nb::handle flag : enum_class(enum_name)) {
    if ((bits & nb::cast<int>(nb::int_(flag))) == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : " | ", nb::str(flag.attr("name")).c_str());
  }
  return text;
}

std::string value_name(const char* enum_name, int value) {
  for (nb::handle each : enum_class(enum_name)) {
    if (nb::cast<int>(nb::int_(each)) == value) return nb::str(each.attr("name")).c_str();
  }
  return "";
}

}  // namespace torsor::python
