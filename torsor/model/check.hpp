// Whether the whole numbers of a model, and of the rows in a Data, are what kernels take for granted: indices in range,
// runs within their arrays, enumerators that exist, and a structure that follows from its tree.
//
// Models that compile() makes are sound. Bytes, pickles and arrays that a user wrote into may not be.
#pragma once

#include <string>

#include "torsor/model/data.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

// What is wrong with a model, "" when nothing is: "geom_condim[3] is 100; allowed: 1, 3, 4 or 6".
std::string find_fault(const Model& model);
// Throws Error with that text; `name` is what the error calls the model, such as the path that it came from.
void check_model(const Model& model, const std::string& name = "model");

// The same for those values alone that users may edit, quick enough to be asked before every step: the whole numbers
// of arrays that are not structural, and the options. Throws Error.
void check_editable(const Model& model);
// The options alone.
void check_options(const Model& model);

// What is wrong with the contacts, rows and indices of a Data for a sound model, "" when nothing is.
std::string find_fault(const Model& model, const Data& data);

}  // namespace torsor
