#include "torsor/batch/field_list.hpp"

#include <cstring>
#include <sstream>

#include "torsor/core/assert.hpp"

namespace torsor {

FieldList::FieldList(const ModelSizes& sizes) : names_{"time"}, sizes_{1} {
  state_.set(0);
  DataView<double> view;  // has the lists, without memory
  static_cast<ModelSizes&>(view) = sizes;
  view.for_each_field([&](const FieldInfo& info, const Field<double>&) {
    if (info.stage == Stage::kState) state_.set(names_.size());
    if (info.stage != Stage::kState && info.stage != Stage::kInput) results_.set(names_.size());
    names_.push_back(info.name);
    sizes_.push_back(info.rows * info.columns);
  });
  TORSOR_ASSERT(names_.size() <= kMostFields);
  for (size_t i = 0; i < names_.size(); ++i) all_.set(i);
}

int FieldList::find(const std::string& name) const {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (name == names_[i]) return static_cast<int>(i);
  }
  return -1;
}

FieldSet FieldList::set(const std::string& names) const {
  FieldSet result;
  std::istringstream words(names);
  for (std::string word; words >> word;) {
    const int field = find(word);
    TORSOR_ASSERT(field >= 0);
    result.set(static_cast<size_t>(field));
  }
  return result;
}

}  // namespace torsor
