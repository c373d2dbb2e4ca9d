// Meshes, height fields and skins of a scene.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "torsor/model/model.hpp"

namespace torsor::view {

// Adds "meshes" to the scene, and their corners to the data: float32 positions, int16 normals (four numbers, the last
// unused), float32 texture coordinates where a mesh has them, and uint32 corners of the triangles.
void write_meshes(const Model& model, nlohmann::json& scene, std::string& data);
// Adds "hfields" to the scene, and their elevations to the data.
void write_hfields(const Model& model, nlohmann::json& scene, std::string& data);

// Adds "skins" to the scene, and their arrays to the data: float32 vertices, weights and texture coordinates (where a
// skin has them), uint32 indices of vertices.
void write_skins(const Model& model, nlohmann::json& scene, std::string& data);

}  // namespace torsor::view
