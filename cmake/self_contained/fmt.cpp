// The functions of fmt, compiled from its headers. In header-only mode they are inline; -fkeep-inline-functions and
// -fno-inline keep a definition of each, which links with sources that expect a library.
#define FMT_HEADER_ONLY
#include <fmt/format.h>
