// Starts Python for the commands that need it.
#include "cli/python_command.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "cli/model_source.hpp"
#include "torsor/core/error.hpp"

namespace torsor::cli {
namespace {

// Runs "python -m torsor" after checking that the package is installed. The current folder is not searched.
constexpr const char* kStart =
    "import importlib.util, runpy, sys\n"
    "sys.path = [folder for folder in sys.path if folder]\n"
    "for package in ('torsor', 'numpy'):\n"
    "    if importlib.util.find_spec(package) is None:\n"
    "        sys.exit(f\"error: 'torsor {sys.argv[1].replace('_', ' ')}' needs the package {package} in "
    "{sys.executable}\\n\"\n"
    "                 f'hint: pip install {package}')\n"
    "runpy.run_module('torsor', run_name='__main__', alter_sys=True)\n";

std::string own_path() {
  std::error_code failure;
  return std::filesystem::read_symlink("/proc/self/exe", failure).string();
}

// The interpreter that started the program as "python -m torsor", that of the environment that the program is installed
// in, or the first one on the PATH.
std::string find_python(const std::string& program) {
  const char* given = std::getenv("TORSOR_PYTHON");
  if (given && access(given, X_OK) == 0) return given;
  const auto beside = std::filesystem::path(program).replace_filename("python3");
  return !program.empty() && access(beside.c_str(), X_OK) == 0 ? beside.string() : "python3";
}

}  // namespace

void run_in_python(const std::string& command, const std::vector<std::string>& arguments) {
  const std::string program = own_path();
  const std::string python = find_python(program);
  std::vector<const char*> argv = {python.c_str(), "-c", kStart, command.c_str()};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  argv.push_back(nullptr);
  setenv("TORSOR_STARTED_BY", program.c_str(), 1);
  unsetenv("TORSOR_PYTHON");  // meant for this program, not for what the interpreter starts
  execvp(python.c_str(), const_cast<char* const*>(argv.data()));
  std::string shown = command;
  std::replace(shown.begin(), shown.end(), '_', ' ');
  const std::string message =
      fmt::format("'torsor {}' needs Python with the package torsor, and {} cannot be started", shown, python);
  throw Error({Diagnostic{Severity::kError, {}, message, "install Python 3.11 or later, then: pip install torsor"}});
}

int wait_for_python(const std::string& command, const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child < 0) throw Error(fmt::format("'torsor {}' cannot start Python: {}", command, std::strerror(errno)));
  if (child == 0) {
    try {
      run_in_python(command, arguments);
    } catch (const Error& error) {
      print_error(error);
    }
    _exit(kExitError);
  }
  const auto before = std::signal(SIGINT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  std::signal(SIGINT, before);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

CLI::App* add_python_command(Program& program, const char* name, const char* meaning) {
  CLI::App* command = program.app.add_subcommand(name, meaning);
  command->set_help_flag();
  command->prefix_command();
  command->callback([&program, command] {
    program.run = [command]() -> int { run_in_python(command->get_name(), command->remaining()); };
  });
  return command;
}

void add_python(Program& program) {
  add_python_command(program, "python", "Print the Python that commands written in Python run with")->group("");
}

}  // namespace torsor::cli
