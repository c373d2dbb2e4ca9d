// Names of asset files in a model that is written somewhere else than it was read.
#pragma once

#include <string>

#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

// Files that were found beside an included file are named from the folder of assets, since includes are flattened.
void flatten_asset_paths(Spec& spec);

// For a model that is written to `path`: folders of assets that are relative to the model lead to the same files.
void move_asset_folders(Spec& spec, const std::string& path);

}  // namespace torsor::mjcf
