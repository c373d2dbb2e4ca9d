// Converts model files between formats, and reports what the target cannot hold.
#pragma once

#include <string>
#include <vector>

#include "torsor/format/losses.hpp"
#include "torsor/load/load.hpp"

namespace torsor {

struct Conversion {
  std::string from, to;              // "mjcf", "urdf", "mjz" or "binary"
  std::vector<std::string> files;    // that were written, the model first
  std::vector<Diagnostic> warnings;  // of the reader: what it left out
  std::vector<Loss> losses;          // what the target cannot hold
};

// The target is known by its ending: .xml, .urdf, .mjz or .zip, .torsor; the source by its contents. Nothing is written
// if anything is wrong. Throws an Error for a compiled model that is to become MJCF (torsor.convert of the Python
// package finds a Spec of one), and for the reasons of load().
Conversion convert_file(const std::string& input, const std::string& output, const LoadOptions& options = {});

// The format of an existing file, by its contents: as Conversion::from.
std::string format_of_model(const std::string& path);

}  // namespace torsor
