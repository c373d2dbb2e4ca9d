// The program: parses the command line, runs one command, and returns an exit code.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/core/error.hpp"
#include "torsor/core/version.hpp"

namespace torsor::cli {
namespace {

void print_plain_error(const std::string& message, const std::string& advice = {}) {
  const Terminal terminal(stderr);
  std::fputs(fmt::format("{} {}\n", terminal.paint(Style::kRed, "error:"), printable(message)).c_str(), stderr);
  if (!advice.empty()) std::fputs((advice + "\n").c_str(), stderr);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// "--keyfram" becomes "unknown option '--keyfram' of sim (did you mean '--keyframe'?)".
std::string explain_unknown(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::vector<std::string> extras = command.remaining(true);
  const std::string word = extras.empty() ? std::string() : extras.front();
  const std::string of = chosen.empty() ? std::string() : " of " + command.get_name();
  if (word.rfind("-", 0) != 0)
    return fmt::format("unexpected argument '{}'{}{}", word, of, did_you_mean(word, command_names(command)));
  const std::string option = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* candidate : command.get_options()) {
    for (const std::string& name : candidate->get_lnames()) known.push_back(name);
  }
  // without the dashes, which would make short names seem more similar than they are
  const std::string bare = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  const std::string nearest = find_nearest(bare, known);
  return fmt::format("unknown option '{}'{}{}", option, of,
                     nearest.empty() ? std::string() : fmt::format(" (did you mean '--{}'?)", nearest));
}

// Our own error messages, where those of the parser expose its internals.
std::string explain(const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    const size_t colon = text.find(':');  // "--csv: 1 required OUT missing"
    if (text.find(" missing") != text.npos && colon != text.npos)
      return fmt::format("{} needs a value", text.substr(0, colon));
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error)) {
    constexpr std::string_view kStart = "Could not convert: ";  // "--seed = foo"
    if (text.rfind(kStart, 0) == 0) return fmt::format("{}: not a value of this option", text.substr(kStart.size()));
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) {
    if (const size_t at = text.find(" excludes "); at != text.npos)
      return fmt::format("{} and {} cannot be used together", text.substr(0, at), text.substr(at + 10));
  }
  return text;
}

int report_usage(const CLI::App& app, const std::string& message) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? std::string() : chosen.front()->get_name() + " ";
  print_plain_error(message, fmt::format("try: torsor {}--help", command));
  return kExitUsage;
}

// Commands come first, so an unknown first word is a typing error.
bool is_unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const auto names = command_names(app);
  return std::find(names.begin(), names.end(), argv[1]) == names.end();
}

int parse_and_run(Program& program, int argc, char** argv) {
  program.words.assign(argv + std::min(argc, 1), argv + argc);
  if (is_unknown_command(program.app, argc, argv)) {
    const std::string word = argv[1];
    return report_usage(program.app,
                        fmt::format("unknown command '{}'{}", word, did_you_mean(word, command_names(program.app))));
  }
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    return program.app.exit(success);
  } catch (const CLI::ExtrasError&) {
    return report_usage(program.app, explain_unknown(program.app));
  } catch (const CLI::ParseError& error) {
    return report_usage(program.app, explain(error));
  }
  return program.run();
}

// The parser indents the lines of a description but does not break them.
constexpr size_t kHelpWidth = 98, kDescriptionColumn = 30;

std::string wrapped(const std::string& text, size_t width) {
  std::string result;
  size_t column = 0;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find(' ', start), text.size());
    const bool is_new_line = column > 0 && column + 1 + (end - start) > width;
    if (column > 0) result += is_new_line ? '\n' : ' ';
    column = (is_new_line || column == 0 ? 0 : column + 1) + (end - start);
    result.append(text, start, end - start);
    start = end + 1;
  }
  return result;
}

void wrap_descriptions(CLI::App& app) {
  for (CLI::Option* option : app.get_options([](CLI::Option*) { return true; }))
    option->description(wrapped(option->get_description(), kHelpWidth - kDescriptionColumn));
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->description(wrapped(command->get_description(), kHelpWidth - kDescriptionColumn));
    wrap_descriptions(*command);
  }
}

void add_commands(Program& program) {
  CLI::App& app = program.app;
  app.set_version_flag("--version", std::string("torsor ") + version());
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  torsor demo\n"
      "  torsor sim robot.xml --duration 5 --csv run.csv\n"
      "\n"
      "Every command has --help. Colours appear on terminals only; NO_COLOR=1 turns them off.\n"
      "TORSOR_ISA=baseline|avx2|avx512 forces an instruction set.\n"
      "Exit codes: 0 success, 1 error, 2 usage error, 3 the simulation diverged, the models differ or\n"
      "the log is not conclusive, 130 interrupted with Ctrl-C.");
  add_demo(program);
  add_sim(program);
  add_view(program);
  add_replay(program);
  add_render(program);
  add_plot(program);
  add_inspect(program);
  add_bench(program);
  add_rollout(program);
  add_sweep(program);
  add_check(program);
  add_diff(program);
  add_compile(program);
  add_convert(program);
  add_conventions(program);
  add_state(program);
  add_detect(program);
  add_motion(program);
  add_python(program);
  wrap_descriptions(app);
}

int run_program(int argc, char** argv) {
  try {
    Program program;
    add_commands(program);
    const int code = parse_and_run(program, argc, argv);
    Terminal(stdout).write("");  // reports a full disk now at the latest
    return code;
  } catch (const Error& error) {
    print_error(error);
  } catch (const std::bad_alloc&) {
    print_plain_error("out of memory");
  } catch (const std::exception& error) {
    print_plain_error(error.what());
  } catch (...) {
    print_plain_error("unknown failure");
  }
  return kExitError;
}

}  // namespace

CLI::App* Program::add_command(const char* name, const char* meaning, const char* examples, const char* exit_codes) {
  CLI::App* command = app.add_subcommand(name, meaning);
  command->set_help_flag("-h,--help", "Print this help and exit");
  const std::string codes = wrapped(fmt::format("Exit codes: {}.", exit_codes), kHelpWidth);
  command->footer(fmt::format("Examples:\n{}\n{}", examples, codes));
  return command;
}

}  // namespace torsor::cli

int main(int argc, char** argv) { return torsor::cli::run_program(argc, argv); }
