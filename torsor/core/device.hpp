// Functions that a GPU can run, too.
#pragma once

#ifdef __CUDACC__
#define TORSOR_HD __host__ __device__
#else
#define TORSOR_HD
#endif

// Long functions with large arrays. Each has a frame of its own on the stack, so that a thread of a GPU needs room for
// the deepest call only, not for all of them.
#define TORSOR_APART TORSOR_HD __attribute__((noinline)) inline
