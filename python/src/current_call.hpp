// Who called the engine: callbacks that the engine holds for all models find their Python objects here.
#pragma once

#include "objects.hpp"

namespace torsor::python {

struct CurrentCall {
  ModelObject* model;
  DataObject* data;
};

// The innermost EngineCall of this thread; nulls outside of one.
CurrentCall current_call();

}  // namespace torsor::python
