// Commands written in Python, in python/torsor/__main__.py: the program runs them by "python -m torsor".
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace torsor::cli {

// Adds a command of which the program knows only the name; Python handles its options and its --help.
CLI::App* add_python_command(Program& program, const char* name, const char* meaning);

// Replaces this process by Python running the command. Returns only by throwing Error, which says what to install.
[[noreturn]] void run_in_python(const std::string& command, const std::vector<std::string>& arguments);

// The same in a process of its own. Returns its exit code, also after Ctrl-C, which is left to Python.
int wait_for_python(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace torsor::cli
