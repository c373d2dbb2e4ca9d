// Tests that run with every instruction set of the machine: TEST_P over a class derived from this one.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "torsor/core/arena.hpp"
#include "torsor/core/isa.hpp"

namespace torsor::solver {

class IsaTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    before_ = isa_name(current_isa());
    use_isa(GetParam());
  }
  void TearDown() override { use_isa(before_); }
  Arena arena{std::size_t{1} << 28};

 private:
  const char* before_;
};

inline std::vector<const char*> isa_names() {
  std::vector<const char*> names;
  for (const Isa isa : available_isas()) names.push_back(isa_name(isa));
  return names;
}

}  // namespace torsor::solver
