// From Spec to Model: everything that an author may leave open, write in several ways or get wrong is settled here.
#pragma once

#include "torsor/compile/origins.hpp"
#include "torsor/model/faults.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// The shortest and the longest length of an actuator's output, or why they could not be measured.
struct LengthMeasurement {
  double range[2] = {0, 0};
  const char* problem = nullptr;
};
// compile() cannot simulate; who can, measures for it.
using LengthMeter = LengthMeasurement (*)(const Model& model, int output, const LengthRangeSpec& settings);

// Throws an Error that holds all diagnostics, each with the place of its element. Warnings are in model.warnings.
// Where the elements of the Model come from is told on demand.
// Without a meter, muscles whose range of lengths would have to be measured are errors.
Model compile(const Spec& spec, Origins* origins = nullptr, LengthMeter meter = nullptr);

// The same after stages that found something wrong: throws what they found together with what is wrong besides.
Model compile(const Spec& spec, const Findings& earlier, Origins* origins = nullptr, LengthMeter meter = nullptr);

}  // namespace torsor
