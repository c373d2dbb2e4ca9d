// Parts of an MJCF file that add_mjcf() leaves out on request.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/spec.hpp"

namespace torsor::newton {

// Leaves out bodies (with their descendants), joints, geoms and sites whose name or class begins with a match of one of
// the patterns (regular expressions), and whatever refers to these. Keyframes are removed too, since they would no
// longer fit. Throws Error for an invalid pattern.
void leave_out(Spec& spec, const std::vector<std::string>& names, const std::vector<std::string>& classes);
// Geoms whose class begins with a match do not collide, except in predefined pairs.
void make_visual(Spec& spec, const std::vector<std::string>& classes);

}  // namespace torsor::newton
