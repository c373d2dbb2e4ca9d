// Paths of asset files in a model that is written to another place than it was read from.
#pragma once

#include <string>

#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

// Makes the path of every file relative to the asset folder: without the folders that strippath drops, and also for
// files found next to an included file. A path then means the same wherever its element is written.
void settle_asset_paths(Spec& spec);

// For a model to be written to `path`: adjusts relative asset folders so that they lead to the same files.
void move_asset_folders(Spec& spec, const std::string& path);

}  // namespace torsor::mjcf
