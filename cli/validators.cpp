// Validators that reject NaN and infinity, which CLI11's own accept, and that say what is expected.
#include "cli/validators.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "torsor/core/error.hpp"

namespace torsor::cli {
namespace {

template <class Test>
CLI::Validator number_that(std::string expected, Test test) {
  const auto check = [expected = std::move(expected), test](const std::string& text) {
    double value = 0;
    const bool good = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && test(value);
    return good ? std::string() : fmt::format("'{}' is not {}", text, expected);
  };
  return CLI::Validator(check, "");
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Index of a word in a list, -1 if not found.
int find_word(const std::string& text, const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), lower_case(text));
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

std::string explain_unknown_word(const std::string& what, const std::string& text,
                                 const std::vector<std::string>& words) {
  return fmt::format("unknown {} '{}'; choose {}{}", what, text, list_of_choices(words), did_you_mean(text, words));
}

}  // namespace

CLI::Validator at_least(double bound) {
  return number_that(fmt::format("a number of at least {}", format_number(bound)),
                     [=](double x) { return x >= bound; });
}

CLI::Validator more_than(double bound) {
  return number_that(fmt::format("a number above {}", format_number(bound)), [=](double x) { return x > bound; });
}

CLI::Validator between(double low, double high) {
  return number_that(fmt::format("a number from {} to {}", format_number(low), format_number(high)),
                     [=](double x) { return x >= low && x <= high; });
}

CLI::Validator any_number() {
  return number_that("a number", [](double) { return true; });
}

CLI::Validator whole(double low, double high) {
  return number_that(fmt::format("a whole number from {} to {}", format_number(low), format_number(high)),
                     [=](double x) { return x >= low && x <= high && x == std::floor(x); });
}

CLI::Validator one_of(std::string what, std::vector<std::string> words) {
  const auto check = [what = std::move(what), words = std::move(words)](std::string& text) {
    const int found = find_word(text, words);
    if (found < 0) return explain_unknown_word(what, text, words);
    text = words[static_cast<size_t>(found)];
    return std::string();
  };
  return CLI::Validator(check, "");
}

CLI::Validator one_of_values(std::string what, std::vector<std::pair<std::string, int>> values) {
  const auto check = [what = std::move(what), values = std::move(values)](std::string& text) {
    std::vector<std::string> words;
    for (const auto& [word, value] : values) words.push_back(word);
    const int found = find_word(text, words);
    if (found < 0) return explain_unknown_word(what, text, words);
    text = std::to_string(values[static_cast<size_t>(found)].second);
    return std::string();
  };
  return CLI::Validator(check, "");
}

std::string list_of_choices(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = find_nearest(word, known);
  return nearest.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", nearest);
}

}  // namespace torsor::cli
