// Macros used by all math headers and kernels.
#pragma once

#include "torsor/core/device.hpp"

// Each instruction set compiles the kernels into its own inline namespace, so that the linker can never replace
// code for a plain machine by code for a newer one.
#ifndef TORSOR_ISA
#define TORSOR_ISA generic
#endif

// Small functions are always inlined: speed does not depend on the optimiser, and object files export no weak symbols.
#define TORSOR_INLINE TORSOR_HD __attribute__((always_inline)) inline

// Functions with loops, too long to inline at every call: local to the object file for the same reason.
#define TORSOR_LOCAL TORSOR_HD static
