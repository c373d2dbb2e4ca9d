// Elements of MJCF that are known but not supported yet.
#pragma once

#include <span>
#include <string_view>

namespace torsor::mjcf {

struct RefusedElement {
  std::string_view parent;  // path in the schema
  std::string_view name;
  std::string_view section;  // entry of ReadOptions::ignore that leaves it out; "" if it cannot be left out
};

std::span<const RefusedElement> refused_elements();
const RefusedElement* find_refused(std::string_view parent, std::string_view name);

// Valid entries of ReadOptions::ignore besides kEverythingUnsupported.
std::span<const std::string_view> ignorable_sections();

// Entry of ReadOptions::ignore for every unsupported element, and nothing else.
inline constexpr std::string_view kEverythingUnsupported = "all";

// The entry of ReadOptions::ignore that leaves an element out without losing anything supported: its section if nothing
// in it is supported, otherwise kEverythingUnsupported.
std::string_view suggested_ignore(const RefusedElement& element);

// Whether objects of a type, as in <tuple>, can only come from unsupported elements.
bool is_refused_object(std::string_view objtype);

// The section that objects of a type belong to, as in <tuple>; "" for types that are supported.
std::string_view section_of_object(std::string_view objtype);

}  // namespace torsor::mjcf
