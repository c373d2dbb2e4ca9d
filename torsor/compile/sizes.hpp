// How large the arrays of the compiled Model are.
#pragma once

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

// Numbers of one reading of a sensor, and what its history takes.
int sensor_dim(const Spec& spec, const SensorSpec& sensor);                 // sensors.cpp
long long sensor_history_size(const Spec& spec, const SensorSpec& sensor);  // sensors.cpp

// Reports models that are too large to be meant.
ModelSizes count_sizes(Draft& draft, const Tree& tree);

}  // namespace torsor::compiler
