// Attributes of torsor.Data for contacts and constraint rows.
#pragma once

#include "objects.hpp"

namespace torsor::python {

void add_constraint_attributes(nb::class_<DataObject>& cls);

}  // namespace torsor::python
