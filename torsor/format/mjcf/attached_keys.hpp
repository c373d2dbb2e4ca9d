// Keyframes of attached models, in the coordinates of the whole model.
#pragma once

#include "torsor/format/mjcf/attach.hpp"

namespace torsor::mjcf {

// Numbers of the part are those of its keyframes; all others are as in the reference pose.
void copy_keys(const Attachment& part, Spec& spec);

}  // namespace torsor::mjcf
