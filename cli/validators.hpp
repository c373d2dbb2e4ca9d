// Checks of values on the command line: numbers, and words of a list. What they say follows the name of the option.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace torsor::cli {

// A finite number of at least, or of more than, a bound; one between two bounds, both included; any finite one.
CLI::Validator at_least(double bound);
CLI::Validator more_than(double bound);
CLI::Validator between(double low, double high);
CLI::Validator any_number();
// Whole numbers between two bounds, both included.
CLI::Validator whole(double low, double high);

// A word of a list, in upper or lower case, for Option::transform. Others are refused with the list and the nearest
// word: "unknown solver 'newtn'; choose pgs, cg, newton or sap (did you mean 'newton'?)".
CLI::Validator one_of(std::string what, std::vector<std::string> words);

// The same for an enumeration: each word stands for a value.
CLI::Validator one_of_values(std::string what, std::vector<std::pair<std::string, int>> values);
template <class E>
CLI::Validator one_of(std::string what, const std::vector<std::pair<std::string, E>>& values) {
  std::vector<std::pair<std::string, int>> numbers;
  for (const auto& [word, value] : values) numbers.emplace_back(word, static_cast<int>(value));
  return one_of_values(std::move(what), std::move(numbers));
}

// "a, b or c"
std::string list_of_choices(const std::vector<std::string>& words);
// " (did you mean 'sim'?)", or "" where nothing is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace torsor::cli
