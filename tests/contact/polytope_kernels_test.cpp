// Kernels of the search for depths.
#include "torsor/contact/kernels/polytope.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/property.hpp"
#include "torsor/contact/dispatch.hpp"
#include "torsor/core/isa.hpp"

namespace torsor {
namespace {

// As a loop finds it.
int first_least(const std::vector<double>& x, int count) {
  int best = -1;
  for (int i = 0; i < count; ++i)
    if (x[size_t(i)] < (best < 0 ? INFINITY : x[size_t(best)])) best = i;
  return best;
}

TEST(PolytopeKernels, TheLeastNumberIsTheFirstOfEqualsInEveryInstructionSet) {
  const std::string before = isa_name(current_isa());
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    for_all(number_of_cases(500, 2'000, 20'000), [](Random& random) {
      const int count = random.integer(0, 40);
      std::vector<double> x(size_t(count + kFacePad - 1) / kFacePad * kFacePad + kFacePad, INFINITY);
      const int kinds = random.integer(1, 8);  // few: many are equal
      for (int i = 0; i < count; ++i) {
        x[size_t(i)] = random.chance(0.2)   ? INFINITY
                       : random.chance(0.5) ? random.integer(0, kinds)
                                            : random.uniform(0, 9);
        if (random.chance(0.02)) x[size_t(i)] = NAN;
      }
      EXPECT_EQ(polytope_kernels().find_least(x.data(), count), first_least(x, count));
    });
  }
  use_isa(before);
}

}  // namespace
}  // namespace torsor
