// The tests of worlds in lanes again, compiled for AVX2.
#define EIGEN_DONT_VECTORIZE  // GCC warns about what Eigen does with AVX-512
#include "tests/solver/wide_test.cpp"
