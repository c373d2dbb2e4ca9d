// Checks the tables of a robot, and a clip for it, against its model: what a new embodiment must get right.
#pragma once

#include "torsor/bridge/motion/ground.hpp"
#include "torsor/format/motion/embodiment.hpp"

namespace torsor {

// One sentence for each problem; empty if everything fits. Checks names (all problems at once), that the order of
// MuJoCo is the model's depth-first order and that of Isaac Lab its breadth-first order, the root, the feet, and
// partners of left and right. With a clip also: joint limits, and that the feet neither sink into the ground nor never
// reach it.
std::vector<std::string> check_embodiment(const Model& model, const Embodiment& robot,
                                          const MotionClip* clip = nullptr);

}  // namespace torsor
