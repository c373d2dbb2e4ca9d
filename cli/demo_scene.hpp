// The scene of `torsor demo`, embedded so that the program needs no file.
#pragma once

namespace torsor::cli {

extern const char kDemoScene[];

}  // namespace torsor::cli
