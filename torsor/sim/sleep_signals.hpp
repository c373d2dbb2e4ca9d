// What wakes a tree.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Whether qfrc_applied or xfrc_applied has anything but zeros for a tree. The sign of zero counts: -0.0 wakes a tree
// and changes nothing else.
bool has_applied_force(const Model& model, const Data& data, int tree);

}  // namespace torsor
