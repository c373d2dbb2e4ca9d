// The commands of the program, one file each. A command adds its options to the parser, and sets Program::run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace torsor::cli {

// Exit codes; every --help ends with these.
enum ExitCode : int {
  kExitOk = 0,
  kExitError = 1,
  kExitUsage = 2,
  kExitDiverged = 3,
  kExitDiffer = 3,         // two models are not the same
  kExitUndecidable = 3,    // the log is not conclusive
  kExitInterrupted = 130,  // 128 + SIGINT, as shells count
};

struct Program {
  CLI::App app{"Torsor: simulate articulated bodies from MJCF files.", "torsor"};
  std::vector<std::string> words{};  // of the command line, after the name of the program
  std::function<int()> run;          // set by the command that was parsed; returns an ExitCode

  // A subcommand whose help ends with examples and its exit codes.
  CLI::App* add_command(const char* name, const char* meaning, const char* examples, const char* exit_codes);
};

void add_demo(Program& program);
void add_sim(Program& program);
void add_view(Program& program);
void add_replay(Program& program);
void add_render(Program& program);
void add_plot(Program& program);
void add_inspect(Program& program);
void add_bench(Program& program);
void add_rollout(Program& program);
void add_sweep(Program& program);
void add_check(Program& program);
void add_diff(Program& program);
void add_compile(Program& program);
void add_convert(Program& program);
void add_conventions(Program& program);
void add_state(Program& program);
void add_detect(Program& program);
void add_motion(Program& program);
void add_python(Program& program);

}  // namespace torsor::cli
