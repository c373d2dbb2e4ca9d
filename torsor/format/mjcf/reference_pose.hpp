// The pose of a body in its parent, where it follows from what is written.
#pragma once

#include <optional>

#include "torsor/math/pose.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

// Nothing for orientations without a direction, which compile() reports.
std::optional<Pose<double>> find_reference_pose(const BodySpec& body, const Spec& spec);

}  // namespace torsor::mjcf
