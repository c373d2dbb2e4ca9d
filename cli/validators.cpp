// Validators that refuse NaN and infinity, which CLI11's own let pass, and that say what is wanted.
#include "cli/validators.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "cli/numbers.hpp"

namespace torsor::cli {
namespace {

template <class Test>
CLI::Validator number_that(std::string wanted, Test test) {
  const auto check = [wanted = std::move(wanted), test](const std::string& text) {
    double value = 0;
    const bool good = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && test(value);
    return good ? std::string() : fmt::format("'{}' is not {}", text, wanted);
  };
  return CLI::Validator(check, "");
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

}  // namespace torsor::cli
