// A Model as a scene for the page: what is drawn, once. What moves is in frames (frame.hpp).
//
// The scene is one blob: the length of a JSON text (uint32, little-endian), the text, padded with spaces to a multiple
// of 4 bytes, and the binary data that it refers to as {"at": bytes from the start of that data, "count": numbers}.
// web/src/scene.ts reads it.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/data.hpp"
#include "torsor/view/textures.hpp"

namespace torsor::view {

// Bodies whose poses frames hold, ascending: those with joints, and mocap bodies. All others are fixed to their parent.
std::vector<int> moving_bodies(const Model& model);
// Tendons that have a path in space, ascending.
std::vector<int> spatial_tendons(const Model& model);
// Cameras and lights that follow a body in another way than fixed to it, ascending: frames hold their poses.
std::vector<int> tracking_cameras(const Model& model);
std::vector<int> tracking_lights(const Model& model);

// `textures` of the Spec of the model; without them, or where an image cannot be read, materials have their colour
// alone, and the scene's "warnings" say so.
std::string make_scene(const Model& model, const TextureSource& textures = {});

}  // namespace torsor::view
