// Binary files of compiled models: quick to load, exact to the bit, refused as a whole when anything in them is wrong.
// The layout follows the field lists of model/; layout.hpp says how.
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/model.hpp"

namespace torsor {

// Equal models give equal bytes.
std::string to_bytes(const Model& model);
// `name` is what errors call the bytes, such as the path they came from.
// Throws Error for bytes that are truncated, corrupted, of another version or not a model at all. Not even bytes made
// to deceive can make later functions read or write beyond an array: find_fault() of model/check.hpp looks at the
// result.
Model from_bytes(std::string_view bytes, const std::string& name = "binary model");

// Throw Error when the file cannot be written or read, and as from_bytes() does.
void save_binary(const Model& model, const std::string& path);
Model load_binary(const std::string& path);

// Whether bytes or the start of a file claim to be a binary model. Says nothing about whether they are sound.
bool is_binary(std::string_view bytes);

}  // namespace torsor
