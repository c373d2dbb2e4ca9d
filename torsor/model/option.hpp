// Physics options and model statistics: small structs, editable between steps.
#pragma once

#include "torsor/core/device.hpp"
#include "torsor/model/types.hpp"

namespace torsor {

struct Option {
#define SCALAR(type, name, value, unit, meaning, ...) type name = value;
#define VECTOR(name, length, unit, meaning, ...) double name[length] = {__VA_ARGS__};
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR

  TORSOR_HD bool disabled(int flags) const { return (disableflags & flags) != 0; }
  TORSOR_HD bool enabled(int flags) const { return (enableflags & flags) != 0; }
};

// Sizes that set scales, of the model in qpos0.
struct Statistic {
  double meaninertia = 1;  // mean diagonal of M
  double meanmass = 1;
  double meansize = 0.2;
  double extent = 2;
  double center[3] = {0, 0, 0};
};

}  // namespace torsor
