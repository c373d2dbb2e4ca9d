// Rules of the field lists in words, for errors and reference pages.
#include "torsor/model/value_range.hpp"

#include <fmt/format.h>

namespace torsor {
namespace {

// What is between the first '(' and the last ')'.
std::string_view arguments_of(std::string_view rule) {
  const size_t open = rule.find('('), close = rule.rfind(')');
  return open == rule.npos ? std::string_view() : rule.substr(open + 1, close - open - 1);
}

// Source that readers need not see: std::max({a, b}) and scopes of enumerators.
std::string plain(std::string_view text) {
  std::string result(text);
  const auto replace = [&result](std::string_view from, std::string_view to) {
    for (size_t at = result.find(from); at != result.npos; at = result.find(from, at + to.size()))
      result.replace(at, from.size(), to);
  };
  replace("std::max", "max");
  replace("({", "(");
  replace("})", ")");
  replace("ObjectType::kBody", "1");
  replace("ObjectType::kSite", "6");
  return result;
}

// "1, 3, 4, 6" as "1, 3, 4 or 6".
std::string choices(std::string text) {
  if (const size_t last = text.rfind(", "); last != text.npos) text.replace(last, 2, " or ");
  return text;
}

}  // namespace

std::string describe_rule(std::string_view rule) {
  const std::string arguments = plain(arguments_of(rule));
  const size_t comma = arguments.rfind(", ");  // of two arguments
  const auto starts = [rule](std::string_view word) { return rule.starts_with(word); };
  if (rule == "Any") return "any";
  if (rule == "Flag") return "0 or 1";
  if (starts("IndexOrNone(")) return fmt::format("-1 to {} - 1", arguments);
  if (starts("Index(")) return fmt::format("0 to {} - 1", arguments);
  if (starts("Count(")) return fmt::format("0 to {}", arguments);
  if (starts("AtLeast(")) return fmt::format("{} or more", arguments);
  if (starts("OneOf(")) return choices(arguments);
  if (starts("Enum<")) return std::string(rule.substr(5, rule.find('>') - 5));
  if (comma == arguments.npos) return std::string(rule);
  const std::string first = arguments.substr(0, comma), second = arguments.substr(comma + 2);
  if (starts("Between(")) return fmt::format("{} to {}", first, second);
  if (starts("Run(")) return fmt::format("start of {} elements below {}, or -1 for none", first, second);
  return std::string(rule);
}

}  // namespace torsor
