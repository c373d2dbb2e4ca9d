// Settings of attached models that differ from those of the enclosing model, and which of the two take effect.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "torsor/format/mjcf/document.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

struct Reader;

// A model that can be attached.
struct ModelAsset {
  std::shared_ptr<const Spec> spec;
  std::set<std::string> given;  // settings that its file gives, as in Reader::given
};

// Compares options, sizes and visual settings that depend on sizes, and resolves differences by <compiler conflict>:
// - warning: the enclosing model's values are used;
// - error: the same, but values given in both files must not differ;
// - merge: values that the enclosing model's file does not give are adopted. Of values given in both, the finer or
//   larger one is used if that makes sense, otherwise they must not differ. A flag changed in either model is changed.
void merge_settings(const Element& attach, const std::string& name, const ModelAsset& model, Reader& reader);

}  // namespace torsor::mjcf
