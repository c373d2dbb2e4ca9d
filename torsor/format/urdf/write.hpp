// Writes a Model as URDF: the tree of links and joints, masses, shapes and meshes.
#pragma once

#include <string>
#include <vector>

#include "torsor/format/losses.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

struct UrdfFiles {
  std::string text;
  FileSystem meshes;         // OBJ files, by the names that the text has for them
  std::vector<Loss> losses;  // what URDF cannot hold
};

// The root link is called `world`, so that the base needs no further word. Links have the frames of their bodies; where
// a body has several joints, or a joint that is not at its origin, links without mass stand between. Meshes are called
// `mesh_folder`/name.obj. Throws an Error for a model whose names URDF cannot hold.
UrdfFiles write_urdf(const Model& model, const std::string& mesh_folder = "meshes");

namespace urdf {

// Lists what of the model has no place in URDF, apart from its links and shapes.
void list_losses(const Model& model, LossList& losses);

// The name of an element, or one made of its kind and number.
std::string name_of(const Model& model, ObjectType type, int id);

}  // namespace urdf
}  // namespace torsor
