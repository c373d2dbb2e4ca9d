// Names of warnings and of their causes.
#include "cli/warnings.hpp"

#include <fmt/format.h>

#include "cli/names.hpp"
#include "cli/numbers.hpp"

namespace torsor::cli {
namespace {

// The joint that element `index` of qpos or of the dofs belongs to.
std::string describe_culprit(const Model& model, Warning kind, int index) {
  if (kind == Warning::kBadQpos) {
    for (int j = model.njnt - 1; j >= 0; --j) {
      if (model.jnt_qposadr[j] <= index)
        return fmt::format("qpos {} of joint {}", index, display_name(model, ObjectType::kJoint, j));
    }
  }
  const bool of_dof = kind == Warning::kBadQvel || kind == Warning::kBadQacc || kind == Warning::kInertia;
  if (of_dof && index >= 0 && index < model.nv)
    return fmt::format("dof {} of joint {}", index, display_name(model, ObjectType::kJoint, model.dof_jntid[index]));
  return fmt::format("index {}", index);
}

}  // namespace

void WarningTally::take(const Data& data) {
  for (int kind = 0; kind < static_cast<int>(Warning::kCount); ++kind) {
    const WarningCount& count = data.warning[kind];
    if (count.number > 0) counts_[kind] = {counts_[kind].number + count.number, count.lastinfo};
  }
}

bool WarningTally::empty() const {
  for (const Count& count : counts_) {
    if (count.number > 0) return false;
  }
  return true;
}

std::vector<std::string> WarningTally::describe(const Model& model) const {
  std::vector<std::string> lines;
  for (int kind = 0; kind < static_cast<int>(Warning::kCount); ++kind) {
    const Count& count = counts_[kind];
    if (count.number == 0) continue;
    lines.push_back(fmt::format("{}: {}, last at {}", warning_meaning(static_cast<Warning>(kind)),
                                format_plural(count.number, "time", "times"),
                                describe_culprit(model, static_cast<Warning>(kind), count.last)));
  }
  return lines;
}

}  // namespace torsor::cli
