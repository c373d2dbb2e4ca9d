// Names of all objects and paths of asset files, each in one buffer.
#pragma once

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

// Characters, terminators included.
long long count_names(const Draft& draft, const Tree& tree);
long long count_paths(const Draft& draft);

void write_names(const Draft& draft, const Tree& tree, Model& model);
void write_paths(const Draft& draft, Model& model);

}  // namespace torsor::compiler
