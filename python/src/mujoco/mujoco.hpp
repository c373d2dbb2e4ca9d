// The implementation of torsor.mujoco.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python {

void bind_mujoco(nanobind::module_& m);

}  // namespace torsor::python
