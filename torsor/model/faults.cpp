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
  if (!name.empty()) names_.emplace_back(name);
}

void Faults::add_section(std::string_view section) { sections_.emplace(section); }

bool Faults::has_element(const Location& where) const {
  return !elements_.empty() && where.line > 0 && elements_.contains(key_of(where));
}

bool Faults::may_explain(std::string_view missing_name) const {
  return incomplete_ || std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
           return missing_name.find(name) != std::string_view::npos;
         });
}

}  // namespace torsor
