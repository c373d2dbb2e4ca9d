// Commands that are written in Python, in python/torsor/__main__.py: the program hands them over to "python -m torsor".
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace torsor::cli {

// Adds a command of which the program knows the name only; its options and its --help are Python's.
CLI::App* add_python_command(Program& program, const char* name, const char* meaning);

// Replaces this process by Python running the command. Returns only by throwing Error, which says what to install.
[[noreturn]] void run_in_python(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace torsor::cli
