// The signal handler only sets a flag.
#include "cli/interrupt.hpp"

#include <signal.h>

namespace torsor::cli {
namespace {

volatile sig_atomic_t requested_flag = 0;

extern "C" void set_flag(int) { requested_flag = 1; }

}  // namespace

Interrupt::Interrupt() {
  requested_flag = 0;
  struct sigaction action {};
  action.sa_handler = set_flag;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the program
  sigaction(SIGINT, &action, nullptr);
}

Interrupt::~Interrupt() { signal(SIGINT, SIG_DFL); }

bool Interrupt::requested() const { return requested_flag != 0; }

}  // namespace torsor::cli
