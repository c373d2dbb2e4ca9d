// From Spec to Model: fills in what the author left out, normalises what can be written in several ways, and reports
// errors.
#pragma once

#include "torsor/compile/origins.hpp"
#include "torsor/model/faults.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// The shortest and longest length of an actuator's output, or the reason why they could not be measured.
struct LengthMeasurement {
  double range[2] = {0, 0};
  const char* problem = nullptr;
};
// Measures length ranges by simulation, which compile() itself cannot do.
using LengthMeter = LengthMeasurement (*)(const Model& model, int output, const LengthRangeSpec& settings);

// Throws an Error with all diagnostics, each with the location of its element. Warnings are in model.warnings.
// `origins`, if not null, receives which element of the Spec each element of the Model comes from. Without a meter,
// muscles whose length range would have to be measured are errors.
Model compile(const Spec& spec, Origins* origins = nullptr, LengthMeter meter = nullptr);

// The same after stages that found errors: throws these together with further errors found here.
Model compile(const Spec& spec, const Findings& earlier, Origins* origins = nullptr, LengthMeter meter = nullptr);

}  // namespace torsor
