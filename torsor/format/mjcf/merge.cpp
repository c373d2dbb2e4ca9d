// Settings of attached models. There is a conflict where both models give a setting, and differ.
#include "torsor/format/mjcf/merge.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "torsor/convention/row_fields.hpp"
#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

constexpr std::string_view kFiner[] = {
    "timestep",      "tolerance",       "ls_tolerance", "noslip_tolerance",
    "ccd_tolerance", "sleep_tolerance", "realtime",     "znear",
};
constexpr std::string_view kLarger[] = {
    "iterations", "ls_iterations", "noslip_iterations", "ccd_iterations", "sdf_iterations", "sdf_initpoints", "zfar",
};
constexpr std::string_view kDrawing[] = {"realtime", "znear", "zfar"};  // all other settings remain those of the model

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Merge {
 public:
  Merge(const Element& attach, const ModelAsset& model, Reader& reader)
      : attach_(attach), model_(model), reader_(reader), policy_(reader.spec.compiler.conflict) {}

  void run();
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  template <class T>
  void merge_value(const Attribute<T>& row, T& ours, const T& theirs, const std::string& key, bool ours_given,
                   bool theirs_given);
  template <class T>
  void take(const Attribute<T>& row, T& ours, const std::string& text) {
    row.access.read(ours, Value(attach_, row.name, text, reader_.report));
  }
  void check_axes();
  void merge_options();
  void merge_flags();
  void merge_sizes();
  void merge_drawing();
  void refuse(std::string_view name, const std::string& mine, const std::string& other) {
    reader_.report.error(attach_, fmt::format("both models set {}: {} here, {} there", name, mine, other));
  }

  const Element& attach_;
  const ModelAsset& model_;
  Reader& reader_;
  const std::string policy_;
  std::vector<std::string> notes_;
};

// Adopted values count as given, for models that are attached later.
template <class T>
void Merge::merge_value(const Attribute<T>& row, T& ours, const T& theirs, const std::string& key, bool ours_given,
                        bool theirs_given) {
  const std::string mine = *row.access.write(ours, nullptr), other = *row.access.write(theirs, nullptr);
  if (!theirs_given) return;
  if (mine == other) {
    if (policy_ == "merge") reader_.given.insert(key);
    return;
  }
  bool takes_theirs = policy_ == "merge";
  if (takes_theirs && ours_given) {
    const bool is_less = std::strtod(other.c_str(), nullptr) < std::strtod(mine.c_str(), nullptr);
    const bool is_size = std::is_same_v<T, SizeSpec>;
    if (!is_size && !contains(kFiner, row.name) && !contains(kLarger, row.name)) return refuse(row.name, mine, other);
    takes_theirs = is_less == contains(kFiner, row.name);
  } else if (ours_given && policy_ == "error") {
    return refuse(row.name, mine, other);
  }
  notes_.push_back(
      fmt::format("{} ({} here, {} there: {} counts)", row.name, mine, other, takes_theirs ? other : mine));
  if (!takes_theirs) return;
  take(row, ours, other);
  reader_.given.insert(key);
}

void Merge::merge_options() {
  Option& ours = reader_.spec.option;
  const Option& theirs = model_.spec->option;
  for (const Attribute<Option>& row : option_attributes()) {
    const std::string key = "option " + std::string(row.name);
    if (row.name != "actuatorgroupdisable") {
      merge_value(row, ours, theirs, key, reader_.given.contains(key), model_.given.contains(key));
    } else if ((theirs.disableactuator & ~ours.disableactuator) != 0 && policy_ == "merge") {
      take(row, ours, *row.access.write(theirs, nullptr));  // groups add up
      notes_.emplace_back("actuatorgroupdisable (groups of both)");
    }
  }
}

// Merged flags are those that either model changes.
void Merge::merge_flags() {
  Option& ours = reader_.spec.option;
  const Option standard;
  for (const Attribute<Option>& row : flag_attributes()) {
    const std::string key = "flag " + std::string(row.name);
    const std::string mine = *row.access.write(ours, nullptr), other = *row.access.write(model_.spec->option, nullptr);
    const bool ours_given = reader_.given.contains(key);
    if (mine == other || !model_.given.contains(key) || (!ours_given && policy_ != "merge")) continue;
    if (policy_ == "error") {
      refuse(fmt::format("the flag {}", row.name), mine, other);
      continue;
    }
    const bool takes_theirs = policy_ == "merge" && row.access.write(model_.spec->option, &standard).has_value();
    notes_.push_back(fmt::format("the flag {} ({} counts)", row.name, takes_theirs ? other : mine));
    if (!takes_theirs) continue;
    take(row, ours, other);
    reader_.given.insert(key);
  }
}

void Merge::merge_sizes() {
  const SizeSpec standard;
  SizeSpec& ours = reader_.spec.size;
  const SizeSpec& theirs = model_.spec->size;
  for (const Attribute<SizeSpec>& row : size_attributes()) {
    if (row.name == "nstack") continue;
    const bool ours_given = row.access.write(ours, &standard).has_value();
    merge_value(row, ours, theirs, "size " + std::string(row.name), ours_given,
                row.access.write(theirs, &standard).has_value());
  }
}

void Merge::merge_drawing() {
  for (const VisualGroup& group : visual_groups()) {
    for (const Attribute<Visual>& row : group.rows) {
      if (!contains(kDrawing, row.name)) continue;
      const std::string key = std::string(group.name) + " " + std::string(row.name);
      merge_value(row, reader_.spec.visual, model_.spec->visual, key, reader_.given.contains(key),
                  model_.given.contains(key));
    }
  }
}

// Frames of the attached part keep their meaning only in a world of the same axes.
void Merge::check_axes() {
  const ModelAxes &ours = reader_.spec.compiler.axes, &theirs = model_.spec->compiler.axes;
  if (ours == theirs) return;
  reader_.report.error(
      attach_,
      fmt::format("the models have other axes: world '{}' and bodies '{}' here, world '{}' and bodies '{}' there",
                  axes_text(ours.world), axes_text(ours.body), axes_text(theirs.world), axes_text(theirs.body)));
}

void Merge::run() {
  check_axes();
  merge_options();
  merge_flags();
  merge_sizes();
  merge_drawing();
}

}  // namespace

void merge_settings(const Element& attach, const std::string& name, const ModelAsset& model, Reader& reader) {
  Merge merge(attach, model, reader);
  merge.run();
  if (merge.notes().empty()) return;
  reader.report.warning(
      attach, fmt::format("the attached model '{}' has other settings: {}", name, fmt::join(merge.notes(), ", ")));
}

}  // namespace torsor::mjcf
