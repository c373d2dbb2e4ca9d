// Parts of an MJCF file that add_mjcf() is told to leave out.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/spec.hpp"

namespace torsor::newton {

// Leaves out bodies with all that hangs on them, joints, geoms and sites whose name or class begins with a match of one
// of the patterns (regular expressions), and whatever refers to these. Keyframes go as well: they would no longer fit.
// Throws Error for a pattern that is none.
void leave_out(Spec& spec, const std::vector<std::string>& names, const std::vector<std::string>& classes);
// Geoms whose class begins with a match touch nothing, but for pairs that the file names.
void make_visual(Spec& spec, const std::vector<std::string>& classes);

}  // namespace torsor::newton
