// All tests of math/ again, compiled for AVX2.
#include "tests/math/dense_test.cpp"
#include "tests/math/lanes_test.cpp"
#include "tests/math/pack_test.cpp"
#include "tests/math/principal_axes_test.cpp"
#include "tests/math/quat_test.cpp"
#include "tests/math/spatial_test.cpp"
#include "tests/math/trig_test.cpp"
#include "tests/math/vec_mat_test.cpp"
