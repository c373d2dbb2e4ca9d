// The standard streams under the names that the renamed archive of qhull has for them.
#include <cstdio>

#define TORSOR_HIDDEN __attribute__((visibility("hidden")))

extern "C" {
TORSOR_HIDDEN std::FILE* torsor_stdin = stdin;
TORSOR_HIDDEN std::FILE* torsor_stdout = stdout;
TORSOR_HIDDEN std::FILE* torsor_stderr = stderr;
}
