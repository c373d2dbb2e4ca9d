// The warnings of a run: sums of the counters of step().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "torsor/model/data.hpp"

namespace torsor::cli {

class WarningTally {
 public:
  // Adds the counters of a Data after a bad step, since the next reset of the simulation clears them.
  void take(const Data& data);
  bool empty() const;
  // One line per kind, such as "bad acceleration 2 times, last at dof 3 of joint 'knee'".
  std::vector<std::string> describe(const Model& model) const;

 private:
  struct Count {
    int64_t number = 0;
    int last = 0;
  };
  Count counts_[static_cast<int>(Warning::kCount)];
};

}  // namespace torsor::cli
