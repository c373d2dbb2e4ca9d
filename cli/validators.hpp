// Checks of values on the command line: numbers, and words of a list. Messages follow the name of the option.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace torsor::cli {

// Finite numbers: at least a bound, above a bound, between two bounds (inclusive), or any.
CLI::Validator at_least(double bound);
CLI::Validator more_than(double bound);
CLI::Validator between(double low, double high);
CLI::Validator any_number();
// Whole numbers between two bounds, both included.
CLI::Validator whole(double low, double high);

// A word of a list, ignoring case, for Option::transform. The error for others has the list and the nearest word:
// "unknown solver 'newtn'; choose pgs, cg, newton or sap (did you mean 'newton'?)".
CLI::Validator one_of(std::string what, std::vector<std::string> words);

// The same for an enumeration, with a value for each word.
CLI::Validator one_of_values(std::string what, std::vector<std::pair<std::string, int>> values);
template <class E>
CLI::Validator one_of(std::string what, const std::vector<std::pair<std::string, E>>& values) {
  std::vector<std::pair<std::string, int>> numbers;
  for (const auto& [word, value] : values) numbers.emplace_back(word, static_cast<int>(value));
  return one_of_values(std::move(what), std::move(numbers));
}

// "a, b or c"
std::string list_of_choices(const std::vector<std::string>& words);
// " (did you mean 'sim'?)", or "" if no word is similar.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace torsor::cli
