// From Spec to Model: everything that an author may leave open, write in several ways or get wrong is settled here.
#pragma once

#include "torsor/compile/origins.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// Throws an Error that holds all diagnostics, each with the place of its element. Warnings are in model.warnings.
// Where the elements of the Model come from is told on demand.
Model compile(const Spec& spec, Origins* origins = nullptr);

}  // namespace torsor
