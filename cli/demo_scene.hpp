// The scenes of `torsor demo`, embedded so that the program needs no file.
#pragma once

namespace torsor::cli {

extern const char kDemoScene[];     // models/demo.xml
extern const char kFigureScene[];   // models/scenes/figure.xml
extern const char kGripperScene[];  // models/scenes/gripper_cube.xml

}  // namespace torsor::cli
