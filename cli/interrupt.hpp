// Ctrl-C as a flag, so that a run can end cleanly with partial results.
#pragma once

namespace torsor::cli {

// From construction on, the first Ctrl-C sets the flag; the second ends the program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;
};

}  // namespace torsor::cli
