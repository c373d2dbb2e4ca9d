// The parts of the module about contact, beside those of bindings.hpp.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor {
struct ContactPoint;
}

namespace torsor::python {

void bind_rays(nanobind::module_& m);   // ray, multi_ray, geom_distance
void bind_hooks(nanobind::module_& m);  // set_collision_function, add_contact, efc_AR, ...

// What a user's collision function returned, as points; returns how many. Throws for what are none.
int read_contact_points(nanobind::handle points, ContactPoint* out);

}  // namespace torsor::python
