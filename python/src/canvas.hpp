// Bound by bind_render(): torsor._core._Canvas.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python {

void bind_canvas(nanobind::module_& m);

}  // namespace torsor::python
