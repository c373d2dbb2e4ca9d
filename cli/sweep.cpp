// torsor sweep: many values of a model's parameters and a table of outcomes; written in Python.
#include "cli/python_command.hpp"

namespace torsor::cli {

void add_sweep(Program& program) {
  add_python_command(program, "sweep", "Simulate a model over many values of its parameters, and write a table");
}

}  // namespace torsor::cli
