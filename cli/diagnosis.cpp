// Sums over the steps, and the page that shows them.
#include "cli/diagnosis.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "cli/table.hpp"

namespace torsor::cli {
namespace {

// Nested timers are indented.
struct Stage {
  Timer timer;
  const char* name;
};
constexpr Stage kStages[] = {
    {Timer::kStep, "step"},
    {Timer::kForward, "  forward"},
    {Timer::kPosition, "    position"},
    {Timer::kKinematics, "      kinematics"},
    {Timer::kInertia, "      inertia"},
    {Timer::kCollision, "      collision"},
    {Timer::kMake, "      constraint rows"},
    {Timer::kVelocity, "    velocity"},
    {Timer::kActuation, "    actuation"},
    {Timer::kConstraint, "    constraint solver"},
    {Timer::kAdvance, "  integration"},
    {Timer::kInverse, "  inverse"},
};

std::string heading(const Terminal& terminal, const char* title) {
  return fmt::format("\n{}\n", terminal.paint(Style::kBold, title));
}

// Total iterations of all islands.
int iterations_of(const Data& data) {
  int total = 0;
  const int counted = std::min(data.nisland, ConstraintStage::kIslandsWithStatistics);
  for (int island = 0; island < counted; ++island) total += data.solver_niter[island];
  return total;
}

}  // namespace

void Diagnosis::prepare(Model& model, Data& data) {
  model.opt.enableflags |= kEnableEnergy | kEnableFwdInv;
  data.timers_on = true;
}

void Diagnosis::Range::take(double value, bool is_first) {
  least = is_first ? value : std::min(least, value);
  most = is_first ? value : std::max(most, value);
  total += value;
}

void Diagnosis::take(const Data& data) {
  const bool is_first = steps_++ == 0;
  contacts_.take(data.ncon, is_first);
  rows_.take(data.nefc, is_first);
  islands_.take(data.nisland, is_first);
  iterations_.take(iterations_of(data), is_first);
  constraint_gap_.take(data.solver_fwdinv[0], is_first);
  force_gap_.take(data.solver_fwdinv[1], is_first);
  energy_.take(data.energy[0] + data.energy[1], is_first);
  for (int i = 0; i < static_cast<int>(Timer::kCount); ++i) {
    const TimerCount& now = data.timer[i];
    const bool was_reset = now.number < seen_[i].number;
    timers_[i].duration += now.duration - (was_reset ? 0 : seen_[i].duration);
    timers_[i].number += now.number - (was_reset ? 0 : seen_[i].number);
    seen_[i] = now;
  }
  stack_ = std::max(stack_, data.arena().high_water());
  results_ = std::max(results_, data.results().high_water());
}

std::string Diagnosis::range_text(const Range& range) const {
  return fmt::format("{} to {}, mean {}", format_number(range.least), format_number(range.most),
                     format_number(range.total / static_cast<double>(std::max<int64_t>(1, steps_))));
}

void Diagnosis::add_stages(std::string& page, const Data&, const Terminal& terminal) const {
  Table table({{"stage"}, {"calls", Align::kRight}, {"each", Align::kRight}, {"of the step", Align::kRight}});
  const double whole = timers_[static_cast<int>(Timer::kStep)].duration;
  for (const Stage& stage : kStages) {
    const TimerCount& timer = timers_[static_cast<int>(stage.timer)];
    if (timer.number == 0) continue;
    table.add({stage.name, format_count(timer.number),
               format_duration(timer.duration / static_cast<double>(timer.number)),
               fmt::format("{:.1f} %", whole > 0 ? 100 * timer.duration / whole : 0)});
  }
  page += heading(terminal, "Stages") + table.text(terminal);
}

void Diagnosis::add_solver(std::string& page, const Data& data, const Terminal& terminal) const {
  if (data.nisland == 0 || data.solver.size() == 0) return;
  Table table({{"iteration", Align::kRight},
               {"improvement", Align::kRight},
               {"gradient", Align::kRight},
               {"line slope", Align::kRight},
               {"active rows", Align::kRight},
               {"changes", Align::kRight},
               {"evaluations", Align::kRight}});
  const int count = std::min(data.solver_niter[0], data.solver_capacity);
  for (int i = 0; i < count; ++i) {
    const SolverStatistic& s = data.solver[i];
    table.add({fmt::format("{}", i + 1), fmt::format("{:.3g}", s.improvement), fmt::format("{:.3g}", s.gradient),
               fmt::format("{:.3g}", s.lineslope), fmt::format("{}", s.nactive), fmt::format("{}", s.nchange),
               fmt::format("{}", s.neval)});
  }
  if (!table.empty()) page += heading(terminal, "Solver, first island of the last step") + table.text(terminal);
}

void Diagnosis::add_totals(std::string& page, const Model& model, const Data& data, const Terminal& terminal) const {
  Table table({{}, {}});
  table.add({"contacts", range_text(contacts_)});
  table.add({"rows", range_text(rows_)});
  table.add({"islands", range_text(islands_)});
  table.add({"solver iterations", range_text(iterations_)});
  table.add({"forward - inverse", fmt::format("constraint force {} N | N m at most, given force {}",
                                              format_number(constraint_gap_.most), format_number(force_gap_.most))});
  table.add({"energy", range_text(energy_) + " J"});
  page += heading(terminal, "Over all steps") + table.text(terminal);

  Table memory({{}, {}});
  memory.add({"model", format_bytes(model.bytes())});
  memory.add({"data", format_bytes(data.bytes())});
  memory.add({"contacts and rows", format_bytes(results_) + " at most"});
  memory.add({"scratch", format_bytes(stack_) + " at most"});
  memory.add({"size memory", model.memory < 0 ? "not specified" : format_bytes(static_cast<size_t>(model.memory))});
  page += heading(terminal, "Memory") + memory.text(terminal);
}

std::string Diagnosis::page(const Model& model, const Data& data, const Terminal& terminal) const {
  std::string page;
  if (steps_ == 0) return page;
  add_stages(page, data, terminal);
  add_totals(page, model, data, terminal);
  add_solver(page, data, terminal);
  return page;
}

}  // namespace torsor::cli
