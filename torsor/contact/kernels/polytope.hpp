// What the search for a depth asks of its polytope in every round.
#pragma once

namespace torsor {

// How many numbers beyond the last one a kernel may read.
inline constexpr int kFacePad = 8;

struct PolytopeKernels {
  // The least of `count` numbers, the first of equals; -1 where all are infinite or none. Numbers from `count` on to
  // the next multiple of kFacePad must be infinite.
  int (*find_least)(const double* x, int count);
};

}  // namespace torsor
