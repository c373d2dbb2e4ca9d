// Binary files of compiled models: fast to load, exact to the bit, and rejected as a whole if anything is wrong.
// The layout follows the field lists of model/; layout.hpp says how.
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/model.hpp"

namespace torsor {

// Equal models give equal bytes.
std::string to_bytes(const Model& model);
// `name` identifies the bytes in error messages, for example the path they came from.
// Throws Error for bytes that are truncated, corrupted, of another version or not a model at all. Even malicious bytes
// cannot make later functions access memory out of bounds: find_fault() of model/check.hpp checks the result.
Model from_bytes(std::string_view bytes, const std::string& name = "binary model");

// Throw Error if the file cannot be written or read, and for the same reasons as from_bytes().
void save_binary(const Model& model, const std::string& path);
Model load_binary(const std::string& path);

// Whether bytes, or the start of a file, have the signature of a binary model. They are not checked further.
bool is_binary(std::string_view bytes);

}  // namespace torsor
