// Reads elevations from an image or from MuJoCo's binary height field files.
#pragma once

#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/hfield.hpp"

namespace torsor {

// A name that ends in .png is an image, unless content_type gives another media type. The first row of an image is at
// the highest y; of colours, red counts. Anything else is the binary format: numbers of rows and columns as int32, then
// elevations as float32, the first row at the lowest y. Elevations are not normalised yet: see prepare_hfield().
ElevationGrid read_hfield_file(Bytes bytes, std::string_view file_name, std::string_view content_type = {});

}  // namespace torsor
