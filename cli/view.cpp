// torsor view: simulates a model in real time and shows it in the browser.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include <spawn.h>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/view/viewer.hpp"

extern char** environ;

namespace torsor::cli {
namespace {

struct ViewArguments {
  ModelSource source;
  RunSettings settings;
  view::ServerOptions server;
  bool no_open = false;
  bool paused = false;
  double duration = 0;
};

// Where there is a desktop; elsewhere the address that was printed has to do.
void open_browser(const std::string& url) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  const std::string program = "xdg-open";
  char* const words[] = {const_cast<char*>(program.c_str()), const_cast<char*>(url.c_str()), nullptr};
  pid_t process = 0;
  posix_spawnp(&process, program.c_str(), nullptr, nullptr, words, environ);
}

int run_view(const ViewArguments& arguments) {
  Model model = arguments.source.load();
  arguments.settings.apply(model);
  const std::string size = describe_size(model);
  auto live = std::make_unique<view::Live>(std::move(model), arguments.source.textures());
  arguments.settings.start(live->model(), live->data());
  live->restart();
  if (arguments.paused) live->handle(R"({"type": "pause"})");
  view::Viewer viewer(std::move(live), arguments.server);
  const Terminal terminal(stdout);
  terminal.write(fmt::format("{}: {}\n{}\nCtrl-C ends it\n", printable(arguments.source.file), size, viewer.url()));
  std::fflush(stdout);
  if (!arguments.no_open) open_browser(viewer.url());
  using Clock = std::chrono::steady_clock;
  const Interrupt interrupt;
  const auto end = Clock::now() + std::chrono::duration<double>(arguments.duration);
  while (!interrupt.requested() && (arguments.duration <= 0 || Clock::now() < end))
    std::this_thread::sleep_for(std::chrono::duration<double>(viewer.tick()));
  return kExitOk;
}

}  // namespace

void add_view(Program& program) {
  const auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command =
      program.add_command("view", "Simulate a model in real time and show it in the browser",
                          "  torsor view robot.xml\n"
                          "  torsor view robot.xml --port 8000 --keyframe home --paused\n"
                          "  ssh -L 8000:localhost:8000 machine torsor view robot.xml --port 8000 --no-open\n",
                          "0 ended with Ctrl-C, 1 error, 2 usage error");
  arguments->source.add_to(*command);
  arguments->settings.add_to(*command);
  command->add_option("--port", arguments->server.port, "Port of the page (default 0: any that is free)")
      ->type_name("N")
      ->check(whole(0, 65535));
  command
      ->add_option("--address", arguments->server.address,
                   "Address to listen on (default 127.0.0.1: this machine only); any other needs the token that is "
                   "printed with the address of the page")
      ->type_name("IP");
  command->add_option("--token", arguments->server.token, "Token that the page must have (default: a random one)")
      ->type_name("TEXT");
  command->add_flag("--no-open", arguments->no_open, "Do not open a browser");
  command->add_flag("--paused", arguments->paused, "Start paused");
  command->add_option("-d,--duration", arguments->duration, "End after this many seconds (default: with Ctrl-C)")
      ->option_text("SECONDS")
      ->check(at_least(0));
  command->callback([&program, arguments] { program.run = [arguments] { return run_view(*arguments); }; });
}

}  // namespace torsor::cli
