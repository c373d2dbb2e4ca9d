// Which stages of a step depend on values of the model that differ from world to world: these run lane by lane, each
// lane with its own model, and the others stay wide.
#pragma once

#include <optional>
#include <string>

#include "torsor/batch/world_values.hpp"

namespace torsor {

// Why a stage runs lane by lane, "values per world: body_mass"; "" for a stage that reads no such value.
struct ValueStages {
  std::string kinematics, mass_matrix, velocity, passive, actuators, rows, integrator, sensors;
  bool operator==(const ValueStages&) const = default;
};

// Nothing where a field could change more than the stages above, such as which stages there are: worlds must then be
// stepped one by one.
std::optional<ValueStages> find_value_stages(const Model& model, const WorldValues& values);

}  // namespace torsor
