// <composite>: refused by name, with what replaces the kinds that MuJoCo no longer has.
#pragma once

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {

void refuse_composite(const Element& element, Reader& reader);

}  // namespace torsor::mjcf
