// <composite>: a cable, which is expanded to ordinary bodies on reading. Other kinds are no longer part of MJCF.
#pragma once

#include "torsor/format/mjcf/cable.hpp"
#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {

Table<CableSpec> composite_attributes();
Table<GeomSpec> composite_geom_attributes();
Table<JointSpec> composite_joint_attributes();
Table<SiteSpec> composite_site_attributes();

// Adds the bodies of a cable to a body of the model, inside a frame.
void read_composite(const Element& element, int body, int frame, Reader& reader);

}  // namespace torsor::mjcf
