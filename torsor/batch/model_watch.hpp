// Notices that a model was edited since a batch last looked, so that what follows from its values is made anew then and
// only then. Users write into the arrays of a model without telling anybody.
#pragma once

#include <cstddef>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

class ModelWatch {
 public:
  // Whether options or values differ from those of the last call; true in the first. Vertices, textures and names are
  // not looked at. Takes no memory after the first call.
  bool has_changed(const Model& model);

 private:
  bool differs(const void* numbers, size_t bytes);
  bool has_other_options(const Option& opt);

  std::vector<std::byte> seen_;
  size_t place_ = 0;
};

}  // namespace torsor
