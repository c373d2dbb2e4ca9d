// Inverse kinematics of newton::Model for Python: torsor/newton/ik.py.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python {

void bind_newton_ik(nanobind::module_& m);

}  // namespace torsor::python
