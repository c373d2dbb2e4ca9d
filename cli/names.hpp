// Display names of objects, which may have no name.
#pragma once

#include <string>

#include "torsor/model/model.hpp"
#include "torsor/model/object_words.hpp"

namespace torsor::cli {

// Its name, or "#3" for object 3 of its type. Not escaped for printing.
std::string name_or_number(const Model& model, ObjectType type, int id);
// The same, names in quotes, safe to print.
std::string display_name(const Model& model, ObjectType type, int id);

// "4 bodies, 4 joints, 11 dofs"
std::string describe_size(const Model& model);

const char* name_of(JointType type);
const char* name_of(GeomType type);
const char* name_of(ObjectType type);

}  // namespace torsor::cli
