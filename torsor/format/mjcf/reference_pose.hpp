// The pose of a body in its parent, as far as the file determines it.
#pragma once

#include <optional>

#include "torsor/math/pose.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

// Nothing for invalid orientations, which compile() reports.
std::optional<Pose<double>> find_reference_pose(const BodySpec& body, const Spec& spec);

}  // namespace torsor::mjcf
