// Names of all objects and paths of asset files, each in one buffer.
#pragma once

#include <functional>

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

struct NamedKind {
  ObjectType type;
  Field<int> ModelView::*addresses;  // of the names in the buffer
};

// Calls f(kind, id, name) for every object, with the ids of the Model, in the order of the buffer of names.
void for_each_name(const Draft& draft, const Tree& tree,
                   const std::function<void(const NamedKind&, int, const std::string&)>& f);

// Characters, terminators included.
long long count_names(const Draft& draft, const Tree& tree);
long long count_paths(const Draft& draft);

void write_names(const Draft& draft, const Tree& tree, Model& model);
void write_paths(const Draft& draft, Model& model);

}  // namespace torsor::compiler
