// Run by CMake's configuration step for TORSOR_KERNELS=native: the number of the machine's best instruction set, in the order of
// TORSOR_ISAS.
#include "torsor/core/machine.hpp"

int main() { return torsor::machine_has_avx512() ? 2 : torsor::machine_has_avx2() ? 1 : 0; }
