// Diagnosis of a run: stages, solver, forward compared with inverse dynamics, energy and memory.
#pragma once

#include <string>

#include "cli/terminal.hpp"
#include "torsor/model/data.hpp"

namespace torsor::cli {

class Diagnosis {
 public:
  // Enables what the page needs: energy, the comparison with inverse dynamics, timers.
  static void prepare(Model& model, Data& data);
  // After every step.
  void take(const Data& data);
  // The page about all steps so far.
  std::string page(const Model& model, const Data& data, const Terminal& terminal) const;

 private:
  // Smallest, largest and mean of a number over the steps.
  struct Range {
    double least = 0, most = 0, total = 0;
    void take(double value, bool is_first);
  };
  std::string range_text(const Range& range) const;
  void add_stages(std::string& page, const Data& data, const Terminal& terminal) const;
  void add_solver(std::string& page, const Data& data, const Terminal& terminal) const;
  void add_totals(std::string& page, const Model& model, const Data& data, const Terminal& terminal) const;

  int64_t steps_ = 0;
  Range contacts_, rows_, islands_, iterations_, constraint_gap_, force_gap_, energy_;
  TimerCount timers_[static_cast<int>(Timer::kCount)];  // a reset inside a step clears those of the data
  TimerCount seen_[static_cast<int>(Timer::kCount)];
  size_t stack_ = 0, results_ = 0;
};

}  // namespace torsor::cli
