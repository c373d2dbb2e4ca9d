// Reads elevations from an image or from MuJoCo's binary height field files.
#pragma once

#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/hfield.hpp"

namespace torsor {

// A name that ends in .png is an image, unless the media type content_type says otherwise: its first row is at the
// highest y, and colours count by their red. Anything else is the binary format: counts of rows and columns as int32,
// then elevations as float32, the first row at the lowest y.
// Elevations are not normalised yet: see prepare_hfield().
ElevationGrid read_hfield_file(Bytes bytes, std::string_view file_name, std::string_view content_type = {});

}  // namespace torsor
