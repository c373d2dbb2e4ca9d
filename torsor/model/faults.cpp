// Places and names of what is wrong.
#include "torsor/model/faults.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace torsor {
namespace {

std::string key_of(const Location& where) { return fmt::format("{}:{}:{}", where.line, where.column, where.file); }

}  // namespace

void Faults::add_element(const Location& where) {
  if (where.line > 0) elements_.insert(key_of(where));
}

void Faults::add_name(std::string_view name) {
  if (!name.empty()) names_.emplace(name);
}

void Faults::add_prefix(std::string_view prefix) {
  if (!prefix.empty()) prefixes_.emplace_back(prefix);
}

void Faults::add_section(std::string_view section) { sections_.emplace(section); }

bool Faults::has_element(const Location& where) const {
  return !elements_.empty() && where.line > 0 && elements_.contains(key_of(where));
}

bool Faults::may_explain(std::string_view missing_name) const {
  const auto is_start = [&](const std::string& prefix) { return missing_name.starts_with(prefix); };
  const auto is_original = [&](const std::string& name) { return is_start(name) || missing_name.ends_with(name); };
  return incomplete_ || names_.contains(std::string(missing_name)) ||
         std::any_of(prefixes_.begin(), prefixes_.end(), is_start) ||
         (copies_ && std::any_of(names_.begin(), names_.end(), is_original));
}

}  // namespace torsor
