// TORSOR_ASSERT catches our own bugs in development and test builds and costs nothing in release builds.
#pragma once

#include <cstdio>
#include <cstdlib>

#if defined(TORSOR_ASSERTS) && TORSOR_ASSERTS
#define TORSOR_ASSERT(condition)                                                             \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
#else
#define TORSOR_ASSERT(condition) static_cast<void>(0)
#endif
