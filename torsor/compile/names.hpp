// Names of all objects and paths of asset files, each in one buffer.
#pragma once

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

// Characters, terminators included.
long long count_names(const Draft& draft, const Tree& tree);
long long count_paths(const Draft& draft);

// "did you mean 'x'?" where the Model has an object of the type with a similar name.
std::string hint_at_name(const Model& model, ObjectType type, const std::string& name);

void write_names(const Draft& draft, const Tree& tree, Model& model);
void write_paths(const Draft& draft, Model& model);

}  // namespace torsor::compiler
