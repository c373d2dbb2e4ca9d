// Settings of attached models that are not those of the model around them, and which of the two count.
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

// Compares options, sizes and what of drawing depends on sizes, and settles them as <compiler conflict> says:
// - warning: the model's own values count;
// - error: so they do, but values that both files give must not differ;
// - merge: values that the model's own file does not give are taken over; of values that both give, the finer or larger
//   one counts where there is such a thing, else they must not differ. What is switched on or off in either model, is.
void merge_settings(const Element& attach, const std::string& name, const ModelAsset& model, Reader& reader);

}  // namespace torsor::mjcf
