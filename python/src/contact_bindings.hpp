// The parts of the module about contact, in addition to those of bindings.hpp.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor {
struct ContactPoint;
}

namespace torsor::python {

void bind_rays(nanobind::module_& m);   // ray, multi_ray, geom_distance
void bind_hooks(nanobind::module_& m);  // set_collision_function, add_contact, efc_AR, ...

// Converts the result of a user's collision function to points; returns their number. Throws if it is invalid.
int read_contact_points(nanobind::handle points, ContactPoint* out);

}  // namespace torsor::python
