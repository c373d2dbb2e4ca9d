// Names of asset files in a model whose parts are written somewhere else than they were read.
#pragma once

#include <string>

#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

// Names every file from the folder of assets: without the folders that strippath drops, and also where it is found
// beside an included file. So a name means the same wherever its element is written.
void settle_asset_paths(Spec& spec);

// For a model that is written to `path`: folders of assets that are relative to the model lead to the same files.
void move_asset_folders(Spec& spec, const std::string& path);

}  // namespace torsor::mjcf
