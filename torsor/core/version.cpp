#include "torsor/core/version.hpp"

namespace torsor {

const char* version() { return kHeaderVersion; }

}  // namespace torsor
