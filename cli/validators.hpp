// Checks of numbers on the command line.
#pragma once

#include <CLI/CLI.hpp>

namespace torsor::cli {

// A finite number of at least, or of more than, a bound; and one between two bounds, both included.
CLI::Validator at_least(double bound);
CLI::Validator more_than(double bound);
CLI::Validator between(double low, double high);

}  // namespace torsor::cli
